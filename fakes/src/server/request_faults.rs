//! The faults of one request, in the order in which they take effect.

use std::time::Duration;

use http::{HeaderValue, Request};

use super::active_faults::{ActiveFaults, PendingFault};
use crate::fault::{Delivery, Effect, Replacement, ResponsePart};
use crate::{Casting, CellId};

/// The faults that apply to one request. Each one is counted where it takes effect, so that a fault
/// that finds nothing to change is left for the next request.
pub(super) struct RequestFaults<'t> {
    turns: Vec<PendingFault<'t>>,
    latency: Duration,
}

impl<'t> RequestFaults<'t> {
    /// The faults of this request at the cell `node`.
    pub(super) fn for_request<B>(
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

    /// Takes the faults whose effect `concerns` selects.
    fn taken<T>(
        &self,
        mut concerns: impl FnMut(Effect<'t>) -> Option<T>,
    ) -> impl Iterator<Item = T> {
        self.turns.iter().filter_map(move |turn| concerns(turn.effect()).filter(|_| turn.take()))
    }

    /// Whether the request's body stays unread until the release.
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

    /// Headers to add to the response.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, HeaderValue)> {
        self.taken(
            |effect| {
                if let Effect::Field(name, value) = effect { Some((name, value)) } else { None }
            },
        )
    }

    /// Lengths to pad the response to.
    pub(super) fn pads(&self) -> impl Iterator<Item = usize> {
        self.taken(|effect| if let Effect::Pads(length) = effect { Some(length) } else { None })
    }

    /// Bytes that follow the response, and after how long.
    pub(super) fn strays(&self) -> impl Iterator<Item = (&'t [u8], Duration)> {
        self.taken(|effect| {
            if let Effect::Stray(bytes, after) = effect { Some((bytes, after)) } else { None }
        })
    }

    /// Delays the response.
    pub(super) async fn wait(&self) {
        let late: Duration =
            self.taken(|effect| if let Effect::Waits(by) = effect { Some(by) } else { None }).sum();
        let late = late + self.latency;
        if !late.is_zero() {
            tokio::time::sleep(late).await;
        }
    }

    /// How the response leaves. A delivery that affects the body needs a complete one.
    pub(super) fn delivery(&self, has_body: bool) -> Option<Delivery> {
        let fits = |delivery: &Delivery| {
            let (Delivery::InPieces { part, .. } | Delivery::BreaksOff { part, .. }) = delivery;
            *part == ResponsePart::Head || has_body
        };
        self.taken(|effect| {
            if let Effect::Delivers(delivery) = effect { Some(delivery).filter(fits) } else { None }
        })
        .next()
    }

    /// Whether an interim response precedes it.
    pub(super) fn hints(&self) -> bool {
        self.taken(|effect| matches!(effect, Effect::Hints).then_some(())).count() > 0
    }
}
