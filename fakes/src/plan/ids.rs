//! What a plan says about the ids of rows.

use std::collections::{BTreeMap, BTreeSet};

use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use crate::{CellId, Topology};

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

/// The greatest number that ten bits give a cell (ID-21).
pub const GREATEST_CELL_NUMBER: u64 = 1023;

/// How the ids of new rows are drawn. The documents choose none of the strategies; the default is
/// this fleet's choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdPlan {
    pub strategy: IdStrategy,
    /// The numbers of cells in ids that carry them. A cell that is missing has its place in the
    /// topology, counted from 0.
    pub cell_numbers: BTreeMap<CellId, u64>,
    /// How many ids a range has.
    pub range_size: u64,
    /// A cell asks for its next range when this many ids of the last one are left; with 0, when it
    /// needs the range.
    pub refill_ahead: u64,
    /// The first number of a table that counts on each cell.
    pub local_start: u64,
    /// Whether the numbers of rows that are older than their UUIDs still lead to them.
    pub keeps_numbers: bool,
}

impl Default for IdPlan {
    fn default() -> Self {
        Self {
            strategy: IdStrategy::default(),
            cell_numbers: BTreeMap::new(),
            range_size: 1000,
            refill_ahead: 0,
            local_start: 1,
            keeps_numbers: true,
        }
    }
}

impl IdPlan {
    /// The plan of a strategy, everything else as by default.
    pub fn of(strategy: IdStrategy) -> Self {
        Self { strategy, ..Self::default() }
    }

    pub fn numbers(&self, topology: &Topology) -> BTreeMap<CellId, u64> {
        let places = topology.cells.iter().cloned().zip(0..);
        places
            .map(|(cell, place)| {
                let number = self.cell_numbers.get(&cell).copied().unwrap_or(place);
                (cell, number)
            })
            .collect()
    }

    /// Refuses what no allocator can follow.
    pub(crate) fn check(&self, topology: &Topology) -> Result<(), IdPlanError> {
        if let Some(cell) = self.cell_numbers.keys().find(|cell| !topology.contains(cell)) {
            return Err(IdPlanError::UnknownCell(cell.clone()));
        }
        if self.range_size == 0 {
            return Err(IdPlanError::EmptyRange);
        }
        if self.strategy != IdStrategy::CellBits {
            return Ok(());
        }
        let mut taken = BTreeSet::new();
        for (cell, number) in self.numbers(topology) {
            if number > GREATEST_CELL_NUMBER {
                return Err(IdPlanError::CellNumber(cell, number));
            }
            if !taken.insert(number) {
                return Err(IdPlanError::SameNumber(cell, number));
            }
        }
        Ok(())
    }
}

/// Why no allocator can follow a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IdPlanError {
    /// A number is given to a cell that the topology does not list.
    #[error("a number for ids is given to {0}, which the topology does not list")]
    UnknownCell(CellId),
    /// The number of a cell does not fit into ten bits.
    #[error(
        "{0} cannot have the number {1}: the ten bits of an id name the cells 0 to \
         {GREATEST_CELL_NUMBER}; give it another number, or choose another strategy"
    )]
    CellNumber(CellId, u64),
    /// Another cell has this number too.
    #[error("{0} has the number {1}, which another cell has too; their ids would be the same")]
    SameNumber(CellId, u64),
    #[error("a range needs at least one id")]
    EmptyRange,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(numbers: &[(CellId, u64)]) -> IdPlan {
        IdPlan { cell_numbers: numbers.iter().cloned().collect(), ..IdPlan::default() }
    }

    #[test]
    fn ten_bits_name_cell_1023_and_not_1024() {
        let topology = Topology::documents();
        assert_eq!(numbered(&[(CellId::eu(1), 1023)]).check(&topology), Ok(()));
        let error = numbered(&[(CellId::eu(1), 1024)]).check(&topology).unwrap_err();
        assert_eq!(error, IdPlanError::CellNumber(CellId::eu(1), 1024));
        assert!(error.to_string().starts_with(
            "cell_eu1 cannot have the number 1024: the ten bits of an id name the cells 0 to 1023"
        ));
        // No other strategy has the number in its ids.
        let ranges = IdPlan { strategy: IdStrategy::Ranges, ..numbered(&[(CellId::eu(1), 1024)]) };
        assert_eq!(ranges.check(&topology), Ok(()));
    }

    #[test]
    fn a_topology_of_more_than_1024_cells_is_refused() {
        let documents = Topology::documents();
        let cells =
            |count| Topology { cells: (0..count).map(CellId::us).collect(), ..documents.clone() };
        assert_eq!(IdPlan::default().check(&cells(1024)), Ok(()));
        let error = IdPlan::default().check(&cells(1025)).unwrap_err();
        assert_eq!(error, IdPlanError::CellNumber(CellId::us(1024), 1024));
    }

    #[test]
    fn numbers_are_given_once_and_to_known_cells() {
        let topology = Topology::documents();
        let same = numbered(&[(CellId::eu(1), 0)]).check(&topology).unwrap_err();
        assert!(matches!(same, IdPlanError::SameNumber(_, 0)));
        let unknown = numbered(&[(CellId::eu(7), 9)]).check(&topology).unwrap_err();
        assert_eq!(unknown, IdPlanError::UnknownCell(CellId::eu(7)));
        let empty = IdPlan { range_size: 0, ..IdPlan::default() };
        assert_eq!(empty.check(&topology), Err(IdPlanError::EmptyRange));
    }
}
