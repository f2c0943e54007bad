//! Which task of a pool starts next.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Group;

/// The waiting tasks, shared by the workers.
#[derive(Debug)]
pub(super) struct Queue {
    jobs: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    lanes: Vec<Lane>,
    /// Jobs that running tasks take.
    busy: usize,
    stopped: bool,
}

/// The waiting tasks of one group, or of none.
#[derive(Debug)]
struct Lane {
    group: Option<&'static Group>,
    waiting: VecDeque<usize>,
    running: usize,
}

/// The right to run a task; its jobs are free again when it is dropped.
#[derive(Debug)]
pub(super) struct Ticket<'a> {
    queue: &'a Queue,
    index: usize,
    lane: usize,
    slots: usize,
}

impl Lane {
    fn is_of(&self, group: Option<&Group>) -> bool {
        self.group.map(|own| own.name) == group.map(|group| group.name)
    }

    fn has_room(&self) -> bool {
        self.group.is_none_or(|group| self.running < group.limit.max(1))
    }

    /// Jobs that one of its tasks takes in a pool of so many.
    fn slots(&self, jobs: usize) -> usize {
        self.group.map_or(1, |group| group.slots.clamp(1, jobs))
    }
}

impl Queue {
    /// Tasks by their groups, in order.
    pub(super) fn new(
        jobs: usize,
        groups: impl IntoIterator<Item = Option<&'static Group>>,
    ) -> Self {
        let mut lanes: Vec<Lane> = Vec::new();
        for (index, group) in groups.into_iter().enumerate() {
            match lanes.iter_mut().find(|lane| lane.is_of(group)) {
                Some(lane) => lane.waiting.push_back(index),
                None => lanes.push(Lane { group, waiting: [index].into(), running: 0 }),
            }
        }
        let state = Mutex::new(State { lanes, busy: 0, stopped: false });
        Self { jobs, state, changed: Condvar::new() }
    }

    /// Waits until a task may run; `None` when none is left.
    pub(super) fn next(&self) -> Option<Ticket<'_>> {
        let mut state = self.state();
        loop {
            if state.stopped || state.lanes.iter().all(|lane| lane.waiting.is_empty()) {
                return None;
            }
            // The first one of those whose groups have room. It also blocks those behind it where
            // the pool lacks free jobs for it: else it might never get several at once.
            let first = state.lanes.iter().enumerate().filter(|(_, lane)| lane.has_room());
            let first = first.filter_map(|(number, lane)| Some((*lane.waiting.front()?, number)));
            if let Some((index, lane)) = first.min() {
                let slots = state.lanes[lane].slots(self.jobs);
                if state.busy + slots <= self.jobs {
                    state.busy += slots;
                    state.lanes[lane].running += 1;
                    state.lanes[lane].waiting.pop_front();
                    return Some(Ticket { queue: self, index, lane, slots });
                }
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Starts no further task.
    pub(super) fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// No panic can happen under the lock, so what it guards is always whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket<'_> {
    /// The task's index.
    pub(super) fn index(&self) -> usize {
        self.index
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.busy -= self.slots;
        state.lanes[self.lane].running -= 1;
        drop(state);
        self.queue.changed.notify_all();
    }
}
