//! What a mutant is, and how the tables write one down.

use super::mutation::Mutation;
use crate::protocol::Protocol;

/// One known mistake of all cells of a fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellMutant {
    /// What it is called, in words joined by hyphens.
    pub name: &'static str,
    /// The requirement that it violates, by its id in the ledger.
    pub requirement: &'static str,
    /// The protocols in which it can be seen; in the other one the cells are sound.
    pub protocols: &'static [Protocol],
    /// What such cells do, in a sentence.
    pub summary: &'static str,
    pub(super) kind: Mutation,
}

impl CellMutant {
    /// Whether cells that follow this protocol make this mistake.
    pub(crate) fn is(&self, mutation: Mutation, protocol: Protocol) -> bool {
        self.kind == mutation && self.protocols.contains(&protocol)
    }
}

pub(super) const BOTH: &[Protocol] = &[Protocol::Buffering, Protocol::Learning];
pub(super) const BUFFERING: &[Protocol] = &[Protocol::Buffering];
pub(super) const LEARNING: &[Protocol] = &[Protocol::Learning];

/// A row of a table.
pub(super) const fn mutant(
    kind: Mutation,
    name: &'static str,
    requirement: &'static str,
    protocols: &'static [Protocol],
    summary: &'static str,
) -> CellMutant {
    CellMutant { name, requirement, protocols, summary, kind }
}
