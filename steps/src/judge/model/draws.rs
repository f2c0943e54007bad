//! Which cells a router asks when it has no entry, over a whole journey.

use std::collections::BTreeMap;

use cell_fleet::{CellId, Protocol};

use super::exchange::{Case, listed};
use super::{Model, Violation};

/// Draws that are less probable than this are taken for a choice.
const INCREDIBLE: f64 = 1e-9;
/// After this many cold picks, each cell has been picked at least once, even by an uneven choice
/// (contract, *Choosing a cell for an unknown path*).
const MANY: usize = 200;

impl Model<'_> {
    /// A cold pick is a draw among the cells of the region (contract, *Choosing a cell for an
    /// unknown path*). Of many picks each cell gets one; of fewer picks it does if the draw is
    /// fair. Only picks for the same path and person are counted together, so that a choice by path
    /// or by person shows.
    pub(super) fn draws(&self) -> Vec<Violation> {
        let mut drawn: BTreeMap<_, Vec<(&Case<'_>, &CellId)>> = BTreeMap::new();
        for case in &self.cases {
            let pick = match self.installation.protocol {
                Protocol::Buffering => case.hops.first(),
                Protocol::Learning => case.preflights.first(),
            };
            let Some(pick) = pick.filter(|hop| hop.cell.region() == case.region) else { continue };
            let is_cold = self.covering(case, pick.at).is_empty();
            if is_cold && case.troubled.is_empty() && !case.is_odd {
                let key = (case.region, case.generation, &case.path, &case.request.person);
                drawn.entry(key).or_default().push((case, &pick.cell));
            }
        }
        drawn.into_values().filter_map(|drawn| self.unfair(&drawn)).collect()
    }

    /// A cell of the region that was never drawn, where that is incredible.
    fn unfair(&self, drawn: &[(&Case<'_>, &CellId)]) -> Option<Violation> {
        let (last, _) = drawn.last()?;
        let cells: Vec<_> = self.installation.of_region(last.region).collect();
        let never = cells.iter().filter(|cell| !drawn.iter().any(|(_, drawn)| drawn == *cell));
        let never: Vec<_> = never.copied().collect();
        let count = cells.len() as f64;
        let chance = count * ((count - 1.0) / count).powf(drawn.len() as f64);
        if never.is_empty() || chance >= INCREDIBLE {
            return None;
        }
        let requirement = match self.installation.protocol {
            _ if drawn.len() < MANY => "Z-76",
            Protocol::Buffering => "BF-11",
            Protocol::Learning => "LN-17",
        };
        let (path, times) = (&last.path, drawn.len());
        let why = format!("{path} was asked for {times} times, and {} never", listed(never));
        Some(Violation { requirement, why, user: last.user })
    }
}
