//! The router's memory of which cell has which paths: bounded, and each entry ends at a fixed time.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

use crate::base::alike;
use crate::base::target::{Ask, leading, prefixes, trimmed};
use crate::kind::{Difference, Flaw, Twist};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    /// A trimmed prefix, or the very path.
    path: String,
    exact: bool,
    /// Empty; only a mistaken router tells users or methods apart here.
    scope: String,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    cell: usize,
    learnt: Instant,
    age: u64,
    /// The prefix was told with a slash at its end.
    slashed: bool,
}

/// What was learnt, by path.
#[derive(Debug)]
pub(crate) struct Cache {
    twist: Twist,
    ttl: Duration,
    max: usize,
    entries: HashMap<Key, Entry>,
    /// Entries by age, for dropping the oldest.
    order: BTreeMap<u64, Key>,
    next_age: u64,
}

impl Cache {
    pub(crate) fn new(twist: Twist, ttl: Duration, max: usize) -> Self {
        Self { twist, ttl, max, entries: HashMap::new(), order: BTreeMap::new(), next_age: 0 }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= self.max
    }

    /// The cell that is remembered for this request: an exact entry first, then the longest prefix (Z-38).
    pub(crate) fn recall(&mut self, ask: &Ask, now: Instant) -> Option<usize> {
        let scope = self.scope(ask);
        let path = ask.path();
        let mut candidates: Vec<(String, bool)> = vec![(self.exact_key(ask), true)];
        let exact = self.entries.keys().filter(|key| key.exact && alike::is_exactly(self.twist, &key.path, path));
        candidates.extend(exact.map(|key| (key.path.clone(), true)).collect::<Vec<_>>());
        let seen = alike::seen(self.twist, path);
        candidates.extend(self.prefixes(&seen).into_iter().map(|prefix| (alike::key(self.twist, prefix), false)));
        let patterns = self.entries.keys().filter(|key| !key.exact && alike::matches(self.twist, &key.path, path));
        let mut patterns: Vec<_> = patterns.map(|key| (key.path.clone(), false)).collect();
        patterns.sort_by_key(|(path, _)| usize::MAX - path.len());
        candidates.extend(patterns);
        match self.twist {
            Twist::Flaw(Flaw::ShortestWins) => candidates.reverse(),
            Twist::Flaw(Flaw::PrefixBeatsExact) => candidates.rotate_left(1),
            _ => {}
        }
        let keys = candidates.into_iter().map(|(path, exact)| Key { path, exact, scope: scope.clone() });
        for mut key in keys {
            if self.twist == Twist::Flaw(Flaw::ComparesNoKeys)
                && let Some(other) = self.entries.keys().find(|other| self.slot(other) == self.slot(&key))
            {
                key = other.clone();
            }
            let Some(entry) = self.entries.get_mut(&key) else { continue };
            let ended = now.duration_since(entry.learnt) >= self.ttl;
            match self.twist {
                Twist::Flaw(Flaw::NeverForgets) => return Some(entry.cell),
                Twist::Flaw(Flaw::StaleWhileRevalidate) if ended => {
                    let cell = entry.cell;
                    self.forget(&key);
                    return Some(cell);
                }
                Twist::Flaw(Flaw::Slides) if !ended => entry.learnt = now,
                Twist::Flaw(Flaw::ForgetsAfterUse) if !ended => {
                    let cell = entry.cell;
                    self.forget(&key);
                    return Some(cell);
                }
                Twist::Difference(Difference::BareNotCovered) if entry.slashed && key.path.len() == path.len() => {
                    continue;
                }
                _ => {}
            }
            if !ended {
                return Some(entry.cell);
            }
            self.forget(&key);
        }
        None
    }

    /// Forgets the entry that `recall` would use.
    pub(crate) fn forget_used(&mut self, ask: &Ask) {
        let path = ask.path();
        let mut keys = vec![(self.exact_key(ask), true)];
        keys.extend(self.prefixes(path).into_iter().map(|prefix| (prefix.to_owned(), false)));
        let scope = self.scope(ask);
        let mut keys = keys.into_iter().map(|(path, exact)| Key { path, exact, scope: scope.clone() });
        if let Some(key) = keys.find(|key| self.entries.contains_key(key)) {
            self.forget(&key);
        }
    }

    /// Remembers that `path` belongs to `cell`, from now on for one time to live. The later answer wins.
    pub(crate) fn teach(&mut self, ask: &Ask, path: &str, exact: bool, cell: usize, now: Instant) {
        let key = self.key(ask, path, exact);
        if self.twist == Twist::Flaw(Flaw::OlderWins) && self.entries.contains_key(&key) {
            return;
        }
        if self.twist == Twist::Flaw(Flaw::OnePerTopLevel) {
            let top = leading(&key.path, 1).to_owned();
            let related = self.entries.keys().filter(|other| leading(&other.path, 1) == top);
            related.cloned().collect::<Vec<_>>().iter().for_each(|other| self.forget(other));
        }
        if self.twist == Twist::Flaw(Flaw::OneEntryPerPath) {
            self.forget(&Key { exact: !key.exact, ..key.clone() });
        }
        if self.twist == Twist::Flaw(Flaw::AnyLessonRenewsAll) {
            self.entries.values_mut().for_each(|entry| entry.learnt = now);
        }
        self.forget(&key);
        if self.max == 0 || !self.make_room() {
            return;
        }
        let age = self.next_age;
        self.next_age += 1;
        self.order.insert(age, key.clone());
        self.entries.insert(key, Entry { cell, learnt: now, age, slashed: path.ends_with('/') });
    }

    /// Drops the oldest entries of a full cache; `false` if there is no room for a new one.
    fn make_room(&mut self) -> bool {
        let max = match self.twist {
            Twist::Flaw(Flaw::NeverEvicts) => return true,
            Twist::Difference(Difference::KeepsTenTimesAsMany) => self.max.saturating_mul(10),
            _ => self.max,
        };
        match self.twist {
            Twist::Difference(Difference::KeepsFirstEntries) => return self.entries.len() < max,
            Twist::Difference(Difference::EmptiesFullCache) if self.entries.len() >= max => self.clear(),
            _ => {}
        }
        while self.entries.len() >= max {
            let oldest = match self.twist {
                // Any of them, as the order in which a hash map lists them has it.
                Twist::Difference(Difference::KeepsTenTimesAsMany) => self.entries.keys().next().cloned(),
                _ => self.order.first_key_value().map(|(_, key)| key.clone()),
            };
            let Some(oldest) = oldest else { break };
            self.forget(&oldest);
        }
        true
    }

    /// Drops the entry that this answer made.
    pub(crate) fn unteach(&mut self, ask: &Ask, path: &str, exact: bool) {
        self.forget(&self.key(ask, path, exact));
    }

    /// Drops the entry that would be found for this request.
    pub(crate) fn disown(&mut self, ask: &Ask) {
        let scope = self.scope(ask);
        let exact = Key { path: self.exact_key(ask), exact: true, scope: scope.clone() };
        let prefixes = prefixes(ask.path()).into_iter().map(|path| Key { path: path.to_owned(), exact: false, scope: scope.clone() });
        if let Some(key) = std::iter::once(exact).chain(prefixes).find(|key| self.entries.contains_key(key)) {
            self.forget(&key);
        }
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

    /// Where a table of fixed size would keep this key.
    fn slot(&self, key: &Key) -> u64 {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        hasher.finish() % self.max.max(1) as u64
    }

    fn key(&self, ask: &Ask, path: &str, exact: bool) -> Key {
        let scope = self.scope(ask);
        let prefix = |path: &str| Key { path: alike::key(self.twist, trimmed(path)), exact: false, scope: scope.clone() };
        match self.twist {
            Twist::Flaw(Flaw::FullPath) => Key { path: self.exact_key(ask), exact: true, scope },
            _ if exact => Key { path: self.exact_key(ask), exact, scope },
            Twist::Flaw(Flaw::TopLevelOnly) => prefix(leading(path, 1)),
            Twist::Flaw(Flaw::TwoSegments) => prefix(leading(path, 2)),
            Twist::Flaw(Flaw::OrganizationsAsOne) if path.starts_with("/organizations/") => prefix("/organizations"),
            _ => prefix(path),
        }
    }

    fn scope(&self, ask: &Ask) -> String {
        match self.twist {
            Twist::Flaw(Flaw::PerUser) => format!("{:?}", ask.headers.get("cookie")),
            Twist::Flaw(Flaw::PerMethod) => ask.method.to_string(),
            Twist::Flaw(Flaw::PerToken) => fields(ask, &["authorization", "private-token"]),
            Twist::Flaw(Flaw::PerBrowser) => fields(ask, &["user-agent", "accept", "accept-language"]),
            Twist::Flaw(Flaw::PerWorker) => ask.worker.to_string(),
            _ => String::new(),
        }
    }

    /// The very path that an exact entry means; an answer that names another one is not remembered at all.
    fn exact_key(&self, ask: &Ask) -> String {
        match self.twist {
            Twist::Flaw(Flaw::ExactWithQuery) => ask.target.clone(),
            Twist::Flaw(Flaw::ExactIgnoresSlash) => trimmed(ask.path()).to_owned(),
            Twist::Flaw(Flaw::ExactFoldsCase) => ask.path().to_lowercase(),
            Twist::Flaw(Flaw::ExactWithEmptyQuery) if ask.query() == Some("") => ask.target.clone(),
            _ => ask.path().to_owned(),
        }
    }

    fn prefixes<'a>(&self, path: &'a str) -> Vec<&'a str> {
        if self.twist == Twist::Flaw(Flaw::NoBoundary) {
            let cuts = path.char_indices().map(|(at, _)| &path[..at]);
            return cuts.chain([path]).rev().collect();
        }
        if alike::is_pattern(self.twist) {
            return Vec::new();
        }
        prefixes(path)
    }
}

/// The first value of each of these fields, as a key for the mistake of telling users apart by them.
fn fields(ask: &Ask, names: &[&str]) -> String {
    names.iter().map(|name| format!("{:?} ", ask.headers.get(*name))).collect()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::kind::NoRouter;

    /// A twist that the cache does not know.
    const RIGHT: Twist = Twist::NoRouter(NoRouter::Echo);
    const TTL: Duration = Duration::from_secs(60);

    fn ask(target: &str) -> Ask {
        Ask { target: target.to_owned(), ..Ask::default() }
    }

    /// A cache that was taught these answers, and what it recalls for `target` after `later`.
    fn recalled(twist: Twist, taught: &[(&str, bool, usize)], target: &str, later: Duration) -> Option<usize> {
        let start = Instant::now();
        let mut cache = Cache::new(twist, TTL, 3);
        for (path, exact, cell) in taught {
            cache.teach(&ask(path), path, *exact, *cell, start);
        }
        cache.recall(&ask(target), start + later)
    }

    #[test]
    fn the_longest_prefix_wins_and_an_exact_entry_beats_it() {
        let taught = [("/a", false, 1), ("/a/b/", false, 2), ("/a/b/c", true, 3)];
        let now = |target| recalled(RIGHT, &taught, target, Duration::ZERO);
        assert_eq!(now("/a"), Some(1));
        assert_eq!(now("/a/bc"), Some(1));
        assert_eq!(now("/a/b"), Some(2));
        assert_eq!(now("/a/b/c?x=/"), Some(3));
        assert_eq!(now("/a/b/c/"), Some(2));
        assert_eq!(now("/ab"), None);
    }

    #[test]
    fn an_entry_ends_one_time_to_live_after_it_was_learnt() {
        let taught = [("/a", false, 1)];
        assert_eq!(recalled(RIGHT, &taught, "/a", TTL - Duration::from_millis(1)), Some(1));
        assert_eq!(recalled(RIGHT, &taught, "/a", TTL), None);
        assert_eq!(recalled(Twist::Flaw(Flaw::NeverForgets), &taught, "/a", TTL * 9), Some(1));
    }

    #[test]
    fn the_entry_that_was_used_is_forgotten_alone() {
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
    fn the_oldest_entry_makes_room() {
        let taught = [("/a", false, 1), ("/b", false, 2), ("/a", false, 3), ("/c", false, 4), ("/d", false, 5)];
        let now = |target| recalled(RIGHT, &taught, target, Duration::ZERO);
        assert_eq!([now("/a"), now("/b"), now("/c"), now("/d")], [Some(3), None, Some(4), Some(5)]);
    }

    #[test]
    fn each_mistake_shows() {
        let wrong = |flaw, taught: &[(&str, bool, usize)], target| recalled(Twist::Flaw(flaw), taught, target, Duration::ZERO);
        assert_eq!(wrong(Flaw::NoBoundary, &[("/a", false, 1)], "/ab"), Some(1));
        assert_eq!(wrong(Flaw::ShortestWins, &[("/a", false, 1), ("/a/b", false, 2)], "/a/b/c"), Some(1));
        assert_eq!(wrong(Flaw::PrefixBeatsExact, &[("/a", false, 1), ("/a/b", true, 2)], "/a/b"), Some(1));
        assert_eq!(wrong(Flaw::OlderWins, &[("/a", false, 1), ("/a", false, 2)], "/a"), Some(1));
        assert_eq!(wrong(Flaw::FullPath, &[("/a", false, 1)], "/a/b"), None);
        assert_eq!(wrong(Flaw::TopLevelOnly, &[("/a/b", false, 1)], "/a/c"), Some(1));
        assert_eq!(wrong(Flaw::OnePerTopLevel, &[("/a/b", false, 1), ("/a/c", false, 2)], "/a/b"), None);
        assert_eq!(wrong(Flaw::TwoSegments, &[("/a/b/c", false, 1)], "/a/b/d"), Some(1));
        assert_eq!(wrong(Flaw::OrganizationsAsOne, &[("/organizations/a", false, 1)], "/organizations/b"), Some(1));
        assert_eq!(wrong(Flaw::ExactWithQuery, &[("/a", true, 1)], "/a?x"), None);
        assert_eq!(wrong(Flaw::ExactIgnoresSlash, &[("/a", true, 1)], "/a/"), Some(1));
    }
}
