//! The worker pool: parallel tasks. A task that only waits, also for its routers to start, holds no
//! job slot.

mod queue;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use queue::{Queue, open, wanted};

use crate::run::{JobSlot, WAITING};
use crate::stage;

/// Progress of a pool. Tasks are named by their index.
#[derive(Debug)]
pub enum Progress<'a, R> {
    Started(usize),
    Finished(usize, &'a Result<R, TaskError>),
}

/// Why a task has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TaskError {
    #[error("panicked: {0}")]
    Panicked(String),
    /// The run was stopped before it started.
    #[error("not started: the run was stopped before")]
    NotStarted,
    /// The system gives no thread for it.
    #[error("no thread for it: {0}; raise `ulimit -u`")]
    NoThread(String),
}

/// What a worker tells the caller.
enum Message<R> {
    Started(usize),
    Finished(usize, Result<R, TaskError>),
    /// It is about to look for its next task.
    Ready,
}

/// Why fewer tasks are open at once than such a pool would have; `None` where all have room.
pub fn throttled(jobs: usize) -> Option<String> {
    stage::throttled(wanted(jobs))
}

/// Runs tasks in parallel and returns their results in the order of the tasks.
///
/// At most `jobs` of them work (0 counts as 1). While a task waits, another one may start: sixteen
/// are open for each job at most, and one alone for one job. A task that goes on does not wait for
/// a slot, except the first time, after its routers have started.
///
/// Tasks start in order, except that the last places, as many as there are jobs, are for the last
/// tasks. `tell` receives every start and end, on the calling thread. When it breaks, no further task
/// starts; the running ones end as usual, but for those whose routers only start. A panic of a task
/// is that task's error.
pub fn run<T: Sync, R: Send>(
    jobs: usize,
    tasks: &[T],
    work: impl Fn(&T, &Arc<JobSlot>) -> R + Sync,
    mut tell: impl FnMut(Progress<'_, R>) -> ControlFlow<()>,
) -> Vec<Result<R, TaskError>> {
    let jobs = jobs.max(1);
    let queue = Queue::new(jobs, tasks.len());
    let mut results: Vec<_> = tasks.iter().map(|_| Err(TaskError::NotStarted)).collect();
    thread::scope(|scope| {
        // Without a buffer, a worker that has sent `Ready` knows that the caller has handled its
        // last task, and has stopped the run if it wants to.
        let (sender, receiver) = mpsc::sync_channel(0);
        let mut workers = 0;
        for _ in 0..open(jobs).min(tasks.len()) {
            let (sender, queue, work) = (sender.clone(), &queue, &work);
            let worker = move || {
                // The caller listens until the last task has ended, unless it panicked.
                let tell = |message| {
                    if sender.send(message).is_err() {
                        queue.stop();
                    }
                };
                while let Some(ticket) = queue.next() {
                    let index = ticket.index;
                    tell(Message::Started(index));
                    let result =
                        catch_unwind(AssertUnwindSafe(|| work(&tasks[index], &ticket.slot)));
                    let result = result.map_err(|payload| TaskError::Panicked(message(&*payload)));
                    drop(ticket);
                    tell(Message::Finished(index, result));
                    tell(Message::Ready);
                }
            };
            match thread::Builder::new().spawn_scoped(scope, worker) {
                Ok(_) => workers += 1,
                Err(error) if workers == 0 => {
                    results.fill_with(|| Err(TaskError::NoThread(error.to_string())));
                    break;
                }
                // Those that there are do the work of all.
                Err(_) => break,
            }
        }
        drop(sender);
        loop {
            let message = match receiver.recv_timeout(WAITING) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => {
                    queue.look();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let flow = match message {
                Message::Ready => ControlFlow::Continue(()),
                Message::Started(index) => tell(Progress::Started(index)),
                Message::Finished(index, result) => {
                    results[index] = result;
                    tell(Progress::Finished(index, &results[index]))
                }
            };
            if flow.is_break() {
                queue.stop();
            }
            // Only now: a task whose routers are ready must not go on with the slot of one that has
            // just ended the run.
            queue.look();
        }
    });
    results
}

fn message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
