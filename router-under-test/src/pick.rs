//! The cold pick: which cell is asked when no entry covers the path (BF-11, LN-17).

use rand::seq::SliceRandom as _;

use crate::topology::{CellIndex, Topology};

/// The cells to try, one after the other, until one can be reached: those of the router's own
/// region first (RG-01, LN-17, Z-16). The next one is the last of its list.
#[derive(Clone, Debug)]
pub struct ColdPick {
    own: Vec<CellIndex>,
    others: Vec<CellIndex>,
}

impl ColdPick {
    /// A random order, independent of all earlier ones.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let (mut own, mut others) = topology.by_region();
        own.shuffle(&mut rand::rng());
        others.shuffle(&mut rand::rng());
        Self { own, others }
    }

    /// These cells in this order: those of the router's region, then the others.
    #[must_use]
    pub fn in_order(mut own: Vec<CellIndex>, mut others: Vec<CellIndex>) -> Self {
        own.reverse();
        others.reverse();
        Self { own, others }
    }

    /// The next cell of the router's own region.
    pub fn next_in_region(&mut self) -> Option<CellIndex> {
        self.own.pop()
    }

    /// Puts a cell before all others.
    #[must_use]
    pub fn with_first(mut self, cell: CellIndex) -> Self {
        self.pass_over(cell);
        self.own.push(cell);
        self
    }

    /// Leaves out a cell that was tried already.
    pub fn pass_over(&mut self, cell: CellIndex) {
        self.own.retain(|own| *own != cell);
        self.others.retain(|other| *other != cell);
    }
}

impl Iterator for ColdPick {
    type Item = CellIndex;

    /// The next cell to try: own region first.
    fn next(&mut self) -> Option<CellIndex> {
        self.own.pop().or_else(|| self.others.pop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{document, topology_of};

    fn rest(mut pick: ColdPick) -> Vec<usize> {
        std::iter::from_fn(|| pick.next()).map(CellIndex::index).collect()
    }

    /// The first two cells of the topology are those of the other region.
    #[test]
    fn every_cell_is_tried_once_with_the_own_region_first() {
        let topology = topology_of(&document("learning"));
        let mut first = [0; 4];
        for _ in 0..200 {
            let mut order = rest(ColdPick::new(&topology));
            first[order[0]] += 1;
            order[..2].sort_unstable();
            order[2..].sort_unstable();
            assert_eq!(order, [2, 3, 0, 1]);
        }
        // Fails by chance once in 10^12 runs.
        assert!((50..=150).contains(&first[2]), "{first:?}");
    }

    #[test]
    fn a_cell_that_is_passed_over_is_not_given() {
        let topology = topology_of(&document("buffering"));
        for tried in topology.all() {
            let mut pick = ColdPick::new(&topology);
            pick.pass_over(tried);
            let order = rest(pick);
            assert!(order.len() == 3 && !order.contains(&tried.index()), "{order:?}");
        }
    }
}
