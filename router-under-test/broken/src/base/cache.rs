//! The router's cache of the cells of paths: bounded, and each entry expires at a fixed time.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

use crate::base::alike;
use crate::base::cache_keys::{self as keys, Key};
use crate::base::deviate::{At, changed, deviate};
use crate::base::target::{Ask, covers, leading, prefixes};
use crate::deviation::{Element, Seam};
use crate::kind::{Change, Mutation, Variation};

#[derive(Debug, Clone, Copy)]
struct Entry {
    cell: usize,
    learnt: Instant,
    age: u64,
    /// The prefix had a trailing slash.
    slashed: bool,
}

/// The entries, by path.
#[derive(Debug)]
pub(crate) struct Cache {
    change: Change,
    ttl: Duration,
    max: usize,
    entries: HashMap<Key, Entry>,
    /// The entries by age, for eviction of the oldest.
    order: BTreeMap<u64, Key>,
    next_age: u64,
    /// Keys whose cell was changed, for the mutation that changes it once.
    corrected: HashSet<Key>,
    /// The keys of evicted entries, for the mutation that uses them again.
    evicted: Vec<Key>,
}

impl Cache {
    pub(crate) fn new(change: Change, ttl: Duration, max: usize) -> Self {
        Self {
            change,
            ttl,
            max,
            entries: HashMap::new(),
            order: BTreeMap::new(),
            next_age: 0,
            corrected: HashSet::new(),
            evicted: Vec::new(),
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= self.max
    }

    /// The cached cell for this request: an exact entry first, then the longest prefix
    /// (Z-38).
    pub(crate) fn recall(&mut self, ask: &Ask, now: Instant) -> Option<usize> {
        let scope = keys::scope(self.change, ask);
        let path = ask.path();
        let mut candidates = vec![(keys::exact(self.change, ask), true)];
        let is_exact = |key: &&Key| key.exact && alike::is_exactly(self.change, &key.path, path);
        let exact = self.entries.keys().filter(is_exact);
        candidates.extend(exact.map(|key| (key.path.clone(), true)));
        let seen = alike::seen(self.change, path);
        let prefixes = self.prefixes(&seen).into_iter();
        candidates.extend(prefixes.map(|prefix| (alike::key(self.change, prefix), false)));
        let matches = |key: &&Key| !key.exact && alike::matches(self.change, &key.path, path);
        let patterns = self.entries.keys().filter(matches);
        let mut patterns: Vec<_> = patterns.map(|key| (key.path.clone(), false)).collect();
        patterns.sort_by_key(|(path, _)| usize::MAX - path.len());
        candidates.extend(patterns);
        match self.change.mutation() {
            Some(Mutation::ShortestPrefixWins) => candidates.reverse(),
            Some(Mutation::PrefixBeatsExact) => candidates.rotate_left(1),
            _ => {}
        }
        for (path, exact) in candidates {
            let mut key = Key { path, exact, scope: scope.clone() };
            if self.change.has(Mutation::ComparesNoKeys)
                && let Some(other) =
                    self.entries.keys().find(|other| self.slot(other) == self.slot(&key))
            {
                key = other.clone();
            }
            let latest = self.latest_around(&key);
            let Some(entry) = self.entries.get_mut(&key) else { continue };
            entry.learnt = latest.unwrap_or(entry.learnt);
            let ended = now.duration_since(entry.learnt) >= self.ttl;
            let ended = changed(Seam::EntryLookedUp, Element::Age, ended);
            let bare = entry.slashed && key.path.len() == ask.path().len();
            if bare && self.change.differs(Variation::BarePrefixNotCovered) {
                continue;
            }
            if !ended && self.change.has(Mutation::UseProlongsEntries) {
                entry.learnt = now;
            }
            let cell = entry.cell;
            let (serves, stays) = match self.change.mutation() {
                Some(Mutation::ServesStaleOnce) => (true, !ended),
                Some(Mutation::ForgetsAfterUse) => (!ended, false),
                _ => (!ended, !ended),
            };
            if !stays {
                self.forget(&key);
            }
            if serves {
                return Some(cell);
            }
        }
        None
    }

    /// The keys of entries that could lead this request, in the order in which they count.
    fn keys(&self, ask: &Ask) -> impl Iterator<Item = Key> + use<> {
        let scope = keys::scope(self.change, ask);
        let mut paths = vec![(keys::exact(self.change, ask), true)];
        let prefixes = self.prefixes(ask.path());
        paths.extend(prefixes.into_iter().map(|prefix| (prefix.to_owned(), false)));
        paths.into_iter().map(move |(path, exact)| Key { path, exact, scope: scope.clone() })
    }

    /// Removes the entry that `recall` would use.
    pub(crate) fn forget_used(&mut self, ask: &Ask) {
        if let Some(key) = self.keys(ask).find(|key| self.entries.contains_key(key)) {
            self.forget(&key);
        }
    }

    /// Removes the entries that lead this request to a cell that does not own the place.
    pub(crate) fn forget_leading(&mut self, ask: &Ask, cell: usize) {
        for key in self.keys(ask) {
            match self.entries.get(&key) {
                Some(entry) if entry.cell == cell => self.forget(&key),
                Some(_) => return,
                None => {}
            }
        }
    }

    /// Caches that `path` belongs to `cell`, for one TTL from now. The later
    /// response wins.
    pub(crate) fn teach(&mut self, ask: &Ask, path: &str, exact: bool, cell: usize, now: Instant) {
        let key = Key::of(self.change, ask, path, exact);
        if self.change.has(Mutation::OlderResponseWins) && self.entries.contains_key(&key) {
            return;
        }
        if self.change.has(Mutation::OneEntryPerTopLevel) {
            let top = leading(&key.path, 1).to_owned();
            let related = self.entries.keys().filter(|other| leading(&other.path, 1) == top);
            related.cloned().collect::<Vec<_>>().iter().for_each(|other| self.forget(other));
        }
        if self.change.has(Mutation::CorrectsAnEntryOnce)
            && self.entries.get(&key).is_some_and(|entry| entry.cell != cell)
            && !self.corrected.insert(key.clone())
        {
            return;
        }
        if self.change.has(Mutation::OneEntryPerPath) {
            self.forget(&Key { exact: !key.exact, ..key.clone() });
        }
        if self.change.has(Mutation::AnyLessonRenewsAll) {
            self.entries.values_mut().for_each(|entry| entry.learnt = now);
        }
        self.forget(&key);
        if self.max == 0 || !self.make_room() {
            return;
        }
        let age = self.next_age;
        self.next_age += 1;
        self.order.insert(age, key.clone());
        let entry = Entry { cell, learnt: now, age, slashed: path.ends_with('/') };
        self.entries.insert(key.clone(), entry);
        if self.change.has(Mutation::KeepsTwoOfThreeLevels) {
            self.drop_level_above(&key);
        }
    }

    /// Of the prefixes around one that was just taught, keeps the outermost (a mutation).
    fn drop_level_above(&mut self, inner: &Key) {
        let around = self
            .entries
            .keys()
            .filter(|outer| !outer.exact && *outer != inner && covers(&outer.path, &inner.path));
        let mut around: Vec<_> = around.cloned().collect();
        around.sort_by_key(|outer| outer.path.len());
        around.iter().skip(1).for_each(|middle| self.forget(middle));
    }

    /// When the latest of the entries for prefixes of this key was learnt, itself included, where
    /// the mutation goes by that.
    fn latest_around(&self, key: &Key) -> Option<Instant> {
        if !self.change.has(Mutation::OuterEntriesKeepInnerOnesAlive) {
            return None;
        }
        let around = self.entries.iter().filter(|(other, _)| {
            other.scope == key.scope
                && (*other == key || !other.exact && covers(&other.path, &key.path))
        });
        around.map(|(_, entry)| entry.learnt).max()
    }

    /// Lets the entry for this request live once more, if it has expired (a mutation).
    pub(crate) fn renew_ended(&mut self, ask: &Ask, now: Instant) {
        let ttl = self.ttl;
        let mut keys = self.keys(ask).filter(|key| !key.exact);
        if let Some(key) = keys.find(|key| self.entries.contains_key(key))
            && let Some(entry) = self.entries.get_mut(&key)
            && now.duration_since(entry.learnt) >= ttl
        {
            entry.learnt = now;
        }
    }

    /// How many entries were evicted so far.
    pub(crate) fn evictions(&self) -> usize {
        self.evicted.len()
    }

    /// Caches under the key that went first after this number of evictions (a mutation).
    pub(crate) fn teach_evicted(&mut self, since: usize, cell: usize, now: Instant) {
        if let Some(key) = self.evicted.get(since).cloned() {
            let ask = Ask { target: key.path.clone(), ..Ask::default() };
            self.teach(&ask, &key.path, key.exact, cell, now);
        }
    }

    /// Evicts the oldest entries of a full cache; `false` if there is no room for a new one.
    fn make_room(&mut self) -> bool {
        let tenfold = self.change.differs(Variation::KeepsTenTimesAsMany);
        let max = if tenfold { self.max.saturating_mul(10) } else { self.max };
        if self.change.differs(Variation::KeepsTheFirstEntries) {
            return self.entries.len() < max;
        }
        if self.change.differs(Variation::EmptiesAFullCache) && self.entries.len() >= max {
            self.clear();
        }
        while self.entries.len() >= max {
            let steps = deviate(Seam::Eviction, At(Element::Entry, 0));
            let times = steps.times();
            let Some(At(_, place)) = steps.now() else { break };
            let place = usize::try_from(place).unwrap_or_default().min(self.entries.len() - 1);
            // Any of many, in the order of the hash map.
            let oldest = match tenfold {
                true => self.entries.keys().next().cloned(),
                false => self.order.values().nth(place).cloned(),
            };
            let Some(oldest) = oldest else { break };
            self.forget(&oldest);
            if times > 1
                && let Some((_, next)) = self.order.first_key_value()
            {
                self.forget(&next.clone());
            }
            if self.change.has(Mutation::ReusesTheEvictedKey) {
                self.evicted.push(oldest);
            }
        }
        true
    }

    /// Removes the entry that this response made.
    pub(crate) fn unteach(&mut self, ask: &Ask, path: &str, exact: bool) {
        self.forget(&Key::of(self.change, ask, path, exact));
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.order.clear();
    }

    fn forget(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&entry.age);
        }
    }

    /// The slot of this key in a table of fixed size.
    fn slot(&self, key: &Key) -> u64 {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        hasher.finish() % self.max.max(1) as u64
    }

    fn prefixes<'a>(&self, path: &'a str) -> Vec<&'a str> {
        if self.change.has(Mutation::MatchesInsideASegment) {
            let cuts = path.char_indices().map(|(at, _)| &path[..at]);
            return cuts.chain([path]).rev().collect();
        }
        if alike::is_pattern(self.change) {
            return Vec::new();
        }
        let mut found = prefixes(path);
        if self.change.has(Mutation::ExpiredExactEntriesHidePrefixes) {
            let exact = |path: &str| {
                let key = Key { path: path.to_owned(), exact: true, scope: String::new() };
                let entry = self.entries.get(&key);
                entry.is_some_and(|entry| entry.learnt.elapsed() >= self.ttl)
            };
            let hidden = found.iter().position(|prefix| exact(prefix)).filter(|at| *at > 0);
            found.truncate(hidden.unwrap_or(found.len()));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::NoRouter;

    /// A change that does not affect the cache.
    const RIGHT: Change = Change::NoRouter(NoRouter::Echo);
    const TTL: Duration = Duration::from_secs(60);

    fn ask(target: &str) -> Ask {
        Ask { target: target.to_owned(), ..Ask::default() }
    }

    /// A cache that was taught these responses, and what it recalls for `target` after `later`.
    fn recalled(taught: &[(&str, bool, usize)], target: &str, later: Duration) -> Option<usize> {
        let start = Instant::now();
        let mut cache = Cache::new(RIGHT, TTL, 3);
        for (path, exact, cell) in taught {
            cache.teach(&ask(path), path, *exact, *cell, start);
        }
        cache.recall(&ask(target), start + later)
    }

    #[test]
    fn the_longest_prefix_wins_and_an_exact_entry_beats_it() {
        let taught = [("/a", false, 1), ("/a/b/", false, 2), ("/a/b/c", true, 3)];
        let now = |target| recalled(&taught, target, Duration::ZERO);
        assert_eq!(now("/a"), Some(1));
        assert_eq!(now("/a/bc"), Some(1));
        assert_eq!(now("/a/b"), Some(2));
        assert_eq!(now("/a/b/c?x=/"), Some(3));
        assert_eq!(now("/a/b/c/"), Some(2));
        assert_eq!(now("/ab"), None);
    }

    #[test]
    fn an_entry_expires_one_ttl_after_it_was_learnt() {
        let taught = [("/a", false, 1)];
        assert_eq!(recalled(&taught, "/a", TTL - Duration::from_millis(1)), Some(1));
        assert_eq!(recalled(&taught, "/a", TTL), None);
    }

    #[test]
    fn only_the_used_entry_is_forgotten() {
        let start = Instant::now();
        let mut cache = Cache::new(RIGHT, TTL, 3);
        cache.teach(&ask("/a"), "/a", false, 1, start);
        cache.teach(&ask("/a/b"), "/a/b", false, 2, start);
        cache.forget_used(&ask("/a/b/c"));
        assert_eq!(cache.recall(&ask("/a/b/c"), start), Some(1));
        cache.forget_used(&ask("/x"));
        assert_eq!(cache.recall(&ask("/a"), start), Some(1));
    }

    #[test]
    fn the_oldest_entry_is_evicted() {
        let taught = [
            ("/a", false, 1),
            ("/b", false, 2),
            ("/a", false, 3),
            ("/c", false, 4),
            ("/d", false, 5),
        ];
        let now = |target| recalled(&taught, target, Duration::ZERO);
        assert_eq!([now("/a"), now("/b"), now("/c"), now("/d")], [Some(3), None, Some(4), Some(5)]);
    }
}
