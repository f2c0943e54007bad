//! Programs that respond and do not route.

use std::sync::Arc;

use http::header::LOCATION;
use http::{HeaderValue, Response, StatusCode};
use http_body_util::BodyExt;
use rand::seq::IndexedRandom;

use crate::base::body::{Body, BoxError, full};
use crate::base::edge::remove_hop_by_hop;
use crate::base::forward;
use crate::base::http1::head::RequestHead;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::kind::NoRouter;

/// Responds as `kind` does; an error closes the connection without a response.
pub(crate) async fn response(
    router: &Arc<Router>,
    kind: NoRouter,
    head: RequestHead,
    body: Body,
) -> Result<Response<Body>, BoxError> {
    let own = router.config.own_cells();
    match kind {
        NoRouter::Always502 => Ok(page(StatusCode::BAD_GATEWAY, "bad gateway\n")),
        NoRouter::Always404 => Ok(page(StatusCode::NOT_FOUND, "not found\n")),
        NoRouter::Empty200 => Ok(page(StatusCode::OK, "")),
        NoRouter::HangsUp => Err("the connection is closed".into()),
        NoRouter::Echo => {
            let body = body.collect().await?.to_bytes();
            let mut text = format!("{} {}\n", head.method, head.target).into_bytes();
            for (name, value) in &head.headers {
                text.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"].concat());
            }
            text.extend_from_slice(&body);
            Ok(Response::new(full(text)))
        }
        NoRouter::RedirectsTheUserToTheCell => {
            let cell = own.choose(&mut rand::rng()).ok_or("no cell")?;
            let location =
                format!("http://{}{}", router.config.cells[*cell].authority, head.target);
            let mut response = page(StatusCode::TEMPORARY_REDIRECT, "");
            response.headers_mut().insert(LOCATION, HeaderValue::try_from(location)?);
            Ok(response)
        }
        NoRouter::FirstCellOnly => pass(router, own[0], head, body).await,
        NoRouter::LoadBalancer => {
            pass(router, router.round() % router.config.cells.len(), head, body).await
        }
    }
}

fn page(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(full(text));
    *response.status_mut() = status;
    response
}

/// Sends to a cell and forwards its response unchanged.
async fn pass(
    router: &Arc<Router>,
    cell: usize,
    head: RequestHead,
    body: Body,
) -> Result<Response<Body>, BoxError> {
    let mut ask =
        Ask { method: head.method, target: head.target, headers: head.headers, ..Ask::default() };
    remove_hop_by_hop(&mut ask.headers, None);
    ask.headers.remove(http::header::CONTENT_LENGTH);
    match forward::send(router, cell, &ask, body).await {
        Ok(mut response) => {
            remove_hop_by_hop(response.headers_mut(), None);
            Ok(response)
        }
        Err(_) => Ok(page(StatusCode::BAD_GATEWAY, "bad gateway\n")),
    }
}
