//! One thread's copy of the entries: a table of keyed hashes, and the order of eviction.

use std::cell::Cell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Instant;

use super::prefix::Rule;
use crate::config::CellIndex;

/// An entry: path, owner, expiry.
///
/// With its place in the table and the clock, an entry takes 64 to 128 bytes in each replica,
/// depending on when the two last grew, and the path is there once for all: 100,000 entries with
/// paths of 30 bytes are about 22 MB with two threads.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Shared by the replicas.
    path: Arc<[u8]>,
    exact: bool,
    cell: CellIndex,
    expires: Option<Instant>,
    /// Hit since the clock's hand last passed.
    used: Cell<bool>,
}

impl Entry {
    pub(crate) fn new(
        path: Arc<[u8]>,
        exact: bool,
        cell: CellIndex,
        expires: Option<Instant>,
    ) -> Self {
        Self { path, exact, cell, expires, used: Cell::new(false) }
    }

    /// What it covers: this path, and unless it is exact, all below it.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path
    }

    /// Whether the entry is exact.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// The owner.
    pub(crate) fn cell(&self) -> CellIndex {
        self.cell
    }

    /// When it expires.
    pub(crate) fn expires(&self) -> Option<Instant> {
        self.expires
    }

    fn is_over(&self, now: Instant) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// The entries, found by a hash of their path that only this process can predict.
///
/// A path is hashed once, segment by segment, and the table asked at each boundary, so that a
/// lookup takes time in proportion to the path's length however many slashes it has. Two paths with
/// one hash (once in 2^64) cannot both be remembered; the bytes are compared, so neither is taken
/// for the other.
///
/// Eviction is the clock, second chance: constant time on average, and what is asked for often
/// stays.
#[derive(Debug)]
pub(super) struct Replica {
    keys: RandomState,
    entries: HashMap<u64, Entry, BuildHasherDefault<AsIs>>,
    /// The hash of each entry once, the next candidate for eviction in front.
    clock: VecDeque<u64>,
    max_entries: usize,
    /// Segments of the longest prefix that was ever put: deeper boundaries need not be asked for.
    deepest: usize,
    /// Whether any exact entry was ever put.
    any_exact: bool,
    evictions: u64,
}

impl Replica {
    /// An empty replica for at most `max_entries` entries. Replicas with the same keys agree on
    /// hashes.
    pub(super) fn new(keys: RandomState, max_entries: usize) -> Self {
        Self {
            keys,
            entries: HashMap::default(),
            clock: VecDeque::new(),
            max_entries: max_entries.max(1),
            deepest: 0,
            any_exact: false,
            evictions: 0,
        }
    }

    /// The entry that covers a path at this instant.
    pub(super) fn find(&self, path: &[u8], now: Instant) -> Option<&Entry> {
        if self.any_exact
            && let Some(entry) = self.get(self.exact_hash(path), path, true, now)
        {
            return Some(entry);
        }
        let mut hasher = self.keys.build_hasher();
        let mut longest = None;
        for segment in Segments::of(path).take(self.deepest) {
            hasher.write(&path[segment.start..segment.end]);
            let prefix = &path[..segment.end];
            if let Some(entry) = self.get(hasher.clone().finish(), prefix, false, now) {
                longest = Some(entry);
            }
        }
        longest
    }

    /// How many entries there are, and how many made room for others.
    pub(super) fn size(&self) -> (usize, u64) {
        (self.entries.len(), self.evictions)
    }

    /// Whether exactly this entry exists already, without expiry.
    pub(super) fn says(&self, rule: Rule<'_>, cell: CellIndex) -> bool {
        self.entries.get(&self.hash(rule.path(), rule.is_exact())).is_some_and(|entry| {
            entry.cell == cell
                && entry.exact == rule.is_exact()
                && entry.expires.is_none()
                && *entry.path == *rule.path()
        })
    }

    /// Puts an entry in the place of an earlier one for the same path, or makes room for it.
    pub(super) fn put(&mut self, entry: Entry) {
        let hash = self.hash(&entry.path, entry.exact);
        if entry.exact {
            self.any_exact = true;
        } else {
            self.deepest = self.deepest.max(Segments::of(&entry.path).count());
        }
        if let Some(earlier) = self.entries.get_mut(&hash) {
            *earlier = entry;
            return;
        }
        while self.entries.len() >= self.max_entries {
            self.evict();
        }
        self.entries.insert(hash, entry);
        self.clock.push_back(hash);
    }

    /// Forgets the entries that name one of these cells, and holds so many from here on.
    pub(super) fn renew(&mut self, gone: &HashSet<CellIndex>, max_entries: usize, now: Instant) {
        self.max_entries = max_entries.max(1);
        let gone = self.entries.values_mut().filter(|entry| gone.contains(&entry.cell));
        gone.for_each(|entry| entry.expires = Some(now));
    }

    /// Forgets the entries that lead `path` to `cell`. Their places stay until others need them.
    pub(super) fn forget(&mut self, path: &[u8], cell: CellIndex, now: Instant) {
        while let Some(entry) = self.leading(path, cell, now) {
            entry.expires = Some(now);
        }
    }

    /// Lets the entry that leads `path` to `cell` lead to `owner`.
    pub(super) fn correct(&mut self, path: &[u8], cell: CellIndex, owner: CellIndex, now: Instant) {
        if let Some(entry) = self.leading(path, cell, now) {
            entry.cell = owner;
        }
    }

    /// The entry that decides about `path`, if it names `cell`.
    fn leading(&mut self, path: &[u8], cell: CellIndex, now: Instant) -> Option<&mut Entry> {
        let entry = self.find(path, now).filter(|entry| entry.cell == cell)?;
        let hash = self.hash(&entry.path, entry.exact);
        self.entries.get_mut(&hash)
    }

    /// Removes the first entry that was not found since its last turn. Ends after two rounds at
    /// most.
    fn evict(&mut self) {
        while let Some(hash) = self.clock.pop_front() {
            match self.entries.get(&hash) {
                Some(entry) if entry.used.take() => {
                    self.clock.push_back(hash);
                }
                _ => {
                    self.entries.remove(&hash);
                    self.evictions += 1;
                    return;
                }
            }
        }
    }

    fn get(&self, hash: u64, path: &[u8], exact: bool, now: Instant) -> Option<&Entry> {
        let entry = self.entries.get(&hash)?;
        if entry.exact != exact || *entry.path != *path || entry.is_over(now) {
            return None;
        }
        entry.used.set(true);
        Some(entry)
    }

    fn hash(&self, path: &[u8], exact: bool) -> u64 {
        if exact {
            return self.exact_hash(path);
        }
        let mut hasher = self.keys.build_hasher();
        for segment in Segments::of(path) {
            hasher.write(&path[segment.start..segment.end]);
        }
        hasher.finish()
    }

    /// Another hash than that of the prefix with the same bytes, so that both can be remembered.
    fn exact_hash(&self, path: &[u8]) -> u64 {
        let mut hasher: DefaultHasher = self.keys.build_hasher();
        hasher.write_u8(0);
        hasher.write(path);
        hasher.finish()
    }
}

/// The segments of a path, each with the slash before it: of `/a/b` these are `/a` and `/b`.
struct Segments<'a> {
    path: &'a [u8],
    start: usize,
}

struct Segment {
    start: usize,
    end: usize,
}

impl<'a> Segments<'a> {
    fn of(path: &'a [u8]) -> Self {
        Self { path, start: 0 }
    }
}

impl Iterator for Segments<'_> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        let start = self.start;
        if start >= self.path.len() {
            return None;
        }
        let length = self.path[start + 1..].iter().position(|&byte| byte == b'/');
        self.start = length.map_or(self.path.len(), |length| start + 1 + length);
        Some(Segment { start, end: self.start })
    }
}

/// Passes a hash through: the keys of the table are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
#[path = "replica_tests.rs"]
mod tests;
