//! The tables whose rows have ids.

use std::fmt;
use std::str::FromStr;

/// A table whose new rows draw ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum IdTable {
    /// `gitlab_users.users`
    Users,
    /// `gitlab_main.namespaces`
    Namespaces,
    /// `gitlab_main.projects`
    Projects,
    /// `gitlab_main.merge_requests`
    MergeRequests,
    /// `gitlab_main.notes`
    Notes,
}

impl IdTable {
    /// All tables, in the order in which rows refer to each other.
    pub const ALL: [Self; 5] =
        [Self::Users, Self::Namespaces, Self::Projects, Self::MergeRequests, Self::Notes];

    /// The schema of the table.
    pub fn schema(self) -> &'static str {
        match self {
            Self::Users => "gitlab_users",
            Self::Namespaces | Self::Projects | Self::MergeRequests | Self::Notes => "gitlab_main",
        }
    }

    /// The table within its schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Users => "users",
            Self::Namespaces => "namespaces",
            Self::Projects => "projects",
            Self::MergeRequests => "merge_requests",
            Self::Notes => "notes",
        }
    }

    /// Whether the rows are of the kind that other schemas refer to: top-level entities (*Cells:
    /// Database Sequences* 3.4).
    pub fn is_top_level(self) -> bool {
        matches!(self, Self::Users | Self::Namespaces | Self::Projects)
    }
}

impl fmt::Display for IdTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for IdTable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|table| table.as_str() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is not a table whose rows have ids; name one of {names}")
        })
    }
}
