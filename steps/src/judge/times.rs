//! About the time that a router adds to what its cells take.
//!
//! Both ends are stamped by the journal's clock, which only goes forward. A loaded machine makes
//! times longer and never shorter, so the checks are built of shortest times where a router must be
//! quick, and of lower bounds where it must wait.

use std::time::Duration;

use super::responses::{asked, response_to};
use super::{Proof, ensure};
use crate::trace::{Trace, UserRequest};

/// The time of a user's request less the time that the last cell took over it; nothing without a
/// response.
fn added(trace: &Trace, place: usize, request: &UserRequest) -> Result<Duration, String> {
    response_to(request)?;
    let ended = request.response.as_ref().map(|response| response.at.at).unwrap_or_default();
    let hop =
        trace.final_hop(place).ok_or_else(|| format!("{} reached no cell", asked(request)))?;
    let (given, _) = hop
        .response
        .as_ref()
        .ok_or_else(|| format!("{} gave no response to {}", hop.cell, asked(request)))?;
    let at_cell = given.at.saturating_sub(hop.at.at);
    Ok(ended.saturating_sub(request.sent.at).saturating_sub(at_cell))
}

/// To the one of a person's requests for which it added least, a router added at most so much. Each
/// of them has to have a response of a cell.
pub fn best_adds_at_most(trace: &Trace, person: &str, limit_ms: u64) -> Proof {
    let theirs = trace.acted().filter(|(_, request)| request.person == person);
    let times: Vec<_> =
        theirs.map(|(place, request)| added(trace, place, request)).collect::<Result<_, _>>()?;
    let best = times.iter().min().ok_or_else(|| format!("{person} sent nothing"))?;
    ensure(*best <= Duration::from_millis(limit_ms), || {
        let (best, count) = (best.as_secs_f64() * 1e3, times.len());
        format!(
            "the router added at least {best:.1} ms to each of {count} requests, more than {limit_ms} ms"
        )
    })
}

/// A router added at least so much to so many of a person's requests, all of which got a 404.
pub fn not_found_held_back(trace: &Trace, person: &str, count: usize, least_ms: u64) -> Proof {
    let mut times = Vec::new();
    for (place, request) in trace.acted().filter(|(_, request)| request.person == person) {
        let response = response_to(request)?;
        ensure(response.status == 404, || {
            format!("{} received {}, not with 404", asked(request), response.status)
        })?;
        times.push(added(trace, place, request)?);
    }
    let longest = times.iter().max().ok_or_else(|| format!("{person} sent nothing"))?;
    let held = times.iter().filter(|time| **time >= Duration::from_millis(least_ms)).count();
    ensure(held >= count, || {
        let (all, longest) = (times.len(), longest.as_millis());
        format!(
            "{held} of {all} responses with 404 were held back for {least_ms} ms, fewer than {count}; the longest for {longest} ms"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::made::Made;
    use super::*;

    /// Requests of which each takes so many milliseconds, the last of which at a cell.
    fn took(times: &[(u64, u64)], status: u16) -> Trace {
        let mut made = Made::default();
        for (all, at_cell) in times {
            let user = made.sends("anna", "/a");
            let hop = made.reaches(user, "cell_eu0");
            made.responses(hop, status, &[], "");
            made.gets(user, Ok((status, "")));
            let sent = made.trace.users[user].sent.at;
            let ms = Duration::from_millis;
            made.trace.hops[hop].at.at = sent + ms(1);
            made.trace.hops[hop].response.as_mut().unwrap().0.at = sent + ms(1 + at_cell);
            made.trace.users[user].response.as_mut().unwrap().at.at = sent + ms(*all);
        }
        made.trace
    }

    #[test]
    fn the_best_of_many_counts_and_the_time_of_cells_does_not() {
        assert!(
            best_adds_at_most(&took(&[(2_000, 0), (100, 61), (90, 0)], 200), "anna", 40).is_ok()
        );
        let slow = best_adds_at_most(&took(&[(52, 0), (112, 60)], 200), "anna", 40);
        assert!(slow.unwrap_err().contains("at least 52.0 ms"));
        assert!(best_adds_at_most(&Trace::default(), "anna", 40).is_err());
        let mut unanswered = took(&[(2, 0), (2, 0)], 200);
        unanswered.users[0].response = None;
        assert!(best_adds_at_most(&unanswered, "anna", 40).is_err());
    }

    #[test]
    fn a_delay_is_told_from_a_slow_cell() {
        let late = [(600, 0), (5, 0), (700, 60), (5, 0)];
        assert!(not_found_held_back(&took(&late, 404), "anna", 2, 500).is_ok());
        assert!(not_found_held_back(&took(&late, 404), "anna", 3, 500).is_err());
        assert!(not_found_held_back(&took(&[(600, 550)], 404), "anna", 1, 500).is_err());
        assert!(not_found_held_back(&took(&late, 200), "anna", 1, 500).is_err());
        assert!(not_found_held_back(&Trace::default(), "anna", 1, 500).is_err());
    }
}
