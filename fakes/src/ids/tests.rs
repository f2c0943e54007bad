//! Properties of the allocators, under concurrency and with crashes in between.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use proptest::prelude::*;
use uuid::{Uuid, Variant, Version};

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

#[tokio::test]
async fn a_range_of_ten_and_25_inserts_make_three_disjoint_ranges() {
    let ids = setup(ranges(10)).in_memory();
    let mut seen = BTreeSet::new();
    for _ in 0..25 {
        seen.extend(ids.draw(&CellId::eu(0), IdTable::Projects).await.unwrap().range);
    }
    let expected = [(100, 109), (110, 119), (120, 129)];
    assert_eq!(
        seen.into_iter().map(|range| (range.first, range.last)).collect::<Vec<_>>(),
        expected
    );
    // Another table has its own.
    let other = ids.draw(&CellId::eu(0), IdTable::Notes).await.unwrap();
    assert_eq!(other.range, Some(IdRange { first: 100, last: 109 }));
}

#[tokio::test]
async fn the_record_of_ranges_finds_the_cell_of_an_id() {
    let ids = setup(ranges(3)).in_memory();
    for (cell, table, drawn) in drawn_at_once(&ids, &[IdTable::MergeRequests], 20) {
        let id = drawn.id;
        assert_eq!(ids.drawn_by(table, &id).await, Ok(Some(cell)), "{id}");
    }
    for nobody in [Id::Number(FIRST - 1), Id::Number(1 << 40), Id::Local(FIRST)] {
        assert_eq!(ids.drawn_by(IdTable::MergeRequests, &nobody).await, Ok(None), "{nobody}");
    }
}

#[tokio::test]
async fn a_crash_after_the_counter_moved_leaves_a_gap() {
    let setup = setup(ranges(10));
    let ids = setup.in_memory();
    let cell = CellId::eu(0);
    setup.control.disturb(IdDisturbance::Crash);
    let error = ids.draw(&cell, IdTable::Projects).await.unwrap_err();
    assert!(error.is_planned(), "{error}");
    let next = ids.draw(&cell, IdTable::Projects).await.unwrap();
    assert_eq!(next.id, Id::Number(FIRST + 10));
}

#[tokio::test]
async fn a_stopped_allocator_fails_draws_and_gives_the_next_ids_afterwards() {
    let setup = setup(ranges(2));
    let ids = setup.in_memory();
    let cell = CellId::us(1);
    let draw = || ids.draw(&cell, IdTable::Projects);
    assert_eq!(draw().await.unwrap().id, Id::Number(FIRST));
    setup.control.disturb(IdDisturbance::Stop);
    // What the cell has already is left to it.
    assert_eq!(draw().await.unwrap().id, Id::Number(FIRST + 1));
    assert!(draw().await.unwrap_err().is_planned());
    setup.control.disturb(IdDisturbance::Start);
    assert_eq!(draw().await.unwrap().id, Id::Number(FIRST + 2));
}

#[tokio::test]
async fn a_slow_allocator_delays_the_draw_that_needs_a_range_and_no_other() {
    let setup = setup(ranges(2));
    let (ids, delay) = (setup.in_memory(), Duration::from_millis(20));
    setup.control.disturb(IdDisturbance::Slow(delay));
    for place in 0..4 {
        let drawn = ids.draw(&CellId::us(0), IdTable::Projects).await.unwrap();
        assert!(place % 2 == 1 || drawn.waited >= delay, "draw {place}: {:?}", drawn.waited);
    }
}

#[tokio::test]
async fn a_refill_ahead_of_need_outlasts_a_stop() {
    let setup = setup(IdPlan { refill_ahead: 3, ..ranges(10) });
    let (ids, cell) = (setup.in_memory(), CellId::eu(1));
    let mut drawn = BTreeSet::new();
    for _ in 0..7 {
        drawn.insert(ids.draw(&cell, IdTable::Projects).await.unwrap().id);
    }
    ids.settle().await;
    setup.control.disturb(IdDisturbance::Stop);
    // Three ids of the first range and ten of the next.
    for _ in 0..13 {
        drawn.insert(ids.draw(&cell, IdTable::Projects).await.unwrap().id);
    }
    assert!(ids.draw(&cell, IdTable::Projects).await.is_err());
    assert_eq!(drawn, (FIRST..FIRST + 20).map(Id::Number).collect());
}

#[tokio::test]
async fn cell_bits_name_the_cell_from_0_to_1023() {
    let cell_numbers = [(CellId::us(1), 1), (CellId::eu(1), 1023)].into();
    let ids = setup(IdPlan { cell_numbers, ..IdPlan::default() }).in_memory();
    let mut greatest = 0;
    for (cell, named) in [(CellId::us(0), 0), (CellId::us(1), 1), (CellId::eu(1), 1023)] {
        let id = ids.draw(&cell, IdTable::MergeRequests).await.unwrap().id;
        assert_eq!(cell_number_of(number(id)), named, "{cell}");
        assert_eq!(ids.drawn_by(IdTable::MergeRequests, &id).await, Ok(Some(cell)));
        greatest = number(id);
    }
    // The sign bit stays free, so that the ids fit a `bigint`.
    assert!(greatest > 1 << 53 && i64::try_from(greatest).is_ok());
}

#[tokio::test]
async fn local_ids_are_the_same_on_each_cell_and_projects_are_not() {
    let ids = setup(IdPlan { local_start: 10_000, ..IdPlan::of(IdStrategy::SomeTables) });
    let ids = ids.in_memory();
    for cell in Topology::documents().cells {
        let drawn = ids.draw(&cell, IdTable::MergeRequests).await.unwrap();
        assert_eq!(drawn.id, Id::Local(10_000), "{cell}");
        assert_eq!(ids.drawn_by(IdTable::MergeRequests, &drawn.id).await, Ok(None));
    }
}

#[tokio::test]
async fn uuids_are_of_version_7_and_have_a_number_beside_them() {
    let ids = setup(IdPlan::of(IdStrategy::Uuid)).in_memory();
    let uuid = |drawn: &Drawn| match drawn.id {
        Id::Uuid(uuid) => uuid,
        id => panic!("{id} is not a UUID"),
    };
    let mut uuids: BTreeSet<Uuid> = BTreeSet::new();
    for cell in Topology::documents().cells {
        for expected in 1..=100 {
            let drawn = ids.draw(&cell, IdTable::Projects).await.unwrap();
            let uuid = uuid(&drawn);
            assert_eq!(drawn.number, Some(expected));
            assert_eq!(
                (uuid.get_version(), uuid.get_variant()),
                (Some(Version::SortRand), Variant::RFC4122)
            );
            assert!(uuids.insert(uuid));
        }
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
