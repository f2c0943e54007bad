//! Sending one request to one cell.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http::uri::Authority;
use http::{Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::base::body::{full, unsized_body};
use crate::base::http1::cell;
use crate::base::router::{Body, Refusal, Router};
use crate::base::target::Ask;
use crate::base::{beliefs, edge, health, places, unsolicited};
use crate::kind::Variation;

/// The reason of a refusal where the user's request broke off, or went wrong, on its way.
pub(crate) const HALF_ASKED: &str = "the request broke off";

/// Why a cell gave no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No connection: the cell has not read anything.
    Unreachable,
    /// No response in time.
    Late,
    /// The connection ended before a byte of the response.
    Silent,
    /// Something else went wrong on the way.
    Broken,
    /// The user's request was truncated while it was forwarded.
    HalfAsked,
}

impl Failure {
    pub(crate) fn refusal(self, cell: usize) -> Refusal {
        let (status, reason) = match self {
            Self::Unreachable => {
                (StatusCode::BAD_GATEWAY, "no connection to the place that has this")
            }
            Self::Late => (StatusCode::GATEWAY_TIMEOUT, "no response in time"),
            Self::Silent => (StatusCode::BAD_GATEWAY, "the connection ended without a response"),
            Self::Broken => (StatusCode::BAD_GATEWAY, "the response broke off"),
            Self::HalfAsked => (StatusCode::BAD_REQUEST, HALF_ASKED),
        };
        Refusal { cell: Some(cell), ..Refusal::new(status, reason) }
    }
}

impl Router {
    /// Sends to a cell of the topology and waits for the head of its response.
    pub(crate) async fn send(
        self: &Arc<Self>,
        cell: usize,
        ask: &Ask,
        body: Body,
    ) -> Result<Response<Body>, Failure> {
        let host = match self.config.cells.get(cell) {
            Some(cell) => cell.authority.clone(),
            None => self.extra().adopted[cell - self.config.cells.len()].clone(),
        };
        health::may_send(self, cell)?;
        let _place = places::take(self, cell)?;
        unsolicited::ahead(self, &host, ask).await;
        let response = self.send_to(&host, ask, body).await;
        health::note(self, cell, &response);
        response
    }

    /// The mutation of using any host as a cell: gives it a number.
    pub(crate) fn adopt(&self, host: Authority) -> usize {
        let mut extra = self.extra();
        extra.adopted.push(host);
        self.config.cells.len() + extra.adopted.len() - 1
    }

    /// As `send`, to any host.
    pub(crate) async fn send_to(
        self: &Arc<Self>,
        host: &Authority,
        ask: &Ask,
        body: Body,
    ) -> Result<Response<Body>, Failure> {
        let body = match self.differs(Variation::ChunkedBodies) && !body.is_end_stream() {
            true => unsized_body(body),
            false => body,
        };
        let mut ask = ask.clone();
        if self.differs(Variation::ReordersFields) {
            edge::reverse_fields(&mut ask.headers);
        }
        edge::request::address(self, host, &mut ask);
        beliefs::take_from_jar(self, &mut ask);
        let response = cell::exchange(self, host, &ask, body).await;
        beliefs::put_into_jar(self, &response);
        response
    }

    /// Sends a copy and discards its response; only mutations do that.
    pub(crate) fn send_copy(
        self: &Arc<Self>,
        cell: usize,
        ask: &Ask,
        bytes: &Bytes,
        after: Duration,
    ) {
        let (router, ask, body) = (self.clone(), ask.clone(), full(bytes.clone()));
        router.pending.fetch_add(1, Ordering::Relaxed);
        tokio::task::spawn_local(async move {
            tokio::time::sleep(after).await;
            if let Ok(response) = router.send(cell, &ask, body).await {
                let _ = response.into_body().collect().await;
            }
            router.pending.fetch_sub(1, Ordering::Relaxed);
        });
    }
}
