//! Whose turn it is: hands out the numbers of journeys, with the pairs that steer them.
//!
//! The pairs that steer a journey are those of all blocks up to the one before the last, whatever
//! has ended meanwhile: the same seed draws the same journeys with any number of jobs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::pairs::Pairs;

/// How many journeys are drawn with the same pairs.
pub(super) const BLOCK: u64 = 32;

/// Hands out the numbers of journeys, counted from 0.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    next: u64,
    /// The first number that is not handed out.
    end: u64,
    /// How many journeys are done, all before the first that is not.
    done: u64,
    /// The pairs of the blocks before a block, for the block that comes after it.
    steering: Vec<(u64, Arc<Pairs>)>,
}

/// A journey that is to be drawn and run.
#[derive(Debug)]
pub(super) struct Turn {
    /// Its number, counted from 0.
    pub(super) number: u64,
    /// What was met, as far as it steers this journey.
    pub(super) pairs: Arc<Pairs>,
}

impl Turns {
    /// Turns for so many journeys, or without end.
    pub(super) fn new(count: Option<u64>) -> Self {
        let none = Arc::<Pairs>::default();
        let state = State {
            next: 0,
            end: count.unwrap_or(u64::MAX),
            done: 0,
            steering: vec![(0, none.clone()), (1, none)],
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next turn; `None` if there is none. It waits until the pairs are known that steer it.
    pub(super) fn next(&self) -> Option<Turn> {
        let mut state = self.lock();
        loop {
            if state.next >= state.end {
                return None;
            }
            let number = state.next;
            let steering = state.steering.iter().find(|(block, _)| *block == number / BLOCK);
            if let Some((_, pairs)) = steering {
                let pairs = pairs.clone();
                state.next += 1;
                return Some(Turn { number, pairs });
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The first so many journeys are done, and met these pairs.
    pub(super) fn done(&self, count: u64, pairs: &Pairs) {
        let mut state = self.lock();
        state.done = count;
        if count.is_multiple_of(BLOCK) {
            let block = count / BLOCK + 1;
            state.steering.push((block, Arc::new(pairs.clone())));
            state.steering.retain(|(old, _)| old + 1 >= block);
            self.changed.notify_all();
        }
    }

    /// No journey from this number on is handed out.
    pub(super) fn end_at(&self, number: u64) {
        let mut state = self.lock();
        state.end = state.end.min(number);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_block_waits_for_the_block_before_the_last() {
        let turns = Turns::new(None);
        for number in 0..2 * BLOCK {
            assert_eq!(turns.next().unwrap().number, number);
        }
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| sender.send(turns.next().unwrap().number));
            let early = receiver.recv_timeout(Duration::from_millis(20));
            assert!(early.is_err(), "{early:?}");
            (1..=BLOCK).for_each(|count| turns.done(count, &Pairs::default()));
            assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(2 * BLOCK));
        });
    }

    #[test]
    fn the_end_is_the_first_number_that_nobody_gets() {
        let turns = Turns::new(Some(3));
        assert_eq!(turns.next().unwrap().number, 0);
        turns.end_at(2);
        turns.end_at(5);
        assert_eq!(turns.next().unwrap().number, 1);
        assert!(turns.next().is_none());
    }
}
