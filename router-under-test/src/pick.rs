//! The cold pick: which cell is asked when no entry covers the path (BF-11, LN-17).

use rand::RngExt as _;

use crate::topology::{CellIndex, Topology};

/// The cells to try, one after the other, until one can be reached: those of the router's own
/// region in random order, then the others in random order (RG-01, LN-17, Z-16).
#[derive(Clone, Debug)]
pub struct ColdPick {
    own: Vec<CellIndex>,
    others: Vec<CellIndex>,
}

impl ColdPick {
    /// A new order, independent of all earlier ones.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        Self { own: topology.own.clone(), others: topology.others.clone() }
    }

    /// The next cell of the router's own region.
    pub fn next_in_region(&mut self) -> Option<CellIndex> {
        draw(&mut self.own)
    }

    /// The next cell to try: own region first.
    pub fn next(&mut self) -> Option<CellIndex> {
        self.next_in_region().or_else(|| draw(&mut self.others))
    }

    /// Leaves out a cell that was tried already.
    pub fn pass_over(&mut self, cell: CellIndex) {
        self.own.retain(|own| *own != cell);
        self.others.retain(|other| *other != cell);
    }
}

/// One of them, each equally likely; none where none is left.
fn draw(from: &mut Vec<CellIndex>) -> Option<CellIndex> {
    (!from.is_empty()).then(|| from.swap_remove(rand::rng().random_range(0..from.len())))
}
