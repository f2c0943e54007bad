//! How long an insert takes by each strategy for ids, measured in memory and on PostgreSQL.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::database::change::Change;
use crate::database::real::{Durability, RealStores};
use crate::database::rows::{MergeRequest, Project, Route, Source};
use crate::database::seed::Seed;
use crate::database::store::{OpenStores, Spread, StoreFactory as _};
use crate::database::stores::Stores;
use crate::ids::{Id, IdControl, IdPlan, IdStrategy, IdTable};
use crate::population::{Population, Visibility};
use crate::{CellId, Topology};

/// Rows of each kind, one after the other.
const ROWS: usize = 1_000;

/// Without replicas, so that no write waits for one.
fn seed(plan: &IdPlan) -> Seed {
    let (topology, control) = (Topology::documents(), Arc::new(IdControl::default()));
    let seed = Seed::of(&topology, &Population::documents(), plan, control, None);
    Seed { regions: Vec::new(), ..seed }
}

async fn placed(stores: &OpenStores, change: Change) {
    stores.shared.write(change, Spread::Replicated).await.unwrap().unwrap();
}

/// A project, as a cell adds it: its id, its route, which all cells share, and its row.
async fn add_project(stores: &OpenStores, cell: &CellId, serial: usize) {
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
    stores.own.add_project(cell, project).await.unwrap();
}

/// A merge request, as a cell adds it: its id, its row, and where its id tells nothing, a row of
/// the table that does.
async fn add_merge_request(stores: &OpenStores, cell: &CellId, strategy: IdStrategy) {
    let drawn = stores.ids.draw(cell, IdTable::MergeRequests).await.unwrap();
    let row = MergeRequest {
        id: drawn.id,
        number: drawn.number,
        iid: 0,
        project: Id::Number(5001),
        author: Id::Number(1),
        title: "Measured".to_owned(),
    };
    stores.own.add_merge_request(cell, row).await.unwrap();
    if strategy == IdStrategy::Uuid {
        let (table, id) = (IdTable::MergeRequests, drawn.id);
        placed(stores, Change::PlaceRow { table, id, cell: cell.clone() }).await;
    }
}

/// The median, and what one of a hundred takes at least, in microseconds.
fn shown(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |place: usize| times[place].as_micros();
    format!("{} µs, 99 % below {} µs", at(times.len() / 2), at(times.len() * 99 / 100))
}

/// Adds rows and returns what that takes.
async fn measured(stores: &OpenStores, strategy: IdStrategy) -> [Vec<Duration>; 2] {
    let cell = CellId::eu(0);
    let (mut projects, mut merge_requests) = (Vec::new(), Vec::new());
    for serial in 0..ROWS {
        let began = Instant::now();
        add_project(stores, &cell, serial).await;
        projects.push(began.elapsed());
        let began = Instant::now();
        add_merge_request(stores, &cell, strategy).await;
        merge_requests.push(began.elapsed());
    }
    [projects, merge_requests]
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn an_insert_takes_longer_where_the_strategy_asks_elsewhere() {
    let real = RealStores::start_with(Durability::Full).await.unwrap();
    let mut medians = Vec::new();
    for strategy in IdStrategy::ALL {
        let plan = IdPlan::of(strategy);
        let memory = Stores::in_memory().open(seed(&plan)).await.unwrap();
        let on_postgresql = real.open(seed(&plan)).await.unwrap();
        for (world, stores) in [("memory", memory), ("PostgreSQL", on_postgresql)] {
            let [projects, merge_requests] = measured(&stores, strategy).await;
            let mut sorted = merge_requests.clone();
            sorted.sort();
            medians.push(sorted[ROWS / 2]);
            let (projects, merge_requests) = (shown(projects), shown(merge_requests));
            eprintln!("{strategy}, {world}: project {projects}; merge request {merge_requests}");
        }
    }
    // A merge request with a UUID needs a row of the shared table as well, and one with the bits of
    // its cell needs the cell alone.
    let (uuid, cell_bits) = (medians[1], medians[3]);
    assert!(uuid > cell_bits, "{uuid:?}, {cell_bits:?}");
}
