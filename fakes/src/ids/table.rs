//! The tables whose rows have ids.

use std::fmt;

/// A table whose new rows draw ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum IdTable {
    /// `gitlab_main.namespaces`
    Namespaces,
    /// `gitlab_main.projects`
    Projects,
}

impl IdTable {
    /// The schema of the table.
    pub fn schema(self) -> &'static str {
        match self {
            Self::Namespaces | Self::Projects => "gitlab_main",
        }
    }

    /// The table within its schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Projects => "projects",
        }
    }
}

impl fmt::Display for IdTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
