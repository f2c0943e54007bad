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
        let shuffled = |cells: &[CellIndex]| {
            let mut cells = cells.to_vec();
            cells.shuffle(&mut rand::rng());
            cells
        };
        Self { own: shuffled(&topology.own), others: shuffled(&topology.others) }
    }

    /// These cells in this order: those of the own region, then the others.
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

    /// The next cell to try: own region first.
    pub fn next(&mut self) -> Option<CellIndex> {
        self.own.pop().or_else(|| self.others.pop())
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
