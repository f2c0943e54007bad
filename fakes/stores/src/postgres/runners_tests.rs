//! Tests of runners and jobs on PostgreSQL itself; `ci/stores` runs them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use cell_fleet::store::{
    CorrectLeases, Lease, OpenStores, Queue, RunnerScope, RunnerTables, Seed, StoreFactory as _,
    Tables,
};
use cell_fleet::{CellId, Id, RunnerModel, Stores};

use crate::RealStores;

fn seed(runners: RunnerModel) -> Seed {
    Seed { regions: Vec::new(), runners, ..super::tests::seed(false) }
}

const LEASE: Duration = Duration::from_secs(60);

fn lease(runner: u64, now: Duration) -> Lease {
    Lease { runner, token: format!("token of {runner} at {now:?}"), until: now + LEASE }
}

/// What a sequence of calls returns, printed.
async fn seen(store: &Arc<dyn RunnerTables>, tables: &Tables) -> Vec<String> {
    let queue = Queue::new(store.clone(), Arc::new(CorrectLeases));
    let mut seen = Vec::new();
    macro_rules! see {
        ($($call:expr),+ $(,)?) => {$(
            seen.push(format!("{}: {:?}", stringify!($call), $call.await.unwrap()));
        )+};
    }
    let text = str::to_owned;
    let (instance, group, project) = (
        RunnerScope::Instance,
        RunnerScope::Group(text("acme")),
        RunnerScope::Project(text("acme/it's")),
    );
    let (one, other) = (Id::Number(5001), Id::Local(5001));
    let at = Duration::from_secs;
    let none = BTreeSet::new();
    let without = BTreeSet::from([text("acme/it's")]);
    let take =
        |scope, except, now, runner| queue.take(tables, scope, except, now, lease(runner, now));
    let token = |runner, now| lease(runner, now).token;
    see!(
        store.add_runner(tables, text("a"), instance.clone()),
        store.add_runner(tables, text("b"), group.clone()),
        store.add_runner(tables, text("c"), project.clone()),
        store.runner(tables, "a"),
        store.runner(tables, "b"),
        store.runner(tables, "c"),
        store.runner(tables, "d"),
        take(&instance, &none, at(0), 1),
        store.add_job(tables, text("acmes/one"), one),
        store.add_job(tables, text("acme/it's"), other),
        store.add_job(tables, text("acme/two"), other),
        // The first of the queue is not of the group, and the second is left out.
        take(&group, &without, at(0), 2),
        take(&group, &without, at(0), 2),
        take(&project, &none, at(1), 3),
        take(&project, &none, at(60), 4),
        take(&project, &none, at(61), 4),
        queue.renew(tables, 2, &token(3, at(1)), at(62), at(900)),
        queue.renew(tables, 2, &token(4, at(61)), at(120), at(180)),
        queue.renew(tables, 2, &token(4, at(61)), at(180), at(900)),
        queue.finish(tables, 2, &token(3, at(1)), at(130)),
        queue.finish(tables, 2, &token(4, at(61)), at(179)),
        queue.finish(tables, 2, &token(4, at(61)), at(179)),
        queue.finish(tables, 9, "", at(0)),
        queue.unfinished(tables, &[one, other]),
        queue.unfinished(tables, &[]),
        queue.give_back(tables, &[one]),
        queue.give_back(tables, &[one, other]),
        queue.finish(tables, 3, &token(2, at(0)), at(1)),
        take(&instance, &none, at(2), 1),
        take(&instance, &none, at(2), 2),
        take(&instance, &none, at(2), 3),
        store.remove_jobs(tables, &[other]),
        store.add_job(tables, text("acme/it's"), other),
        queue.unfinished(tables, &[one, other, Id::Number(7)]),
    );
    seen
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn memory_and_postgresql_hold_the_same_runners_and_jobs() {
    let real = RealStores::start().await.unwrap();
    for model in RunnerModel::ALL {
        // The second time the databases are those that the first fleet has given back.
        for _ in 0..2 {
            let memory = Stores::in_memory().open(seed(model)).await.unwrap();
            let in_real = real.open(seed(model)).await.unwrap();
            let cells = [Tables::Of(CellId::us(0)), Tables::Of(CellId::eu(1))];
            let shared = (model == RunnerModel::Shared).then_some(Tables::Shared);
            for tables in cells.iter().chain(&shared) {
                let memory = seen(&memory.runners, tables).await;
                let in_real = seen(&in_real.runners, tables).await;
                for (memory, in_real) in memory.iter().zip(&in_real) {
                    assert_eq!(memory, in_real, "{tables:?}");
                }
            }
        }
    }
    // Without shared runners, no database has their tables.
    let apart = real.open(seed(RunnerModel::PerCell)).await.unwrap();
    assert!(apart.runners.runner(&Tables::Shared, "a").await.is_err());
}

/// Runners that ask at once, by the connections of one fleet.
const RUNNERS: u64 = 50;
const JOBS: u64 = 400;

/// Lets all runners poll until the queue is empty, and returns what each job was given to.
async fn polled(stores: &OpenStores, tables: &Tables) -> BTreeMap<u64, Vec<u64>> {
    let begin = Arc::new(tokio::sync::Barrier::new(usize::try_from(RUNNERS).unwrap()));
    let mut polling = Vec::new();
    for runner in 1..=RUNNERS {
        let queue = Queue::new(stores.runners.clone(), Arc::new(CorrectLeases));
        let (begin, tables) = (begin.clone(), tables.clone());
        polling.push(tokio::spawn(async move {
            let mut got = Vec::new();
            begin.wait().await;
            loop {
                let (except, now) = (BTreeSet::new(), Duration::ZERO);
                let taken = queue
                    .take(&tables, &RunnerScope::Instance, &except, now, lease(runner, now))
                    .await
                    .unwrap();
                match taken {
                    Some(taken) => got.push((taken.job.id, runner)),
                    None => return got,
                }
            }
        }));
    }
    let mut given: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for runner in polling {
        for (job, runner) in runner.await.unwrap() {
            given.entry(job).or_default().push(runner);
        }
    }
    given
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn of_fifty_runners_that_poll_at_once_each_job_goes_to_one() {
    let real = RealStores::start().await.unwrap();
    let stores = real.open(seed(RunnerModel::Shared)).await.unwrap();
    for tables in [Tables::Shared, Tables::Of(CellId::eu(0))] {
        for _ in 0..JOBS {
            let project = "acme/one".to_owned();
            stores.runners.add_job(&tables, project, Id::Number(5001)).await.unwrap();
        }
        let given = polled(&stores, &tables).await;
        let twice: Vec<_> = given.iter().filter(|(_, runners)| runners.len() > 1).collect();
        let runners: BTreeSet<_> = given.values().flatten().collect();
        eprintln!("{tables:?}: {} jobs to {} runners, {twice:?}", given.len(), runners.len());
        assert_eq!((given.len() as u64, twice.len()), (JOBS, 0));
        assert!(runners.len() > 1, "one runner got all");
    }
}
