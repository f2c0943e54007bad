//! Errors of the configuration.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the configuration is unusable: the operator's error, never a cell's or a user's.
#[derive(Debug)]
pub(crate) enum ConfigError {
    /// A variable that is needed is not set.
    VariableMissing(&'static str),
    /// A variable cannot be used.
    Variable {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The topology file cannot be read.
    Unreadable {
        /// Where it should be.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The topology file is not JSON.
    NotJson {
        /// Where it is.
        path: PathBuf,
        /// The parser's message, with line and column.
        error: serde_json::Error,
    },
    /// A member of the topology file cannot be used.
    Member {
        /// Where the file is.
        path: PathBuf,
        /// Which member, and why.
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

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VariableMissing(name) => {
                write!(f, "variable {name} is not set; it names the topology file (JSON)")
            }
            Self::Variable { name, problem } => write!(f, "variable {name}: {problem}"),
            Self::Unreadable { path, error } => {
                write!(f, "topology file {} cannot be read: {error}", path.display())
            }
            Self::NotJson { path, error } => {
                write!(f, "topology file {} is not JSON: {error}", path.display())
            }
            Self::Member { path, error } => write!(f, "topology file {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            Self::NotJson { error, .. } => Some(error),
            Self::Member { error, .. } => Some(error),
            Self::VariableMissing(_) | Self::Variable { .. } => None,
        }
    }
}
