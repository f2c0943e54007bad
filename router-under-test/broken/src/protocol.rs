//! The two proposals, and the proposals of a mutant or variant.

use std::fmt;

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

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Self::Buffering => "buffering",
            Self::Learning => "learning",
        }
    }

    /// Reads the spelling of `CELLS_PROTOCOL`; `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Protocols::Both.each().find(|protocol| protocol.name() == word)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The proposals of a mutant or variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocols {
    /// Only the buffering proposal.
    Buffering,
    /// Only the routes-learning proposal.
    Learning,
    /// Both of them.
    Both,
}

impl Protocols {
    /// Whether `protocol` is one of them.
    pub fn contain(self, protocol: Protocol) -> bool {
        self == Self::Both || (self == Self::Buffering) == (protocol == Protocol::Buffering)
    }

    /// The protocols, one by one.
    pub fn each(self) -> impl Iterator<Item = Protocol> {
        [Protocol::Buffering, Protocol::Learning]
            .into_iter()
            .filter(move |protocol| self.contain(*protocol))
    }
}
