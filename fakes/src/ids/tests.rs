//! Properties of the allocators, under concurrency and with crashes in between.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use proptest::prelude::*;

use super::*;

/// The first number that no row of the seed has.
const FIRST: u64 = 100;

fn setup(plan: IdPlan) -> IdSetup {
    let (topology, control) = (Topology::documents(), Arc::new(IdControl::default()));
    let greatest = IdTable::ALL.map(|table| (table, FIRST - 1)).into();
    IdSetup { plan, topology, greatest, control }
}

impl IdSetup {
    fn in_memory(&self) -> Arc<dyn IdAllocator> {
        allocator(self, Arc::new(MemoryCounters::default()))
    }
}

fn ranges(size: u64) -> IdPlan {
    IdPlan { range_size: size, ..IdPlan::of(IdStrategy::Ranges) }
}

/// Draws on each cell in its own thread, and returns what each draw gave.
fn drawn_at_once(
    ids: &Arc<dyn IdAllocator>,
    tables: &[IdTable],
    times: usize,
) -> Vec<(CellId, IdTable, Drawn)> {
    let draw = |cell: CellId| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut drawn = Vec::new();
            for table in (0..times).flat_map(|_| tables) {
                drawn.push((cell.clone(), *table, ids.draw(&cell, *table).await.unwrap()));
            }
            drawn
        })
    };
    std::thread::scope(|scope| {
        let cells = Topology::documents().cells.into_iter();
        let threads: Vec<_> = cells.map(|cell| scope.spawn(move || draw(cell))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn number(id: Id) -> u64 {
    match id {
        Id::Number(number) | Id::Local(number) => number,
        Id::Uuid(_) => panic!("{id} is not a number"),
    }
}

#[test]
fn thousands_of_draws_on_four_cells_never_give_a_top_level_id_twice() {
    for strategy in IdStrategy::ALL {
        let ids = setup(IdPlan { range_size: 7, ..IdPlan::of(strategy) }).in_memory();
        let tables = [IdTable::Users, IdTable::Namespaces, IdTable::Projects];
        let drawn = drawn_at_once(&ids, &tables, 1000);
        assert_eq!(drawn.len(), 12_000);
        let unique: BTreeSet<_> =
            drawn.iter().map(|(_, table, drawn)| (*table, drawn.id)).collect();
        assert_eq!(unique.len(), 12_000, "{strategy}");
        let older = |id: &Id| matches!(id, Id::Number(number) if *number < FIRST);
        assert!(!unique.iter().any(|(_, id)| older(id)), "{strategy}");
    }
}

/// What happens to an allocator: a draw on one of the cells, or a disturbance.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Draws { cell: usize, count: u8 },
    Disturbance(IdDisturbance),
}

fn happening() -> impl Strategy<Value = Happening> {
    let disturbances = prop_oneof![
        Just(IdDisturbance::Stop),
        Just(IdDisturbance::Start),
        Just(IdDisturbance::Crash),
    ];
    prop_oneof![
        4 => (0..4_usize, 1..40_u8).prop_map(|(cell, count)| Happening::Draws { cell, count }),
        1 => disturbances.prop_map(Happening::Disturbance),
    ]
}

/// Draws at once, which may fail.
async fn all_at_once(ids: &Arc<dyn IdAllocator>, cell: &CellId, count: u8) -> Vec<Drawn> {
    let draws = (0..count).map(|_| ids.draw(cell, IdTable::Projects));
    join_all(draws).await.into_iter().flatten().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn ranges_stay_disjoint_and_rise_whatever_happens(
        size in 1..12_u64,
        refill_ahead in 0..4_u64,
        happenings in prop::collection::vec(happening(), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let setup = setup(IdPlan { refill_ahead, ..ranges(size) });
        let cells = Topology::documents().cells;
        let drawn: Vec<(CellId, Drawn)> = runtime.block_on(async {
            let (ids, mut drawn) = (setup.in_memory(), Vec::new());
            for happening in happenings {
                match happening {
                    Happening::Draws { cell, count } => {
                        let cell = &cells[cell];
                        let got = all_at_once(&ids, cell, count).await;
                        drawn.extend(got.into_iter().map(|drawn| (cell.clone(), drawn)));
                    }
                    Happening::Disturbance(disturbance) => setup.control.disturb(disturbance),
                }
            }
            drawn
        });
        let mut unique = BTreeSet::new();
        let mut given: BTreeMap<CellId, BTreeMap<IdRange, Vec<u64>>> = BTreeMap::new();
        for (cell, drawn) in drawn {
            let (id, range) = (number(drawn.id), drawn.range.unwrap());
            prop_assert!(unique.insert(id), "{} twice", id);
            prop_assert!(range.contains(id) && range.last - range.first + 1 == size);
            // On its cell an id is greater than those before it.
            let on_cell = given.entry(cell).or_default();
            prop_assert!(on_cell.values().flatten().all(|before| *before < id));
            on_cell.entry(range).or_default().push(id);
        }
        let ranges: Vec<_> = given.values().flat_map(BTreeMap::keys).collect();
        for (place, range) in ranges.iter().enumerate() {
            prop_assert!(ranges[..place].iter().all(|other| !other.overlaps(range)));
        }
        // No id is lost within a range: what was drawn of it is its beginning.
        for (range, ids) in given.values().flatten() {
            let expected: Vec<_> = (range.first..).take(ids.len()).collect();
            prop_assert_eq!(ids, &expected);
        }
    }
}
