//! A share of the router for each cell, so that one that hangs leaves room for the users of the
//! others.
//!
//! Each thread has an equal share of what a cell may have, as it has of all requests.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::{CellIndex, Settings};

/// What a request to a cell is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A request of a user.
    User,
    /// A pre-flight: the router asks who owns a path.
    PreFlight,
}

/// How many requests and connections each cell has on one thread, and may have at most.
#[derive(Debug)]
pub(super) struct Bulkhead {
    cells: Box<[Rc<Held>]>,
    most_requests: usize,
    most_pre_flights: usize,
    most_connections: usize,
}

/// How many requests and connections one cell has.
#[derive(Debug, Default)]
pub(super) struct Held {
    requests: Cell<usize>,
    pre_flights: Cell<usize>,
    /// An atomic, because the task that copies a tunnel must be `Send`; no other thread uses it.
    connections: Arc<AtomicUsize>,
}

/// Permits one request to a cell, until this is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    held: Rc<Held>,
    cell: CellIndex,
    purpose: Purpose,
}

/// Permits one connection to a cell, until this is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit(Arc<AtomicUsize>);

impl Bulkhead {
    /// Cells with what they have under way.
    pub(super) fn new(cells: impl Iterator<Item = Rc<Held>>, settings: &Settings) -> Self {
        Self {
            cells: cells.collect(),
            most_requests: settings.max_cell_requests,
            most_pre_flights: settings.max_cell_pre_flights,
            most_connections: settings.max_cell_connections,
        }
    }

    /// A permit for one more request; none where the cell has its share.
    pub(super) fn admit(&self, cell: CellIndex, purpose: Purpose) -> Option<Permit> {
        let most = match purpose {
            Purpose::User => self.most_requests,
            Purpose::PreFlight => self.most_pre_flights,
        };
        let held = &self.cells[cell.index()];
        let number = held.number(purpose);
        if number.get() >= most {
            return None;
        }
        number.set(number.get() + 1);
        Some(Permit { held: Rc::clone(held), cell, purpose })
    }

    /// A permit for one more connection; none where the cell has its share.
    pub(super) fn connect(&self, cell: CellIndex) -> Option<ConnectionPermit> {
        let connections = &self.cells[cell.index()].connections;
        if connections.load(Ordering::Relaxed) >= self.most_connections {
            return None;
        }
        connections.fetch_add(1, Ordering::Relaxed);
        Some(ConnectionPermit(Arc::clone(connections)))
    }

    /// What the cell at an index has.
    pub(super) fn held(&self, index: usize) -> &Rc<Held> {
        &self.cells[index]
    }
}

impl Held {
    fn number(&self, purpose: Purpose) -> &Cell<usize> {
        match purpose {
            Purpose::User => &self.requests,
            Purpose::PreFlight => &self.pre_flights,
        }
    }
}

impl Permit {
    /// The cell that the request goes to.
    pub(super) fn cell(&self) -> CellIndex {
        self.cell
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let number = self.held.number(self.purpose);
        number.set(number.get() - 1);
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_has_its_own_share_of_each_kind() {
        let settings = Settings {
            max_cell_requests: 2,
            max_cell_pre_flights: 1,
            max_cell_connections: 1,
            ..Settings::default()
        };
        let bulkhead = Bulkhead::new((0..2).map(|_| Rc::default()), &settings);
        let (one, other) = (CellIndex::at(0), CellIndex::at(1));
        let first = bulkhead.admit(one, Purpose::User).unwrap();
        let second = bulkhead.admit(one, Purpose::User).unwrap();
        assert!(bulkhead.admit(one, Purpose::User).is_none());
        let pre_flight = bulkhead.admit(one, Purpose::PreFlight).unwrap();
        assert!(bulkhead.admit(one, Purpose::PreFlight).is_none());
        assert!(bulkhead.admit(other, Purpose::User).is_some());
        drop(first);
        let third = bulkhead.admit(one, Purpose::User).unwrap();
        assert!(bulkhead.admit(one, Purpose::User).is_none());
        drop((second, third, pre_flight));
        assert!(bulkhead.admit(one, Purpose::PreFlight).is_some());

        let connection = bulkhead.connect(one).unwrap();
        assert!(bulkhead.connect(one).is_none() && bulkhead.connect(other).is_some());
        drop(connection);
        assert!(bulkhead.connect(one).is_some());
    }
}
