//! Fake cells with one known mistake each: they prove that the requirements which only a cell can
//! violate are tested.
//!
//! A [`CellMutant`] is one mistake that an engineer of cells could make.
//! [`Fleet::start_with`](cell_fleet::Fleet::start_with) makes all cells of a fleet so. Correct
//! cells know nothing of it: a mutant takes the place of one of their
//! [`Parts`](cell_fleet::inside::Parts). The tables of `mutants` list each with its requirement. A
//! suite that runs the scenarios which cite this requirement must find it violated.

mod home;
mod keepers;
mod mutant;
mod mutants;
mod shared_rows;
mod stores;
mod ways;

use std::sync::LazyLock;

pub use mutant::CellMutant;

/// All mutants, by what they are about.
///
/// ```
/// use broken_cells::cell_mutants;
/// let mutant = cell_mutants()
///     .iter()
///     .find(|mutant| mutant.name == "sign-out-only-here")
///     .expect("the table lists it");
/// assert_eq!(mutant.requirement, "SE-05");
/// ```
pub fn cell_mutants() -> &'static [CellMutant] {
    static ALL: LazyLock<Vec<CellMutant>> = LazyLock::new(mutants::all);
    &ALL
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_plain() {
        let names: BTreeSet<_> = cell_mutants().iter().map(|mutant| mutant.name).collect();
        assert_eq!(names.len(), cell_mutants().len());
        let plain = |name: &str| {
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        assert!(names.into_iter().all(plain));
    }
}
