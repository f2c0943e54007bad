//! The faults of a plan while its fleet runs, and those of one request.

use std::collections::BTreeMap;
use std::time::Duration;

use http::{HeaderValue, Request, Uri};
use tokio::sync::watch;

use crate::fault::{At, ConnectionFault, Fault, Replacement, ResponseFault};
use crate::lock::Lock;
use crate::plan::Protocol;
use crate::{Casting, CellId, Region, wire};

/// The faults of a running fleet, and when they end.
#[derive(Debug)]
pub(crate) struct ActiveFaults {
    protocol: Protocol,
    connections: Vec<(Option<CellId>, ConnectionFault)>,
    responses: Vec<ActiveFault>,
    latency: BTreeMap<Region, Duration>,
    over: watch::Sender<bool>,
    released: watch::Sender<bool>,
    stopping: watch::Sender<bool>,
}

#[derive(Debug)]
struct ActiveFault {
    cell: Option<CellId>,
    at: At,
    fault: ResponseFault,
    /// The number of responses that it still changes; `None` for no limit.
    left: Lock<Option<u32>>,
}

impl ActiveFaults {
    pub(crate) fn new(
        protocol: Protocol,
        faults: &[Fault],
        latency: BTreeMap<Region, Duration>,
    ) -> Self {
        let (mut connections, mut responses) = (Vec::new(), Vec::new());
        for fault in faults.iter().cloned() {
            match fault {
                Fault::Connections { cell, fault } => connections.push((cell, fault)),
                Fault::Responses { cell, at, times, fault } => {
                    responses.push(ActiveFault { cell, at, fault, left: Lock::new(times) });
                }
            }
        }
        let (over, released, stopping) = Default::default();
        Self { protocol, connections, responses, latency, over, released, stopping }
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
        let active = if self.is_over() { &[] } else { &self.connections[..] };
        let is_here = move |cell: &CellId| cell == node;
        let here = active.iter().filter(move |(cell, _)| cell.as_ref().is_none_or(is_here));
        here.map(|(_, fault)| fault)
    }
}

impl ActiveFault {
    fn is_left(&self) -> bool {
        self.left.lock().is_none_or(|left| left > 0)
    }

    /// Counts the fault for one request; false where other requests have used it up.
    fn take(&self) -> bool {
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
    faults: Vec<&'t ActiveFault>,
    latency: Duration,
}

impl<'t> RequestFaults<'t> {
    /// The faults of this request at the cell `node`, unless other requests use them up first. The
    /// node's role is looked up only where a fault for this path names a cell: the lookup binds a
    /// cast.
    pub(super) fn for_request<B>(
        active: &'t ActiveFaults,
        request: &Request<B>,
        node: &CellId,
        casting: &Casting,
    ) -> Self {
        let (asked, mut role) = (asked_about(active.protocol, request.uri()), None);
        let applies = |fault: &&ActiveFault| {
            let concerned = match &fault.at {
                At::Path(path) => request.uri().path() == path,
                At::PreFlight(path) => asked.as_ref() == Some(path),
            };
            let is_role = |named| named == role.get_or_insert_with(|| casting.role_of(node));
            concerned && fault.cell.as_ref().is_none_or(is_role) && fault.is_left()
        };
        let faults = match active.is_over() {
            true => Vec::new(),
            false => active.responses.iter().filter(applies).collect(),
        };
        Self { faults, latency: active.latency(node.region()) }
    }

    /// Takes the faults that `concerns` selects.
    fn taken<T>(
        &self,
        mut concerns: impl FnMut(&'t ResponseFault) -> Option<T>,
    ) -> impl Iterator<Item = T> {
        self.faults
            .iter()
            .filter_map(move |active| concerns(&active.fault).filter(|_| active.take()))
    }

    /// Whether this is one of the faults; each that is the same is taken.
    pub(super) fn has(&self, this: &ResponseFault) -> bool {
        self.taken(|fault| (fault == this).then_some(())).count() > 0
    }

    /// What happens instead of the application's response.
    pub(super) fn instead(&self) -> Option<Replacement<'t>> {
        self.taken(ResponseFault::replacement).next()
    }

    /// Long values of a header to add to the response.
    pub(super) fn long_values(&self) -> impl Iterator<Item = HeaderValue> {
        self.taken(|fault| {
            let ResponseFault::LongField { length } = fault else { return None };
            HeaderValue::try_from(vec![b'a'; *length]).ok()
        })
    }

    /// Lengths to pad the response to.
    pub(super) fn pads(&self) -> impl Iterator<Item = usize> {
        self.taken(|fault| {
            let ResponseFault::Padded { length } = fault else { return None };
            Some(*length)
        })
    }

    /// Bytes that follow the response, and after how long.
    pub(super) fn strays(&self) -> impl Iterator<Item = (&'t [u8], Duration)> {
        self.taken(|fault| {
            let ResponseFault::StrayBytes { bytes, after } = fault else { return None };
            Some((&bytes[..], *after))
        })
    }

    /// Delays the response.
    pub(super) async fn wait(&self) {
        let late: Duration = self
            .taken(|fault| if let ResponseFault::Late { by } = fault { Some(*by) } else { None })
            .sum();
        let late = late + self.latency;
        if !late.is_zero() {
            tokio::time::sleep(late).await;
        }
    }

    /// What is wrong with how the response leaves.
    pub(super) fn delivery(&self, has_body: bool) -> Option<&'t ResponseFault> {
        self.taken(|fault| fault.is_of_delivery(has_body).then_some(fault)).next()
    }
}
