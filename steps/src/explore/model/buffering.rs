//! Buffering: which cell a request is sent to first, and which ones after it.

use std::collections::BTreeSet;

use cell_fleet::CellId;

use super::memory::Sure;
use super::{Case, Model, Said, is_called, is_whole, listed, said};

/// A router may end a chain after so many hops at the most (contract, *Limits*).
const MOST_HOPS: usize = 16;

impl Model<'_> {
    pub(super) fn buffering(&self, case: &Case<'_>, say: &mut dyn FnMut(&'static str, String)) {
        // "the first thing that a cell receives is the user's own request"
        if let Some(hop) = case.preflights.first() {
            say("BF-01", format!("{} received a pre-flight", hop.cell));
        }
        if let Some(first) = case.hops.first() {
            self.first_hop(case, &first.cell, say);
        }
        for pair in case.hops.windows(2) {
            let [hop, next] = pair else { continue };
            let whole = is_whole(hop);
            match hop.response.as_ref().map(|(_, response)| said(response)) {
                Some(Said::Bounce(name)) if is_called(&next.cell, &name) => {}
                Some(Said::Bounce(name)) => {
                    say("BF-03", format!("{} pointed to {name}, not to {}", hop.cell, next.cell));
                }
                Some(Said::UnreadableBounce) => say(
                    "Z-35",
                    format!(
                        "{} sent a redirect that cannot be read, and {} was asked",
                        hop.cell, next.cell
                    ),
                ),
                Some(Said::Final { .. }) if whole => say(
                    "Z-17",
                    format!(
                        "{} responded, and the request was sent to {} too",
                        hop.cell, next.cell
                    ),
                ),
                // The connection broke after the cell had read the request.
                Some(Said::Final { .. }) | None => {
                    let idempotent = matches!(case.request.method.as_str(), "GET" | "HEAD");
                    say(
                        if idempotent { "Z-52" } else { "Z-17" },
                        format!("sent again to {} after {} had read it", next.cell, hop.cell),
                    );
                }
            }
        }
        if case.hops.len() > MOST_HOPS {
            say("Z-01", format!("sent to cells {} times", case.hops.len()));
        }
    }

    /// The first cell is the one of an entry, or one of the region.
    fn first_hop(&self, case: &Case<'_>, cell: &CellId, say: &mut dyn FnMut(&'static str, String)) {
        let asked = self.question(case);
        let covering = case.memory.covering(&asked, self.limits());
        let mut permitted = BTreeSet::new();
        let mut certain = None;
        for (entry, sure) in &covering {
            // Buffering names no lifetime and does not tell methods apart (CA-16, contract).
            permitted.insert(entry.cell.clone());
            let is_certain = matches!(sure, Sure::Certain | Sure::ForOtherMethods);
            if is_certain && !case.troubled.contains(&entry.cell) && !case.has_other_spellings() {
                certain = Some(*entry);
                break;
            }
        }
        if permitted.contains(cell) {
            return;
        }
        if let Some(entry) = certain {
            let requirement = if case.memory.replaced(&asked, cell) || entry.corrected {
                "RT-09"
            } else {
                "CA-03"
            };
            return say(
                requirement,
                format!(
                    "the router knows that {} belongs to {} (request {}), and asked {cell} first",
                    entry.path,
                    entry.cell,
                    entry.taught_by + 1
                ),
            );
        }
        self.cold_pick(case, cell, "BF-11", say);
    }

    /// A cold pick is a cell of the region, while one of them can be reached (RG-01).
    pub(super) fn cold_pick(
        &self,
        case: &Case<'_>,
        cell: &CellId,
        requirement: &'static str,
        say: &mut dyn FnMut(&'static str, String),
    ) {
        let region = self.facts.of_region(case.region);
        if region.contains(&cell)
            || region.is_empty()
            || region.iter().all(|cell| case.troubled.contains(*cell))
            || case.has_other_spellings()
        {
            return;
        }
        let asked = self.question(case);
        match case.memory.elsewhere(&asked, cell) {
            Some(entry) if requirement != "LN-17" => say(
                "CA-06",
                format!(
                    "asked {cell} first, as if {} covered it; no entry does, so {} is expected",
                    entry.path,
                    listed(region)
                ),
            ),
            _ => say(
                requirement,
                format!(
                    "asked {cell} first; no entry covers it, so {} is expected",
                    listed(region)
                ),
            ),
        }
    }
}
