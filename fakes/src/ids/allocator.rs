//! The allocator of each strategy, with its counters in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use async_trait::async_trait;

use super::id::Id;
use super::table::IdTable;
use crate::CellId;
use crate::database::StoreError;
use crate::population::FIXTURE_IDS_END;

/// Draws ids by one strategy.
#[async_trait]
pub(crate) trait IdAllocator: fmt::Debug + Send + Sync {
    /// Draws the id of a new row on a cell, named by its role.
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Id, StoreError>;
}

/// Numbers whose most significant 11 bits are the cell's number in the installation, from 1 on; the
/// lower 53 bits count, for each table by itself (*Cells: Database Sequences* 3.2).
#[derive(Debug)]
pub(super) struct CellBits {
    cells: BTreeMap<CellId, u64>,
    counters: Mutex<BTreeMap<(CellId, IdTable), u64>>,
}

impl CellBits {
    /// The allocator of these cells.
    ///
    /// # Errors
    /// Where there are more cells than 11 bits can name.
    pub(super) fn new(cells: &[CellId]) -> Result<Self, StoreError> {
        let highest = u64::MAX / FIXTURE_IDS_END;
        if cells.len() as u64 > highest {
            let problem = format!("11 bits name {highest} cells, the topology has {}", cells.len());
            return Err(StoreError::new("ids", problem));
        }
        let cells = cells.iter().cloned().zip(1..).collect();
        Ok(Self { cells, counters: Mutex::default() })
    }
}

#[async_trait]
impl IdAllocator for CellBits {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Id, StoreError> {
        let number = self
            .cells
            .get(cell)
            .ok_or_else(|| StoreError::new("ids", format!("{cell} is not in the topology")))?;
        // A counter is one number, which is whole even after a panic.
        let mut counters = self.counters.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let counter = counters.entry((cell.clone(), table)).or_default();
        *counter += 1;
        Ok(Id::Number(number * FIXTURE_IDS_END + *counter))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[tokio::test]
    async fn cell_bits_never_draw_an_id_twice_on_all_cells() {
        let cells = [CellId::us(0), CellId::us(1), CellId::eu(0), CellId::eu(1)];
        let ids = CellBits::new(&cells).unwrap();
        let mut drawn = BTreeSet::new();
        for cell in cells.iter().cycle().take(80) {
            let id = ids.draw(cell, IdTable::Namespaces).await.unwrap();
            assert!(id > Id::Number(FIXTURE_IDS_END) && drawn.insert(id));
        }
    }

    #[tokio::test]
    async fn cell_bits_count_each_table_by_itself() {
        let ids = CellBits::new(&[CellId::us(0)]).unwrap();
        let first = Id::Number(FIXTURE_IDS_END + 1);
        for table in [IdTable::Namespaces, IdTable::Projects] {
            assert_eq!(ids.draw(&CellId::us(0), table).await, Ok(first), "{table}");
        }
        assert_ne!(ids.draw(&CellId::us(0), IdTable::Projects).await, Ok(first));
    }

    #[test]
    fn cell_bits_refuse_more_cells_than_they_can_name() {
        let cells = |count| (0..count).map(CellId::us).collect::<Vec<_>>();
        assert!(CellBits::new(&cells(2047)).is_ok());
        let error = CellBits::new(&cells(2048)).unwrap_err().to_string();
        assert!(error.ends_with("11 bits name 2047 cells, the topology has 2048"), "{error}");
    }

    #[tokio::test]
    async fn cell_bits_draw_nothing_for_an_unknown_cell() {
        let ids = CellBits::new(&[CellId::us(0)]).unwrap();
        assert!(ids.draw(&CellId::eu(0), IdTable::Namespaces).await.is_err());
    }
}
