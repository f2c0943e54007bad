//! Users who take a response slowly. Each holds the place of a request; where places run short, the
//! one who has been slow for longest makes room.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Waker;
use std::time::{Duration, Instant};

use crate::config::CellIndex;

/// The slow readers of one thread. They are few, and nobody else is counted here.
#[derive(Clone, Debug, Default)]
pub(super) struct SlowReaders(Rc<RefCell<Vec<Rc<Reader>>>>);

#[derive(Debug)]
struct Reader {
    cell: Option<CellIndex>,
    since: Instant,
    /// Wakes the task of the user's connection.
    waker: Waker,
    is_ended: Cell<bool>,
}

/// What a response holds until it is written: one of the requests of its thread, and of its cell.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(super) readers: SlowReaders,
    pub(super) cell: Option<CellIndex>,
}

/// Says that the user of a response is slow, until this is dropped.
#[derive(Debug)]
pub(crate) struct Slow {
    readers: SlowReaders,
    own: Rc<Reader>,
}

impl SlowReaders {
    /// Ends the response that has been read slowly for longest, of this cell where one is given;
    /// false where there is none. Its task has yet to run.
    pub(super) fn end_one(&self, cell: Option<CellIndex>) -> bool {
        let mut readers = self.0.borrow_mut();
        let of_cell = |reader: &&Rc<Reader>| cell.is_none() || reader.cell == cell;
        let Some(slowest) = readers.iter().filter(of_cell).min_by_key(|it| it.since).cloned()
        else {
            return false;
        };
        readers.retain(|reader| !Rc::ptr_eq(reader, &slowest));
        slowest.is_ended.set(true);
        slowest.waker.wake_by_ref();
        true
    }
}

impl Held {
    /// The user has been slow for so long. `waker` is that of the connection's task.
    pub(crate) fn by_slow_user(&self, time: Duration, waker: Waker) -> Slow {
        let since = Instant::now().checked_sub(time).unwrap_or_else(Instant::now);
        let own = Rc::new(Reader { cell: self.cell, since, waker, is_ended: Cell::new(false) });
        self.readers.0.borrow_mut().push(Rc::clone(&own));
        Slow { readers: self.readers.clone(), own }
    }
}

impl Slow {
    /// Whether the response is to end, because another request needs what it holds.
    pub(crate) fn is_ended(&self) -> bool {
        self.own.is_ended.get()
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        self.readers.0.borrow_mut().retain(|reader| !Rc::ptr_eq(reader, &self.own));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_been_slow_for_longest_makes_room() {
        let readers = SlowReaders::default();
        let slow = |cell: u16, seconds| {
            let held = Held { readers: readers.clone(), cell: Some(CellIndex::at(cell)) };
            held.by_slow_user(Duration::from_secs(seconds), Waker::noop().clone())
        };
        let users = [slow(0, 30), slow(1, 50), slow(0, 40), slow(1, 20)];
        let ended = || users.each_ref().map(Slow::is_ended);
        assert!(readers.end_one(Some(CellIndex::at(0))));
        assert_eq!(ended(), [false, false, true, false]);
        assert!(readers.end_one(None));
        assert_eq!(ended(), [false, true, true, false]);
        let [first, ..] = users;
        drop(first);
        assert!(!readers.end_one(Some(CellIndex::at(0))));
        assert!(readers.end_one(None) && !readers.end_one(None), "the others have ended");
    }
}
