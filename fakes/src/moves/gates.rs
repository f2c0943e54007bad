//! Gates for the writes of an organization on a cell. An advisory lock of the cell's own database
//! would be one as well.

use std::collections::BTreeMap;

use tokio::sync::Notify;

use crate::CellId;
use crate::lock::Lock;

type Key = (CellId, String);

/// The slug in a key that stands for all organizations of a cell. No organization has it.
const ALL: &str = "";

/// The gates of all cells, named by their roles. A gate that nobody has closed is open.
#[derive(Debug, Default)]
pub struct WriteGates {
    gates: Lock<BTreeMap<Key, Gate>>,
    left: Notify,
}

#[derive(Debug, Default)]
struct Gate {
    closed: bool,
    /// Writes that have begun and not ended.
    writers: usize,
}

/// A write that has begun. It ends with the guard.
#[derive(Debug)]
pub struct WriteGuard<'g> {
    gates: &'g WriteGates,
    key: Key,
}

impl WriteGates {
    /// Begins a write, where the gate is open.
    pub fn acquire(&self, cell: &CellId, organization: &str) -> Option<WriteGuard<'_>> {
        let key = (cell.clone(), organization.to_owned());
        let mut gates = self.gates.lock();
        let gate = gates.entry(key.clone()).or_default();
        if gate.closed {
            return None;
        }
        gate.writers += 1;
        Some(WriteGuard { gates: self, key })
    }

    /// Begins a write that may be one of any organization on the cell, except for those whose slugs
    /// are returned: their gates are closed.
    pub fn acquire_all(&self, cell: &CellId) -> (WriteGuard<'_>, Vec<String>) {
        let key = (cell.clone(), ALL.to_owned());
        let mut gates = self.gates.lock();
        gates.entry(key.clone()).or_default().writers += 1;
        let closed = gates.iter().filter(|((of, _), gate)| of == cell && gate.closed);
        let closed = closed.map(|((_, slug), _)| slug.clone()).collect();
        (WriteGuard { gates: self, key }, closed)
    }

    /// Whether the gate is closed.
    pub fn is_closed(&self, cell: &CellId, organization: &str) -> bool {
        let key = (cell.clone(), organization.to_owned());
        self.gates.lock().get(&key).is_some_and(|gate| gate.closed)
    }

    /// Lets no further write begin.
    pub fn close(&self, cell: &CellId, organization: &str) {
        self.set(cell, organization, true);
    }

    /// Lets writes begin again.
    pub fn open(&self, cell: &CellId, organization: &str) {
        self.set(cell, organization, false);
    }

    /// Waits until the writes that have begun have ended.
    pub async fn drained(&self, cell: &CellId, organization: &str) {
        let keys = [organization, ALL].map(|slug| (cell.clone(), slug.to_owned()));
        loop {
            let left = self.left.notified();
            if self.have_ended(&keys) {
                return;
            }
            left.await;
        }
    }

    fn have_ended(&self, keys: &[Key]) -> bool {
        let gates = self.gates.lock();
        keys.iter().all(|key| gates.get(key).is_none_or(|gate| gate.writers == 0))
    }

    fn set(&self, cell: &CellId, organization: &str, closed: bool) {
        let key = (cell.clone(), organization.to_owned());
        self.gates.lock().entry(key).or_default().closed = closed;
    }
}

impl Drop for WriteGuard<'_> {
    fn drop(&mut self) {
        if let Some(gate) = self.gates.gates.lock().get_mut(&self.key) {
            gate.writers -= 1;
        }
        self.gates.left.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_closed_gate_refuses_and_waits_for_the_writes_that_have_begun() {
        let (gates, cell) = (WriteGates::default(), CellId::eu(0));
        let begun = gates.acquire(&cell, "us").unwrap();
        gates.close(&cell, "us");
        assert!(gates.acquire(&cell, "us").is_none() && gates.is_closed(&cell, "us"));
        assert!(
            gates.acquire(&cell, "them").is_some() && gates.acquire(&CellId::us(0), "us").is_some()
        );
        let drained = gates.drained(&cell, "us");
        let ends = async {
            // `join!` polls the wait before this block. So the wait has begun, and it cannot end
            // before the write does.
            assert!(gates.is_closed(&cell, "us"));
            drop(begun);
        };
        tokio::join!(drained, ends);
        gates.open(&cell, "us");
        assert!(gates.acquire(&cell, "us").is_some());
    }

    #[tokio::test]
    async fn a_write_for_all_organizations_knows_the_closed_ones_and_is_waited_for() {
        let (gates, cell) = (WriteGates::default(), CellId::eu(0));
        let (begun, closed) = gates.acquire_all(&cell);
        assert!(closed.is_empty());
        gates.close(&cell, "us");
        let (later, closed) = gates.acquire_all(&cell);
        assert_eq!(closed, ["us"]);
        drop(later);
        let drained = gates.drained(&cell, "us");
        let mut drained = std::pin::pin!(drained);
        tokio::select! {
            biased;
            () = &mut drained => panic!("a write has not ended"),
            () = std::future::ready(()) => {}
        }
        drop(begun);
        drained.await;
    }
}
