//! Checks of the time that a router adds to that of its cells.
//!
//! The journal's monotonic clock stamps both ends. A loaded machine makes times longer and never
//! shorter. So a check takes the shortest time where a router must be quick, and a lower bound
//! where it must wait.

use std::time::Duration;

use super::responses::{asked, response_to};
use super::{Proof, ensure};
use crate::trace::{Trace, UserRequest};

/// The time of a user's request less the time that the last cell took.
fn added(trace: &Trace, index: usize, request: &UserRequest) -> Result<Duration, String> {
    response_to(request)?;
    let ended = request.response.as_ref().map(|response| response.at.at).unwrap_or_default();
    let hop =
        trace.final_hop(index).ok_or_else(|| format!("{} reached no cell", asked(request)))?;
    let (given, _) = hop
        .response
        .as_ref()
        .ok_or_else(|| format!("{} gave no response to {}", hop.cell, asked(request)))?;
    let at_cell = given.at.saturating_sub(hop.at.at);
    Ok(ended.saturating_sub(request.sent.at).saturating_sub(at_cell))
}

/// The router added at most this many milliseconds to the fastest of a person's requests. Each of
/// them needs a response of a cell.
pub fn best_adds_at_most(trace: &Trace, person: &str, limit_ms: u64) -> Proof {
    let theirs = trace.acted_by(person);
    let times: Vec<_> =
        theirs.map(|(index, request)| added(trace, index, request)).collect::<Result<_, _>>()?;
    let best = times.iter().min().ok_or_else(|| format!("{person} sent nothing"))?;
    ensure(*best <= Duration::from_millis(limit_ms), || {
        let (best, count) = (best.as_secs_f64() * 1e3, times.len());
        format!(
            "the router added at least {best:.1} ms to each of {count} requests, more than \
             {limit_ms} ms"
        )
    })
}

/// The router added at least this many milliseconds to this many of a person's requests, which all
/// have a 404.
pub fn not_found_held_back(trace: &Trace, person: &str, count: usize, least_ms: u64) -> Proof {
    let (held, all, longest) = held_back(trace, person, least_ms)?;
    ensure(held >= count, || {
        format!(
            "{held} of {all} responses with 404 were held back for {least_ms} ms, fewer than \
             {count}; the longest for {longest} ms"
        )
    })
}

/// The router added less than this many milliseconds to each of a person's requests, which all have
/// a 404. The limit has to leave time for a loaded machine.
pub fn not_found_comes_before(trace: &Trace, person: &str, limit_ms: u64) -> Proof {
    let (late, all, longest) = held_back(trace, person, limit_ms)?;
    ensure(late == 0, || {
        format!(
            "{late} of {all} responses with 404 were held back for {limit_ms} ms; the longest for \
             {longest} ms"
        )
    })
}

/// To how many of a person's requests the router added at least so many milliseconds, of how many,
/// and the most that it added.
fn held_back(trace: &Trace, person: &str, ms: u64) -> Result<(usize, usize, u128), String> {
    let mut times = Vec::new();
    for (index, request) in trace.acted_by(person) {
        let response = response_to(request)?;
        ensure(response.status == 404, || {
            format!("{} received {}, not 404", asked(request), response.status)
        })?;
        times.push(added(trace, index, request)?);
    }
    let longest = times.iter().max().ok_or_else(|| format!("{person} sent nothing"))?;
    let held = times.iter().filter(|time| **time >= Duration::from_millis(ms)).count();
    Ok((held, times.len(), longest.as_millis()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::Made;

    /// Requests: the milliseconds of each, and how many of them its cell took.
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
    fn the_shortest_added_time_counts_without_that_of_cells() {
        assert!(
            best_adds_at_most(&took(&[(2_000, 0), (100, 61), (90, 0)], 200), "anna", 40).is_ok()
        );
        let slow = best_adds_at_most(&took(&[(52, 0), (112, 60)], 200), "anna", 40);
        assert!(slow.unwrap_err().contains("at least 52.0 ms"));
        assert!(best_adds_at_most(&Trace::default(), "anna", 40).is_err());
        let mut without_response = took(&[(2, 0), (2, 0)], 200);
        without_response.users[0].response = None;
        assert!(best_adds_at_most(&without_response, "anna", 40).is_err());
    }

    #[test]
    fn the_time_of_a_slow_cell_is_not_a_delay() {
        let late = [(600, 0), (5, 0), (700, 60), (5, 0)];
        assert!(not_found_held_back(&took(&late, 404), "anna", 2, 500).is_ok());
        assert!(not_found_held_back(&took(&late, 404), "anna", 3, 500).is_err());
        assert!(not_found_held_back(&took(&[(600, 550)], 404), "anna", 1, 500).is_err());
        assert!(not_found_held_back(&took(&late, 200), "anna", 1, 500).is_err());
        assert!(not_found_held_back(&Trace::default(), "anna", 1, 500).is_err());
        assert!(not_found_comes_before(&took(&late, 404), "anna", 701).is_ok());
        assert!(not_found_comes_before(&took(&late, 404), "anna", 600).is_err());
        assert!(not_found_comes_before(&took(&[(600, 550)], 404), "anna", 500).is_ok());
        assert!(not_found_comes_before(&Trace::default(), "anna", 500).is_err());
    }
}
