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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::Made;

    /// Three visits, of which this many are known.
    fn made(known: usize) -> Trace {
        let mut made = Made::default();
        for number in 0..3 {
            let user = made.sends("visitor", &format!("/index-{number}"));
            if number >= known {
                made.reaches(user, "cell_eu0");
            }
            made.reaches(user, "cell_us1");
        }
        made.trace
    }

    #[test]
    fn a_path_with_one_request_is_known() {
        assert!(still_known_at_most(&made(0), 1).is_ok());
        assert!(still_known_at_most(&made(1), 1).is_ok());
        assert!(still_known_at_most(&made(2), 1).is_err());
    }

    #[test]
    fn too_few_visits_are_refused() {
        assert!(still_known_at_most(&made(0), 3).is_err());
    }
}
