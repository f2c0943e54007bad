//! What cells have said about who owns which paths.
//!
//! All threads share the entries. They are spread over shards by hash, each behind a lock that is
//! held for one probe of a table: two threads meet there only if they ask for the same shard within
//! that time. What is remembered is there when [`Cache::remember`] returns: the very next request,
//! on whichever connection, finds it (RT-09).

mod keys;
mod packed;
mod prefix;
mod shard;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(crate) use prefix::Rule;

use crate::config::CellIndex;
use crate::metrics::{self, Count};
use keys::Keys;
use packed::{Millis, Packed};
use shard::Shard;

/// A shard has room for so many entries or more, so that none is full long before the others.
const SHARD_ENTRIES: usize = 4096;

const MOST_SHARDS: usize = 64;

/// A look-up hashes so many prefixes of a path before it asks for the longest of them.
const PREFIXES_AT_ONCE: usize = 8;

/// The shared cache; one per router.
#[derive(Debug)]
pub(crate) struct Cache {
    keys: Keys,
    /// Ends of entries are counted from here.
    began: Instant,
    /// As many as a power of two.
    shards: Box<[Padded]>,
    /// Segments of the longest prefix that was ever put: deeper boundaries need not be asked for.
    deepest: AtomicUsize,
    /// Whether any exact entry was ever put.
    any_exact: AtomicBool,
    /// Held while entries are written, so that concurrent responses are written one after the other
    /// and the later one wins (Z-38). The cells that have gone: requests that began before may
    /// still learn of them.
    writing: Mutex<HashSet<CellIndex>>,
}

/// A shard on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Padded(Mutex<Shard>);

/// What is known about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    path: &'a [u8],
    exact: bool,
    cell: CellIndex,
    expires: Option<Instant>,
}

impl<'a> Entry<'a> {
    #[cfg(test)]
    pub(crate) fn new(
        path: &'a [u8],
        exact: bool,
        cell: CellIndex,
        expires: Option<Instant>,
    ) -> Self {
        Self { path, exact, cell, expires }
    }

    /// What it covers: this path, and unless it is exact, all below it.
    pub(crate) fn path(&self) -> &'a [u8] {
        self.path
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
}

/// An entry that was found, and where.
struct Found<'a> {
    hash: u64,
    path: &'a [u8],
    packed: Packed,
}

impl Cache {
    /// An empty cache with at most `max_entries` entries.
    pub(crate) fn new(max_entries: usize) -> Arc<Self> {
        let shards = (max_entries / SHARD_ENTRIES).next_power_of_two().min(MOST_SHARDS);
        let shard = |_| Padded(Mutex::new(Shard::new(max_entries / shards)));
        Arc::new(Self {
            keys: Keys::default(),
            began: Instant::now(),
            shards: (0..shards).map(shard).collect(),
            deepest: AtomicUsize::new(0),
            any_exact: AtomicBool::new(false),
            writing: Mutex::default(),
        })
    }

    /// Forgets what names one of these cells, for good, and holds so many entries from here on, at
    /// least one in each shard.
    pub(crate) fn renew(&self, gone: HashSet<CellIndex>, max_entries: usize, now: Instant) {
        let mut writing = lock(&self.writing);
        for shard in &self.shards {
            lock(&shard.0).renew(&gone, max_entries / self.shards.len(), self.millis(now));
        }
        *writing = gone;
    }

    /// How many entries there are, and how many made room for others.
    pub(crate) fn size(&self) -> (usize, u64) {
        self.shards.iter().map(|shard| lock(&shard.0).size()).fold(
            (0, 0),
            |(entries, evictions), (more_entries, more_evictions)| {
                (entries + more_entries, evictions + more_evictions)
            },
        )
    }

    /// The cell that owns a path, as far as is known: an exact entry beats a prefix, a longer
    /// prefix a shorter one (Z-09, Z-38).
    pub(crate) fn owner(&self, path: &str, now: Instant) -> Option<CellIndex> {
        let found = self.find(path.as_bytes(), self.millis(now));
        let owner = found.map(|found| found.packed.cell());
        metrics::count(if owner.is_some() { Count::CacheHit } else { Count::CacheMiss });
        owner
    }

    /// The same, with all that is known: what is covered, and until when.
    pub(crate) fn entry<'a>(&self, path: &'a str, now: Instant) -> Option<Entry<'a>> {
        let Found { path, packed, .. } = self.find(path.as_bytes(), self.millis(now))?;
        let expires = match packed.expires() {
            Millis::NEVER => None,
            expires => self.began.checked_add(Duration::from_millis(expires.count())),
        };
        Some(Entry { path, exact: packed.is_exact(), cell: packed.cell(), expires })
    }

    /// Remembers that `cell` owns what `rule` covers, until `expires` where that is given (Z-33).
    pub(crate) fn remember(&self, rule: Rule<'_>, cell: CellIndex, expires: Option<Instant>) {
        let (path, exact) = (rule.path(), rule.is_exact());
        let hash = self.keys.hash(path, exact);
        // Cells repeat their cache header on each response (CA-05); mostly it is already known.
        let is_known = |last: Packed| last.cell() == cell && last.expires() == Millis::NEVER;
        if expires.is_none() && self.shard(hash).last(hash, path, exact).is_some_and(is_known) {
            return;
        }
        let gone = lock(&self.writing);
        if gone.contains(&cell) {
            return;
        }
        if exact {
            self.any_exact.store(true, Ordering::Release);
        } else {
            self.deepest.fetch_max(keys::depth(path), Ordering::AcqRel);
        }
        let expires = expires.map_or(Millis::NEVER, |expires| self.millis(expires));
        self.shard(hash).put(&self.keys, hash, path, Packed::new(exact, cell, expires));
    }

    /// Forgets what leads `path` to `cell`, which is not its owner. These entries
    /// stay in their shards until others need the room.
    pub(crate) fn forget(&self, path: &str, cell: CellIndex, now: Instant) {
        let now = self.millis(now);
        // Mostly a later response has replaced the entry already.
        if self.leading(path, cell, now).is_none() {
            return;
        }
        let _gone = lock(&self.writing);
        while let Some(found) = self.leading(path, cell, now) {
            self.change(&found, |packed| packed.with_expiry(now));
        }
    }

    /// Lets what leads `path` to `cell` lead it to `owner`, if that is still a cell.
    pub(crate) fn correct(&self, path: &str, cell: CellIndex, owner: CellIndex, now: Instant) {
        let now = self.millis(now);
        if self.leading(path, cell, now).is_none() {
            return;
        }
        let gone = lock(&self.writing);
        if gone.contains(&owner) {
            return;
        }
        if let Some(found) = self.leading(path, cell, now) {
            self.change(&found, |packed| packed.with_cell(owner));
        }
    }

    /// The entry that covers a path at this instant.
    fn find<'a>(&self, path: &'a [u8], now: Millis) -> Option<Found<'a>> {
        if self.any_exact.load(Ordering::Acquire) {
            let hash = self.keys.hash(path, true);
            if let Some(packed) = self.shard(hash).find(hash, path, true, now) {
                return Some(Found { hash, path, packed });
            }
        }
        let mut prefixes = self.keys.prefixes(path).take(self.deepest.load(Ordering::Acquire));
        let mut longest = None;
        loop {
            // Some at once, so that the longest can be asked for first: mostly it is all there are.
            let mut some = [(0, path); PREFIXES_AT_ONCE];
            let filled = some.iter_mut().zip(&mut prefixes);
            let count = filled.map(|(one, prefix)| *one = prefix).count();
            let found = some[..count].iter().rev().find_map(|&(hash, path)| {
                let packed = self.shard(hash).find(hash, path, false, now)?;
                Some(Found { hash, path, packed })
            });
            longest = found.or(longest);
            if count < PREFIXES_AT_ONCE {
                return longest;
            }
        }
    }

    /// The entry that decides about `path`, if it names `cell`.
    fn leading<'a>(&self, path: &'a str, cell: CellIndex, now: Millis) -> Option<Found<'a>> {
        self.find(path.as_bytes(), now).filter(|found| found.packed.cell() == cell)
    }

    fn change(&self, found: &Found<'_>, change: impl FnOnce(Packed) -> Packed) {
        let Found { hash, path, packed } = found;
        self.shard(*hash).change(*hash, path, packed.is_exact(), change);
    }

    /// The shard of a hash. Its table takes the lowest and the seven highest bits for itself.
    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        lock(&self.shards[(hash >> 48) as usize & (self.shards.len() - 1)].0)
    }

    fn millis(&self, instant: Instant) -> Millis {
        let passed = instant.saturating_duration_since(self.began);
        Millis::new(
            passed.as_secs().saturating_mul(1000).saturating_add(passed.subsec_millis().into()),
        )
    }
}

/// A shard is consistent between any two of its operations, so a panic elsewhere leaves no partial
/// change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
