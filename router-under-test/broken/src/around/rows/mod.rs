//! The rows: which name has what wrong.

use super::Seam;

/// A row: what is wrong, by the name of its router.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) seams: &'static [Seam],
}

/// Rows: `name => [Seam(function), ...];`, with the sentence of what is wrong in front.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:literal => [$($seam:expr),* $(,)?];)*) => {
        pub(crate) const ROWS: &[$crate::around::rows::Row] = &[$(
            $crate::around::rows::Row { name: $name, seams: &[$($seam),*] },
        )*];
    };
}
pub(crate) use rows;

mod limits;

/// The seams of the router of this name.
pub(crate) fn find(name: &str) -> Option<&'static [Seam]> {
    let tables = [limits::ROWS];
    tables.into_iter().flatten().find(|row| row.name == name).map(|row| row.seams)
}
