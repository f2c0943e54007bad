//! Checks of the time that a router adds to that of its cells.
//!
//! The journal's monotonic clock stamps both ends. A loaded machine makes times longer and never
//! shorter. So a check takes the shortest time where a router must be quick, and a lower bound
//! where it must wait.

use std::time::Duration;

use super::responses::asked;
use super::{Judgment, Rests, Wrong, ensure};
use crate::trace::{Trace, UserRequest};

/// The time of a user's request less the time that the last cell took.
fn added(trace: &Trace, index: usize, request: &UserRequest) -> Result<Duration, String> {
    request.received()?;
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
/// them needs a response of a cell. A stall slows one request: all of them are slow because of the
/// machine only if it stalls in each, so the finding rests on the limits of all together.
pub fn best_adds_at_most(trace: &Trace, person: &str, limit_ms: u64) -> Judgment {
    let theirs = trace.acted_by(person);
    let times: Vec<_> =
        theirs.map(|(index, request)| added(trace, index, request)).collect::<Result<_, _>>()?;
    let best = times.iter().min().ok_or_else(|| format!("{person} sent nothing"))?;
    if *best <= Duration::from_millis(limit_ms) {
        return Ok(());
    }
    let (best, count) = (best.as_secs_f64() * 1e3, times.len());
    let message = format!(
        "the router added at least {best:.1} ms to each of {count} requests, more than {limit_ms} ms"
    );
    Err(Wrong::late(message, limit_ms.saturating_mul(times.len() as u64)))
}

/// The router held back the responses to this many of a person's requests, which all have a 404,
/// for at least this many milliseconds. On a slow machine every response takes that long: then it
/// is not shown, unless it takes longer by as much as requests took to their cells.
pub fn not_found_held_back(trace: &Trace, person: &str, count: usize, least_ms: u64) -> Judgment {
    let (_, all, _) = held_back(trace, person, least_ms)?;
    let way = half_way(trace, person);
    let mut held = Vec::new();
    for (index, request) in trace.acted_by(person) {
        let Some(hop) = trace.final_hop(index) else { continue };
        let (Some((given, _)), Some(got)) = (&hop.response, &request.response) else { continue };
        held.push(got.at.at.saturating_sub(given.at));
    }
    let least = Duration::from_millis(least_ms);
    let longer_than = |time: Duration| held.iter().filter(|held| **held >= time).count();
    let (all_held, shown) = (longer_than(least), longer_than(least + way));
    let (longest, way) = (held.iter().max().map_or(0, Duration::as_millis), way.as_millis());
    if all_held < count {
        return Err(Wrong::from(format!(
            "{all_held} of {all} responses with 404 were held back for {least_ms} ms, fewer than \
             {count}; the longest for {longest} ms"
        )));
    }
    if shown < count {
        let message = format!(
            "{all_held} of {all} responses with 404 were held back for {least_ms} ms, but {shown}, \
             fewer than {count}, for {way} ms more, which is what half of the requests took to \
             their cells"
        );
        return Err(Wrong { message, rests: Rests::OnTheMachine });
    }
    Ok(())
}

/// The router added less than this many milliseconds to each of a person's requests, which all have
/// a 404. On a machine so slow that the requests took as long to their cells, nothing is shown.
pub fn not_found_comes_before(trace: &Trace, person: &str, limit_ms: u64) -> Judgment {
    let (late, all, longest) = held_back(trace, person, limit_ms)?;
    if late == 0 {
        return Ok(());
    }
    let way_ms = u64::try_from(half_way(trace, person).as_millis()).unwrap_or(u64::MAX);
    let (longer, ..) = held_back(trace, person, limit_ms.saturating_add(way_ms))?;
    let message = format!(
        "{late} of {all} responses with 404 were held back for {limit_ms} ms, {longer} of them for \
         the {way_ms} ms more that half of the requests took to their cells; the longest for \
         {longest} ms"
    );
    if longer == 0 {
        return Err(Wrong { message, rests: Rests::OnTheMachine });
    }
    Err(Wrong::late(message, limit_ms))
}

/// How long half of a person's requests took to their cells: on a slow machine, longer.
fn half_way(trace: &Trace, person: &str) -> Duration {
    let theirs = trace.acted_by(person);
    let mut ways: Vec<_> = theirs
        .filter_map(|(index, request)| {
            Some(trace.final_hop(index)?.at.at.saturating_sub(request.sent.at))
        })
        .collect();
    ways.sort_unstable();
    ways.get(ways.len() / 2).copied().unwrap_or_default()
}

/// The number of a person's requests to which the router added at least `ms` milliseconds, the
/// number of all their requests, and the most that it added.
fn held_back(trace: &Trace, person: &str, ms: u64) -> Result<(usize, usize, u128), String> {
    let mut times = Vec::new();
    for (index, request) in trace.acted_by(person) {
        let response = request.received()?;
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
        let slow = slow.unwrap_err();
        assert!(slow.message.contains("at least 52.0 ms"), "{slow:?}");
        assert_eq!(slow.rests, Rests::OnTime(Duration::from_millis(80)));
        assert!(best_adds_at_most(&Trace::default(), "anna", 40).is_err());
        let mut without_response = took(&[(2, 0), (2, 0)], 200);
        without_response.users[0].response = None;
        assert!(best_adds_at_most(&without_response, "anna", 40).is_err());
    }

    fn late_by(limit_ms: u64) -> Rests {
        Rests::OnTime(Duration::from_millis(limit_ms))
    }

    #[test]
    fn a_slow_machine_is_no_delay() {
        let mut slow = took(&[(1_500, 0), (1_600, 0), (1_700, 0)], 404);
        assert!(not_found_held_back(&slow, "anna", 2, 1_000).is_ok());
        // The way to the cells took as long.
        for hop in &mut slow.hops {
            hop.at.at += Duration::from_millis(700);
            hop.response.as_mut().unwrap().0.at += Duration::from_millis(400);
        }
        let unclear = not_found_held_back(&slow, "anna", 2, 1_000).unwrap_err();
        assert_eq!(unclear.rests, Rests::OnTheMachine, "{unclear:?}");
        let short = not_found_held_back(&slow, "anna", 2, 1_400).unwrap_err();
        assert_eq!(short.rests, Rests::OnTheScenario, "{short:?}");
        let late = |limit| not_found_comes_before(&slow, "anna", limit).unwrap_err().rests;
        assert_eq!((late(900), late(1_600)), (late_by(900), Rests::OnTheMachine));
    }
}
