//! Tasks whose routers start slowly.

use futures_util::FutureExt as _;

use super::super::queue::Ticket;
use super::*;

/// Waits for a job in its own thread, as a case does on its runtime.
fn has_its_job(idle: &Idle) -> bool {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(idle.has_its_job())
}

#[test]
fn a_start_that_waits_lets_the_next_tasks_start() {
    // Sixteen for each job: no place is left over in which a further one could start.
    let (gauge, meeting) = (Gauge::default(), Meeting::of(32));
    let met = run(
        2,
        &[(); 96],
        no_group,
        |(), idle| {
            idle.starts(0.02);
            let met = gauge.pass(|| meeting.attend());
            has_its_job(idle) && met
        },
        go_on,
    );
    assert!(met.into_iter().all(Result::unwrap), "thirty-two tasks did not meet");
    assert_eq!(gauge.most(), 32);
}

#[test]
fn as_many_start_as_their_shares_allow() {
    // Two jobs: one whole task, and two halves that have just become ones that start.
    let (gauge, meeting) = (Gauge::default(), Meeting::of(3));
    let met = run(
        2,
        &[(); 9],
        no_group,
        |(), idle| {
            idle.starts(0.5);
            let met = gauge.pass(|| meeting.attend());
            has_its_job(idle) && met
        },
        go_on,
    );
    assert!(met.into_iter().all(Result::unwrap), "three tasks did not meet");
    assert!(gauge.most() <= 4, "{}", gauge.most());
}

#[test]
fn tasks_whose_routers_are_ready_wait_for_a_job() {
    let (gauge, meeting) = (Gauge::default(), Meeting::of(16));
    run(
        2,
        &[(); 32],
        no_group,
        |(), idle| {
            idle.starts(0.0);
            meeting.attend();
            assert!(has_its_job(idle));
            gauge.pass(|| thread::sleep(MOMENT));
        },
        go_on,
    );
    assert_eq!(gauge.most(), 2);
}

#[test]
fn a_start_that_takes_a_whole_job_waits_for_none() {
    let gauge = Gauge::default();
    let work = |(): &(), idle: &Arc<Idle>| {
        idle.starts(1.0);
        gauge.pass(|| thread::sleep(MOMENT));
        has_its_job(idle)
    };
    let all = run(2, &[(); 6], no_group, work, go_on);
    assert!(all.into_iter().all(Result::unwrap));
    assert_eq!(gauge.most(), 2);
}

#[test]
fn a_task_of_a_group_keeps_its_job_while_it_starts() {
    const PAIRS: Group = Group { name: "pairs", limit: 8, slots: 1 };
    let gauge = Gauge::default();
    let work = |(): &(), idle: &Arc<Idle>| {
        idle.starts(0.0);
        gauge.pass(|| thread::sleep(3 * WAITING));
        has_its_job(idle)
    };
    let all = run(2, &[(); 6], |()| Some(&PAIRS), work, go_on);
    assert!(all.into_iter().all(Result::unwrap));
    assert_eq!(gauge.most(), 2);
}

#[test]
fn a_task_alone_in_the_pool_starts_alone() {
    let gauge = Gauge::default();
    let work = |(): &(), idle: &Arc<Idle>| {
        idle.starts(0.0);
        gauge.pass(|| thread::sleep(3 * WAITING));
        has_its_job(idle)
    };
    let all = run(1, &[(); 3], no_group, work, go_on);
    assert!(all.into_iter().all(Result::unwrap));
    assert_eq!(gauge.most(), 1);
}

#[test]
fn the_first_that_is_ready_gets_the_first_job_that_is_free() {
    let queue = Queue::new(2, [None; 4]);
    let tickets: Vec<_> = (0..2).map(|_| started(&queue)).collect();
    let working: Vec<_> = (0..2).map(|_| queue.next().unwrap()).collect();
    let mut ready: Vec<_> =
        tickets.iter().map(|ticket| Box::pin(ticket.idle().has_its_job())).collect();
    assert!(ready.iter_mut().all(|ready| ready.as_mut().now_or_never().is_none()));
    drop(working);
    queue.look();
    assert!(ready.into_iter().all(|ready| ready.now_or_never() == Some(true)));
}

#[test]
fn a_stopped_run_lets_no_task_go_on_that_only_starts() {
    let queue = Queue::new(2, [None; 5]);
    let (starts, waits) = (started(&queue), started(&queue));
    let _working: Vec<_> = (0..2).map(|_| queue.next().unwrap()).collect();
    let mut waits = Box::pin(waits.idle().has_its_job());
    assert_eq!(waits.as_mut().now_or_never(), None);
    queue.stop();
    assert_eq!(waits.now_or_never(), Some(false));
    assert!(!has_its_job(starts.idle()));
}

/// A task whose routers start.
fn started(queue: &Queue) -> Ticket {
    let ticket = queue.next().unwrap();
    ticket.idle().starts(0.0);
    ticket
}
