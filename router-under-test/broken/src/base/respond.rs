//! The way of one request through the router.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Response};

use crate::base::body::{Body, BoxError};
use crate::base::http1::head::RequestHead;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::base::{
    beliefs, buffering, cookie, edge, failures, forward, learning, no_router, pages,
};
use crate::kind::{Change, Mutation};
use crate::protocol::Protocol;

/// Serves one request. An error closes the user's connection.
pub(crate) async fn respond(
    router: Arc<Router>,
    head: RequestHead,
    peer: IpAddr,
    worker: usize,
    body: Body,
) -> Result<Response<Body>, BoxError> {
    if let Change::NoRouter(kind) = router.change {
        return no_router::response(&router, kind, head, body).await;
    }
    if router.has(Mutation::EchoesTraces) && head.method == Method::TRACE {
        return Ok(edge::response::echo(&head));
    }
    let ask = match edge::request::admit(&router, head, peer) {
        Ok(admitted) => Ask { worker, ..admitted },
        Err(refusal) => return Ok(edge::response::refusal(&router, refusal)),
    };
    if let Some(page) = pages::stored(&router, &ask) {
        return Ok(page);
    }
    if let Some(refusal) =
        failures::refuses(&router, &ask).or_else(|| cookie::refuses(&router, &ask))
    {
        return Ok(edge::response::refusal(&router, refusal));
    }
    if router.has(Mutation::SearchesEveryCell) && ask.path() == "/search" {
        for cell in 0..router.config.cells.len() {
            forward::send_copy(&router, cell, &ask, &Bytes::new(), Duration::ZERO);
        }
    }
    let routed = match router.config.protocol {
        Protocol::Buffering => buffering::route(&router, &ask, body).await,
        Protocol::Learning => learning::route(&router, &ask, body).await,
    };
    let routed = match routed {
        Ok(routed) => beliefs::of_response(&router, &ask, routed).await,
        Err(refusal) => Err(beliefs::of_failure(&router, &ask, refusal)),
    };
    Ok(match routed {
        Ok(routed) => {
            let mut response = edge::response::finish(&router, &ask, routed).await;
            cookie::give(&router, &ask, &mut response);
            response
        }
        Err(refusal) => {
            failures::remember_end(&router, &ask, refusal.status);
            edge::response::refusal(&router, refusal)
        }
    })
}
