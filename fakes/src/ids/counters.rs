//! The counters behind ids: where they are kept, and the central place that hands out ranges of
//! them (*Cells: Database Sequences* 3.3).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::IdSetup;
use crate::CellId;
use crate::lock::Lock;
use crate::rows::{IdRange, IdTable, StoreError, Stored};

/// The counters of tables: those of each cell by itself, and those of the installation with the
/// record of who got what. Each call is one transaction.
#[async_trait]
pub trait IdCounters: fmt::Debug + Send + Sync {
    /// Adds `by` to the counter of a table on one cell, and returns its value before. It begins
    /// at 0.
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Stored<u64>;

    /// Moves the installation's counter of a table, which begins at `first`, and writes down that
    /// a cell has the numbers that it passed.
    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Stored<IdRange>;

    /// The cell that got a number from the installation's counter.
    async fn holder(&self, table: IdTable, number: u64) -> Stored<Option<CellId>>;
}

/// The counters in memory, which end with the fleet.
#[derive(Debug, Default)]
pub(crate) struct MemoryCounters {
    cells: Lock<BTreeMap<(CellId, IdTable), u64>>,
    shared: Lock<BTreeMap<IdTable, Shared>>,
}

#[derive(Debug)]
struct Shared {
    next: u64,
    /// The ranges that were given, by their first number.
    given: BTreeMap<u64, (IdRange, CellId)>,
}

#[async_trait]
impl IdCounters for MemoryCounters {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Stored<u64> {
        let mut counters = self.cells.lock();
        let counter = counters.entry((cell.clone(), table)).or_default();
        let was = *counter;
        *counter += by;
        Ok(was)
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Stored<IdRange> {
        let mut tables = self.shared.lock();
        let counter =
            tables.entry(table).or_insert_with(|| Shared { next: first, given: BTreeMap::new() });
        let range = IdRange { first: counter.next, last: counter.next + (size - 1) };
        counter.next += size;
        counter.given.insert(range.first, (range, cell.clone()));
        Ok(range)
    }

    async fn holder(&self, table: IdTable, number: u64) -> Stored<Option<CellId>> {
        let tables = self.shared.lock();
        let given = tables.get(&table).and_then(|of| of.given.range(..=number).next_back());
        let holding = given.filter(|(_, (range, _))| range.contains(number));
        Ok(holding.map(|(_, (_, cell))| cell.clone()))
    }
}

/// A counter for each table, kept and advanced in one place, and the record of who got what.
#[derive(Debug)]
pub(super) struct Central {
    pub(super) counters: Arc<dyn IdCounters>,
    setup: IdSetup,
}

impl Central {
    /// Counters that begin behind the numbers of the seed.
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        Self { counters, setup: setup.clone() }
    }

    /// Moves the counter of a table, and gives a cell the numbers that it passed.
    pub(super) async fn advance(
        &self,
        cell: &CellId,
        table: IdTable,
        size: u64,
    ) -> Stored<IdRange> {
        let (control, first) = (&self.setup.control, self.setup.first_free(table));
        control.reach().await?;
        let range = self.counters.hand_out(cell, table, first, size).await?;
        control.respond()?;
        Ok(range)
    }
}

/// The state of the central place, as a scenario changes it.
#[derive(Debug, Default)]
pub struct IdControl {
    state: Lock<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    stopped: bool,
    delay: Duration,
    crashes: bool,
}

/// A change of the central place that hands out ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdDisturbance {
    /// It refuses from now on.
    Stop,
    /// It works again, at once.
    Start,
    /// It takes this long for each answer.
    Slow(Duration),
    /// It crashes at the next request, after the counter has moved and before it answers; then it
    /// works again.
    Crash,
}

impl IdControl {
    /// Changes the central place.
    pub fn disturb(&self, disturbance: IdDisturbance) {
        let mut state = self.state.lock();
        match disturbance {
            IdDisturbance::Stop => state.stopped = true,
            IdDisturbance::Start => *state = State::default(),
            IdDisturbance::Slow(delay) => state.delay = delay,
            IdDisturbance::Crash => state.crashes = true,
        }
    }

    /// Whether the central place takes its time.
    pub fn is_slow(&self) -> bool {
        !self.state.lock().delay.is_zero()
    }

    /// Waits as long as the central place takes; fails where it is stopped.
    pub(super) async fn reach(&self) -> Stored<()> {
        let State { stopped, delay, .. } = *self.state.lock();
        if stopped {
            return Err(StoreError::planned("ids", "the allocator is stopped"));
        }
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        Ok(())
    }

    /// Fails where the central place crashes after the counter has moved.
    pub(super) fn respond(&self) -> Stored<()> {
        if std::mem::take(&mut self.state.lock().crashes) {
            let problem = "the allocator crashed after its counter had moved";
            return Err(StoreError::planned("ids", problem));
        }
        Ok(())
    }
}
