//! What the faults make of one request, in the order of its way.

use std::time::Duration;

use http::{HeaderValue, Request};

use super::active_faults::{ActiveFaults, FaultTurn};
use crate::fault::{Delivery, Effect, Replacement, ResponsePart};
use crate::{Casting, CellId};

/// The faults that are about one request. Each is taken where it takes hold, so that one which
/// finds nothing to spoil is left for the next request.
pub(super) struct RequestFaults<'t> {
    turns: Vec<FaultTurn<'t>>,
    latency: Duration,
}

impl<'t> RequestFaults<'t> {
    /// What is ahead of this request at the cell in `node`.
    pub(super) fn of<B>(
        active_faults: &'t ActiveFaults,
        request: &Request<B>,
        node: &CellId,
        casting: &Casting,
    ) -> Self {
        Self {
            turns: active_faults.turns(request, node, casting),
            latency: active_faults.latency(node.region()),
        }
    }

    /// What of each fault concerns one station of the way, taken.
    fn taken<T>(
        &self,
        mut concerns: impl FnMut(Effect<'t>) -> Option<T>,
    ) -> impl Iterator<Item = T> {
        self.turns.iter().filter_map(move |turn| concerns(turn.effect()).filter(|_| turn.take()))
    }

    /// Whether the request's body waits for the release.
    pub(super) fn leaves_body_unread(&self) -> bool {
        self.taken(|effect| matches!(effect, Effect::LeavesBodyUnread).then_some(())).count() > 0
    }

    /// What happens instead of the application's response.
    pub(super) fn instead(&self) -> Option<Replacement<'t>> {
        self.taken(
            |effect| if let Effect::Replacement(instead) = effect { Some(instead) } else { None },
        )
        .next()
    }

    /// Fields that the response is given.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, HeaderValue)> {
        self.taken(
            |effect| {
                if let Effect::Field(name, value) = effect { Some((name, value)) } else { None }
            },
        )
    }

    /// Lengths to which the response is padded.
    pub(super) fn pads(&self) -> impl Iterator<Item = usize> {
        self.taken(|effect| if let Effect::Pads(length) = effect { Some(length) } else { None })
    }

    /// Waits as long as the response is late.
    pub(super) async fn wait(&self) {
        let late: Duration =
            self.taken(|effect| if let Effect::Waits(by) = effect { Some(by) } else { None }).sum();
        let late = late + self.latency;
        if !late.is_zero() {
            tokio::time::sleep(late).await;
        }
    }

    /// How the response leaves. What is about a body needs one that is at hand.
    pub(super) fn delivery(&self, has_body: bool) -> Option<Delivery> {
        let fits = |delivery: &Delivery| match delivery {
            Delivery::InPieces { part, .. } | Delivery::BreaksOff { part, .. } => {
                *part == ResponsePart::Head || has_body
            }
            Delivery::AfterEarlyHints => false,
        };
        self.taken(|effect| {
            if let Effect::Delivers(delivery) = effect { Some(delivery).filter(fits) } else { None }
        })
        .next()
    }

    /// Whether an interim response goes before it.
    pub(super) fn hints(&self) -> bool {
        self.taken(|effect| {
            matches!(effect, Effect::Delivers(Delivery::AfterEarlyHints)).then_some(())
        })
        .count()
            > 0
    }
}
