//! What the tables have in each row: a mutant or a variant.

use crate::kind::{Change, Mutation, NoRouter, Variation};
use crate::protocol::Protocols;

/// A router with one mutation.
#[derive(Debug, Clone, Copy)]
pub struct Mutant {
    /// Its name on the command line and in the kill matrix: kebab-case, unique.
    pub name: &'static str,
    /// The one requirement that it breaks, such as `BF-03`.
    pub requirement: &'static str,
    /// Where it can be seen; under another protocol the router exits with 69 before it listens.
    pub protocols: Protocols,
    /// What the mutation does, in one fragment.
    pub summary: &'static str,
    /// The capability whose scenarios detect it, such as `upgrade`; the router claims it.
    pub capability: Option<&'static str>,
    pub(crate) change: Change,
}

impl Mutant {
    pub(crate) const fn claiming(self, capability: &'static str) -> Self {
        Self { capability: Some(capability), ..self }
    }
}

/// A correct router that makes another choice where the documents leave one open.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// Its name on the command line: kebab-case, unique, also among mutants.
    pub name: &'static str,
    /// Where the choice exists; under another protocol the router exits with 69 before it listens.
    pub protocols: Protocols,
    /// The choice that it makes, in one sentence.
    pub summary: &'static str,
    /// The capability that it claims, if any.
    pub capability: Option<&'static str>,
    /// The SHOULDs that it does not follow for a reason: a warning under one of them is expected,
    /// any other is not.
    pub warnings: &'static [&'static str],
    pub(crate) change: Change,
}

impl Variant {
    /// The router is conformant: it deviates from SHOULDs alone.
    pub(crate) const fn warned_of(self, warnings: &'static [&'static str]) -> Self {
        Self { warnings, ..self }
    }

    pub(crate) const fn claiming(self, capability: &'static str) -> Self {
        Self { capability: Some(capability), ..self }
    }
}

const fn row(
    name: &'static str,
    requirement: &'static str,
    protocols: Protocols,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    Mutant {
        name,
        requirement,
        protocols,
        summary,
        capability: None,
        change: Change::Mutation(mutation),
    }
}

/// A mutant of a buffering router.
pub(crate) const fn buffering(
    name: &'static str,
    requirement: &'static str,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    row(name, requirement, Protocols::Buffering, mutation, summary)
}

/// A mutant of a learning router.
pub(crate) const fn learning(
    name: &'static str,
    requirement: &'static str,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    row(name, requirement, Protocols::Learning, mutation, summary)
}

/// A mutant that shows in both protocols.
pub(crate) const fn both(
    name: &'static str,
    requirement: &'static str,
    mutation: Mutation,
    summary: &'static str,
) -> Mutant {
    row(name, requirement, Protocols::Both, mutation, summary)
}

/// A router that does not route.
pub(crate) const fn none(
    name: &'static str,
    requirement: &'static str,
    kind: NoRouter,
    summary: &'static str,
) -> Mutant {
    Mutant {
        name,
        requirement,
        protocols: Protocols::Both,
        summary,
        capability: None,
        change: Change::NoRouter(kind),
    }
}

/// A correct variant.
pub(crate) const fn variant(
    name: &'static str,
    protocols: Protocols,
    variation: Variation,
    summary: &'static str,
) -> Variant {
    Variant {
        name,
        protocols,
        summary,
        capability: None,
        warnings: &[],
        change: Change::Variation(variation),
    }
}
