//! Which task of a pool starts next.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::run::JobSlot;
use crate::stage::places;

/// How many tasks may be open for each job, those included that wait.
const OPEN_PER_JOB: usize = 16;

/// The waiting tasks, shared by the workers, and by running tasks that ask for a job slot.
#[derive(Clone, Debug)]
pub(super) struct Queue(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    jobs: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    waiting: VecDeque<usize>,
    /// The tasks that have started and not ended, by their index, in the order of their starts.
    running: Vec<(usize, Arc<JobSlot>)>,
    stopped: bool,
}

/// The right to run a task; its job slot is free again when it is dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    queue: Queue,
    pub(super) index: usize,
    pub(super) slot: Arc<JobSlot>,
}

impl State {
    fn is_over(&self) -> bool {
        self.stopped || self.waiting.is_empty()
    }

    /// Whether a further task may start now. Where started routers already wait for slots, it would
    /// only wait longer.
    fn may_start(&self, jobs: usize) -> bool {
        let is_any_wanted = self.running.iter().any(|(_, slot)| slot.is_wanted());
        !is_any_wanted && self.has_slot(jobs) && self.running.len() < open(jobs)
    }

    fn has_slot(&self, jobs: usize) -> bool {
        self.running.iter().filter(|(_, slot)| slot.is_held()).count() < jobs
    }

    /// Lets tasks whose routers are ready go on, as far as there are slots; those that began first
    /// go first. In a stopped run they get none.
    fn go_on(&self, jobs: usize) {
        for (_, slot) in self.running.iter().filter(|(_, slot)| slot.is_wanted()) {
            if self.stopped {
                slot.refuse();
            } else if self.has_slot(jobs) {
                slot.grant();
            } else {
                break;
            }
        }
    }

    /// Takes the task that starts next. The last places, as many as there are jobs, are for the
    /// last tasks: where the longest tasks begin first, all places would soon be theirs, and the
    /// processors idle until the first of them ends.
    fn take(&mut self, jobs: usize) -> Option<usize> {
        if self.running.len() > open(jobs).saturating_sub(jobs) {
            self.waiting.pop_back()
        } else {
            self.waiting.pop_front()
        }
    }
}

/// How many tasks may be open at once: each has a fleet and a router, which take memory also while
/// they wait.
pub(super) fn open(jobs: usize) -> usize {
    wanted(jobs).min(places())
}

/// How many tasks would be open at once if the system set no limit.
pub(super) fn wanted(jobs: usize) -> usize {
    if jobs == 1 { 1 } else { jobs.saturating_mul(OPEN_PER_JOB) }
}

impl Queue {
    /// This many tasks, in order.
    pub(super) fn new(jobs: usize, tasks: usize) -> Self {
        let state = State { waiting: (0..tasks).collect(), running: Vec::new(), stopped: false };
        Self(Arc::new(Shared { jobs, state: Mutex::new(state), changed: Condvar::new() }))
    }

    /// Waits until a task may run; `None` when none is left.
    pub(super) fn next(&self) -> Option<Ticket> {
        let shared = &self.0;
        let mut state = shared.state();
        loop {
            if state.is_over() {
                return None;
            }
            if state.may_start(shared.jobs) {
                let index = state.take(shared.jobs)?;
                let pool = Arc::downgrade(shared);
                let slot = Arc::new(JobSlot::in_pool(move || {
                    if let Some(pool) = pool.upgrade() {
                        pool.look();
                    }
                }));
                state.running.push((index, slot.clone()));
                // There may be room for one more task; at the end, all workers are woken to leave.
                if state.is_over() {
                    shared.changed.notify_all();
                } else {
                    shared.changed.notify_one();
                }
                return Some(Ticket { queue: self.clone(), index, slot });
            }
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes a worker if a task has begun to wait: tasks do not say so themselves.
    pub(super) fn look(&self) {
        self.0.look();
    }

    /// Starts no further task, and lets none go on whose routers only start.
    pub(super) fn stop(&self) {
        let mut state = self.0.state();
        state.stopped = true;
        state.go_on(self.0.jobs);
        drop(state);
        self.0.changed.notify_all();
    }
}

impl Shared {
    /// Gives slots that are free to tasks that wait for one, and wakes a worker if there is one for
    /// another task.
    fn look(&self) {
        let state = self.state();
        state.go_on(self.jobs);
        if state.may_start(self.jobs) {
            self.changed.notify_one();
        }
    }

    /// No panic can happen under the lock, so what it guards is always whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let shared = &self.queue.0;
        shared.state().running.retain(|(index, _)| *index != self.index);
        shared.changed.notify_one();
    }
}
