//! Whose turn it is: hands out the numbers of journeys that are to be drawn together, with the
//! pairs that steer them, and those that were drawn and wait for their own router.
//!
//! The pairs that steer a journey are those of all blocks up to the one before the last, whatever
//! has ended meanwhile: the same seed draws the same journeys with any number of jobs.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::pairs::Pairs;

/// How many journeys are drawn with the same pairs.
pub(super) const BLOCK: u64 = 64;

/// How many journeys of one protocol are drawn together, and how many protocols take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Groups {
    pub(super) size: u64,
    pub(super) protocols: u64,
}

impl Groups {
    /// The numbers of the journeys of a group: those of one protocol, one after another.
    fn numbers(self, group: u64, end: u64) -> Vec<u64> {
        let Self { size, protocols } = self;
        let (round, protocol) = (group / protocols, group % protocols);
        let numbers = (0..size).map(|place| (round * size + place) * protocols + protocol);
        numbers.filter(|number| *number < end).collect()
    }

    /// The first number of the round of a group: no number of it is less.
    fn first(self, group: u64) -> u64 {
        group / self.protocols * self.protocols * self.size
    }
}

/// Hands out the numbers of journeys, counted from 0, and journeys that wait.
#[derive(Debug)]
pub(super) struct Turns<T> {
    groups: Groups,
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    next: u64,
    /// The first number that is not handed out.
    end: u64,
    /// The pairs of the blocks before a block, for the block that comes after it.
    steering: Vec<(u64, Arc<Pairs>)>,
    /// Groups that were handed out and are not drawn yet.
    drawing: usize,
    waiting: VecDeque<(u64, T)>,
}

/// What is to be done next.
#[derive(Debug)]
pub(super) enum Turn<T> {
    /// Journeys with these numbers are to be drawn, and said to be drawn.
    Draw {
        numbers: Vec<u64>,
        /// What was met, as far as it steers these journeys.
        pairs: Arc<Pairs>,
    },
    /// A journey that waits is to be played.
    Play(u64, T),
}

impl<T> Turns<T> {
    /// Turns for `count` journeys, or without end.
    pub(super) fn new(count: Option<u64>, groups: Groups) -> Self {
        let none = Arc::<Pairs>::default();
        let state = State {
            next: 0,
            end: count.unwrap_or(u64::MAX),
            steering: vec![(0, none.clone()), (1, none)],
            drawing: 0,
            waiting: VecDeque::new(),
        };
        Self { groups, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next turn; `None` if there is none and there will be none. It waits until the pairs are
    /// known that steer it.
    pub(super) fn next(&self) -> Option<Turn<T>> {
        let mut state = self.lock();
        loop {
            if let Some((number, one)) = state.waiting.pop_front() {
                return Some(Turn::Play(number, one));
            }
            let first = self.groups.first(state.next);
            if first < state.end {
                let steering = state.steering.iter().find(|(block, _)| *block == first / BLOCK);
                if let Some((_, pairs)) = steering {
                    let pairs = pairs.clone();
                    let numbers = self.groups.numbers(state.next, state.end);
                    state.next += 1;
                    state.drawing += 1;
                    return Some(Turn::Draw { numbers, pairs });
                }
            } else if state.drawing == 0 || state.end == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A group was drawn: these journeys of it wait for their own router.
    pub(super) fn drawn(&self, waiting: impl IntoIterator<Item = (u64, T)>) {
        let mut state = self.lock();
        state.drawing = state.drawing.saturating_sub(1);
        let end = state.end;
        state.waiting.extend(waiting.into_iter().filter(|(number, _)| *number < end));
        self.changed.notify_all();
    }

    /// The first `count` journeys are done, and met these pairs.
    pub(super) fn done(&self, count: u64, pairs: &Pairs) {
        let mut state = self.lock();
        if count.is_multiple_of(BLOCK) {
            let block = count / BLOCK + 1;
            state.steering.push((block, Arc::new(pairs.clone())));
            state.steering.retain(|(old, _)| old + 1 >= block);
            self.changed.notify_all();
        }
    }

    /// Ends all turns if it is dropped in a panic: nobody waits for what was not drawn then.
    pub(super) fn ended_by_a_panic(&self) -> EndedByAPanic<'_, T> {
        EndedByAPanic(self)
    }

    /// No journey from this number on is handed out.
    pub(super) fn end_at(&self, number: u64) {
        let mut state = self.lock();
        state.end = state.end.min(number);
        let end = state.end;
        state.waiting.retain(|(number, _)| *number < end);
        self.changed.notify_all();
    }
}

/// Ends all turns if it is dropped in a panic.
pub(super) struct EndedByAPanic<'t, T>(&'t Turns<T>);

impl<T> Drop for EndedByAPanic<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end_at(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const ONE: Groups = Groups { size: 1, protocols: 1 };

    /// The numbers of the next group.
    fn next(turns: &Turns<&str>) -> Vec<u64> {
        match turns.next() {
            Some(Turn::Draw { numbers, .. }) => {
                turns.drawn([]);
                numbers
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_block_waits_for_the_block_before_the_last() {
        let turns = Turns::new(None, ONE);
        for number in 0..2 * BLOCK {
            assert_eq!(next(&turns), [number]);
        }
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| sender.send(next(&turns)));
            let early = receiver.recv_timeout(Duration::from_millis(20));
            assert!(early.is_err(), "{early:?}");
            (1..=BLOCK).for_each(|count| turns.done(count, &Pairs::default()));
            assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(vec![2 * BLOCK]));
        });
    }

    #[test]
    fn the_end_is_the_first_number_that_nobody_gets() {
        let turns = Turns::new(Some(3), ONE);
        assert_eq!(next(&turns), [0]);
        turns.end_at(2);
        turns.end_at(5);
        assert_eq!(next(&turns), [1]);
        assert!(turns.next().is_none());
    }

    #[test]
    fn a_group_has_journeys_of_one_protocol_and_every_number_comes_once() {
        let turns = Turns::new(Some(9), Groups { size: 4, protocols: 2 });
        assert_eq!(next(&turns), [0, 2, 4, 6]);
        assert_eq!(next(&turns), [1, 3, 5, 7]);
        assert_eq!(next(&turns), [8]);
        assert_eq!(next(&turns), [0; 0]);
        assert!(turns.next().is_none());
    }

    #[test]
    fn nobody_waits_for_what_a_panic_left_undrawn() {
        let turns = Turns::<()>::new(None, ONE);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _guard = turns.ended_by_a_panic();
            turns.next();
            panic!("drawing fails");
        }));
        assert!(panicked.is_err() && turns.next().is_none());
    }

    #[test]
    fn who_waits_for_a_router_goes_first_and_nobody_ends_while_somebody_draws() {
        let turns = Turns::new(Some(2), ONE);
        let Some(Turn::Draw { .. }) = turns.next() else { panic!("no turn") };
        assert_eq!(next(&turns), [1]);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| sender.send(matches!(turns.next(), Some(Turn::Play(0, "alone")))));
            let early = receiver.recv_timeout(Duration::from_millis(20));
            assert!(early.is_err(), "{early:?}");
            turns.drawn([(0, "alone")]);
            assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(true));
        });
        assert!(turns.next().is_none());
    }
}
