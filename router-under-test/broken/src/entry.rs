//! What the tables have in each row: a mutant or a variant, and its protocols.

use std::fmt;

use crate::around::Seam;

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

/// One of the two proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The buffering proposal: the request is buffered and resent to the cell that the first one
    /// names.
    Buffering,
    /// The routes-learning proposal: a pre-flight asks for the owner, then the request is sent
    /// once.
    Learning,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Buffering => "buffering",
            Self::Learning => "learning",
        })
    }
}

/// The proposals of a mutant or variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocols {
    /// Only the buffering proposal.
    Buffering,
    /// Only the routes-learning proposal.
    Learning,
    Both,
}

impl Protocols {
    /// Whether `protocol` is one of them.
    pub fn contain(self, protocol: Protocol) -> bool {
        self == Self::Both || (self == Self::Buffering) == (protocol == Protocol::Buffering)
    }

    pub fn each(self) -> impl Iterator<Item = Protocol> {
        [Protocol::Buffering, Protocol::Learning]
            .into_iter()
            .filter(move |protocol| self.contain(*protocol))
    }
}
