//! The tables whose rows have ids.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// A table whose new rows draw ids.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Display,
    EnumString,
    IntoStaticStr,
    VariantNames,
    Serialize,
    Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", parse_err_ty = String, parse_err_fn = unknown)]
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
        self.into()
    }

    /// Whether the rows are of the kind that other schemas refer to: top-level entities (*Cells:
    /// Database Sequences* 3.4).
    pub fn is_top_level(self) -> bool {
        matches!(self, Self::Users | Self::Namespaces | Self::Projects)
    }
}

fn unknown(text: &str) -> String {
    let names = IdTable::VARIANTS.join(", ");
    format!("`{text}` is not a table whose rows have ids; name one of {names}")
}
