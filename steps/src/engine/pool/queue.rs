//! Which task of a pool starts next.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Group;
use crate::run::Idle;
use crate::stage::places;

/// After how long a wait the job of a task goes to another one. The suite waits less for most
/// responses, while the router works.
pub(super) const WAITING: Duration = Duration::from_millis(8);

/// The tolerance for rounding in the sum of shares.
const ROUNDING: f64 = 1e-6;

/// How many tasks may be open for each job, those included that wait.
const OPEN_PER_JOB: usize = 16;

/// The waiting tasks, shared by the workers, and by running tasks that ask for their job.
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
    lanes: Vec<Lane>,
    running: Vec<Running>,
    stopped: bool,
}

/// The waiting tasks of one group, or of none.
#[derive(Debug)]
struct Lane {
    group: Option<&'static Group>,
    waiting: VecDeque<usize>,
    running: usize,
}

/// A task that has started and not ended.
#[derive(Debug)]
struct Running {
    index: usize,
    slots: usize,
    idle: Arc<Idle>,
}

impl Running {
    /// The jobs that it takes now.
    fn load(&self) -> f64 {
        self.idle.share(WAITING) * as_load(self.slots)
    }
}

/// The right to run a task; its jobs are free again when it is dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    queue: Queue,
    index: usize,
    lane: usize,
    idle: Arc<Idle>,
}

impl Lane {
    fn is_of(&self, group: Option<&Group>) -> bool {
        self.group.map(|own| own.name) == group.map(|group| group.name)
    }

    fn has_room(&self) -> bool {
        self.group.is_none_or(|group| self.running < group.limit.max(1))
    }

    /// How many of the pool's `jobs` one task of the lane takes.
    fn slots(&self, jobs: usize) -> usize {
        self.group.map_or(1, |group| group.slots.clamp(1, jobs))
    }
}

impl State {
    fn is_over(&self) -> bool {
        self.stopped || self.lanes.iter().all(|lane| lane.waiting.is_empty())
    }

    /// The task that may start now, with its lane and the jobs that it takes.
    fn startable(&self, jobs: usize) -> Option<(usize, usize, usize)> {
        // A group with room comes first: its tasks wait for each other, so they would be left at
        // the end. If its task needs more jobs than are free, the others wait too: otherwise they
        // would take each free job, and it would never get several at once.
        let first = self.lanes.iter().enumerate().filter(|(_, lane)| lane.has_room());
        let first = first.filter_map(|(number, lane)| Some((lane, *lane.waiting.front()?, number)));
        let (lane, mut index, number) =
            first.min_by_key(|(lane, index, _)| (lane.group.is_none(), *index))?;
        if lane.group.is_none() && self.leaves_the_last_places(jobs) {
            index = *lane.waiting.back()?;
        }
        let slots = lane.slots(jobs);
        let has_room = if slots == jobs {
            // A task that runs alone waits for idle tasks as well: they would go on while it runs.
            self.running.is_empty()
        } else {
            // Where started routers already wait for jobs, a further one would only wait longer.
            let is_any_ready = self.running.iter().any(|one| one.idle.is_ready());
            !is_any_ready && self.has_jobs(slots, jobs) && self.running.len() < open(jobs)
        };
        has_room.then_some((index, number, slots))
    }

    /// Whether this many jobs are free.
    fn has_jobs(&self, slots: usize, jobs: usize) -> bool {
        let busy: f64 = self.running.iter().map(Running::load).sum();
        busy + as_load(slots) <= as_load(jobs) + ROUNDING
    }

    /// Lets tasks whose routers are ready go on, as far as there are jobs; those that began first
    /// go first. In a stopped run they get none.
    fn go_on(&self, jobs: usize) {
        for ready in self.running.iter().filter(|one| one.idle.is_ready()) {
            if self.stopped {
                ready.idle.go_on(false);
            } else if self.has_jobs(ready.slots, jobs) {
                ready.idle.go_on(true);
            } else {
                break;
            }
        }
    }

    /// Whether no more places are left than there are jobs. Where the longest tasks begin first,
    /// all places would soon be theirs, and the processors idle until the first of them ends.
    fn leaves_the_last_places(&self, jobs: usize) -> bool {
        self.running.len() > open(jobs).saturating_sub(jobs)
    }
}

fn as_load(slots: usize) -> f64 {
    u32::try_from(slots).map_or(f64::INFINITY, f64::from)
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
        let state = Mutex::new(State { lanes, running: Vec::new(), stopped: false });
        Self(Arc::new(Shared { jobs, state, changed: Condvar::new() }))
    }

    /// Waits until a task may run; `None` when none is left.
    pub(super) fn next(&self) -> Option<Ticket> {
        let shared = &self.0;
        let mut state = shared.state();
        loop {
            if state.is_over() {
                return None;
            }
            if let Some((index, lane, slots)) = state.startable(shared.jobs) {
                let idle = Arc::new(self.idle(&state.lanes[lane]));
                state.running.push(Running { index, slots, idle: idle.clone() });
                state.lanes[lane].running += 1;
                state.lanes[lane].waiting.retain(|waiting| *waiting != index);
                // There may be room for one more task; at the end, all workers are woken to leave.
                if state.is_over() {
                    shared.changed.notify_all();
                } else {
                    shared.changed.notify_one();
                }
                return Some(Ticket { queue: self.clone(), index, lane, idle });
            }
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A task of a group keeps its job while its routers start: it needs its part of the machine
    /// for itself.
    fn idle(&self, lane: &Lane) -> Idle {
        if lane.group.is_some() {
            return Idle::default();
        }
        let shared = Arc::downgrade(&self.0);
        Idle::of_pool(move || {
            if let Some(shared) = shared.upgrade() {
                shared.look();
            }
        })
    }

    /// Wakes a worker if a task has become idle: tasks do not say so themselves.
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
    /// Gives jobs that are free to tasks that wait for one, and wakes a worker if there is one for
    /// another task.
    fn look(&self) {
        let state = self.state();
        state.go_on(self.jobs);
        if state.startable(self.jobs).is_some() {
            self.changed.notify_one();
        }
    }

    /// No panic can happen under the lock, so what it guards is always whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// The task's index.
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Where the task says that it waits.
    pub(super) fn idle(&self) -> &Arc<Idle> {
        &self.idle
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let shared = &self.queue.0;
        let mut state = shared.state();
        state.running.retain(|one| one.index != self.index);
        state.lanes[self.lane].running -= 1;
        drop(state);
        shared.changed.notify_one();
    }
}
