//! What both protocols do with cells: find the one that is known, pick one, send to one.

use std::time::Instant;

use http::Response;

use super::Router;
use super::bookkeeping::Bookkeeping;
use super::pick::ColdPick;
use crate::config::CellIndex;
use crate::logging::access::Lookup;
use crate::metrics::{self, CountOf};
use crate::respond::Refusal;
use crate::upstream::{CellBody, CellRequest, Purpose, SendError};

impl Router {
    /// The cell that is known to own a path.
    pub(super) fn known_owner(
        &self,
        path: &str,
        hint: Option<CellIndex>,
        bookkeeping: &mut Bookkeeping,
    ) -> Option<CellIndex> {
        // A request that began before the last reload finds what was learnt after it.
        let owner = self.cache.owner(path, Instant::now()).filter(|cell| self.topology.has(*cell));
        bookkeeping.looked_up(match (owner, hint) {
            (Some(_), _) => Lookup::Hit,
            (None, Some(_)) => Lookup::Hint,
            (None, None) => Lookup::Miss,
        });
        owner
    }

    /// The cells to try where none is known, without those that let requests wait (unless all of the
    /// region do).
    pub(super) fn cold_pick(&self) -> ColdPick<'_> {
        let mut pick = ColdPick::new(&self.topology);
        let left_out = |cell: &CellIndex| self.upstream.is_left_out(*cell);
        let own = self.topology.own_cells();
        if own.iter().any(left_out) && !own.iter().all(left_out) {
            own.iter().filter(|cell| left_out(cell)).for_each(|cell| pick.pass_over(*cell));
        }
        pick
    }

    /// Counts a request from here on; refuses it where there are too many.
    pub(super) async fn admit(&self, bookkeeping: &mut Bookkeeping) -> Result<(), Refusal> {
        let admitted = bookkeeping.admit(&self.load)
            || self.makes_room(None).await && bookkeeping.admit(&self.load);
        if admitted { Ok(()) } else { Err(Refusal::Overloaded) }
    }

    /// Ends a response that is read too slowly, of this cell where one is given; false where there
    /// is none.
    pub(super) async fn makes_room(&self, cell: Option<CellIndex>) -> bool {
        let ends = self.load.end_slow_reader(cell);
        if ends {
            // Its task runs before this one goes on, and gives back what it held.
            tokio::task::yield_now().await;
        }
        ends
    }

    /// Sends a user's request to a cell.
    pub(super) async fn send(
        &self,
        cell: CellIndex,
        request: CellRequest,
        bookkeeping: &mut Bookkeeping,
    ) -> Result<Response<CellBody>, SendError> {
        bookkeeping.asks(cell);
        let mut outcome = self.upstream.send(cell, Purpose::User, request).await;
        if matches!(outcome, Err(SendError::Full(_)))
            && self.makes_room(Some(cell)).await
            && let Err(SendError::Full(request)) = outcome
        {
            outcome = self.upstream.send(cell, Purpose::User, request).await;
        }
        let nothing_was_sent = matches!(
            outcome,
            Err(SendError::Unsent(..) | SendError::Full(_) | SendError::Local(_))
        );
        if !nothing_was_sent {
            metrics::count_of(CountOf::Hop, cell.index());
        }
        outcome
    }
}
