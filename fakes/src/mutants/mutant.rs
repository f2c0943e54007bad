//! A mutant, and the helpers that the tables use.

use super::mutation::Mutation;
use crate::protocol::Protocol;

/// One known mistake of all cells of a fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellMutant {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// The id of the requirement that it violates.
    pub requirement: &'static str,
    /// The protocols in which it has an effect. In the other protocol the cells are correct.
    pub protocols: &'static [Protocol],
    /// What such cells do, in one sentence.
    pub summary: &'static str,
    pub(super) kind: Mutation,
}

impl CellMutant {
    /// The mutation of cells that follow this protocol.
    pub(crate) fn mutation(&self, protocol: Protocol) -> Option<Mutation> {
        self.protocols.contains(&protocol).then_some(self.kind)
    }

    /// Whether cells that follow this protocol have this mutation.
    pub(crate) fn is(&self, mutation: Mutation, protocol: Protocol) -> bool {
        self.mutation(protocol) == Some(mutation)
    }
}

pub(super) const BOTH: &[Protocol] = &Protocol::ALL;
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
