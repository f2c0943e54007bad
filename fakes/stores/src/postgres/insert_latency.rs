//! How long an insert takes by each strategy for ids, measured in memory and on PostgreSQL.

use std::time::{Duration, Instant};

use cell_fleet::population::Visibility;
use cell_fleet::store::{Change, MergeRequest, Project, Route, Source, Spread};
use cell_fleet::{CellId, Id, IdPlan, IdStrategy, IdTable, Stores};

use super::counters_tests::{Opened, opened};
use crate::{Durability, RealStores};

/// Rows of each kind, one after the other.
const ROWS: usize = 1_000;

async fn placed(stores: &Opened, change: Change) {
    stores.open.shared.write(change, Spread::Replicated).await.unwrap().unwrap();
}

/// A project, as a cell adds it: its id, its route, which all cells share, and its row.
async fn add_project(stores: &Opened, cell: &CellId, serial: usize) {
    let id = stores.ids.draw(cell, IdTable::Projects).await.unwrap().id;
    let (path, visibility) = (format!("measured/project-{serial}"), Visibility::Public);
    let route = Route::new(format!("/{path}"), cell.clone(), Source::Project(id), visibility);
    placed(stores, Change::AddRoute(route)).await;
    let project = Project {
        id,
        number: None,
        path,
        title: "Measured".to_owned(),
        heading: "Measured".to_owned(),
        organization: None,
        visibility,
        members: Default::default(),
        work: Default::default(),
    };
    stores.open.own.add_project(cell, project).await.unwrap();
}

/// A merge request, as a cell adds it: its id, its row, and where its id tells nothing, a row of
/// the table that does.
async fn add_merge_request(stores: &Opened, cell: &CellId, strategy: IdStrategy) {
    let drawn = stores.ids.draw(cell, IdTable::MergeRequests).await.unwrap();
    let row = MergeRequest {
        id: drawn.id,
        number: drawn.number,
        iid: 0,
        project: Id::Number(5001),
        author: Id::Number(1),
        title: "Measured".to_owned(),
    };
    stores.open.own.add_merge_request(cell, row).await.unwrap();
    if strategy == IdStrategy::Uuid {
        let (table, id) = (IdTable::MergeRequests, drawn.id);
        placed(stores, Change::PlaceRow { table, id, cell: cell.clone() }).await;
    }
}

/// The median and the 99th percentile, in microseconds.
fn shown(times: &mut [Duration]) -> String {
    times.sort();
    let at = |place: usize| times[place].as_micros();
    format!("{} µs (99 %: {} µs)", at(times.len() / 2), at(times.len() * 99 / 100))
}

/// How long inserts took with one strategy in one world.
struct Measured {
    strategy: IdStrategy,
    world: &'static str,
    stores: Opened,
    projects: Vec<Duration>,
    merge_requests: Vec<Duration>,
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn an_insert_takes_longer_where_the_strategy_asks_elsewhere() {
    let real = RealStores::start_with(Durability::Full).await.unwrap();
    let mut measured = Vec::new();
    for strategy in IdStrategy::ALL {
        let plan = IdPlan::of(strategy);
        let memory = opened(&Stores::in_memory(), plan.clone()).await;
        let on_postgresql = opened(&real.stores(), plan).await;
        for (world, stores) in [("memory", memory), ("PostgreSQL", on_postgresql)] {
            let (projects, merge_requests) = (Vec::new(), Vec::new());
            measured.push(Measured { strategy, world, stores, projects, merge_requests });
        }
    }
    // In turns, so that what else the machine does reaches all of them alike.
    let cell = CellId::eu(0);
    for serial in 0..ROWS {
        for of in &mut measured {
            let began = Instant::now();
            add_project(&of.stores, &cell, serial).await;
            of.projects.push(began.elapsed());
            let began = Instant::now();
            add_merge_request(&of.stores, &cell, of.strategy).await;
            of.merge_requests.push(began.elapsed());
        }
    }
    let mut medians = Vec::new();
    for of in &mut measured {
        let (project, merge_request) = (shown(&mut of.projects), shown(&mut of.merge_requests));
        let (strategy, world) = (of.strategy, of.world);
        eprintln!("{strategy}, {world}: project {project}; merge request {merge_request}");
        medians.push(of.merge_requests[ROWS / 2]);
    }
    // On PostgreSQL, a merge request with a UUID needs a row of a shared table as well, and one
    // from a range needs none but its own.
    let (uuid, ranges) = (medians[1], medians[5]);
    assert!(uuid > ranges, "{uuid:?}, {ranges:?}");
}
