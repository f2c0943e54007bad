//! A mutant, and the form of the table.

use std::fmt;
use std::sync::Arc;

use cell_fleet::Protocol;
use cell_fleet::inside::{CorrectParts, MakesParts, Parts};

/// One known mistake of all cells of a fleet.
#[derive(Clone)]
pub struct CellMutant {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// The id of the requirement that it violates.
    pub requirement: &'static str,
    /// The protocols in which it has an effect. In the other protocol the cells are correct.
    pub protocols: &'static [Protocol],
    /// What such cells do, in one sentence.
    pub summary: &'static str,
    /// The parts with the mistake, new for each fleet.
    pub(crate) parts: fn() -> Arc<dyn Parts>,
}

impl fmt::Debug for CellMutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl MakesParts for CellMutant {
    fn parts(&self, protocol: Protocol) -> Arc<dyn Parts> {
        if self.protocols.contains(&protocol) { (self.parts)() } else { Arc::new(CorrectParts) }
    }
}

/// The table of mutants. A row makes the mutant:
/// `Name: Protocols, "requirement", "summary" => parts;`.
macro_rules! mutants {
    ($($name:ident: $protocols:ident, $requirement:literal, $summary:literal => $parts:expr;)*) => {
        pub(super) fn all() -> Vec<$crate::mutant::CellMutant> {
            vec![$($crate::mutant::CellMutant {
                // For the whole life of the program, as the list is made once.
                name: $crate::mutant::kebab(stringify!($name)).leak(),
                requirement: $requirement,
                protocols: mutants!(@protocols $protocols),
                summary: $summary,
                parts: || std::sync::Arc::new($parts),
            }),*]
        }
    };
    (@protocols Both) => {
        &cell_fleet::Protocol::ALL
    };
    (@protocols $protocol:ident) => {
        &[cell_fleet::Protocol::$protocol]
    };
}
pub(crate) use mutants;

/// The kebab case of a name in Pascal case: a capital begins a word, and so does a number above 0.
pub(crate) fn kebab(pascal: &str) -> String {
    let mut kebab = String::new();
    for letter in pascal.chars() {
        let is_behind_a_digit = kebab.ends_with(|before: char| before.is_ascii_digit());
        let begins =
            letter.is_ascii_uppercase() || matches!(letter, '1'..='9') && !is_behind_a_digit;
        if begins && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use super::kebab;

    #[test]
    fn capitals_and_numbers_begin_words() {
        assert_eq!(kebab("BouncesWith307"), "bounces-with-307");
        assert_eq!(kebab("RangesBeginAbove32Bits"), "ranges-begin-above-32-bits");
        assert_eq!(kebab("RegionsFirstCellForUs0"), "regions-first-cell-for-us0");
    }
}
