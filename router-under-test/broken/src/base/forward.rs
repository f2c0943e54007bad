//! Sending one request to one cell.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::uri::Authority;
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::base::body::{Body, full, unsized_body};
use crate::base::deviate::deviate;
use crate::base::http1::cell;
use crate::base::outcome::Failure;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::base::{edge, failures, jar, unsolicited, waiting_limit};
use crate::deviation::Seam;
use crate::kind::Variation;

/// Sends to a cell of the topology and waits for the head of its response.
pub(crate) async fn send(
    router: &Arc<Router>,
    cell: usize,
    ask: &Ask,
    body: Body,
) -> Result<Response<Body>, Failure> {
    let host = match router.config.cells.get(cell) {
        Some(cell) => cell.authority.clone(),
        None => router.extra().adopted[cell - router.config.cells.len()].clone(),
    };
    failures::may_send(router, cell)?;
    let _place = waiting_limit::take(router, cell)?;
    unsolicited::ahead(router, &host, ask).await;
    let response = send_to(router, &host, ask, body).await;
    failures::note(router, cell, &response);
    response
}

/// As `send`, to any host.
pub(crate) async fn send_to(
    router: &Arc<Router>,
    host: &Authority,
    ask: &Ask,
    body: Body,
) -> Result<Response<Body>, Failure> {
    let body = match router.differs(Variation::ChunkedBodies) && !body.is_end_stream() {
        true => unsized_body(body),
        false => body,
    };
    let mut ask = ask.clone();
    if router.differs(Variation::ReordersFields) {
        edge::reverse_fields(&mut ask.headers);
    }
    edge::request::address(router, host, &mut ask);
    jar::add_to(router, &mut ask);
    let response = passed(router, host, ask, body).await;
    jar::keep(router, &response);
    response
}

/// Sends a request as it is.
async fn passed(
    router: &Arc<Router>,
    host: &Authority,
    ask: Ask,
    body: Body,
) -> Result<Response<Body>, Failure> {
    let seam = if ask.is_pre_flight { Seam::PreFlight } else { Seam::CellRequest };
    let taken = deviate(seam, (ask, body, host.clone())).taken().await;
    let ((ask, body, host), again) = taken.ok_or(Failure::Silent)?;
    if let Some((ask, body, host)) = again
        && let Ok(response) = cell::exchange(router, &host, &ask, body).await
    {
        let _ = response.into_body().collect().await;
    }
    let response = cell::exchange(router, &host, &ask, body).await?;
    match ask.is_pre_flight {
        true => Ok(response),
        false => deviate(Seam::CellResponse, response).one().await.ok_or(Failure::Broken),
    }
}

/// Sends a copy and discards its response; only mutations do that.
pub(crate) fn send_copy(
    router: &Arc<Router>,
    cell: usize,
    ask: &Ask,
    bytes: &Bytes,
    after: Duration,
) {
    let (router, ask, body) = (router.clone(), ask.clone(), full(bytes.clone()));
    router.pending.fetch_add(1, Ordering::Relaxed);
    tokio::task::spawn_local(async move {
        tokio::time::sleep(after).await;
        if let Ok(response) = send(&router, cell, &ask, body).await {
            let _ = response.into_body().collect().await;
        }
        router.pending.fetch_sub(1, Ordering::Relaxed);
    });
}
