//! What a plan says about settings that differ from cell to cell.

use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// How the admin settings of an installation can differ between its cells.
///
/// The documents name a template and a table and choose none; the default is this fleet's choice.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, IntoStaticStr, VariantNames,
)]
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

impl SettingsModel {
    /// The model by name: `shared`, `template` or `table`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

fn unknown(text: &str) -> String {
    let names = SettingsModel::VARIANTS.join(", ");
    format!("`{text}` is not a way to keep settings; name one of {names}")
}
