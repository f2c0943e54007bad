//! About what a router remembers, as far as it shows outside.

use super::{Proof, ensure};
use crate::trace::{Gate, Origin, Phase, Trace};

/// Of the places visited in the last step, at most so many were known to the router: what cells saw
/// of a visit is one request, to a cell that served it, without a bounce or a pre-flight.
pub fn still_known_at_most(trace: &Trace, most: usize) -> Proof {
    let last = trace.last().map(|(_, request)| request.phase).ok_or("nobody sent anything")?;
    let visits = visits_of(trace, last);
    ensure(visits.len() > most, || {
        format!("only {} places were visited, which shows nothing", visits.len())
    })?;
    let known = visits.iter().filter(|visit| asked(trace, **visit) == 1).count();
    ensure(known <= most, || {
        let visited = trace.acted().count();
        format!(
            "{known} of {} places were still known after {visited} visits; at most {most} should be",
            visits.len()
        )
    })
}

fn visits_of(trace: &Trace, phase: Phase) -> Vec<usize> {
    let through_routers = trace
        .acted()
        .filter(|(_, request)| request.phase == phase && matches!(request.gate, Gate::Router(_)));
    through_routers.map(|(place, _)| place).collect()
}

/// How often cells were asked because of this visit.
fn asked(trace: &Trace, visit: usize) -> usize {
    let about = |origin: &Origin| matches!(origin, Origin::User(user) | Origin::PreFlight(user, _) if *user == visit);
    trace.hops.iter().filter(|hop| about(&hop.origin)).count()
}

#[cfg(test)]
mod tests {
    use super::super::made::Made;
    use super::*;

    /// Three visits, of which so many are known.
    fn made(known: usize) -> Trace {
        let mut made = Made::default();
        for number in 0..3 {
            let user = made.sends("visitor", &format!("/place-{number}"));
            if number >= known {
                made.reaches(user, "cell_eu0");
            }
            made.reaches(user, "cell_us1");
        }
        made.trace
    }

    #[test]
    fn places_without_a_detour_are_known() {
        assert!(still_known_at_most(&made(0), 1).is_ok());
        assert!(still_known_at_most(&made(1), 1).is_ok());
        assert!(still_known_at_most(&made(2), 1).is_err());
    }

    #[test]
    fn too_few_visits_show_nothing() {
        assert!(still_known_at_most(&made(0), 3).is_err());
    }
}
