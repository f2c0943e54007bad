use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::queue::Ticket;
use super::*;

/// Longer than anything here takes; only a test that fails waits so long.
const LIMIT: Duration = Duration::from_secs(20);
/// Time in which another task could start, but must not.
const MOMENT: Duration = Duration::from_millis(5);

/// Counts the tasks that run at once.
#[derive(Default)]
struct Gauge {
    inside: AtomicUsize,
    most: AtomicUsize,
}

impl Gauge {
    fn pass<R>(&self, work: impl FnOnce() -> R) -> R {
        self.most.fetch_max(self.inside.fetch_add(1, SeqCst) + 1, SeqCst);
        let result = work();
        self.inside.fetch_sub(1, SeqCst);
        result
    }

    fn most(&self) -> usize {
        self.most.load(SeqCst)
    }
}

/// A barrier with a time limit.
struct Meeting {
    expected: usize,
    came: Mutex<usize>,
    all: Condvar,
}

impl Meeting {
    fn of(expected: usize) -> Self {
        Self { expected, came: Mutex::new(0), all: Condvar::new() }
    }

    /// Whether all came in time.
    fn attend(&self) -> bool {
        let mut came = self.came.lock().unwrap();
        *came += 1;
        self.all.notify_all();
        let missing = |came: &mut usize| *came < self.expected;
        !self.all.wait_timeout_while(came, LIMIT, missing).unwrap().1.timed_out()
    }
}

fn go_on<R>(_: Progress<'_, R>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn results_are_in_the_order_of_the_tasks() {
    let tasks: Vec<u64> = (0..50).collect();
    let backwards = |number: &u64, _: &_| {
        thread::sleep(Duration::from_micros(50 - number));
        number * 2
    };
    let doubled: Vec<_> =
        run(8, &tasks, backwards, go_on).into_iter().map(Result::unwrap).collect();
    assert_eq!(doubled, (0..50).map(|number| number * 2).collect::<Vec<_>>());
}

#[test]
fn exactly_as_many_tasks_run_in_parallel_as_there_are_jobs() {
    let (gauge, meeting) = (Gauge::default(), Meeting::of(3));
    let met = run(3, &[(); 12], |(), _| gauge.pass(|| meeting.attend()), go_on);
    assert!(met.into_iter().all(Result::unwrap), "three tasks did not meet");
    assert_eq!(gauge.most(), 3);
}

#[test]
fn zero_jobs_count_as_one_and_zero_tasks_have_no_results() {
    assert_eq!(run(0, &[1], |number, _| *number, go_on), [Ok(1)]);
    assert_eq!(run(4, &[0_u8; 0], |number, _| *number, go_on), []);
}

#[test]
fn every_start_and_end_is_reported_on_the_calling_thread() {
    let caller = thread::current().id();
    let (mut started, mut finished) = (Vec::new(), Vec::new());
    run(
        4,
        &[10, 11, 12],
        |number, _| *number,
        |progress| {
            assert_eq!(thread::current().id(), caller);
            match progress {
                Progress::Started(index) => started.push(index),
                Progress::Finished(index, result) => {
                    assert!(started.contains(&index), "{index} ended before it started");
                    finished.push((index, result.clone().unwrap()));
                }
            }
            ControlFlow::Continue(())
        },
    );
    started.sort_unstable();
    finished.sort_unstable();
    assert_eq!((started, finished), (vec![0, 1, 2], vec![(0, 10), (1, 11), (2, 12)]));
}

#[test]
fn a_panic_is_the_error_of_its_task_alone() {
    let results = run(
        2,
        &[1, 2, 3],
        |number, _| if *number == 2 { panic!("task {number}") } else { *number },
        go_on,
    );
    assert_eq!(results, [Ok(1), Err(TaskError::Panicked("task 2".to_owned())), Ok(3)]);
}

#[test]
fn a_stopped_run_starts_nothing_more() {
    for stops_at_start in [true, false] {
        let results = run(
            1,
            &[1, 2, 3],
            |number, _| *number,
            |progress| {
                // Time for the worker to go on, which it must not use.
                thread::sleep(MOMENT);
                match progress {
                    Progress::Started(_) if !stops_at_start => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            },
        );
        assert_eq!(
            results,
            [Ok(1), Err(TaskError::NotStarted), Err(TaskError::NotStarted)],
            "stopped at the start: {stops_at_start}"
        );
    }
}

#[test]
#[should_panic(expected = "the caller")]
fn a_panic_of_the_caller_ends_the_run() {
    run(2, &[1, 2, 3], |number, _| *number, |_| panic!("the caller"));
}

#[test]
fn a_task_that_waits_holds_no_job_and_all_that_are_open_have_a_limit() {
    let (gauge, meeting) = (Gauge::default(), Meeting::of(32));
    // Two jobs: all that are open must meet, and so must wait at the same time.
    let met = run(
        2,
        &[(); 96],
        |(), slot| {
            slot.routers_start();
            assert!(acquired(slot));
            slot.parked();
            let met = gauge.pass(|| meeting.attend());
            slot.unparked();
            met
        },
        go_on,
    );
    assert!(met.into_iter().all(Result::unwrap), "thirty-two tasks did not meet");
    assert_eq!(gauge.most(), 32);
}

#[test]
fn tasks_that_wait_leave_the_last_places_to_the_last_tasks() {
    // With two jobs thirty-two tasks are open. All but the last two of the long tasks wait until
    // the short ones, which are last in line, are done.
    let tasks: Vec<bool> = [[true; 34].as_slice(), &[false; 4]].concat();
    let short = Meeting::of(4);
    let met = run(
        2,
        &tasks,
        |waits, slot| {
            if !waits {
                *short.came.lock().unwrap() += 1;
                short.all.notify_all();
                return true;
            }
            slot.routers_start();
            assert!(acquired(slot));
            slot.parked();
            let came = short.came.lock().unwrap();
            let (_came, end) = short.all.wait_timeout_while(came, LIMIT, |came| *came < 4).unwrap();
            slot.unparked();
            !end.timed_out()
        },
        go_on,
    );
    assert!(met.into_iter().all(Result::unwrap), "the short tasks waited for the long ones");
}

#[test]
fn a_start_that_waits_lets_the_next_tasks_start() {
    // Sixteen for each job: no place is left over in which a further one could start.
    let (gauge, meeting) = (Gauge::default(), Meeting::of(32));
    let met = run(
        2,
        &[(); 96],
        |(), slot| {
            slot.routers_start();
            let met = gauge.pass(|| meeting.attend());
            acquired(slot) && met
        },
        go_on,
    );
    assert!(met.into_iter().all(Result::unwrap), "thirty-two tasks did not meet");
    assert_eq!(gauge.most(), 32);
}

#[test]
fn tasks_whose_routers_are_ready_wait_for_a_slot() {
    let (gauge, meeting) = (Gauge::default(), Meeting::of(16));
    let work = |(): &(), slot: &Arc<JobSlot>| {
        slot.routers_start();
        meeting.attend();
        thread::sleep(WAITING);
        assert!(acquired(slot));
        gauge.pass(|| thread::sleep(MOMENT));
    };
    run(2, &[(); 32], work, go_on);
    assert_eq!(gauge.most(), 2);
}

#[test]
fn a_task_that_says_nothing_of_itself_keeps_its_slot() {
    let queue = Queue::new(1, 1);
    let ticket = queue.next().unwrap();
    ticket.slot.parked();
    thread::sleep(WAITING);
    assert!(ticket.slot.is_held());
}

#[test]
fn a_task_alone_in_the_pool_starts_alone() {
    let gauge = Gauge::default();
    let work = |(): &(), slot: &Arc<JobSlot>| {
        slot.routers_start();
        gauge.pass(|| thread::sleep(3 * WAITING));
        acquired(slot)
    };
    let all = run(1, &[(); 3], work, go_on);
    assert!(all.into_iter().all(Result::unwrap));
    assert_eq!(gauge.most(), 1);
}

#[test]
fn the_first_that_is_ready_gets_the_first_slot_that_is_free() {
    let queue = Queue::new(2, 4);
    let tickets: Vec<_> = (0..2).map(|_| started(&queue)).collect();
    let working: Vec<_> = (0..2).map(|_| queue.next().unwrap()).collect();
    let mut ready: Vec<_> = tickets.iter().map(|ticket| Box::pin(ticket.slot.acquire())).collect();
    assert!(ready.iter_mut().all(|ready| ready.as_mut().now_or_never().is_none()));
    drop(working);
    queue.look();
    assert!(ready.into_iter().all(|ready| ready.now_or_never() == Some(true)));
}

#[test]
fn a_stopped_run_lets_no_task_go_on_that_only_starts() {
    let queue = Queue::new(2, 5);
    let (starts, waits) = (started(&queue), started(&queue));
    let _working: Vec<_> = (0..2).map(|_| queue.next().unwrap()).collect();
    let mut waits = Box::pin(waits.slot.acquire());
    assert_eq!(waits.as_mut().now_or_never(), None);
    queue.stop();
    assert_eq!(waits.now_or_never(), Some(false));
    assert!(!acquired(&starts.slot));
}

/// A task whose routers have started for so long that it holds no slot.
fn started(queue: &Queue) -> Ticket {
    let ticket = queue.next().unwrap();
    ticket.slot.routers_start();
    thread::sleep(WAITING);
    ticket
}

/// Waits for a slot in its own thread, as a case does on its runtime.
fn acquired(slot: &JobSlot) -> bool {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(slot.acquire())
}
