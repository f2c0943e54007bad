//! The journal: everything that a fleet's cells and databases saw, in one sequence.
//!
//! It is append-only, and whole unless a plan limits it
//! ([`FleetPlan::journal_bytes`](crate::FleetPlan::journal_bytes)); then the oldest entries go. A
//! request is entered when its head has been read, a response before its first
//! byte leaves. Whatever a router does because of a response is therefore entered after it. The
//! users of a scenario draw their stamps from the same sequence ([`Journal::stamp`]), which puts
//! both sides of a router into one order.

mod access;
mod body;
mod event;
mod json;
mod weight;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::CellId;
use crate::lock::Lock;
use crate::rows::StoreError;

pub(crate) use access::Access;
pub use body::{BodyDigest, BodySeen, Digester};
pub use event::{
    ConnectionId, DatabaseAccess, Event, Field, HopId, IdAllocation, JobEvent, JobStep, MoveStep,
    RequestSeen, ResponseSeen, RowsMoved, StoreFailure, Text,
};

/// A number in the sequence, and the time since the journal was opened; in JSON, these two in a
/// list, the time in whole microseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct Stamp {
    /// Unique and ascending over the whole fleet and its users.
    pub sequence: u64,
    /// The time since the journal was opened.
    pub at: Duration,
}

impl From<(u64, u64)> for Stamp {
    fn from((sequence, micros): (u64, u64)) -> Self {
        Self { sequence, at: Duration::from_micros(micros) }
    }
}

impl From<Stamp> for (u64, u64) {
    fn from(Stamp { sequence, at }: Stamp) -> Self {
        (sequence, u64::try_from(at.as_micros()).unwrap_or(u64::MAX))
    }
}

/// One line of the journal.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When it happened, in the order of the whole fleet.
    pub stamp: Stamp,
    /// What happened.
    pub event: Event,
}

/// Failures of stores that outlive their entries in a limited journal: the first ones, which tell
/// the cause.
const FAILURES_KEPT: usize = 100;

/// The append-only record of one fleet.
#[derive(Debug)]
pub struct Journal {
    opened: Instant,
    /// The weight in bytes above which the oldest entries are dropped; none in a scenario, whose
    /// trace needs every entry.
    limit: Option<usize>,
    state: Lock<JournalState>,
    hops: AtomicU64,
    connections: AtomicU64,
    changed: Notify,
}

#[derive(Debug, Default)]
struct JournalState {
    next: u64,
    entries: VecDeque<Entry>,
    /// What the entries weigh together, in bytes. Counted in a limited journal alone.
    weight: usize,
    /// Failures of stores whose entries were dropped.
    dropped_failures: Vec<StoreFailure>,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            opened: Instant::now(),
            limit: None,
            state: Lock::default(),
            hops: AtomicU64::new(1),
            connections: AtomicU64::new(1),
            changed: Notify::new(),
        }
    }
}

impl Journal {
    /// A journal that keeps the latest entries, up to this weight in bytes.
    pub fn limited(bytes: usize) -> Self {
        Self { limit: Some(bytes), ..Self::default() }
    }

    /// The next number in the sequence, for something that is recorded elsewhere (at a user).
    pub fn stamp(&self) -> Stamp {
        self.advance(|_, _| ())
    }

    /// Appends an event and returns its stamp.
    pub fn append(&self, event: Event) -> Stamp {
        let stamp = self.advance(|stamp, state| state.push(Entry { stamp, event }, self.limit));
        self.changed.notify_waiters();
        stamp
    }

    /// Enters the failure of an access to a store, so that the stop of the fleet reports it.
    pub(crate) fn store_failed(&self, cell: Option<&CellId>, access: String, error: &StoreError) {
        let (cell, error) = (cell.cloned(), error.clone());
        self.append(Event::StoreFailed(StoreFailure { cell, access, error }));
    }

    fn advance(&self, enter: impl FnOnce(Stamp, &mut JournalState)) -> Stamp {
        let mut state = self.state.lock();
        // The time is taken under the lock, so that times ascend with the sequence.
        let stamp = Stamp { sequence: state.next, at: self.opened.elapsed() };
        state.next += 1;
        enter(stamp, &mut state);
        stamp
    }

    /// The id of a request that a cell has begun to read.
    pub fn next_hop(&self) -> HopId {
        HopId(self.hops.fetch_add(1, Ordering::Relaxed))
    }

    /// The id of a connection that a cell has accepted.
    pub fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.connections.fetch_add(1, Ordering::Relaxed))
    }

    /// All entries so far, in order; of a limited journal, those that it still has.
    pub fn entries(&self) -> Vec<Entry> {
        self.state.lock().entries.iter().cloned().collect()
    }

    /// All failures of stores so far, in order; of a limited journal, at least the first ones.
    pub fn store_failures(&self) -> Vec<StoreFailure> {
        let state = self.state.lock();
        let failures = state.entries.iter().filter_map(|entry| match &entry.event {
            Event::StoreFailed(failure) => Some(failure.clone()),
            _ => None,
        });
        state.dropped_failures.iter().cloned().chain(failures).collect()
    }

    /// Waits until `find` finds what it looks for among the entries, and returns it.
    ///
    /// The caller sets a timeout; the journal has none.
    pub async fn wait_for<T>(&self, mut find: impl FnMut(&[Entry]) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before the entries are read, so that no append in between is missed.
            changed.as_mut().enable();
            if let Some(found) = find(self.state.lock().entries.make_contiguous()) {
                return found;
            }
            changed.await;
        }
    }
}

impl JournalState {
    /// Adds an entry, and drops the oldest ones that the limit has no room for. The new entry
    /// stays, whatever it weighs.
    fn push(&mut self, entry: Entry, limit: Option<usize>) {
        if let Some(limit) = limit {
            self.weight += entry.weight();
            while self.weight > limit
                && let Some(oldest) = self.entries.pop_front()
            {
                self.weight -= oldest.weight();
                if let Event::StoreFailed(failure) = oldest.event
                    && self.dropped_failures.len() < FAILURES_KEPT
                {
                    self.dropped_failures.push(failure);
                }
            }
        }
        self.entries.push_back(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellId;
    use crate::rows::Position;

    fn read(cell: CellId) -> Event {
        Event::Database(DatabaseAccess {
            cell,
            schema: "gitlab_routes".into(),
            table: "routes".into(),
            write: false,
            server: "replica eu".to_owned(),
            position: Position::default(),
            under_way: Duration::ZERO,
        })
    }

    #[test]
    fn a_limited_journal_keeps_the_latest_entries_and_the_failures_of_stores() {
        let failure = StoreFailure {
            cell: None,
            access: "reading gitlab_routes.routes".to_owned(),
            error: crate::database::StoreError::new("memory", "gone"),
        };
        let one = Entry { stamp: Journal::default().stamp(), event: read(CellId::eu(0)) };
        let journal = Journal::limited(3 * one.weight());
        journal.append(Event::StoreFailed(failure.clone()));
        let stamps: Vec<_> = (0..10).map(|_| journal.append(read(CellId::eu(0)))).collect();
        let kept: Vec<_> = journal.entries().iter().map(|entry| entry.stamp).collect();
        assert_eq!(kept, stamps[7..]);
        assert_eq!(journal.store_failures(), [failure]);
        // An entry that is heavier than the limit stands alone.
        let journal = Journal::limited(1);
        journal.append(read(CellId::eu(0)));
        let last = journal.append(read(CellId::eu(1)));
        assert_eq!(journal.entries().iter().map(|entry| entry.stamp).collect::<Vec<_>>(), [last]);
    }
}
