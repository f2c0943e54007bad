//! Errors of the configuration.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the configuration is unusable: the operator's error, never a cell's or a user's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// A variable that is needed is not set.
    #[error("variable {0} is not set; it names the topology file (JSON)")]
    VariableMissing(&'static str),
    /// A variable cannot be used.
    #[error("variable {name}: {problem}")]
    Variable {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The topology file cannot be read.
    #[error("topology file {} cannot be read: {error}", path.display())]
    Unreadable {
        /// Where it should be.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// The topology file is not JSON.
    #[error("topology file {} is not JSON: {error}", path.display())]
    NotJson {
        /// Where it is.
        path: PathBuf,
        /// The parser's message, with line and column.
        #[source]
        error: serde_json::Error,
    },
    /// A member of the topology file cannot be used.
    #[error("topology file {}: {error}", path.display())]
    Member {
        /// Where the file is.
        path: PathBuf,
        /// Which member, and why.
        #[source]
        error: MemberError,
    },
}

/// A member of the topology file that cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MemberError {
    /// Its path, like `cells[2].url`; empty for the document itself.
    pub(crate) member: String,
    /// What is wrong with it.
    pub(crate) problem: String,
}

impl MemberError {
    pub(crate) fn new(member: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { member: member.into(), problem: problem.into() }
    }
}

impl fmt::Display for MemberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.member.is_empty() {
            f.write_str(&self.problem)
        } else {
            write!(f, "member `{}`: {}", self.member, self.problem)
        }
    }
}

impl std::error::Error for MemberError {}
