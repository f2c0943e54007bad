//! Tests of the counters behind ids on PostgreSQL itself; `ci/stores` runs them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cell_fleet::population::Population;
use cell_fleet::store::{Drawn, IdAllocator, IdControl, IdSetup, OpenStores, Seed};
use cell_fleet::{CellId, Id, IdPlan, IdStrategy, IdTable, Stores, Topology};
use tokio::task::JoinHandle;

use crate::{Durability, RealStores};

/// The stores of a fleet without replicas, for which no write waits, and what draws its ids.
pub(super) struct Opened {
    pub(super) open: OpenStores,
    pub(super) ids: Arc<dyn IdAllocator>,
}

pub(super) async fn opened(stores: &Stores, plan: IdPlan) -> Opened {
    let topology = Topology::documents();
    let seed = Seed::from_population(&topology, &Population::documents(), &plan);
    let seed = Seed { regions: Vec::new(), ..seed };
    let (greatest, control) = (seed.greatest.clone(), Arc::new(IdControl::default()));
    let open = stores.open(seed).await.unwrap();
    let setup = IdSetup { plan, topology, greatest, control };
    let ids = stores.allocator(&setup, open.counters.clone());
    Opened { open, ids }
}

fn number(drawn: &Drawn) -> u64 {
    match drawn.id {
        Id::Number(number) => number,
        id => panic!("{id} is not a number of the installation"),
    }
}

/// Draws on four cells at once, five at a time on each, and returns what each cell got.
async fn drawn_at_once(stores: &Opened, table: IdTable, times: usize) -> Vec<(CellId, Drawn)> {
    let mut drawing = Vec::new();
    for cell in Topology::documents().cells {
        for _ in 0..5 {
            let (ids, cell) = (stores.ids.clone(), cell.clone());
            drawing.push(tokio::spawn(async move {
                let mut drawn = Vec::new();
                for _ in 0..times / 5 {
                    drawn.push((cell.clone(), ids.draw(&cell, table).await.unwrap()));
                }
                drawn
            }));
        }
    }
    let mut drawn = Vec::new();
    for cell in drawing {
        drawn.extend(cell.await.unwrap());
    }
    drawn
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn four_cells_that_draw_at_once_never_get_an_id_twice() {
    let real = RealStores::start().await.unwrap();
    for strategy in IdStrategy::ALL {
        let plan = IdPlan { range_size: 7, ..IdPlan::of(strategy) };
        let stores = opened(&real.stores(), plan).await;
        for table in [IdTable::Users, IdTable::Projects] {
            let drawn = drawn_at_once(&stores, table, 100).await;
            let unique: BTreeSet<_> = drawn.iter().map(|(_, drawn)| drawn.id).collect();
            assert_eq!((drawn.len(), unique.len()), (400, 400), "{strategy}, {table}");
            for (cell, drawn) in &drawn {
                let by = stores.ids.drawn_by(table, &drawn.id).await.unwrap();
                let told = matches!(strategy, IdStrategy::CellBits | IdStrategy::Ranges);
                assert_eq!(by.as_ref(), told.then_some(cell), "{strategy}: {}", drawn.id);
            }
        }
        // What counts on its cell alone is unique there.
        let drawn = drawn_at_once(&stores, IdTable::MergeRequests, 50).await;
        let unique: BTreeSet<_> = drawn.iter().map(|(cell, drawn)| (cell, drawn.id)).collect();
        assert_eq!(unique.len(), 200, "{strategy}");
        let ids: BTreeSet<_> = drawn.iter().map(|(_, drawn)| drawn.id).collect();
        let expected = if strategy == IdStrategy::SomeTables { 50 } else { 200 };
        assert_eq!(ids.len(), expected, "{strategy}");
    }
}

/// How often the servers are killed.
const KILLS: usize = 6;

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn servers_killed_while_cells_draw_leave_gaps_and_no_duplicate() {
    let real = RealStores::start_with(Durability::Full).await.unwrap();
    for strategy in [IdStrategy::Ranges, IdStrategy::CellBits] {
        let plan = IdPlan { range_size: 3, ..IdPlan::of(strategy) };
        let stores = opened(&real.stores(), plan).await;
        let mut drawn = Vec::new();
        for kill in 0..KILLS {
            let count = Arc::new(AtomicUsize::new(0));
            let cells: Vec<_> = Topology::documents()
                .cells
                .into_iter()
                .map(|cell| {
                    let (ids, count) = (stores.ids.clone(), count.clone());
                    tokio::spawn(async move {
                        let mut drawn = Vec::new();
                        // Until the server is dead.
                        while let Ok(one) = ids.draw(&cell, IdTable::Projects).await {
                            drawn.push(number(&one));
                            count.fetch_add(1, Ordering::Relaxed);
                        }
                        drawn
                    })
                })
                .collect();
            // After another number of draws each time, while others are under way.
            let is_early = || count.load(Ordering::Relaxed) < 8 + 3 * kill;
            while is_early() && !cells.iter().all(JoinHandle::is_finished) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let postgres = &real.0.postgres;
            let cluster =
                if strategy == IdStrategy::Ranges { &postgres.shared } else { &postgres.own };
            cluster.primary().kill();
            for cell in cells {
                drawn.extend(cell.await.unwrap());
            }
            cluster.restart_primary().await.unwrap();
        }
        let unique: BTreeSet<_> = drawn.iter().copied().collect();
        eprintln!("{strategy}: {KILLS} kills, {} ids drawn, {} unique", drawn.len(), unique.len());
        assert!(drawn.len() > KILLS * 4, "{}", drawn.len());
        assert_eq!(drawn.len(), unique.len(), "{strategy}");
        if strategy == IdStrategy::Ranges {
            // Each id is in the record, which names one cell for it.
            for id in unique {
                let by = stores.ids.drawn_by(IdTable::Projects, &Id::Number(id)).await.unwrap();
                assert!(by.is_some(), "{id}");
            }
        }
    }
}
