use axum::body::Body;
use http::header::{HOST, LOCATION};
use http::{HeaderValue, Response, StatusCode};

use super::effect::{Effect, Replacement};

/// The cell redirects the user to the host that it received: 302 to an absolute URL made of
/// `X-Forwarded-Proto` (or `http`), `X-Forwarded-Host` (or `Host`), the path and `/there` (Z-26).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RedirectsToReceivedHost;

impl RedirectsToReceivedHost {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Response(Box::new(|request, _| {
            let received =
                |name: &str| request.headers.get(name).and_then(|value| value.to_str().ok());
            let scheme = received("x-forwarded-proto").unwrap_or("http");
            let host = received("x-forwarded-host")
                .or_else(|| received(HOST.as_str()))
                .unwrap_or_default();
            redirect(scheme, host, request.uri.path())
        })))
    }
}

/// 302 to an absolute URL below a path.
pub(super) fn redirect(scheme: &str, authority: &str, path: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    if let Ok(location) = HeaderValue::try_from(format!("{scheme}://{authority}{path}/there")) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}
