//! What a plan says about the ids of rows.

use std::collections::{BTreeMap, BTreeSet};

use strum::{Display, EnumString, VariantNames};

use crate::{CellId, PlanError, Topology};

/// How the cells of a fleet draw the ids of new rows.
///
/// The documents choose no strategy; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, VariantNames)]
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
    pub(crate) fn check(&self, topology: &Topology) -> Result<(), PlanError> {
        let refused = |why| Err(PlanError(why));
        if let Some(cell) = self.cell_numbers.keys().find(|cell| !topology.contains(cell)) {
            return refused(format!(
                "a number for ids is given to {cell}, which the topology does not list"
            ));
        }
        if self.range_size == 0 {
            return refused("a range needs at least one id".to_owned());
        }
        if self.strategy != IdStrategy::CellBits {
            return Ok(());
        }
        let mut taken = BTreeSet::new();
        for (cell, number) in self.numbers(topology) {
            if number > GREATEST_CELL_NUMBER {
                return refused(format!(
                    "{cell} cannot have the number {number}: the ten bits of an id name the cells \
                     0 to {GREATEST_CELL_NUMBER}; give it another number, or choose another \
                     strategy"
                ));
            }
            if !taken.insert(number) {
                return refused(format!(
                    "{cell} has the number {number}, which another cell has too; their ids would \
                     be the same"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(numbers: &[(CellId, u64)]) -> IdPlan {
        IdPlan { cell_numbers: numbers.iter().cloned().collect(), ..IdPlan::default() }
    }

    fn refusal(plan: &IdPlan, topology: &Topology) -> String {
        plan.check(topology).unwrap_err().to_string()
    }

    #[test]
    fn ten_bits_name_cell_1023_and_not_1024() {
        let topology = Topology::documents();
        assert_eq!(numbered(&[(CellId::eu(1), 1023)]).check(&topology), Ok(()));
        let plan = numbered(&[(CellId::eu(1), 1024)]);
        assert!(refusal(&plan, &topology).starts_with("cell_eu1 cannot have the number 1024"));
        // No other strategy has the number in its ids.
        let ranges = IdPlan { strategy: IdStrategy::Ranges, ..plan };
        assert_eq!(ranges.check(&topology), Ok(()));
        let cells =
            |count| Topology { cells: (0..count).map(CellId::us).collect(), ..topology.clone() };
        assert_eq!(IdPlan::default().check(&cells(1024)), Ok(()));
        assert!(refusal(&IdPlan::default(), &cells(1025)).starts_with("cell_us1024 cannot have"));
    }

    #[test]
    fn numbers_are_given_once_and_to_known_cells() {
        let topology = Topology::documents();
        let same = refusal(&numbered(&[(CellId::eu(1), 0)]), &topology);
        assert!(same.contains("has the number 0, which another cell has too"), "{same}");
        let unknown = refusal(&numbered(&[(CellId::eu(7), 9)]), &topology);
        assert!(unknown.contains("cell_eu7, which the topology does not list"), "{unknown}");
    }
}
