//! One shard at its limits.

use super::*;

/// A shard that is asked for prefixes alone.
struct Prefixes {
    keys: Keys,
    shard: Shard,
}

impl Prefixes {
    fn new(max_entries: usize) -> Self {
        Self { keys: Keys::default(), shard: Shard::new(max_entries) }
    }

    fn put(&mut self, path: &str, cell: u16) {
        let path = path.as_bytes();
        let packed = Packed::new(false, CellIndex::at(cell), Millis::NEVER);
        self.shard.put(&self.keys, self.keys.hash(path, false), path, packed);
    }

    fn find(&mut self, path: &str) -> Option<usize> {
        let path = path.as_bytes();
        let found = self.shard.find(self.keys.hash(path, false), path, false, Millis::new(0));
        found.map(|packed| packed.cell().index())
    }
}

#[test]
fn a_later_response_replaces_the_entry() {
    let mut prefixes = Prefixes::new(2);
    prefixes.put("/a", 1);
    prefixes.put("/b", 1);
    prefixes.put("/a", 2);
    assert_eq!(prefixes.find("/a"), Some(2));
    assert_eq!(prefixes.find("/b"), Some(1));
    assert_eq!(prefixes.shard.clock.len(), 2);
}

#[test]
fn eviction_keeps_the_size_and_the_used_entries() {
    let mut prefixes = Prefixes::new(100);
    prefixes.put("/hot", 7);
    for number in 0..10_000 {
        prefixes.put(&format!("/p{number}"), 1);
        assert_eq!(prefixes.find("/hot"), Some(7));
    }
    assert_eq!(prefixes.shard.entries.len(), 100);
    assert_eq!(prefixes.shard.clock.len(), 100);
    assert_eq!(prefixes.find("/p0"), None);
    assert_eq!(prefixes.find("/p9999"), Some(1));
}

#[test]
fn a_hundred_thousand_paths_stay_within_the_size_limit() {
    let mut prefixes = Prefixes::new(1_000);
    for number in 0..100_000 {
        let path = format!("/p{number}");
        prefixes.put(&path, (number % 7) as u16);
        assert_eq!(prefixes.find(&path), Some(number % 7));
    }
    assert_eq!(prefixes.shard.size(), (1_000, 99_000));
    assert_eq!(prefixes.shard.clock.len(), 1_000);
}

#[test]
fn a_shard_of_one_entry_works() {
    let mut prefixes = Prefixes::new(1);
    prefixes.put("/a", 1);
    assert_eq!(prefixes.find("/a"), Some(1));
    prefixes.put("/b", 2);
    assert_eq!(prefixes.find("/a"), None);
    assert_eq!(prefixes.find("/b"), Some(2));
}

#[test]
fn an_entry_without_end_never_ends() {
    let mut prefixes = Prefixes::new(1);
    prefixes.put("/a", 1);
    let hash = prefixes.keys.hash(b"/a", false);
    assert!(prefixes.shard.find(hash, b"/a", false, Millis::new(u64::MAX)).is_some());
    prefixes.shard.renew(&HashSet::from([CellIndex::at(1)]), 1, Millis::new(5));
    assert!(prefixes.shard.find(hash, b"/a", false, Millis::new(4)).is_some());
    assert!(prefixes.shard.find(hash, b"/a", false, Millis::new(5)).is_none());
}

#[test]
fn an_entry_takes_less_than_a_hundred_bytes_beyond_its_path() {
    // Of glibc: a word before each block, whole sixteens, 32 at least.
    let block = |length: usize| (length + 8).next_multiple_of(16).max(32);
    let mut prefixes = Prefixes::new(usize::MAX);
    let (mut paths, mut blocks) = (0, 0);
    for number in 0..40_000 {
        let path = format!("/group-{number}/{}", "x".repeat(number % 32));
        prefixes.put(&path, 1);
        paths += path.len();
        blocks += block(path.len());
        // The first few have tables of their own size.
        if number >= 16 {
            let beyond = prefixes.shard.allocated() + blocks - paths;
            assert!(beyond < 100 * (number + 1), "{} entries: {beyond}", number + 1);
        }
    }
}
