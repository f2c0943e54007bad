//! The two proposals, and what a plan may choose within them and behind them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

/// The proposal that the cells follow.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Protocol {
    /// A cell responds 302 with the redirect header for a path that it does not own.
    Buffering,
    /// A cell responds at the learn endpoint, and 404 for a path that it does not own.
    Learning,
}

impl Protocol {
    /// Both protocols.
    pub const ALL: [Self; 2] = [Self::Buffering, Self::Learning];

    /// `buffering` or `learning`, as in a topology file.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The cell that redirects a signed-out visitor of a private page to the sign-in page (BF-15,
///
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoginBy {
    /// The cell that receives the request, as the buffering proposal draws it.
    AskedCell,
    /// The owner of the path, as the routes-learning proposal draws it.
    Owner,
}

/// How far the replicas of the shared databases are behind the primary (DB-06).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReplicationLag {
    /// Every replica has a write at once.
    #[default]
    None,
    /// A replica has a write this long after it was made.
    For(Duration),
    /// Replicas replay nothing until they are released.
    UntilReleased,
}

/// A version of the Rails application; a higher number is a later deployment (UN-02).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version(pub u32);

impl Version {
    /// The version of cells that are not upgraded yet.
    pub const OLDER: Self = Self(1);
    /// The latest deployment.
    pub const LATEST: Self = Self(2);
}

/// How the admin settings of an installation can differ between its cells.
///
/// The documents name a template and a table and choose none; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum SettingsModel {
    /// They cannot differ: a setting has one value, as it is written.
    Shared,
    /// A shared value may have `%{cell}` in it, which each cell fills in.
    #[default]
    Template,
    /// `per_cell_application_settings` has a row for each cell that differs.
    Table,
}

fn unknown(text: &str) -> String {
    let names = SettingsModel::VARIANTS.join(", ");
    format!("`{text}` is not a way to keep settings; name one of {names}")
}
