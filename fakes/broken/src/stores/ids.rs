//! Allocators of ids with a mistake, each around a correct one. A mistake of one strategy changes
//! nothing where the plan names another.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use cell_fleet::store::{Drawn, IdAllocator, IdCounters, IdSetup, allocator};
use cell_fleet::{CellId, Id, IdRange, IdStrategy, IdTable, StoreError, cell_number_of};
use uuid::Uuid;

use super::counters::{Impatient, OnEachCell};

type Counters = Arc<dyn IdCounters>;
type Allocator = Arc<dyn IdAllocator>;

/// What a draw has done with the cell and the table that were asked for.
type Asks = Box<dyn Fn(&CellId, IdTable) -> (CellId, IdTable) + Send + Sync>;
/// What becomes of a draw for a cell.
type Makes = Box<dyn Fn(&CellId, IdTable, Outcome) -> Outcome + Send + Sync>;
type Outcome = Result<Drawn, StoreError>;

/// An allocator that asks another one for something else, or makes something else of what it draws.
struct Changed {
    inner: Allocator,
    asks: Asks,
    makes: Makes,
}

impl Changed {
    fn asking(
        inner: Allocator,
        asks: impl Fn(&CellId, IdTable) -> (CellId, IdTable) + Send + Sync + 'static,
    ) -> Allocator {
        Arc::new(Self { inner, asks: Box::new(asks), makes: Box::new(|_, _, outcome| outcome) })
    }

    fn making(
        inner: Allocator,
        makes: impl Fn(IdTable, Drawn) -> Drawn + Send + Sync + 'static,
    ) -> Allocator {
        Self::answering(inner, move |_, table, outcome| outcome.map(|drawn| makes(table, drawn)))
    }

    fn answering(
        inner: Allocator,
        makes: impl Fn(&CellId, IdTable, Outcome) -> Outcome + Send + Sync + 'static,
    ) -> Allocator {
        let asks = Box::new(|cell: &CellId, table| (cell.clone(), table));
        Arc::new(Self { inner, asks, makes: Box::new(makes) })
    }
}

impl fmt::Debug for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Changed({:?})", self.inner)
    }
}

#[async_trait]
impl IdAllocator for Changed {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        let (from, of) = (self.asks)(cell, table);
        (self.makes)(cell, table, self.inner.draw(&from, of).await)
    }

    async fn drawn_by(&self, table: IdTable, id: &Id) -> Result<Option<CellId>, StoreError> {
        self.inner.drawn_by(table, id).await
    }

    async fn settle(&self) {
        self.inner.settle().await;
    }
}

/// Draws the ids of some tables from counters of the cell alone.
#[derive(Debug)]
struct CountsAlone {
    inner: Allocator,
    counters: Counters,
    setup: IdSetup,
    tables: &'static [IdTable],
    /// What the counters begin with, beyond the rows of the seed.
    start: u64,
}

impl CountsAlone {
    fn of(
        strategy: IdStrategy,
        tables: &'static [IdTable],
        setup: &IdSetup,
        counters: Counters,
    ) -> Allocator {
        let inner = allocator(setup, counters.clone());
        if setup.plan.strategy != strategy {
            return inner;
        }
        let counts = strategy == IdStrategy::SomeTables;
        let start = if counts { setup.plan.local_start } else { 0 };
        Arc::new(Self { inner, counters, setup: setup.clone(), tables, start })
    }
}

#[async_trait]
impl IdAllocator for CountsAlone {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        if !self.tables.contains(&table) {
            return self.inner.draw(cell, table).await;
        }
        let count = self.start + self.counters.count(cell, table, 1).await?;
        Ok(Id::Number(self.setup.first_free(table) + count).into())
    }

    async fn drawn_by(&self, table: IdTable, id: &Id) -> Result<Option<CellId>, StoreError> {
        self.inner.drawn_by(table, id).await
    }
}

pub(crate) fn each_cell_counts_by_itself(setup: &IdSetup, counters: Counters) -> Allocator {
    let tables = &[IdTable::Namespaces, IdTable::Projects];
    CountsAlone::of(IdStrategy::CellBits, tables, setup, counters)
}

pub(crate) fn user_ids_per_cell(setup: &IdSetup, counters: Counters) -> Allocator {
    CountsAlone::of(IdStrategy::CellBits, &[IdTable::Users], setup, counters)
}

pub(crate) fn projects_counted_per_cell(setup: &IdSetup, counters: Counters) -> Allocator {
    CountsAlone::of(IdStrategy::SomeTables, &[IdTable::Projects], setup, counters)
}

pub(crate) fn uuids_without_version(setup: &IdSetup, counters: Counters) -> Allocator {
    Changed::making(allocator(setup, counters), |_, drawn| match drawn.id {
        Id::Uuid(uuid) => {
            let random = Uuid::from_u128(uuid.as_u128() & !(0xf << 76));
            Drawn { id: Id::Uuid(random), ..drawn }
        }
        _ => drawn,
    })
}

pub(crate) fn notes_without_uuids(setup: &IdSetup, counters: Counters) -> Allocator {
    Changed::making(allocator(setup, counters), |table, drawn| match drawn.number {
        Some(number) if table == IdTable::Notes => Id::Number(number).into(),
        _ => drawn,
    })
}

/// Changes the bits of an id that name its cell.
fn with_bits(
    setup: &IdSetup,
    counters: Counters,
    bits: impl Fn(u64) -> u64 + Send + Sync + 'static,
) -> Allocator {
    let inner = allocator(setup, counters);
    if setup.plan.strategy != IdStrategy::CellBits {
        return inner;
    }
    Changed::making(inner, move |_, drawn| match drawn.id {
        Id::Number(id) => {
            let cell = cell_number_of(id);
            // The number that the cell has counted stands in the 53 bits below.
            let counted = id - (cell << 53);
            Drawn { id: Id::Number(bits(cell) << 53 | counted), ..drawn }
        }
        _ => drawn,
    })
}

pub(crate) fn bits_of_another_cell(setup: &IdSetup, counters: Counters) -> Allocator {
    let cells = setup.topology.cells.len() as u64;
    with_bits(setup, counters, move |cell| (cell + 1) % cells)
}

pub(crate) fn nine_bits_for_the_cell(setup: &IdSetup, counters: Counters) -> Allocator {
    with_bits(setup, counters, |cell| cell & 0x1ff)
}

pub(crate) fn ids_beside_their_range(setup: &IdSetup, counters: Counters) -> Allocator {
    let size = setup.plan.range_size;
    Changed::making(allocator(setup, counters), move |_, drawn| match (drawn.id, drawn.range) {
        (Id::Number(number), Some(_)) => Drawn { id: Id::Number(number + size), ..drawn },
        _ => drawn,
    })
}

pub(crate) fn one_range_for_all_tables(setup: &IdSetup, counters: Counters) -> Allocator {
    let inner = allocator(setup, counters);
    if setup.plan.strategy != IdStrategy::Ranges {
        return inner;
    }
    Changed::asking(inner, |cell, _| (cell.clone(), IdTable::Namespaces))
}

pub(crate) fn local_ids_counted_together(setup: &IdSetup, counters: Counters) -> Allocator {
    let (inner, latest) = (allocator(setup, counters), setup.topology.latest.clone());
    if setup.plan.strategy != IdStrategy::SomeTables {
        return inner;
    }
    Changed::asking(inner, move |cell, table| {
        let counts = if table.is_top_level() { cell } else { &latest };
        (counts.clone(), table)
    })
}

pub(crate) fn ranges_begin_above_32_bits(setup: &IdSetup, counters: Counters) -> Allocator {
    let greatest = IdTable::ALL.map(|table| (table, u64::from(u32::MAX))).into();
    allocator(&IdSetup { greatest, ..setup.clone() }, counters)
}

pub(crate) fn late_ranges_fail_inserts(setup: &IdSetup, counters: Counters) -> Allocator {
    let control = setup.control.clone();
    allocator(setup, Arc::new(Impatient { counters, control }))
}

pub(crate) fn counter_in_each_cell(setup: &IdSetup, counters: Counters) -> Allocator {
    allocator(setup, Arc::new(OnEachCell(counters)))
}

/// Ids from ranges, without the record of who got which.
#[derive(Debug)]
struct WithoutRecord(Allocator);

#[async_trait]
impl IdAllocator for WithoutRecord {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        self.0.draw(cell, table).await
    }

    async fn settle(&self) {
        self.0.settle().await;
    }
}

pub(crate) fn no_record_of_ranges(setup: &IdSetup, counters: Counters) -> Allocator {
    let inner = allocator(setup, counters);
    if setup.plan.strategy != IdStrategy::Ranges {
        return inner;
    }
    Arc::new(WithoutRecord(inner))
}

/// Makes up ids where there is no range.
pub(crate) fn invents_ids_alone(setup: &IdSetup, counters: Counters) -> Allocator {
    let inner = allocator(setup, counters);
    if setup.plan.strategy != IdStrategy::Ranges {
        return inner;
    }
    let (setup, invented) = (setup.clone(), AtomicU64::new(0));
    Changed::answering(inner, move |_, table, outcome| {
        outcome.or_else(|_| {
            let invented = invented.fetch_add(1, Ordering::Relaxed) + 1;
            Ok(Id::Number(setup.first_free(table) + invented).into())
        })
    })
}

/// Uses the first range of a cell once more, in place of each one after it.
pub(crate) fn range_used_again(setup: &IdSetup, counters: Counters) -> Allocator {
    let firsts: Mutex<BTreeMap<(CellId, IdTable), IdRange>> = Mutex::default();
    Changed::answering(allocator(setup, counters), move |cell, table, outcome| {
        let drawn = outcome?;
        let (Id::Number(number), Some(range)) = (drawn.id, drawn.range) else { return Ok(drawn) };
        let mut all = firsts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let first = *all.entry((cell.clone(), table)).or_insert(range);
        let id = Id::Number(first.first + (number - range.first));
        Ok(Drawn { id, range: Some(first), ..drawn })
    })
}
