//! Properties of the tables in memory, under concurrency and with runners that die.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use super::{CorrectLeases, MemoryRunners, Queue};
use crate::rows::{Id, Lease, RunnerScope, Tables};

const LEASE: Duration = Duration::from_secs(60);

async fn queued(tables: &Tables, jobs: u64) -> Queue {
    let store = Queue::new(Arc::new(MemoryRunners::default()), Arc::new(CorrectLeases));
    for _ in 0..jobs {
        store.tables.add_job(tables, "group/project".to_owned(), Id::Number(1)).await.unwrap();
    }
    store
}

async fn take(store: &Queue, runner: u64, now: Duration, token: &str) -> Option<u64> {
    let lease = Lease { runner, token: token.to_owned(), until: now + LEASE };
    let taken = store
        .take(&Tables::Shared, &RunnerScope::Instance, &BTreeSet::new(), now, lease)
        .await
        .unwrap();
    taken.map(|taken| taken.job.id)
}

#[test]
fn of_fifty_threads_that_ask_each_job_goes_to_one() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = runtime().block_on(queued(&Tables::Shared, 1000));
    let poll = |runner: u64| {
        let (store, runtime) = (&store, runtime());
        move || {
            runtime.block_on(async {
                let mut got = Vec::new();
                while let Some(job) = take(store, runner, Duration::ZERO, "token").await {
                    got.push(job);
                }
                got
            })
        }
    };
    let got: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=50).map(|runner| scope.spawn(poll(runner))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let unique: BTreeSet<_> = got.iter().collect();
    assert_eq!((got.len(), unique.len()), (1000, 1000));
}

/// What happens: a runner asks, reports or dies, or time passes.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Asks(u64),
    Ends(u64),
    Renews(u64),
    Passes(u64),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => (1..6_u64).prop_map(Happening::Asks),
        2 => (1..6_u64).prop_map(Happening::Ends),
        1 => (1..6_u64).prop_map(Happening::Renews),
        2 => (1..90_u64).prop_map(Happening::Passes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_job_has_two_runners_at_a_time_and_none_is_lost(
        jobs in 1..5_u64,
        happenings in prop::collection::vec(happening(), 1..80),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let result: Result<(), TestCaseError> = runtime.block_on(async {
            let store = queued(&Tables::Shared, jobs).await;
            let (mut now, mut tokens) = (Duration::ZERO, 0_u64);
            // For each job, its token and the end of its lease; for each runner, its last job and
            // token.
            let mut held: BTreeMap<u64, (String, Duration)> = BTreeMap::new();
            let mut last: BTreeMap<u64, (u64, String)> = BTreeMap::new();
            let mut done = BTreeSet::new();
            for happening in happenings {
                match happening {
                    Happening::Passes(seconds) => now += Duration::from_secs(seconds),
                    Happening::Asks(runner) => {
                        tokens += 1;
                        let token = tokens.to_string();
                        let Some(job) = take(&store, runner, now, &token).await else {
                            // A runner gets no job only if every job is done or leased.
                            let free = (1..=jobs).find(|job| {
                                !done.contains(job)
                                    && held.get(job).is_none_or(|(_, until)| *until <= now)
                            });
                            prop_assert_eq!(free, None);
                            continue;
                        };
                        prop_assert!(!done.contains(&job));
                        let before = held.insert(job, (token.clone(), now + LEASE));
                        prop_assert!(before.is_none_or(|(_, until)| until <= now));
                        last.insert(runner, (job, token));
                    }
                    Happening::Ends(runner) => {
                        let Some((job, token)) = last.get(&runner) else { continue };
                        let is_held = held.get(job)
                            .is_some_and(|(of, until)| of == token && now < *until);
                        let expected = is_held && !done.contains(job);
                        let ended = store.finish(&Tables::Shared, *job, token, now).await;
                        prop_assert_eq!(ended, Ok(expected));
                        if expected {
                            done.insert(*job);
                        }
                    }
                    Happening::Renews(runner) => {
                        let Some((job, token)) = last.get(&runner) else { continue };
                        let until = now + LEASE;
                        let renewed = store.renew(&Tables::Shared, *job, token, now, until).await;
                        let of = held.get_mut(job).filter(|(of, ends)| of == token && now < *ends);
                        let expected = of.is_some() && !done.contains(job);
                        prop_assert_eq!(renewed, Ok(expected));
                        if let (Some((_, ends)), true) = (of, expected) {
                            *ends = until;
                        }
                    }
                }
            }
            Ok(())
        });
        result?;
    }
}
