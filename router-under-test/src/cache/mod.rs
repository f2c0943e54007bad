//! What cells have said about who owns which paths.
//!
//! Each thread has a replica of its own, behind a lock that no other thread takes unless something
//! new is to be remembered. So reading costs an uncontended lock and touches no memory that another
//! core writes, and what is remembered is in all replicas when [`View::remember`] returns: the very
//! next request, on whichever connection, finds it (RT-09).

mod prefix;
mod replica;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub(crate) use prefix::Rule;
pub(crate) use replica::Entry;

use crate::config::CellIndex;
use crate::metrics::{self, Count};
use replica::Replica;

/// The shared cache; one per router.
#[derive(Debug)]
pub(crate) struct Cache {
    replicas: Box<[Padded]>,
    /// Held while the replicas are written, so that all see concurrent responses in one order and
    /// the later one wins everywhere (Z-38). The cells that have gone: requests that began before
    /// may still learn of them.
    writing: Mutex<HashSet<CellIndex>>,
}

/// A replica on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Padded(Mutex<Replica>);

/// One thread's view of the cache.
#[derive(Clone, Debug)]
pub(crate) struct View {
    cache: Arc<Cache>,
    own: usize,
}

impl Cache {
    /// An empty cache for a number of threads, with at most `max_entries` entries in each replica.
    pub(crate) fn new(threads: usize, max_entries: usize) -> Arc<Self> {
        let keys = std::hash::RandomState::new();
        let replica = || Padded(Mutex::new(Replica::new(keys.clone(), max_entries)));
        Arc::new(Self {
            replicas: (0..threads).map(|_| replica()).collect(),
            writing: Mutex::default(),
        })
    }

    /// The view of the thread with this number, below the number given to [`Cache::new`].
    pub(crate) fn view(self: &Arc<Self>, own: usize) -> View {
        debug_assert!(own < self.replicas.len());
        View { cache: Arc::clone(self), own }
    }

    /// Forgets what names one of these cells, for good, and holds so many entries from here on.
    pub(crate) fn renew(&self, gone: HashSet<CellIndex>, max_entries: usize, now: Instant) {
        let mut writing = lock(&self.writing);
        for replica in &self.replicas {
            lock(&replica.0).renew(&gone, max_entries, now);
        }
        *writing = gone;
    }

    /// How many entries each replica has, and how many made room for others.
    pub(crate) fn size(&self) -> (usize, u64) {
        self.replicas.first().map_or((0, 0), |replica| lock(&replica.0).size())
    }
}

impl View {
    /// The cell that owns a path, as far as is known: an exact entry beats a prefix, a longer
    /// prefix a shorter one (Z-09, Z-38).
    pub(crate) fn owner(&self, path: &str, now: Instant) -> Option<CellIndex> {
        let owner = self.replica().find(path.as_bytes(), now).map(Entry::cell);
        metrics::count(if owner.is_some() { Count::CacheHit } else { Count::CacheMiss });
        owner
    }

    /// The same, with all that is known: what is covered, and until when.
    pub(crate) fn entry(&self, path: &str, now: Instant) -> Option<Entry> {
        self.replica().find(path.as_bytes(), now).cloned()
    }

    /// Remembers that `cell` owns what `rule` covers, until `expires` where that is given (Z-33).
    pub(crate) fn remember(&self, rule: Rule<'_>, cell: CellIndex, expires: Option<Instant>) {
        // Cells repeat their cache header on each response (CA-05); mostly it is already known.
        if expires.is_none() && self.replica().says(rule, cell) {
            return;
        }
        let path: Arc<[u8]> = rule.path().into();
        let entry = Entry::new(path, rule.is_exact(), cell, expires);
        let gone = lock(&self.cache.writing);
        if gone.contains(&cell) {
            return;
        }
        for replica in &self.cache.replicas {
            lock(&replica.0).put(entry.clone());
        }
    }

    /// Forgets what leads `path` to `cell`, which is not its owner.
    pub(crate) fn forget(&self, path: &str, cell: CellIndex, now: Instant) {
        self.change(path, cell, now, None, |replica| replica.forget(path.as_bytes(), cell, now));
    }

    /// Lets what leads `path` to `cell` lead it to `owner`.
    pub(crate) fn correct(&self, path: &str, cell: CellIndex, owner: CellIndex, now: Instant) {
        self.change(path, cell, now, Some(owner), |replica| {
            replica.correct(path.as_bytes(), cell, owner, now);
        });
    }

    /// Changes all replicas, if `path` still leads to `cell`, and `owner` is still a cell.
    fn change(
        &self,
        path: &str,
        cell: CellIndex,
        now: Instant,
        owner: Option<CellIndex>,
        change: impl Fn(&mut Replica),
    ) {
        // Mostly a later response has replaced the entry already.
        let leads_there =
            self.replica().find(path.as_bytes(), now).is_some_and(|entry| entry.cell() == cell);
        if !leads_there {
            return;
        }
        let gone = lock(&self.cache.writing);
        if owner.is_some_and(|owner| gone.contains(&owner)) {
            return;
        }
        for replica in &self.cache.replicas {
            change(&mut lock(&replica.0));
        }
    }

    fn replica(&self) -> MutexGuard<'_, Replica> {
        lock(&self.cache.replicas[self.own].0)
    }
}

/// A replica is consistent between any two of its operations, so a panic elsewhere leaves no
/// partial change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_shared_by_all_threads() {
        let cache = Cache::new(3, 10);
        let (now, cell) = (Instant::now(), CellIndex::at(1));
        let rule = Rule::prefix(b"/a/", "/a/b").unwrap();
        cache.view(0).remember(rule, cell, None);
        for thread in 0..3 {
            assert_eq!(cache.view(thread).owner("/a/x", now), Some(cell));
        }
        cache.view(2).remember(rule, CellIndex::at(2), None);
        assert_eq!(cache.view(0).owner("/a", now), Some(CellIndex::at(2)));
    }

    #[test]
    fn what_names_a_cell_that_has_gone_is_forgotten_and_not_learnt_again() {
        let cache = Cache::new(2, 10);
        let (now, [stays, goes]) = (Instant::now(), [1, 2].map(CellIndex::at));
        let [a, b, c] = ["/a", "/b", "/c"].map(|path| Rule::exact(path.as_bytes(), path).unwrap());
        cache.view(0).remember(a, stays, None);
        cache.view(0).remember(b, goes, None);
        cache.renew(HashSet::from([goes]), 10, now);
        cache.view(1).remember(c, goes, None);
        cache.view(1).correct("/a", stays, goes, now);
        let owners = ["/a", "/b", "/c"].map(|path| cache.view(0).owner(path, now));
        assert_eq!(owners, [Some(stays), None, None]);
        cache.renew(HashSet::new(), 10, now);
        cache.view(1).remember(c, goes, None);
        assert_eq!(cache.view(0).owner("/c", now), Some(goes));
    }

    #[test]
    fn what_led_astray_is_forgotten_or_corrected_everywhere() {
        let cache = Cache::new(2, 10);
        let (now, [one, two, three]) = (Instant::now(), [1, 2, 3].map(CellIndex::at));
        for (prefix, cell) in [("/a/", one), ("/a/b/", two), ("/a/b/c/", two)] {
            let rule = Rule::prefix(prefix.as_bytes(), "/a/b/c/d").unwrap();
            cache.view(0).remember(rule, cell, None);
        }
        // Another cell than the one that the path leads to: nothing changes.
        cache.view(0).forget("/a/b/c/d", one, now);
        assert_eq!(cache.view(1).owner("/a/b/c/d", now), Some(two));
        cache.view(0).forget("/a/b/c/d", two, now);
        assert_eq!(cache.view(1).owner("/a/b/c/d", now), Some(one));
        assert_eq!(cache.view(1).owner("/a/b/x", now), Some(one));
        cache.view(1).correct("/a/b", one, three, now);
        assert_eq!(cache.view(0).owner("/a/x", now), Some(three));
    }
}
