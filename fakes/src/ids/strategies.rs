//! The strategies: ids that name their cell, ids from ranges, unique ids for some tables, UUIDs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::counters::{Central, IdCounters};
use super::{Drawn, IdAllocator, IdSetup};
use crate::CellId;
use crate::lock::Lock;
use crate::plan::IdPlan;
use crate::rows::{Id, IdRange, IdTable, StoreError, Stored};

/// A UUID for each row, and next to it a number that counts on the cell alone, as sequences do
/// today. The number leads to no row.
#[derive(Debug)]
pub(super) struct Uuids {
    counters: Arc<dyn IdCounters>,
}

impl Uuids {
    pub(super) fn new(counters: Arc<dyn IdCounters>) -> Self {
        Self { counters }
    }
}

/// A UUID of version 7 (RFC 9562 5.7): the time in front, so that an index grows at its end.
pub fn new_uuid() -> Uuid {
    // A clock before 1970 gives the earliest UUIDs, which are random all the same.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    uuid::Builder::from_unix_timestamp_millis(millis, &rand::random()).into_uuid()
}

#[async_trait]
impl IdAllocator for Uuids {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Stored<Drawn> {
        let number = 1 + self.counters.count(cell, table, 1).await?;
        Ok(Drawn { number: Some(number), ..Id::Uuid(new_uuid()).into() })
    }
}

/// The bits of an id that count. The ten above them are the cell's number; the sign bit stays free,
/// so that an id fits into a signed number of 64 bits.
const COUNTING_BITS: u32 = 53;

/// The number of the cell that an id names.
pub fn cell_number_of(id: u64) -> u64 {
    id >> COUNTING_BITS
}

/// Numbers of 64 bits: a bit that is 0, ten bits for the cell's number, and 53 bits that count, for
/// each table of the cell by itself.
///
/// The rows that are older than the strategy have ids below 2^53, as if cell 0 had drawn them.
#[derive(Debug)]
pub(super) struct CellBits {
    numbers: BTreeMap<CellId, u64>,
    counters: Arc<dyn IdCounters>,
    setup: IdSetup,
}

impl CellBits {
    /// The allocator of a plan that has been checked.
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        let numbers = setup.plan.numbers(&setup.topology);
        Self { numbers, counters, setup: setup.clone() }
    }

    /// The first number of a table that a cell counts.
    fn start(&self, number: u64, table: IdTable) -> u64 {
        if number == 0 { self.setup.first_free(table) } else { 1 }
    }
}

#[async_trait]
impl IdAllocator for CellBits {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Stored<Drawn> {
        let unknown = || StoreError::new("ids", format!("{cell} is not in the topology"));
        let number = *self.numbers.get(cell).ok_or_else(unknown)?;
        let count = self.start(number, table) + self.counters.count(cell, table, 1).await?;
        if count >> COUNTING_BITS > 0 {
            let problem = format!("{cell} has used up the ids of {table}");
            return Err(StoreError::new("ids", problem));
        }
        Ok(Id::Number(number << COUNTING_BITS | count).into())
    }

    async fn drawn_by(&self, _table: IdTable, id: &Id) -> Stored<Option<CellId>> {
        let Id::Number(id) = id else { return Ok(None) };
        let named = cell_number_of(*id);
        let found = self.numbers.iter().find(|(_, number)| **number == named);
        Ok(found.map(|(cell, _)| cell.clone()))
    }
}

type Slots = BTreeMap<(CellId, IdTable), Arc<Mutex<Slot>>>;

/// A range for each table on each cell, and a further one when it is used up.
#[derive(Debug)]
pub(super) struct Ranges {
    central: Arc<Central>,
    slots: Lock<Slots>,
    plan: IdPlan,
}

/// What a cell has for a table. Inserts of one cell queue at its lock.
#[derive(Debug, Default)]
struct Slot {
    current: Option<Current>,
    /// The next range, asked for ahead of need.
    ahead: Option<JoinHandle<Stored<IdRange>>>,
}

#[derive(Clone, Copy, Debug)]
struct Current {
    range: IdRange,
    next: u64,
}

impl Current {
    fn of(range: IdRange) -> Self {
        Self { range, next: range.first }
    }

    /// How many numbers are left.
    fn left(&self) -> u64 {
        self.range.last + 1 - self.next
    }
}

impl Ranges {
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        let central = Arc::new(Central::new(setup, counters));
        Self { central, slots: Lock::default(), plan: setup.plan.clone() }
    }

    fn slot(&self, cell: &CellId, table: IdTable) -> Arc<Mutex<Slot>> {
        // Slots are only added, each in one insertion.
        let mut slots = self.slots.lock();
        slots.entry((cell.clone(), table)).or_default().clone()
    }

    /// The next range of a cell, which may have been asked for already.
    async fn next_range(&self, slot: &mut Slot, cell: &CellId, table: IdTable) -> Stored<IdRange> {
        if let Some(ahead) = slot.ahead.take()
            && let Ok(Ok(range)) = ahead.await
        {
            return Ok(range);
        }
        // Nothing was asked for ahead, or that failed: the insert needs the range now.
        self.central.advance(cell, table, self.plan.range_size).await
    }

    /// Asks for the next range where few numbers are left.
    fn look_ahead(&self, slot: &mut Slot, left: u64, cell: &CellId, table: IdTable) {
        let plan = &self.plan;
        if plan.refill_ahead == 0 || left > plan.refill_ahead || slot.ahead.is_some() {
            return;
        }
        let (central, cell, size) = (self.central.clone(), cell.clone(), plan.range_size);
        slot.ahead = Some(tokio::spawn(async move { central.advance(&cell, table, size).await }));
    }
}

#[async_trait]
impl IdAllocator for Ranges {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Stored<Drawn> {
        let begun = Instant::now();
        let slot = self.slot(cell, table);
        let mut slot = slot.lock().await;
        let current = match slot.current.filter(|current| current.left() > 0) {
            Some(current) => current,
            None => Current::of(self.next_range(&mut slot, cell, table).await?),
        };
        let waited = begun.elapsed();
        let drawn = current.next;
        slot.current = Some(Current { next: drawn + 1, ..current });
        self.look_ahead(&mut slot, current.left() - 1, cell, table);
        let (id, range) = (Id::Number(drawn), Some(current.range));
        Ok(Drawn { id, number: None, range, waited })
    }

    async fn drawn_by(&self, table: IdTable, id: &Id) -> Stored<Option<CellId>> {
        match id {
            Id::Number(number) => self.central.counters.holder(table, *number).await,
            _ => Ok(None),
        }
    }

    async fn settle(&self) {
        let slots: Vec<_> = {
            let slots = self.slots.lock();
            slots.values().cloned().collect()
        };
        for slot in slots {
            while slot.lock().await.ahead.as_ref().is_some_and(|ahead| !ahead.is_finished()) {
                tokio::task::yield_now().await;
            }
        }
    }
}

/// One central counter for each table of top-level rows; a counter on each cell for the others.
#[derive(Debug)]
pub(super) struct SomeTables {
    central: Central,
    local: Arc<dyn IdCounters>,
    start: u64,
}

impl SomeTables {
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        Self {
            central: Central::new(setup, counters.clone()),
            local: counters,
            start: setup.plan.local_start,
        }
    }
}

#[async_trait]
impl IdAllocator for SomeTables {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Stored<Drawn> {
        if table.is_top_level() {
            let one = self.central.advance(cell, table, 1).await?;
            return Ok(Id::Number(one.first).into());
        }
        Ok(Id::Local(self.start + self.local.count(cell, table, 1).await?).into())
    }
}
