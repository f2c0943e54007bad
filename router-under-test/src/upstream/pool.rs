//! Connections that are open and idle.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Sender;
use crate::config::CellIndex;

/// Idle connections that are kept for each cell by one thread; more are closed.
const MOST_IDLE: usize = 256;

/// An idle connection is not used again after this, since it becomes likely that the cell, or something
/// on the way, has closed it or is about to.
const LONGEST_IDLE: Duration = Duration::from_secs(15);

/// The idle connections of one thread, by cell.
#[derive(Debug)]
pub(crate) struct Pool(Box<[RefCell<VecDeque<Idle>>]>);

#[derive(Debug)]
struct Idle {
    sender: Sender,
    since: Instant,
}

impl Pool {
    /// No connections, for a number of cells.
    pub(crate) fn new(cells: usize) -> Self {
        Self((0..cells).map(|_| RefCell::default()).collect())
    }

    /// The connection to a cell that was used last, if one is open and free.
    pub(crate) fn take(&self, cell: CellIndex) -> Option<Sender> {
        let mut idle = self.0[cell.place()].borrow_mut();
        // One that is neither closed nor ready still reads the end of an answer that nobody wants.
        let mut busy = Vec::new();
        let mut found = None;
        while let Some(last) = idle.pop_back() {
            if last.sender.is_closed() || last.since.elapsed() > LONGEST_IDLE {
                continue;
            }
            if last.sender.is_ready() {
                found = Some(last.sender);
                break;
            }
            busy.push(last);
        }
        idle.extend(busy.into_iter().rev());
        found
    }

    /// Keeps a connection whose answer has been read.
    pub(crate) fn put(&self, cell: CellIndex, sender: Sender) {
        if sender.is_closed() {
            return;
        }
        let mut idle = self.0[cell.place()].borrow_mut();
        let since = Instant::now();
        while let Some(oldest) = idle.front()
            && (idle.len() >= MOST_IDLE || since.duration_since(oldest.since) > LONGEST_IDLE)
        {
            idle.pop_front();
        }
        idle.push_back(Idle { sender, since });
    }
}
