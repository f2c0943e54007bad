//! A part of the entries: a table of keyed hashes, and the order of eviction.

use std::collections::{HashSet, VecDeque};

use hashbrown::HashTable;

use super::keys::Keys;
use super::packed::{Millis, Packed};
use crate::config::CellIndex;

/// The entries whose hashes lead here.
///
/// The table has no keys of its own: the bytes of a path are compared, so none is taken for another
/// with the same hash, and hashed again where the table grows.
///
/// Eviction is the clock, second chance: constant time on average, and what is asked for often
/// stays.
#[derive(Debug)]
pub(super) struct Shard {
    entries: HashTable<Stored>,
    /// The hash of each entry once, the next candidate for eviction in front.
    clock: VecDeque<u64>,
    max_entries: usize,
    evictions: u64,
}

/// An entry as it is kept. With what it takes in table and clock and what the allocator adds to its
/// path it takes less than 100 bytes beyond the path, whenever table and clock last grew.
#[derive(Debug)]
struct Stored {
    path: Box<[u8]>,
    packed: Packed,
}

impl Stored {
    fn is(&self, path: &[u8], exact: bool) -> bool {
        self.packed.is_exact() == exact && *self.path == *path
    }

    fn hash(&self, keys: &Keys) -> u64 {
        keys.hash(&self.path, self.packed.is_exact())
    }
}

impl Shard {
    /// An empty shard for at most `max_entries` entries.
    pub(super) fn new(max_entries: usize) -> Self {
        let max_entries = max_entries.max(1);
        Self { entries: HashTable::new(), clock: VecDeque::new(), max_entries, evictions: 0 }
    }

    /// What is known of exactly this entry, unless it is over, and notes that it was asked for.
    pub(super) fn find(
        &mut self,
        hash: u64,
        path: &[u8],
        exact: bool,
        now: Millis,
    ) -> Option<Packed> {
        let stored = self.entries.find_mut(hash, |stored| stored.is(path, exact))?;
        if stored.packed.is_over(now) {
            return None;
        }
        stored.packed.use_now();
        Some(stored.packed)
    }

    /// What was last put of this entry, over or not.
    pub(super) fn last(&self, hash: u64, path: &[u8], exact: bool) -> Option<Packed> {
        self.entries.find(hash, |stored| stored.is(path, exact)).map(|stored| stored.packed)
    }

    /// Changes what is known of this entry.
    pub(super) fn change(
        &mut self,
        hash: u64,
        path: &[u8],
        exact: bool,
        change: impl FnOnce(Packed) -> Packed,
    ) {
        if let Some(stored) = self.entries.find_mut(hash, |stored| stored.is(path, exact)) {
            stored.packed = change(stored.packed);
        }
    }

    /// Replaces the earlier entry for the same path, or makes room for a new one.
    pub(super) fn put(&mut self, keys: &Keys, hash: u64, path: &[u8], packed: Packed) {
        let exact = packed.is_exact();
        if let Some(earlier) = self.entries.find_mut(hash, |stored| stored.is(path, exact)) {
            earlier.packed = packed;
            return;
        }
        while self.entries.len() >= self.max_entries {
            self.evict(keys);
        }
        let stored = Stored { path: path.into(), packed };
        self.entries.insert_unique(hash, stored, |stored| stored.hash(keys));
        self.clock.push_back(hash);
    }

    /// Ends the entries that name one of these cells, and holds so many from here on. They
    /// stay until others need the room.
    pub(super) fn renew(&mut self, gone: &HashSet<CellIndex>, max_entries: usize, now: Millis) {
        self.max_entries = max_entries.max(1);
        for stored in self.entries.iter_mut() {
            if gone.contains(&stored.packed.cell()) {
                stored.packed = stored.packed.with_expiry(now);
            }
        }
    }

    /// How many entries there are, and how many made room for others.
    pub(super) fn size(&self) -> (usize, u64) {
        (self.entries.len(), self.evictions)
    }

    /// Bytes of table and clock.
    #[cfg(test)]
    pub(super) fn allocated(&self) -> usize {
        self.entries.allocation_size() + self.clock.capacity() * size_of::<u64>()
    }

    /// Removes the first entry that was not found since its last turn. Ends after two rounds at
    /// most.
    fn evict(&mut self, keys: &Keys) {
        while let Some(hash) = self.clock.pop_front() {
            let Ok(mut entry) = self.entries.find_entry(hash, |stored| stored.hash(keys) == hash)
            else {
                debug_assert!(false, "the clock has the hashes of entries");
                continue;
            };
            if entry.get_mut().packed.take_used() {
                self.clock.push_back(hash);
            } else {
                entry.remove();
                self.evictions += 1;
                return;
            }
        }
    }
}

#[cfg(test)]
#[path = "shard_tests.rs"]
mod tests;
