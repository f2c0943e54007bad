//! Mutants of cells: they prove that the requirements which only a cell can violate are tested.
//!
//! A [`CellMutant`] is one mistake that an engineer of cells could make.
//! [`FleetPlan::mutant`](crate::FleetPlan::mutant) switches it on for a whole fleet, and the code
//! of the application reads the switch where a correct cell decides. The table lists each mutant
//! with its requirement. A suite that runs the scenarios which cite this requirement must find it
//! violated.

mod mutant;
mod table;

use std::sync::LazyLock;

pub use mutant::CellMutant;
pub(crate) use table::Mutation;

/// All mutants, by what they are about.
///
/// ```
/// use cell_fleet::{FleetPlan, Protocol, cell_mutants};
/// let mutant = cell_mutants()
///     .iter()
///     .find(|mutant| mutant.name == "sign-out-only-here")
///     .expect("the table lists it");
/// let documents = FleetPlan::documents(Protocol::Learning);
/// let plan = FleetPlan { mutant: Some(mutant), ..documents };
/// assert_eq!(plan.mutant.map(|mutant| mutant.requirement), Some("SE-05"));
/// ```
pub fn cell_mutants() -> &'static [CellMutant] {
    static ALL: LazyLock<Vec<CellMutant>> = LazyLock::new(table::all);
    &ALL
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::plan::Protocol;

    #[test]
    fn names_and_kinds_are_unique_and_names_are_plain() {
        let names: BTreeSet<_> = cell_mutants().iter().map(|mutant| mutant.name).collect();
        let kinds: BTreeSet<_> = cell_mutants().iter().map(|mutant| mutant.kind).collect();
        assert_eq!((names.len(), kinds.len()), (cell_mutants().len(), cell_mutants().len()));
        let plain = |name: &str| {
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        assert!(names.into_iter().all(plain));
    }

    #[test]
    fn a_mutant_shows_in_its_protocols_only() {
        let bounce =
            cell_mutants().iter().find(|mutant| mutant.kind == Mutation::BouncesWith307).unwrap();
        assert!(bounce.is(Mutation::BouncesWith307, Protocol::Buffering));
        assert!(
            !bounce.is(Mutation::BouncesWith307, Protocol::Learning)
                && !bounce.is(Mutation::NoCacheHeader, Protocol::Buffering)
        );
    }
}
