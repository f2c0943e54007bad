//! Retries after a failure. A correct router has none: the cell may have read the request (LN-10,
//! LN-25, Z-17, Z-52).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Response, StatusCode};
use http_body_util::BodyExt;

use crate::base::body::{Body, full};
use crate::base::deviate::changed;
use crate::base::forward;
use crate::base::outcome::Failure;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::deviation::{Element, Seam};
use crate::kind::{Mutation, Variation};

/// Whether this mutation needs the body a second time.
pub(crate) fn keeps_body(mutation: Mutation) -> bool {
    matches!(
        mutation,
        Mutation::ResendsAfterAReset
            | Mutation::ResendsAfterATimeout
            | Mutation::ResendsToAnotherCell
            | Mutation::ResendsWhenUnavailable
            | Mutation::ReplacesDeadOwners
            | Mutation::KeepsKnocking
    )
}

/// Sends once; `bytes` is the body for mutations that retry.
pub(crate) async fn send(
    router: &Arc<Router>,
    cell: usize,
    ask: &Ask,
    body: Body,
    bytes: &Bytes,
) -> Result<Response<Body>, Failure> {
    let mut answer = forward::send(router, cell, ask, body).await;
    if let Err(failure) = answer {
        answer = after(router, cell, ask, bytes, failure).await;
    }
    let is_read = ask.method == Method::GET || ask.method == Method::HEAD;
    if is_read
        && router.differs(Variation::SendsAGetAgain)
        && matches!(answer, Err(Failure::Silent))
    {
        return forward::send(router, cell, ask, full(bytes.clone())).await;
    }
    let Some(mutation) = router.mutation() else { return answer };
    let idempotent = ask.method.is_idempotent();
    let again = |cell| forward::send(router, cell, ask, full(bytes.clone()));
    match (mutation, answer) {
        (Mutation::ResendsAfterAReset, Err(Failure::Silent | Failure::Broken)) if !idempotent => {
            again(cell).await
        }
        (Mutation::ResendsAfterATimeout, Err(Failure::Late)) if !idempotent => again(cell).await,
        (Mutation::ResendsWhatIsIdempotent, Err(Failure::Silent)) if idempotent => {
            again(cell).await
        }
        (Mutation::ResendsByIdempotencyKey, Err(Failure::Silent))
            if ask.headers.contains_key("idempotency-key") =>
        {
            again(cell).await
        }
        (Mutation::ResendsWhenUnavailable, Ok(response))
            if response.status() == StatusCode::SERVICE_UNAVAILABLE =>
        {
            again(cell).await
        }
        (mutation, Err(failure)) if goes_elsewhere(mutation, failure, idempotent) => {
            for other in (0..router.config.cells.len()).filter(|other| *other != cell) {
                if let Ok(response) = again(other).await {
                    return Ok(response);
                }
            }
            Err(Failure::Broken)
        }
        (Mutation::KeepsKnocking, Err(Failure::Unreachable)) => loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            match again(cell).await {
                Err(Failure::Unreachable) => {}
                answer => return answer,
            }
        },
        (Mutation::ResendsAfterHalfAnResponse, Ok(response)) if ask.method == Method::GET => {
            let (parts, body) = response.into_parts();
            match body.collect().await {
                Ok(whole) => Ok(Response::from_parts(parts, full(whole.to_bytes()))),
                Err(_) => again(cell).await,
            }
        }
        (_, answer) => answer,
    }
}

/// What the router does about a failure: nothing.
async fn after(
    router: &Arc<Router>,
    cell: usize,
    ask: &Ask,
    bytes: &Bytes,
    failure: Failure,
) -> Result<Response<Body>, Failure> {
    let again = changed(Seam::Retry, Element::Again, false).then_some(cell);
    let elsewhere = changed(Seam::Retry, Element::Elsewhere, false);
    let other = router.config.own_cells().into_iter().find(|other| *other != cell);
    if let Some(cell) = again.or(other.filter(|_| elsewhere)) {
        return forward::send(router, cell, ask, full(bytes.clone())).await;
    }
    let unreached = failure == Failure::Unreachable;
    Err(match changed(Seam::Retry, Element::Reached, unreached) {
        unreachable if unreachable == unreached => failure,
        true => Failure::Unreachable,
        false => Failure::Broken,
    })
}

/// Whether a mutation sends the request to the other cells.
fn goes_elsewhere(mutation: Mutation, failure: Failure, idempotent: bool) -> bool {
    match mutation {
        Mutation::ResendsToAnotherCell => failure != Failure::Unreachable && !idempotent,
        Mutation::ReplacesDeadOwners => failure == Failure::Unreachable,
        _ => false,
    }
}
