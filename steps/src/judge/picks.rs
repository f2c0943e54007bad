//! Checks of which cells were asked first, and of what a router remembers, as seen from outside.

use std::collections::BTreeMap;

use cell_fleet::{CellId, Region};

use super::{Proof, ensure, is_because_of};
use crate::trace::{Hop, Trace};

/// Each of a region's cells was asked first, by a request or a pre-flight.
pub fn asked_each_first(trace: &Trace, region: &Region) -> Proof {
    let counts = first_asked_of(trace, region)?;
    ensure(counts.iter().all(|(_, count)| *count > 0), || {
        format!("asked first: {}; each should be", listed(&counts))
    })
}

/// Each of a region's cells that was asked first at all was asked first at least this many times.
/// Where cells of other regions were asked first as well, which is the subject of LN-17, the number
/// shrinks in proportion.
pub fn asked_evenly(trace: &Trace, region: &Region, times: usize) -> Proof {
    let counts = first_asked_of(trace, region)?;
    let here: usize = counts.iter().map(|(_, count)| count).sum();
    let times = times * here / first_asked(trace).values().sum::<usize>().max(1);
    ensure(counts.iter().all(|(_, count)| *count == 0 || *count >= times), || {
        format!("asked first: {}; each should be at least {times}", listed(&counts))
    })
}

fn listed(counts: &[(CellId, usize)]) -> String {
    let counts: Vec<_> = counts.iter().map(|(cell, count)| format!("{cell} {count}")).collect();
    counts.join(", ")
}

/// How often each of a region's cells was asked first. The cells are those of the topology, so that
/// one without any request is found.
fn first_asked_of(trace: &Trace, region: &Region) -> Result<Vec<(CellId, usize)>, String> {
    let mut counts = first_asked(trace);
    let count = |cell: CellId| {
        let count = counts.remove(&cell).unwrap_or_default();
        (cell, count)
    };
    let of_region: Vec<_> = trace.cells_of(region)?.into_iter().cloned().map(count).collect();
    ensure(of_region.len() >= 2, || {
        format!("the region has fewer than two cells to choose from ({})", listed(&of_region))
    })?;
    Ok(of_region)
}

/// No cell of a region was asked first.
pub fn never_asked_first(trace: &Trace, region: &Region) -> Proof {
    let found = first_asked(trace).into_iter().find(|(cell, _)| cell.region() == region);
    found.map_or(Ok(()), |(cell, count)| Err(format!("{cell} was asked first {count} times")))
}

/// For each cell, how many requests it was asked about first.
fn first_asked(trace: &Trace) -> BTreeMap<CellId, usize> {
    let mut counts = BTreeMap::new();
    for (index, _) in trace.routed() {
        let about = |hop: &&Hop| is_because_of(hop, index);
        if let Some(first) = trace.hops.iter().find(about) {
            *counts.entry(first.cell.clone()).or_default() += 1;
        }
    }
    counts
}

/// The router knew at most this many of the paths visited in the last step. A path is known where
/// cells saw one request of the visit, without a bounce or a pre-flight.
pub fn still_known_at_most(trace: &Trace, most: usize) -> Proof {
    let (_, mut visits) = trace.last_step()?;
    visits.retain(|(_, request)| request.is_routed());
    let all = visits.len();
    ensure(all > most, || format!("only {all} paths were visited, too few to judge"))?;
    let asked = |visit| trace.hops.iter().filter(|hop| is_because_of(hop, visit)).count();
    let known = visits.iter().filter(|(visit, _)| asked(*visit) == 1).count();
    ensure(known <= most, || {
        let visited = trace.acted().count();
        format!("{known} of {all} paths were still known after {visited} visits, more than {most}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::Made;

    #[test]
    fn a_share_is_judged_where_a_cell_was_asked_and_among_the_picks_of_the_region() {
        let even = |asked: &[&str], times| {
            let mut made = Made::default();
            made.installs([CellId::us(0), CellId::eu(0), CellId::eu(1), CellId::eu(2)]);
            for cell in asked {
                let user = made.sends("anna", "/a");
                made.reaches(user, cell);
            }
            asked_evenly(&made.trace, &Region::eu(), times)
        };
        let uneven = ["cell_eu0", "cell_eu0", "cell_eu2"];
        assert!(even(&uneven, 1).is_ok());
        assert!(even(&uneven, 2).unwrap_err().contains("cell_eu2 1"));
        assert!(even(&["cell_eu0", "cell_us0", "cell_eu1", "cell_us1"], 2).is_ok());
    }
}
