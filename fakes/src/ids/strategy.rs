//! The strategies by which new ids stay unique on all cells.

use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// How the cells of a fleet draw the ids of new rows.
///
/// The documents choose no strategy; the default is this fleet's choice.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum IdStrategy {
    /// Rows are identified by a UUID, next to a number that counts on each cell (*Cells: Database
    /// Sequences* 3.1).
    Uuid,
    /// The most significant bits of a number name the cell that drew it (*Cells: Database
    /// Sequences* 3.2).
    #[default]
    CellBits,
    /// A central place hands out ranges of numbers to the cells (*Cells: Database Sequences* 3.3).
    Ranges,
    /// Only top-level rows have unique ids; the others count on each cell (*Cells: Database
    /// Sequences* 3.4).
    SomeTables,
}

impl IdStrategy {
    /// All strategies, in the order of the document.
    pub const ALL: [Self; 4] = [Self::Uuid, Self::CellBits, Self::Ranges, Self::SomeTables];

    /// The strategy by name: `uuid`, `cell-bits`, `ranges` or `some-tables`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

fn unknown(text: &str) -> String {
    let names = IdStrategy::VARIANTS.join(", ");
    format!("`{text}` is not a strategy for ids; name one of {names}")
}
