//! Checks of what a router remembers, as seen from outside.

use super::{Proof, ensure, is_because_of};
use crate::trace::Trace;

/// The router knew at most this many of the paths visited in the last step. A path is known where
/// cells saw one request of the visit, without a bounce or a pre-flight.
pub fn still_known_at_most(trace: &Trace, most: usize) -> Proof {
    let (_, visits) = trace.last_step()?;
    let visits: Vec<_> = visits
        .into_iter()
        .filter(|(_, request)| request.is_routed())
        .map(|(visit, _)| visit)
        .collect();
    ensure(visits.len() > most, || {
        format!("only {} paths were visited, too few to judge", visits.len())
    })?;
    let known = visits.iter().filter(|visit| asked(trace, **visit) == 1).count();
    ensure(known <= most, || {
        let visited = trace.acted().count();
        format!(
            "{known} of {} paths were still known after {visited} visits, more than {most}",
            visits.len()
        )
    })
}

/// How many requests and pre-flights reached cells because of this visit.
fn asked(trace: &Trace, visit: usize) -> usize {
    trace.hops.iter().filter(|hop| is_because_of(hop, visit)).count()
}
