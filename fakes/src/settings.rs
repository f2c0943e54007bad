//! What a plan says about settings that differ from cell to cell.

use std::fmt;
use std::str::FromStr;

/// How the admin settings of an installation can differ between its cells.
///
/// The documents name a template and a table and choose none; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum SettingsModel {
    /// Not at all: a setting has one value, as it is written.
    Shared,
    /// A shared value may have `%{cell}` in it, which each cell fills in.
    #[default]
    Template,
    /// `per_cell_application_settings` has a row for each cell that differs.
    Table,
}

impl SettingsModel {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Shared, Self::Template, Self::Table];

    /// The model by name: `shared`, `template` or `table`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Template => "template",
            Self::Table => "table",
        }
    }
}

impl fmt::Display for SettingsModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SettingsModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|model| model.as_str() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is not a way to keep settings; name one of {names}")
        })
    }
}
