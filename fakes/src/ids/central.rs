//! The central place that hands out ranges of ids (*Cells: Database Sequences* 3.3).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;

use super::allocator::{IdRange, IdSetup};
use super::control::IdControl;
use super::table::IdTable;
use crate::CellId;
use crate::database::StoreError;
use crate::mutants::Mutation;

/// A counter for each table, kept and advanced in one place, and the record of who got what.
#[async_trait]
pub(super) trait Central: fmt::Debug + Send + Sync {
    /// Moves the counter of a table, and gives a cell the numbers that it passed.
    async fn advance(
        &self,
        cell: &CellId,
        table: IdTable,
        size: u64,
    ) -> Result<IdRange, StoreError>;

    /// The cell that got a number.
    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError>;
}

/// The central place in memory.
#[derive(Debug)]
pub(super) struct MemoryCentral {
    first: u64,
    control: Arc<IdControl>,
    mistake: Option<Mutation>,
    tables: Mutex<BTreeMap<(Option<CellId>, IdTable), Counter>>,
}

#[derive(Debug)]
struct Counter {
    next: u64,
    /// The ranges that were given, by their first number.
    given: BTreeMap<u64, (IdRange, CellId)>,
}

impl MemoryCentral {
    /// Counters that begin behind the numbers of the seed.
    pub(super) fn new(setup: &IdSetup) -> Self {
        Self {
            first: setup.first_free,
            control: setup.control.clone(),
            mistake: setup.mistake,
            tables: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(Option<CellId>, IdTable), Counter>> {
        // The record is entered in one insertion after the counter, so a panic loses a range at
        // most.
        self.tables.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[async_trait]
impl Central for MemoryCentral {
    async fn advance(
        &self,
        cell: &CellId,
        table: IdTable,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        self.control.reach().await?;
        let range = {
            let of = (self.mistake == Some(Mutation::CounterInEachCell)).then(|| cell.clone());
            let mut tables = self.lock();
            let counter = tables
                .entry((of, table))
                .or_insert_with(|| Counter { next: self.first, given: BTreeMap::new() });
            let range = IdRange { first: counter.next, last: counter.next + (size - 1) };
            counter.next += size;
            counter.given.insert(range.first, (range, cell.clone()));
            range
        };
        self.control.respond()?;
        Ok(range)
    }

    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError> {
        let tables = self.lock();
        let Some(counter) = tables.get(&(None, table)) else { return Ok(None) };
        let (_, (range, cell)) = match counter.given.range(..=number).next_back() {
            Some(given) => given,
            None => return Ok(None),
        };
        Ok(range.contains(number).then(|| cell.clone()))
    }
}
