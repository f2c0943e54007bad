//! Broken cells: the proof that a requirement which only a cell can violate is really tested.
//!
//! A [`CellMutant`] is one mistake of whoever builds cells, switched into a whole fleet by
//! [`FleetPlan::mutant`](crate::FleetPlan::flaw) and made at the place where a sound cell decides.
//! The tables say for each what it is and which requirement it violates; a suite that runs the
//! scenarios which cite that requirement must find it violated.

mod databases;
mod installation;
mod kind;
mod organizations;
mod pages;
mod people;
mod routing;
mod shown;

use std::sync::LazyLock;

pub(crate) use kind::Mutation;

use crate::protocol::Protocol;

/// One known mistake of all cells of a fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellMutant {
    /// What it is called, in words joined by hyphens.
    pub name: &'static str,
    /// The requirement that it violates, by its id in the ledger.
    pub requirement: &'static str,
    /// The protocols in which it can be seen; in the other one the cells are sound.
    pub protocols: &'static [Protocol],
    /// What such cells do, in a sentence.
    pub summary: &'static str,
    kind: Mutation,
}

impl CellMutant {
    /// Whether cells that follow this protocol make this mistake.
    pub(crate) fn is(&self, mutant: Mutation, protocol: Protocol) -> bool {
        self.kind == mutant && self.protocols.contains(&protocol)
    }
}

/// All flaws, by what they are about.
///
/// ```
/// use cell_fleet::{FleetPlan, Protocol, cell_flaws};
/// let flaw = cell_flaws().iter().find(|flaw| flaw.name == "sign-out-only-here").expect("it is one of them");
/// let plan = FleetPlan { flaw: Some(flaw), ..FleetPlan::documents(Protocol::Learning) };
/// assert_eq!(plan.flaw.map(|flaw| flaw.requirement), Some("SE-05"));
/// ```
pub fn cell_mutants() -> &'static [CellMutant] {
    static ALL: LazyLock<Vec<CellMutant>> = LazyLock::new(|| {
        let tables = [
            routing::MUTANTS,
            people::MUTANTS,
            organizations::MUTANTS,
            pages::MUTANTS,
            databases::MUTANTS,
            installation::MUTANTS,
            shown::MUTANTS,
        ];
        tables.concat()
    });
    &ALL
}

const BOTH: &[Protocol] = &[Protocol::Buffering, Protocol::Learning];
const BUFFERING: &[Protocol] = &[Protocol::Buffering];
const LEARNING: &[Protocol] = &[Protocol::Learning];

/// A row of a table.
const fn mutant(
    kind: Mutation,
    name: &'static str,
    requirement: &'static str,
    protocols: &'static [Protocol],
    summary: &'static str,
) -> CellMutant {
    CellMutant { name, requirement, protocols, summary, kind }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

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
