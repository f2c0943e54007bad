//! A mutant, and the form of the table.

use super::table::Mutation;
use crate::plan::Protocol;

/// One known mistake of all cells of a fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellMutant {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// The id of the requirement that it violates.
    pub requirement: &'static str,
    /// The protocols in which it has an effect. In the other protocol the cells are correct.
    pub protocols: &'static [Protocol],
    /// What such cells do, in one sentence.
    pub summary: &'static str,
    pub(super) kind: Mutation,
}

impl CellMutant {
    /// The mutation of cells that follow this protocol.
    pub(crate) fn mutation(&self, protocol: Protocol) -> Option<Mutation> {
        self.protocols.contains(&protocol).then_some(self.kind)
    }

    /// Whether cells that follow this protocol have this mutation.
    pub(crate) fn is(&self, mutation: Mutation, protocol: Protocol) -> bool {
        self.mutation(protocol) == Some(mutation)
    }
}

/// The table of mutants. A row makes the mutant, and its switch `Mutation::Name`:
/// `Name: Protocols, "requirement", "summary";`.
macro_rules! mutants {
    ($($name:ident: $protocols:ident, $requirement:literal, $summary:literal;)*) => {
        /// The switches. The application reads each of them where a correct cell decides.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(crate) enum Mutation {
            $($name,)*
        }

        pub(super) fn all() -> Vec<CellMutant> {
            vec![$(CellMutant {
                // For the whole life of the program, as the list is made once.
                name: kebab(stringify!($name)).leak(),
                requirement: $requirement,
                protocols: mutants!(@protocols $protocols),
                summary: $summary,
                kind: Mutation::$name,
            }),*]
        }
    };
    (@protocols Both) => {
        &Protocol::ALL
    };
    (@protocols $protocol:ident) => {
        &[Protocol::$protocol]
    };
}
pub(super) use mutants;

/// The kebab case of a name in Pascal case: a capital begins a word, and so does a number above 0.
pub(super) fn kebab(pascal: &str) -> String {
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
