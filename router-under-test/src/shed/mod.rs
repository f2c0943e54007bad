//! Load shedding: requests beyond the limit are refused at once, so that the others are served.
//!
//! Each thread has an equal share of the process's limit, so that counting touches no memory of
//! another core. Where users' connections are spread unevenly over the threads, requests are
//! refused below the limit of the process, never above it, but for the one request that each thread
//! may always have.

mod readers;

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use crate::config::CellIndex;
use crate::logging::access::Lookup;
use crate::metrics::{self, Count};
use readers::SlowReaders;
pub(crate) use readers::{Held, Slow};

/// The requests of one thread.
#[derive(Debug)]
pub(crate) struct Load {
    under_way: Rc<Cell<usize>>,
    readers: SlowReaders,
    limit: usize,
}

/// One request, from its head on until this is dropped. It counts against the limit once it is
/// admitted.
#[derive(Debug)]
pub(crate) struct Ticket {
    /// The counter of its thread, once it is admitted, and the slow readers there.
    counted: Option<(Rc<Cell<usize>>, SlowReaders)>,
    begun: Instant,
    /// Whether there is a response, of a cell or of the router, which was counted.
    settled: bool,
    /// Which cell was asked last.
    pub(crate) asked: Option<CellIndex>,
    /// How its cell was found.
    pub(crate) lookup: Option<Lookup>,
}

/// One thread's share of a limit for the process: at least one.
pub(crate) fn share(limit: usize, threads: usize) -> usize {
    (limit / threads.max(1)).max(1)
}

impl Load {
    /// At most `limit` requests at once.
    pub(crate) fn new(limit: usize) -> Self {
        Self { under_way: Rc::default(), readers: SlowReaders::default(), limit }
    }

    /// Another limit for the same requests.
    pub(crate) fn limited(&self, limit: usize) -> Self {
        Self { under_way: Rc::clone(&self.under_way), readers: self.readers.clone(), limit }
    }

    /// Whether a request that comes now would be refused.
    pub(crate) fn is_full(&self) -> bool {
        self.under_way.get() >= self.limit
    }

    /// Ends a response whose user takes it slowly, of this cell where one is given; false where
    /// there is none. What it held is free once its task has run.
    pub(crate) fn end_slow_reader(&self, cell: Option<CellIndex>) -> bool {
        let ends = self.readers.end_one(cell);
        if ends {
            tracing::warn!("a response ends that was read too slowly: others need its place");
        }
        ends
    }
}

impl Ticket {
    /// A request has come.
    pub(crate) fn new() -> Self {
        metrics::count(Count::RequestBegun);
        Self { counted: None, begun: Instant::now(), settled: false, asked: None, lookup: None }
    }

    /// Counts the request from here on. False, and not counted, where there are too many.
    #[must_use]
    pub(crate) fn admit(&mut self, load: &Load) -> bool {
        if load.is_full() {
            return false;
        }
        load.under_way.set(load.under_way.get() + 1);
        self.counted = Some((Rc::clone(&load.under_way), load.readers.clone()));
        true
    }

    /// There is a response, and it was counted.
    pub(crate) fn settle(&mut self) {
        self.settled = true;
    }

    /// What the response holds until it is written.
    pub(crate) fn held(&self) -> Option<Held> {
        let (_, readers) = self.counted.as_ref()?;
        Some(Held { readers: readers.clone(), cell: self.asked })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if let Some((under_way, _)) = &self.counted {
            under_way.set(under_way.get() - 1);
        }
        if !self.settled {
            metrics::count(Count::Abandoned);
        }
        metrics::request_took(self.begun.elapsed());
        // Last: who sees that no request is in flight finds all of them counted.
        metrics::count(Count::RequestEnded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_exact() {
        let load = Load::new(2);
        let admitted = || {
            let mut ticket = Ticket::new();
            ticket.admit(&load).then_some(ticket)
        };
        let first = admitted().unwrap();
        let second = admitted().unwrap();
        assert!(admitted().is_none() && load.is_full());
        drop(first);
        let third = admitted().unwrap();
        assert!(admitted().is_none());
        drop((second, third));
        assert_eq!(load.under_way.get(), 0);
    }

    #[test]
    fn shares_never_exceed_the_whole() {
        assert_eq!(share(10, 3), 3);
        assert_eq!(share(4, 2), 2);
        assert_eq!(share(1, 8), 1);
        assert_eq!(share(5, 0), 5);
    }
}
