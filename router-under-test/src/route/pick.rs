//! The cold pick: which cell is asked when no entry covers the path (BF-11, LN-17).

use rand::RngExt as _;

use crate::config::{CellIndex, Topology};

/// The cells to try, one after the other, until one can be reached: those of the router's own
/// region in random order, then the others in random order (RG-01, LN-17, Z-16).
///
/// The order is made as it is asked for, so the usual case, where the first cell responds, draws
/// one number and allocates nothing.
#[derive(Debug)]
pub(crate) struct ColdPick<'a> {
    topology: &'a Topology,
    /// Cells that were given out after the first, or are passed over.
    given: Vec<CellIndex>,
    first: Option<CellIndex>,
}

impl<'a> ColdPick<'a> {
    /// A new order, independent of all earlier ones.
    pub(crate) fn new(topology: &'a Topology) -> Self {
        Self { topology, given: Vec::new(), first: None }
    }

    /// The next cell of the router's own region.
    pub(crate) fn next_in_region(&mut self) -> Option<CellIndex> {
        self.draw(self.topology.own_cells())
    }

    /// The next cell of another region; only for when no cell of the own region can be reached.
    pub(crate) fn next_elsewhere(&mut self) -> Option<CellIndex> {
        self.draw(self.topology.other_cells())
    }

    /// Leaves out a cell that was tried already.
    pub(crate) fn pass_over(&mut self, cell: CellIndex) {
        self.given.push(cell);
    }

    /// The next cell to try: own region first.
    pub(crate) fn next(&mut self) -> Option<CellIndex> {
        self.next_in_region().or_else(|| self.next_elsewhere())
    }

    fn draw(&mut self, from: &[CellIndex]) -> Option<CellIndex> {
        if self.first.is_none() && self.given.is_empty() {
            let cell = *from.get(random_below(from.len())?)?;
            self.first = Some(cell);
            return Some(cell);
        }
        let left: Vec<CellIndex> = from
            .iter()
            .copied()
            .filter(|cell| self.first != Some(*cell) && !self.given.contains(cell))
            .collect();
        let cell = *left.get(random_below(left.len())?)?;
        self.given.push(cell);
        Some(cell)
    }
}

/// A number below `bound`, each equally likely; none where there is nothing to choose from.
fn random_below(bound: usize) -> Option<usize> {
    (bound > 0).then(|| rand::rng().random_range(0..bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::topology;

    #[test]
    fn every_cell_is_tried_once_with_the_own_region_first() {
        let topology = topology("learning");
        for _ in 0..50 {
            let mut pick = ColdPick::new(&topology);
            let order: Vec<_> = std::iter::from_fn(|| pick.next())
                .map(|cell| topology.cell(cell).id.clone())
                .collect();
            assert_eq!(order.len(), 4);
            let (own, others) = order.split_at(2);
            assert!(own.iter().all(|id| id.starts_with("cell_eu")), "{order:?}");
            assert!(others.iter().all(|id| id.starts_with("cell_us")), "{order:?}");
            assert!(own[0] != own[1] && others[0] != others[1], "{order:?}");
        }
    }

    #[test]
    fn a_cell_that_is_passed_over_is_not_given() {
        let topology = topology("buffering");
        for _ in 0..50 {
            let tried = ColdPick::new(&topology).next().unwrap();
            let mut pick = ColdPick::new(&topology);
            pick.pass_over(tried);
            let order: Vec<_> = std::iter::from_fn(|| pick.next()).collect();
            assert_eq!(order.len(), 3);
            assert!(!order.contains(&tried), "{order:?}");
        }
    }

    #[test]
    fn each_own_cell_is_often_picked_first() {
        let topology = topology("buffering");
        let mut eu0 = 0;
        for _ in 0..200 {
            let cell = ColdPick::new(&topology).next().unwrap();
            eu0 += usize::from(topology.cell(cell).id == "cell_eu0");
        }
        // Fails by chance once in 10^12 runs.
        assert!((50..=150).contains(&eu0), "{eu0}");
    }
}
