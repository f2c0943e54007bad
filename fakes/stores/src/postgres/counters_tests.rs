//! Tests of the counters behind ids on PostgreSQL itself; `ci/stores` runs them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cell_fleet::population::Population;
use cell_fleet::store::{
    Change, Drawn, IdAllocator, IdControl, IdSetup, OpenStores, Seed, Server, Spread,
};
use cell_fleet::{
    CellId, Id, IdDisturbance, IdPlan, IdRange, IdStrategy, IdTable, Stores, Topology,
};
use tokio::task::JoinHandle;

use crate::{Durability, RealStores};

/// The stores of a fleet without replicas, for which no write waits, and what draws its ids.
pub(super) struct Opened {
    pub(super) open: OpenStores,
    pub(super) ids: Arc<dyn IdAllocator>,
    control: Arc<IdControl>,
}

pub(super) async fn opened(stores: &Stores, plan: IdPlan) -> Opened {
    let topology = Topology::documents();
    let seed = Seed::from_population(&topology, &Population::documents(), &plan);
    let seed = Seed { regions: Vec::new(), ..seed };
    let (greatest, control) = (seed.greatest.clone(), Arc::new(IdControl::default()));
    let open = stores.open(seed).await.unwrap();
    let setup = IdSetup { plan, topology, greatest, control: control.clone() };
    let ids = stores.allocator(&setup, open.counters.clone());
    Opened { open, ids, control }
}

fn ranges(size: u64) -> IdPlan {
    IdPlan { range_size: size, ..IdPlan::of(IdStrategy::Ranges) }
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

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn ranges_and_their_record_are_rows_of_gitlab_routes() {
    let real = RealStores::start().await.unwrap();
    let stores = opened(&real.stores(), ranges(10)).await;
    let cell = CellId::eu(0);
    let mut seen = BTreeSet::new();
    for _ in 0..25 {
        seen.extend(stores.ids.draw(&cell, IdTable::Projects).await.unwrap().range);
    }
    let first = seen.first().unwrap().first;
    let at = |nth: u64| IdRange { first: first + nth * 10, last: first + nth * 10 + 9 };
    assert_eq!(seen.iter().copied().collect::<Vec<_>>(), [at(0), at(1), at(2)]);
    // The counter has moved and the answer is lost: a gap, which the record has.
    stores.control.disturb(IdDisturbance::Crash);
    let other = CellId::us(1);
    assert!(stores.ids.draw(&other, IdTable::Projects).await.unwrap_err().is_planned());
    let next = stores.ids.draw(&other, IdTable::Projects).await.unwrap();
    assert_eq!(next.range, Some(at(4)));
    for (id, holder) in [
        (first - 1, None),
        (first, Some(&cell)),
        (first + 29, Some(&cell)),
        (first + 30, Some(&other)),
        (first + 40, Some(&other)),
        (first + 50, None),
        (u64::MAX, None),
    ] {
        let by = stores.ids.drawn_by(IdTable::Projects, &Id::Number(id)).await.unwrap();
        assert_eq!(by.as_ref(), holder, "{id}");
    }
    // Another table counts by itself, from behind its own rows, and another fleet begins again.
    let note = stores.ids.draw(&cell, IdTable::Notes).await.unwrap();
    assert_eq!(note.range, Some(IdRange { first: 1, last: 10 }));
    drop(stores);
    let again = opened(&real.stores(), ranges(10)).await;
    let drawn = again.ids.draw(&other, IdTable::Projects).await.unwrap();
    assert_eq!(drawn.range, Some(at(0)));
}

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn the_lookup_table_of_rows_is_one_row_for_each_id() {
    let real = RealStores::start().await.unwrap();
    for strategy in [IdStrategy::Uuid, IdStrategy::CellBits] {
        let stores = opened(&real.stores(), IdPlan::of(strategy)).await;
        let (table, drawn) = (IdTable::MergeRequests, CellId::us(0));
        let id = stores.ids.draw(&drawn, table).await.unwrap().id;
        // Four cells write the row of one id at once; one row is left, that of one of them.
        let cells = Topology::documents().cells;
        let writes = cells.iter().map(|cell| {
            let placed = Change::PlaceRow { table, id, cell: cell.clone() };
            stores.open.shared.write(placed, Spread::Replicated)
        });
        for written in futures_util::future::join_all(writes).await {
            written.unwrap().unwrap();
        }
        let found = stores.open.shared.row_cell(&Server::Primary, table, id).await.unwrap().rows;
        assert!(found.is_some_and(|cell| cells.contains(&cell)));
        // A move's row overrules it.
        let moved = Change::PlaceRow { table, id, cell: CellId::eu(1) };
        stores.open.shared.write(moved, Spread::Replicated).await.unwrap().unwrap();
        let found = stores.open.shared.row_cell(&Server::Primary, table, id).await.unwrap().rows;
        assert_eq!(found, Some(CellId::eu(1)), "{strategy}");
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
