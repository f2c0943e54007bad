//! The switches: each is read where a router makes the decision.

use crate::around::Seams;
use crate::deviation::Deviation;
pub(crate) use crate::mutants::degenerate::NoRouter;
pub(crate) use crate::mutants::variants::Variation;

/// A change of the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// One mutation.
    Mutation(Mutation),
    /// One choice that the documents leave open.
    Variation(Variation),
    /// No routing at all.
    NoRouter(NoRouter),
    /// A deviation at a seam.
    Deviation(Deviation),
    /// Something else at seams of the correct router.
    Around(Seams),
}

impl Change {
    /// Whether this mutation is switched on.
    pub(crate) fn has(self, mutation: Mutation) -> bool {
        self == Self::Mutation(mutation)
    }

    /// The mutation that is switched on, if any.
    pub(crate) fn mutation(self) -> Option<Mutation> {
        match self {
            Self::Mutation(mutation) => Some(mutation),
            _ => None,
        }
    }

    /// Whether this variation is switched on.
    pub(crate) fn differs(self, variation: Variation) -> bool {
        self == Self::Variation(variation)
    }
}

/// A mutation, by the name of its mutant. Each row of the tables in `mutants` adds a constant:
/// `Mutation::ResendsAsGet`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mutation(pub(crate) &'static str);
