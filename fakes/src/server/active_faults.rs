//! The faults of a plan while its fleet runs, and those of one request.

use std::collections::BTreeMap;
use std::time::Duration;

use http::{HeaderValue, Request, Uri};
use tokio::sync::watch;

use crate::fault::{
    At, ConnectionFault, Delivery, Effect, Fault, Replacement, ResponseFault, ResponsePart,
};
use crate::lock::Lock;
use crate::plan::Protocol;
use crate::{Casting, CellId, Region, wire};

/// The faults of a running fleet, and when they end.
#[derive(Debug)]
pub(crate) struct ActiveFaults {
    protocol: Protocol,
    faults: Vec<ActiveFault>,
    latency: BTreeMap<Region, Duration>,
    over: watch::Sender<bool>,
    released: watch::Sender<bool>,
    stopping: watch::Sender<bool>,
}

#[derive(Debug)]
struct ActiveFault {
    fault: Fault,
    /// The number of responses that it still changes; `None` for no limit.
    left: Lock<Option<u32>>,
}

/// A fault that applies to one request, unless other requests use it up first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingFault<'t> {
    fault: &'t ResponseFault,
    left: &'t Lock<Option<u32>>,
}

impl ActiveFaults {
    pub(crate) fn new(
        protocol: Protocol,
        faults: &[Fault],
        latency: BTreeMap<Region, Duration>,
    ) -> Self {
        let active = faults.iter().map(|fault| {
            let times = if let Fault::Responses { times, .. } = fault { *times } else { None };
            ActiveFault { fault: fault.clone(), left: Lock::new(times) }
        });
        let (over, released, stopping) = Default::default();
        Self { protocol, faults: active.collect(), latency, over, released, stopping }
    }

    /// Releases everything that is held, and holds nothing from now on.
    pub(crate) fn release(&self) {
        self.released.send_replace(true);
    }

    /// Ends all faults and latencies. Cells that are down stay down.
    pub(crate) fn end(&self) {
        self.over.send_replace(true);
    }

    /// Ends the requests that never get a response: the fleet stops.
    pub(crate) fn stop(&self) {
        self.release();
        self.stopping.send_replace(true);
    }

    pub(crate) fn released(&self) -> watch::Receiver<bool> {
        self.released.subscribe()
    }

    pub(crate) fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    /// Waits until the faults end.
    pub(crate) async fn ended(&self) {
        let _ = self.over.subscribe().wait_for(|over| *over).await;
    }

    /// Waits until the fleet stops.
    pub(crate) async fn stopped(&self) {
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// The delay of all responses of a region.
    pub(crate) fn latency(&self, region: &Region) -> Duration {
        self.latency.get(region).copied().filter(|_| !self.is_over()).unwrap_or_default()
    }

    /// The faults of the connections of a cell, as the topology names it.
    pub(crate) fn for_connections<'t>(
        &'t self,
        node: &CellId,
    ) -> impl Iterator<Item = &'t ConnectionFault> {
        let over = self.is_over();
        self.faults.iter().filter_map(move |active| match &active.fault {
            Fault::Connections { cell, fault }
                if !over && cell.as_ref().is_none_or(|cell| cell == node) =>
            {
                Some(fault)
            }
            _ => None,
        })
    }

    /// The faults that may apply to the response of `node` to this request. The node's role is
    /// looked up only where a fault for this path names a cell: the lookup binds a cast.
    pub(crate) fn turns<B>(
        &self,
        request: &Request<B>,
        node: &CellId,
        casting: &Casting,
    ) -> Vec<PendingFault<'_>> {
        if self.is_over() || self.faults.is_empty() {
            return Vec::new();
        }
        let (asked, mut role) = (asked_about(self.protocol, request.uri()), None);
        let turns = self.faults.iter().filter_map(|active| {
            let Fault::Responses { cell, at, fault, .. } = &active.fault else { return None };
            let concerned = match at {
                At::Path(path) => request.uri().path() == path,
                At::PreFlight(path) => asked.as_ref() == Some(path),
            };
            let here = concerned
                && cell
                    .as_ref()
                    .is_none_or(|named| named == role.get_or_insert_with(|| casting.role_of(node)));
            (here && active.is_left()).then_some(PendingFault { fault, left: &active.left })
        });
        turns.collect()
    }
}

impl ActiveFault {
    fn is_left(&self) -> bool {
        self.left.lock().is_none_or(|left| left > 0)
    }
}

impl<'t> PendingFault<'t> {
    /// What the fault does.
    pub(crate) fn effect(&self) -> Effect<'t> {
        self.fault.effect()
    }

    /// Counts the fault for this request; false where other requests have used it up.
    pub(crate) fn take(&self) -> bool {
        match &mut *self.left.lock() {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }
}

/// The decoded `path_info` of a pre-flight; `None` for any other request.
pub(super) fn asked_about(protocol: Protocol, target: &Uri) -> Option<String> {
    let path = target.path();
    let learns = protocol == Protocol::Learning
        && (path == wire::LEARN_PATH || path == wire::LEARN_PATH_EARLIER);
    let query = target.query().filter(|_| learns)?;
    form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == wire::PATH_INFO_PARAMETER)
        .map(|(_, value)| value.into_owned())
}

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

    /// Whether a fault has this effect; each that has it is taken.
    fn has(&self, is_it: impl Fn(&Effect<'t>) -> bool) -> bool {
        self.taken(|effect| is_it(&effect).then_some(())).count() > 0
    }

    /// Whether the request's body stays unread until the release.
    pub(super) fn leaves_body_unread(&self) -> bool {
        self.has(|effect| matches!(effect, Effect::LeavesBodyUnread))
    }

    /// Whether the response does not wait for the request's body.
    pub(super) fn precedes(&self) -> bool {
        self.has(|effect| matches!(effect, Effect::Precedes))
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
        self.has(|effect| matches!(effect, Effect::Hints))
    }
}
