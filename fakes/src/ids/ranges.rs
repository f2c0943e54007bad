//! Ids from ranges that a central place hands out (*Cells: Database Sequences* 3.3).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex as StdMutex};
use std::time::Instant;

use async_trait::async_trait;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::allocator::{Drawn, IdAllocator};
use super::central::Central;
use super::counters::IdCounters;
use super::plan::IdPlan;
use super::setup::IdSetup;
use crate::CellId;
use crate::rows::{Id, IdRange, IdTable, StoreError};

type Slots = BTreeMap<(CellId, IdTable), Arc<Mutex<Slot>>>;

/// A range for each table on each cell, and a further one when it is used up.
#[derive(Debug)]
pub(super) struct Ranges {
    central: Arc<Central>,
    slots: StdMutex<Slots>,
    plan: IdPlan,
}

/// What a cell has for a table. Inserts of one cell queue at its lock.
#[derive(Debug, Default)]
struct Slot {
    current: Option<Current>,
    /// The next range, asked for ahead of need.
    ahead: Option<JoinHandle<Result<IdRange, StoreError>>>,
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
        Self { central, slots: StdMutex::default(), plan: setup.plan.clone() }
    }

    fn slot(&self, cell: &CellId, table: IdTable) -> Arc<Mutex<Slot>> {
        // Slots are only added, each in one insertion.
        let mut slots = self.slots.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        slots.entry((cell.clone(), table)).or_default().clone()
    }

    /// The next range of a cell, which may have been asked for already.
    async fn next_range(
        &self,
        slot: &mut Slot,
        cell: &CellId,
        table: IdTable,
    ) -> Result<IdRange, StoreError> {
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
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
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

    async fn drawn_by(&self, table: IdTable, id: &Id) -> Result<Option<CellId>, StoreError> {
        match id {
            Id::Number(number) => self.central.holder(table, *number).await,
            _ => Ok(None),
        }
    }

    async fn settle(&self) {
        let slots: Vec<_> = {
            let slots = self.slots.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            slots.values().cloned().collect()
        };
        for slot in slots {
            while slot.lock().await.ahead.as_ref().is_some_and(|ahead| !ahead.is_finished()) {
                tokio::task::yield_now().await;
            }
        }
    }
}
