//! The learning protocol: a cell is asked who owns the path, and the request is sent once.

use std::time::Instant;

use http::{Response, StatusCode};

use super::Router;
use super::arrival::{Arrival, request_to_cell};
use super::internal::is_internal;
use crate::body::Outgoing;
use crate::config::CellIndex;
use crate::pick::ColdPick;
use crate::respond::Refusal;
use crate::upstream::{CellBody, SendError};
use crate::wire;

/// Where a request belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// With the cell that owns it.
    Owner(CellIndex),
    /// Nobody names an owner: with the latest deployment, which may know more (UN-05).
    Latest,
    /// With any cell of the region.
    Anywhere,
}

impl Router {
    /// Sends a request once, to the cell that is known or learnt to own it (LN-10).
    pub(super) async fn learn_and_send(&self, arrival: Arrival, learn_path: &str) -> Result<Response<CellBody>, Refusal> {
        // A pre-flight tells where private groups live: users do not get it through the router (Z-10).
        if is_internal(arrival.target.path(), learn_path) {
            return Err(Refusal::Internal);
        }
        let place = match self.cache.owner(arrival.target.path(), Instant::now()) {
            Some(owner) => Place::Owner(owner),
            // Any cell can answer `/`, and none owns it (CA-12, A-23).
            None if arrival.target.path() == "/" => Place::Anywhere,
            // Apart on the heap: it is rare, and the many requests that need none stay small.
            None => Box::pin(self.learn(learn_path, &arrival.method, arrival.target.path())).await?,
        };
        let answer = self.send_once(arrival, place).await?;

        // Cells that follow this protocol do not redirect internally. To follow would be to send the
        // request twice, and what the answer says is not for the user.
        if answer.status() == StatusCode::FOUND && answer.headers().contains_key(wire::REDIRECT_HEADER) {
            tracing::warn!("internal redirect although the owner was asked");
            answer.into_body().discard();
            return Err(Refusal::UnexpectedRedirect);
        }
        Ok(answer)
    }

    /// Sends the request to the first cell that takes it; only an owner has no substitute.
    async fn send_once(&self, arrival: Arrival, place: Place) -> Result<Response<CellBody>, Refusal> {
        let mut cold = ColdPick::new(&self.topology);
        let (mut next, substitutes) = match place {
            Place::Owner(cell) => (Some(cell), false),
            Place::Latest => (self.topology.latest_cell.or_else(|| cold.next()), true),
            Place::Anywhere => (cold.next(), true),
        };
        let Arrival { method, target, headers, user } = arrival;
        // The body streams: the cell sees its first bytes before the user has sent the last (LN-12).
        let mut request = Some(request_to_cell(method, target, headers, Outgoing::streamed(user.body)));
        while let Some(cell) = next {
            match self.upstream.send(cell, &mut request).await {
                Ok(answer) => return Ok(answer),
                Err(SendError::Unsent(_)) if substitutes => {}
                Err(error) => return Err(error.refusal()),
            }
            next = cold.next();
        }
        Err(Refusal::NoneReachable)
    }
}
