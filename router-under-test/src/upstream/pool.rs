//! Connections that are open and idle.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use super::cooldown::Cooldown;
use super::link::{Link, PathHash};
use crate::config::CellIndex;
use crate::metrics::{self, Count};

/// Idle connections that are kept for each cell by one thread; more are closed.
const MOST_IDLE: usize = 256;

/// An idle connection is closed after this, since it becomes likely that the cell, or something on
/// the way, has closed it or is about to.
const LONGEST_IDLE: Duration = Duration::from_secs(15);

/// How often connections are closed that are old, or that the cell has closed.
const SWEEP: Duration = Duration::from_secs(1);

/// A cell that closes a connection as soon as this after a response, without having announced it,
/// means not to keep any.
const TOO_SOON: Duration = Duration::from_secs(1);

/// The idle connections of one thread, by cell.
#[derive(Debug)]
pub(super) struct Pool {
    cells: Box<[Rc<Kept>]>,
    /// Whether a task that closes expired connections is running.
    swept: Cell<bool>,
}

/// The idle connections to one cell.
#[derive(Debug, Default)]
pub(super) struct Kept {
    idle: RefCell<VecDeque<Box<Link>>>,
    /// Says which connections may be kept.
    cooldown: Cooldown,
}

impl Kept {
    fn next(&self) -> Option<Box<Link>> {
        self.idle.borrow_mut().pop_back()
    }
}

impl Pool {
    /// Cells with their connections.
    pub(super) fn new(cells: impl Iterator<Item = Rc<Kept>>) -> Rc<Self> {
        let pool = Rc::new(Self { cells: cells.collect(), swept: Cell::new(false) });
        if pool.cells.iter().any(|kept| !kept.idle.borrow().is_empty()) {
            pool.sweep();
        }
        pool
    }

    /// The connections of the cell at an index.
    pub(super) fn kept(&self, index: usize) -> &Rc<Kept> {
        &self.cells[index]
    }

    /// Notes that a connection was closed that had been kept.
    pub(super) fn was_closed(&self, cell: CellIndex, link: &Link) {
        if link.idle_since.is_some_and(|since| since.elapsed() < TOO_SOON) {
            self.ended(cell, link);
        }
    }

    /// Notes that a kept connection ended, before or instead of a response.
    pub(super) fn ended(&self, cell: CellIndex, link: &Link) {
        if self.cells[cell.index()].cooldown.ended(link.path) {
            self.cells[cell.index()].idle.borrow_mut().clear();
        }
    }

    /// Notes that a new connection ended instead of a response.
    pub(super) fn broke(&self, cell: CellIndex, link: &Link) {
        self.cells[cell.index()].cooldown.broke(link.path);
    }

    /// Closes all connections that are kept.
    pub(super) fn clear(&self) {
        self.cells.iter().for_each(|kept| kept.idle.borrow_mut().clear());
    }

    /// The connection to a cell that was used last, if one is free, and may be used for this path.
    pub(super) fn take(&self, cell: CellIndex, path: PathHash) -> Option<Box<Link>> {
        let kept = &self.cells[cell.index()];
        if !kept.cooldown.keeps(path) {
            return None;
        }
        let mut closed = None;
        let mut found = None;
        while let Some(last) = kept.next() {
            if is_old(&last) {
                // So are all others.
                kept.idle.borrow_mut().clear();
            } else if last.is_over().is_some() {
                // The latest, since that one is looked at first.
                closed = closed.or(Some(last));
            } else {
                found = Some(last);
                break;
            }
        }
        if let Some(closed) = &closed {
            metrics::count(Count::UpstreamRetried);
            self.was_closed(cell, closed);
        }
        found
    }

    /// Keeps a connection whose response has been read.
    pub(super) fn put(self: &Rc<Self>, cell: CellIndex, mut link: Box<Link>) {
        if !link.input.is_empty() || !self.cells[cell.index()].cooldown.keeps(link.path) {
            return;
        }
        let mut idle = self.cells[cell.index()].idle.borrow_mut();
        if idle.len() >= MOST_IDLE {
            idle.pop_front();
        }
        link.input.release();
        link.idle_since = Some(Instant::now());
        idle.push_back(link);
        self.sweep();
    }

    /// Closes old connections from time to time.
    fn sweep(self: &Rc<Self>) {
        if !self.swept.replace(true) {
            tokio::task::spawn_local(sweep(Rc::downgrade(self)));
        }
    }

    /// Closes what was idle for too long; whether anything is left.
    fn close_old(&self) -> bool {
        let mut left = false;
        for cell in &self.cells {
            let mut idle = cell.idle.borrow_mut();
            idle.retain(|one| !is_old(one) && one.is_over().is_none());
            left |= !idle.is_empty();
        }
        left
    }
}

fn is_old(link: &Link) -> bool {
    link.idle_since.is_some_and(|since| since.elapsed() > LONGEST_IDLE)
}

/// Closes old connections as long as there are any.
async fn sweep(pool: Weak<Pool>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(pool) = pool.upgrade() else { return };
        if !pool.close_old() {
            pool.swept.set(false);
            return;
        }
    }
}
