//! What the tables have in each row: a mutant or a variant.

use crate::around::Seam;
use crate::protocol::Protocols;

/// A router with one mistake.
#[derive(Debug, Clone, Copy)]
pub struct Mutant {
    /// Its name on the command line and in the kill matrix: kebab-case, unique.
    pub name: &'static str,
    /// The one requirement that it breaks, such as `BF-03`.
    pub requirement: &'static str,
    /// Where it can be seen; under another protocol the router exits with 69 before it listens.
    pub protocols: Protocols,
    /// What is wrong, in one fragment.
    pub summary: &'static str,
    /// The capability whose scenarios detect it, such as `upgrade`; the router claims it.
    pub capability: Option<&'static str>,
    pub(crate) seams: &'static [Seam],
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
    pub(crate) seams: &'static [Seam],
}

/// The only one, if there is one.
pub(crate) const fn optional(capabilities: &[&'static str]) -> Option<&'static str> {
    match capabilities {
        [] => None,
        [first, ..] => Some(first),
    }
}
