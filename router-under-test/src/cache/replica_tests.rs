//! The replica against a naive model, and at its limits.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn replica(max_entries: usize) -> Replica {
    Replica::new(RandomState::new(), max_entries)
}

fn prefix(path: &str, cell: u16) -> Entry {
    Entry::new(path.as_bytes().into(), false, CellIndex::at(cell), None)
}

fn exact(path: &str, cell: u16) -> Entry {
    Entry::new(path.as_bytes().into(), true, CellIndex::at(cell), None)
}

fn find(replica: &Replica, path: &str) -> Option<usize> {
    replica.find(path.as_bytes(), Instant::now()).map(|entry| entry.cell().place())
}

#[test]
fn exact_beats_prefix_and_longer_beats_shorter() {
    let mut replica = replica(10);
    replica.put(prefix("/a", 1));
    replica.put(prefix("/a/b", 2));
    replica.put(exact("/a/b/c", 3));
    replica.put(exact("/a/b", 4));
    assert_eq!(find(&replica, "/a"), Some(1));
    assert_eq!(find(&replica, "/a/"), Some(1));
    assert_eq!(find(&replica, "/a/b"), Some(4));
    assert_eq!(find(&replica, "/a/b/"), Some(2));
    assert_eq!(find(&replica, "/a/b/c"), Some(3));
    assert_eq!(find(&replica, "/a/b/c/"), Some(2));
    assert_eq!(find(&replica, "/a/bc"), Some(1));
    assert_eq!(find(&replica, "/ab"), None);
    assert_eq!(find(&replica, "/"), None);
    assert_eq!(find(&replica, "*"), None);
}

#[test]
fn a_later_response_replaces_the_entry() {
    let mut replica = replica(2);
    replica.put(prefix("/a", 1));
    replica.put(prefix("/b", 1));
    replica.put(prefix("/a", 2));
    assert_eq!(find(&replica, "/a"), Some(2));
    assert_eq!(find(&replica, "/b"), Some(1));
    assert_eq!(replica.clock.len(), 2);
}

#[test]
fn an_entry_expires_although_it_is_used() {
    let start = Instant::now();
    let end = start + Duration::from_millis(100);
    let mut replica = replica(10);
    replica.put(prefix("/a", 1));
    replica.put(Entry::new(b"/a/b".as_slice().into(), false, CellIndex::at(2), Some(end)));
    let at = |instant| replica.find(b"/a/b/c", instant).map(|entry| entry.cell().place());
    assert_eq!(at(start), Some(2));
    assert_eq!(at(end - Duration::from_millis(1)), Some(2));
    assert_eq!(at(end), Some(1));
}

#[test]
fn eviction_keeps_the_size_and_the_used_entries() {
    let mut replica = replica(100);
    replica.put(prefix("/hot", 7));
    for number in 0..10_000 {
        replica.put(prefix(&format!("/p{number}"), 1));
        assert_eq!(find(&replica, "/hot"), Some(7));
    }
    assert_eq!(replica.entries.len(), 100);
    assert_eq!(replica.clock.len(), 100);
    assert_eq!(find(&replica, "/p0"), None);
    assert_eq!(find(&replica, "/p9999"), Some(1));
}

#[test]
fn a_hundred_thousand_paths_stay_within_the_size_limit() {
    let mut replica = replica(1_000);
    for number in 0..100_000 {
        let path = format!("/p{number}");
        replica.put(prefix(&path, (number % 7) as u16));
        assert_eq!(find(&replica, &path), Some(number % 7));
    }
    assert_eq!(replica.size(), (1_000, 99_000));
    assert_eq!(replica.clock.len(), 1_000);
    // Each is as the bound on memory says.
    assert_eq!(std::mem::size_of::<Entry>(), 40);
}

#[test]
fn a_cache_of_one_entry_works() {
    let mut replica = replica(1);
    replica.put(prefix("/a", 1));
    assert_eq!(find(&replica, "/a"), Some(1));
    replica.put(prefix("/b", 2));
    assert_eq!(find(&replica, "/a"), None);
    assert_eq!(find(&replica, "/b"), Some(2));
}

#[test]
fn an_entry_is_compared_by_rule_and_cell() {
    let mut replica = replica(10);
    replica.put(prefix("/a", 1));
    let rule = Rule::prefix(b"/a/", "/a").unwrap();
    assert!(replica.says(rule, CellIndex::at(1)));
    assert!(!replica.says(rule, CellIndex::at(2)));
    assert!(!replica.says(Rule::exact(b"/a", "/a").unwrap(), CellIndex::at(1)));
}

/// The definition of a match, written naively.
fn model(entries: &[(String, bool, u16)], path: &str) -> Option<usize> {
    let covers = |prefix: &str, exact: bool| {
        path == prefix || (!exact && path.starts_with(&format!("{prefix}/")))
    };
    entries
        .iter()
        .enumerate()
        .filter(|(_, (prefix, exact, _))| covers(prefix, *exact))
        .max_by_key(|(order, (prefix, exact, _))| (*exact, prefix.len(), *order))
        .map(|(_, (_, _, cell))| usize::from(*cell))
}

fn some_path() -> impl Strategy<Value = String> {
    prop::collection::vec("[ab%]{0,2}", 1..5)
        .prop_map(|segments| format!("/{}", segments.join("/")))
}

proptest! {
    #[test]
    fn the_cache_agrees_with_the_model(
        entries in prop::collection::vec((some_path(), any::<bool>(), 0u16..4), 0..12),
        paths in prop::collection::vec(some_path(), 1..12),
    ) {
        let mut replica = replica(100);
        for (path, is_exact, cell) in &entries {
            replica.put(if *is_exact { exact(path, *cell) } else { prefix(path, *cell) });
        }
        for path in paths {
            prop_assert_eq!(find(&replica, &path), model(&entries, &path), "{}", path);
        }
    }

    #[test]
    fn segments_are_the_whole_path(path in "/[a/]{0,12}") {
        let joined: Vec<u8> = Segments::of(path.as_bytes())
            .flat_map(|segment| path.as_bytes()[segment.start..segment.end].to_vec())
            .collect();
        prop_assert_eq!(joined, path.as_bytes());
    }
}
