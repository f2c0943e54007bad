//! What several rows need.

use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use http_body::Body;
use http_body_util::BodyExt as _;
use reference_router::body::Outgoing;
use reference_router::cache::{Entry, Rule};
use reference_router::response::{self, UserBody};

use super::At;

/// The longest entry for which this holds, exact ones first. Those that are over do not count.
pub(crate) fn longest<'a>(
    at: &At<'a>,
    mut covers: impl FnMut(&Rule<'_>) -> bool,
) -> Option<Entry<'a>> {
    let entries = at.ask.cache.entries();
    let covering = entries
        .iter()
        .filter(|(.., expires)| expires.is_none_or(|end| end > Instant::now()))
        .filter(|(path, exact, ..)| covers(&Rule { path, exact: *exact }));
    let (_, exact, cell, expires) =
        covering.max_by_key(|(path, exact, ..)| (*exact, path.len()))?;
    let rule = Rule { path: at.path(), exact: *exact };
    Some(Entry { rule, cell: *cell, expires: *expires })
}

/// Sets a field; a value that cannot be one is left out.
pub(crate) fn set(headers: &mut HeaderMap, name: &'static str, value: impl AsRef<[u8]>) {
    if let Ok(value) = HeaderValue::from_bytes(value.as_ref()) {
        headers.insert(HeaderName::from_static(name), value);
    }
}

/// The text of a field; empty where there is none.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// All bytes of a body; those that came, where it broke off.
pub(crate) async fn all_of(body: &mut (impl Body<Data = Bytes> + Unpin)) -> Bytes {
    let mut all = Vec::new();
    while let Some(Ok(frame)) = body.frame().await {
        if let Ok(data) = frame.into_data() {
            all.extend(data);
        }
    }
    all.into()
}

/// The same request without its body.
pub(crate) fn without_body(request: &Request<Outgoing>) -> Request<Outgoing> {
    let mut same = Request::new(Outgoing::empty());
    *same.method_mut() = request.method().clone();
    *same.uri_mut() = request.uri().clone();
    *same.headers_mut() = request.headers().clone();
    same
}

/// A response of the router's own.
pub(crate) fn page(status: u16, text: impl Into<Bytes>) -> Response<UserBody> {
    let mut response = Response::new(response::whole(text));
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap_or_default();
    response
}
