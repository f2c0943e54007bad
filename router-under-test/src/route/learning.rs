//! The learning protocol: a cell is asked who owns the path, and the request is sent once.

use http::{Request, StatusCode};

use super::arrival::{Arrival, request_to_cell};
use super::internal::is_internal;
use super::{CellResponse, Router};
use crate::body::Outgoing;
use crate::config::CellIndex;
use crate::metrics::{self, Count};
use crate::refusal::Refusal;
use crate::shed::Ticket;
use crate::upstream::SendError;
use crate::wire;

/// Where a request belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// With the cell that owns it.
    Owner(CellIndex),
    /// No cell names an owner: with the latest deployment, which may know more (UN-05).
    Latest,
    /// With any cell of the region.
    Anywhere,
}

impl Router {
    /// Sends a request once, to the cell that is known or learnt to own it (LN-10).
    ///
    /// `hint` is a cell that owned the path not long ago, which saves the pre-flight.
    pub(super) async fn learn_and_send(
        &self,
        arrival: Arrival,
        learn_path: &str,
        hint: Option<CellIndex>,
        ticket: &mut Ticket,
    ) -> Result<CellResponse, Refusal> {
        let Arrival { method, target, headers, body } = arrival;
        // A pre-flight tells where private groups live: users do not get it through the router
        // (Z-10).
        if is_internal(target.path(), learn_path) {
            return Err(Refusal::Internal);
        }
        // The body streams: the cell sees its first bytes before the user has sent the last
        // (LN-12).
        let mut request = Some(request_to_cell(
            method.clone(),
            target.clone(),
            headers,
            Outgoing::streamed(body),
        ));
        let destination = match self.known_owner(target.path(), hint, ticket) {
            Some(owner) => Destination::Owner(owner),
            // Any cell can serve `/`, and none owns it (CA-12, A-23).
            None if target.path() == "/" => Destination::Anywhere,
            None => {
                if let Some(responded) = self.follow(hint, &mut request, ticket).await? {
                    return Ok(responded);
                }
                // Apart on the heap: it is rare, and the many requests that need none stay small.
                Box::pin(self.learn(learn_path, &method, target.path())).await?
            }
        };
        self.send_once(&mut request, destination, ticket).await
    }

    /// Sends the request where the hint says. A cell that cannot be reached got nothing of it, and
    /// then it is as if there had been no hint.
    async fn follow(
        &self,
        hint: Option<CellIndex>,
        request: &mut Option<Request<Outgoing>>,
        ticket: &mut Ticket,
    ) -> Result<Option<CellResponse>, Refusal> {
        let Some(cell) = hint else { return Ok(None) };
        metrics::count(Count::HintUsed);
        match self.send(cell, request, ticket).await {
            Ok(response) => CellResponse { cell, response }.unless_redirected().map(Some),
            Err(SendError::Unsent(_)) => Ok(None),
            Err(error) => Err(error.refusal()),
        }
    }

    /// Sends the request to the first cell that takes it; only an owner has no substitute.
    async fn send_once(
        &self,
        request: &mut Option<Request<Outgoing>>,
        destination: Destination,
        ticket: &mut Ticket,
    ) -> Result<CellResponse, Refusal> {
        let mut cold = self.cold_pick();
        let (mut next, substitutes) = match destination {
            Destination::Owner(cell) => (Some(cell), false),
            Destination::Latest => (self.topology.latest_cell.or_else(|| cold.next()), true),
            Destination::Anywhere => (cold.next(), true),
        };
        while let Some(cell) = next {
            match self.send(cell, request, ticket).await {
                Ok(response) => return CellResponse { cell, response }.unless_redirected(),
                Err(SendError::Unsent(_) | SendError::Full) if substitutes => {}
                Err(error) => return Err(error.refusal()),
            }
            next = cold.next();
        }
        Err(Refusal::NoneReachable)
    }
}

impl CellResponse {
    /// Cells that follow this protocol do not redirect internally. To follow would be to send the
    /// request twice, and what the response says is not for the user.
    fn unless_redirected(self) -> Result<Self, Refusal> {
        if self.response.status() == StatusCode::FOUND
            && self.response.headers().contains_key(wire::REDIRECT_HEADER)
        {
            tracing::warn!("internal redirect although the owner was asked");
            self.response.into_body().discard();
            return Err(Refusal::UnexpectedRedirect);
        }
        Ok(self)
    }
}
