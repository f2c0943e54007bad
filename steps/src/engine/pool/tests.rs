use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

mod starts;

use super::*;

const ONE_AT_A_TIME: Group = Group { name: "one at a time", limit: 1, slots: 1 };
const ALONE: Group = Group { name: "alone", limit: 3, slots: usize::MAX };
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

fn no_group<T>(_: &T) -> Option<&'static Group> {
    None
}

#[test]
fn results_are_in_the_order_of_the_tasks() {
    let tasks: Vec<u64> = (0..50).collect();
    let backwards = |number: &u64, _: &_| {
        thread::sleep(Duration::from_micros(50 - number));
        number * 2
    };
    let doubled: Vec<_> =
        run(8, &tasks, no_group, backwards, go_on).into_iter().map(Result::unwrap).collect();
    assert_eq!(doubled, (0..50).map(|number| number * 2).collect::<Vec<_>>());
}

#[test]
fn exactly_as_many_tasks_run_in_parallel_as_there_are_jobs() {
    let (gauge, meeting) = (Gauge::default(), Meeting::of(3));
    let met = run(3, &[(); 12], no_group, |(), _| gauge.pass(|| meeting.attend()), go_on);
    assert!(met.into_iter().all(Result::unwrap), "three tasks did not meet");
    assert_eq!(gauge.most(), 3);
}

#[test]
fn zero_jobs_count_as_one_and_zero_tasks_have_no_results() {
    assert_eq!(run(0, &[1], no_group, |number, _| *number, go_on), [Ok(1)]);
    assert_eq!(run(4, &[0_u8; 0], no_group, |number, _| *number, go_on), []);
}

#[test]
fn every_start_and_end_is_reported_on_the_calling_thread() {
    let caller = thread::current().id();
    let (mut started, mut finished) = (Vec::new(), Vec::new());
    run(
        4,
        &[10, 11, 12],
        no_group,
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
        no_group,
        |number, _| if *number == 2 { panic!("task {number}") } else { *number },
        go_on,
    );
    assert_eq!(results, [Ok(1), Err(TaskError::Panicked("task 2".to_owned())), Ok(3)]);
}

#[test]
fn a_group_keeps_its_limit_while_other_tasks_run() {
    let (inside, meeting) = (Gauge::default(), Meeting::of(2));
    // The first task of the group and the last task of all meet: the latter passes those that wait.
    let tasks = [Some(&ONE_AT_A_TIME), Some(&ONE_AT_A_TIME), Some(&ONE_AT_A_TIME), None];
    let numbered: Vec<_> = tasks.into_iter().enumerate().collect();
    let results = run(
        4,
        &numbered,
        |(_, group)| *group,
        |(number, group), _| {
            let work = || number % 3 != 0 || meeting.attend();
            if group.is_none() {
                return work();
            }
            inside.pass(|| {
                thread::sleep(MOMENT);
                work()
            })
        },
        go_on,
    );
    assert!(results.into_iter().all(Result::unwrap), "the group kept another task from running");
    assert_eq!(inside.most(), 1);
}

#[test]
fn a_task_that_takes_all_jobs_runs_alone() {
    let tasks = [None, Some(&ALONE), None, Some(&ALONE), Some(&ALONE), None];
    let everyone = Gauge::default();
    let alone = run(
        4,
        &tasks,
        |group| *group,
        |group, _| {
            everyone.pass(|| {
                thread::sleep(MOMENT);
                group.is_none() || everyone.inside.load(SeqCst) == 1
            })
        },
        go_on,
    );
    assert!(alone.into_iter().all(Result::unwrap));
}

#[test]
fn a_task_that_takes_several_jobs_does_not_starve() {
    const TWO: Group = Group { name: "two jobs", limit: 1, slots: 2 };
    // With two jobs, single tasks without end would leave never more than one free.
    let tasks = [None, Some(&TWO), None, None, None, None];
    let mut order = Vec::new();
    run(
        2,
        &tasks,
        |group| *group,
        |_, _| thread::sleep(MOMENT),
        |progress| {
            if let Progress::Started(index) = progress {
                order.push(index);
            }
            ControlFlow::Continue(())
        },
    );
    assert_eq!(order[0], 1, "{order:?}");
}

#[test]
fn a_stopped_run_starts_nothing_more() {
    for stops_at_start in [true, false] {
        let results = run(
            1,
            &[1, 2, 3],
            no_group,
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
    run(2, &[1, 2, 3], no_group, |number, _| *number, |_| panic!("the caller"));
}

#[test]
fn a_task_that_waits_holds_no_job_and_all_that_are_open_have_a_limit() {
    let (gauge, meeting) = (Gauge::default(), Meeting::of(32));
    // Two jobs: all that are open must meet, and so must wait at the same time.
    let met = run(
        2,
        &[(); 96],
        no_group,
        |(), idle| {
            idle.counts_from_now();
            idle.begins();
            let met = gauge.pass(|| meeting.attend());
            idle.ends();
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
        no_group,
        |waits, idle| {
            if !waits {
                *short.came.lock().unwrap() += 1;
                short.all.notify_all();
                return true;
            }
            idle.counts_from_now();
            idle.begins();
            let came = short.came.lock().unwrap();
            let (_came, end) = short.all.wait_timeout_while(came, LIMIT, |came| *came < 4).unwrap();
            idle.ends();
            !end.timed_out()
        },
        go_on,
    );
    assert!(met.into_iter().all(Result::unwrap), "the short tasks waited for the long ones");
}

#[test]
fn tasks_of_a_group_begin_before_others() {
    let order = Mutex::new(Vec::new());
    let tasks = [(0, None), (1, Some(&ONE_AT_A_TIME)), (2, None), (3, Some(&ONE_AT_A_TIME))];
    run(
        1,
        &tasks,
        |(_, group)| *group,
        |(number, _), _| order.lock().unwrap().push(*number),
        go_on,
    );
    assert_eq!(*order.lock().unwrap(), [1, 3, 0, 2]);
}

#[test]
fn a_task_that_says_that_it_waits_too_early_keeps_its_job() {
    let gauge = Gauge::default();
    let work = |(): &(), idle: &Arc<Idle>| {
        idle.begins();
        gauge.pass(|| thread::sleep(3 * WAITING));
    };
    run(2, &[(); 4], no_group, work, go_on);
    assert_eq!(gauge.most(), 2);
}
