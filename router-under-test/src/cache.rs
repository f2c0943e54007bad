//! The cache: which cell owns which paths.
//!
//! Paths are compared by whole segments, byte by byte, undecoded (CA-06, CA-07).

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lru::LruCache;

use crate::topology::CellIndex;

/// Longer paths are not remembered: an entry must not cost more than to learn it again does.
const LONGEST: usize = 2048;

/// What a cell's response covers, checked to cover the request that it responds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<'a> {
    /// The path; of a prefix without its last slash.
    pub path: &'a str,
    /// Whether it covers this path alone (LN-06).
    pub exact: bool,
}

impl<'a> Rule<'a> {
    /// What a response to a request for `path` says: this path alone if `exact`, else a prefix,
    /// with or without its last slash.
    ///
    /// None if it must not be remembered: it does not cover the request (Z-07), or is `/` or empty
    /// (Z-08, Z-65).
    #[must_use]
    pub fn new(said: &'a [u8], exact: bool, path: &str) -> Option<Self> {
        let said = std::str::from_utf8(said).ok().filter(|said| said.len() <= LONGEST)?;
        let rule = Self { path: if exact { said } else { without_slash(said) }, exact };
        rule.covers(path).then_some(rule)
    }

    /// Whether it is about this path. What has no segment is about none.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        let segments = self.path.strip_prefix('/').map(|rest| rest.trim_start_matches('/'));
        let has_segment = segments.is_some_and(|rest| !rest.is_empty());
        if self.exact {
            has_segment && self.path == path
        } else {
            let rest = path.strip_prefix(self.path).filter(|_| has_segment);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
    }
}

fn without_slash(prefix: &str) -> &str {
    prefix.strip_suffix('/').unwrap_or(prefix)
}

/// An entry that covers a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// What it covers.
    pub rule: Rule<'a>,
    /// The owner.
    pub cell: CellIndex,
    /// When it ends, if it does.
    pub expires: Option<Instant>,
}

/// The entries of all threads. The least recently used one goes where there are too many.
#[derive(Debug)]
pub struct Cache(Mutex<LruCache<Box<str>, Owners>>);

/// Who owns one path, and who all below it.
#[derive(Debug, Default)]
struct Owners {
    exact: Option<Owner>,
    prefix: Option<Owner>,
}

#[derive(Clone, Copy, Debug)]
struct Owner {
    cell: CellIndex,
    expires: Option<Instant>,
}

impl Owner {
    fn is_over(&self) -> bool {
        self.expires.is_some_and(|end| end <= Instant::now())
    }
}

impl Owners {
    fn of(&mut self, exact: bool) -> &mut Option<Owner> {
        if exact { &mut self.exact } else { &mut self.prefix }
    }
}

impl Cache {
    /// An empty cache for `most` paths, or one.
    pub fn new(most: usize) -> Self {
        // Room for that many is not taken before they are there.
        let mut entries = LruCache::unbounded();
        entries.resize(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN));
        Self(Mutex::new(entries))
    }

    /// The entry that decides about a path: an exact one, else the longest prefix (Z-38).
    pub fn entry<'a>(&self, path: &'a str) -> Option<Entry<'a>> {
        let mut entries = self.lock();
        let mut found = |path: &'a str, exact| {
            let owner = (*entries.get_mut(path)?.of(exact)).filter(|owner| !owner.is_over())?;
            Some(Entry { rule: Rule { path, exact }, cell: owner.cell, expires: owner.expires })
        };
        found(path, true).or_else(|| {
            let ends = path.rmatch_indices('/').map(|(end, _)| end);
            let mut ends = [path.len()].into_iter().chain(ends).filter(|end| *end <= LONGEST);
            ends.find_map(|end| found(&path[..end], false))
        })
    }

    /// Remembers that `cell` owns what `rule` covers, until `expires` where that is given (Z-33).
    pub fn remember(&self, rule: Rule<'_>, cell: CellIndex, expires: Option<Instant>) {
        let mut entries = self.lock();
        let owner = Some(Owner { cell, expires });
        match entries.get_mut(rule.path) {
            Some(owners) => *owners.of(rule.exact) = owner,
            None => {
                let mut owners = Owners::default();
                *owners.of(rule.exact) = owner;
                entries.put(rule.path.into(), owners);
            }
        }
    }

    /// Forgets what leads `path` to `cell`, which is not its owner.
    pub fn forget(&self, path: &str, cell: CellIndex) {
        while let Some(entry) = self.entry(path).filter(|entry| entry.cell == cell) {
            self.remove(entry.rule.path, entry.rule.exact);
        }
    }

    /// Lets what leads `path` to `cell` lead it to `owner`.
    pub fn correct(&self, path: &str, cell: CellIndex, owner: CellIndex) {
        if let Some(entry) = self.entry(path).filter(|entry| entry.cell == cell) {
            self.remember(entry.rule, owner, entry.expires);
        }
    }

    /// All entries, also those that are over: path, whether it is exact, owner, end.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, bool, CellIndex, Option<Instant>)> {
        let mut all = Vec::new();
        for (path, owners) in self.lock().iter() {
            for (exact, owner) in [(true, owners.exact), (false, owners.prefix)] {
                all.extend(owner.map(|one| (path.to_string(), exact, one.cell, one.expires)));
            }
        }
        all
    }

    /// Forgets the entry of this path.
    pub fn remove(&self, path: &str, exact: bool) {
        if let Some(owners) = self.lock().peek_mut(path) {
            *owners.of(exact) = None;
        }
    }

    /// An operation leaves the entries consistent, so a panic elsewhere does no harm.
    fn lock(&self) -> MutexGuard<'_, LruCache<Box<str>, Owners>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn prefix(path: &str) -> Rule<'_> {
        Rule::new(path.as_bytes(), false, path).unwrap()
    }

    fn exact(path: &str) -> Rule<'_> {
        Rule::new(path.as_bytes(), true, path).unwrap()
    }

    fn cell(index: usize) -> CellIndex {
        CellIndex::nth(index)
    }

    fn find(cache: &Cache, path: &str) -> Option<usize> {
        cache.entry(path).map(|entry| entry.cell.index())
    }

    #[test]
    fn both_spellings_of_a_prefix_cover_whole_segments() {
        for prefix in [&b"/my-company"[..], b"/my-company/"] {
            for path in ["/my-company", "/my-company/", "/my-company/x", "/my-company//x"] {
                let rule = Rule { path: "/my-company", exact: false };
                assert_eq!(Rule::new(prefix, false, path), Some(rule), "{path}");
            }
            for path in ["/my-company-2", "/my%2Dcompany", "/My-company", "/my", "/", "*"] {
                assert_eq!(Rule::new(prefix, false, path), None, "{path}");
            }
        }
        assert_eq!(Rule::new(b"/a//", false, "/a/b"), None);
        assert_eq!(Rule::new(b"/\xff", false, "/\u{fffd}"), None);
        assert_eq!(Rule::new("/a".as_bytes(), true, "/a/"), None);
    }

    #[test]
    fn what_covers_everything_or_is_too_long_is_not_remembered() {
        for rule in ["", "/", "//", "///", "*", "a"] {
            for path in ["/", "//", "///x", "/x", "*", "a", "a/b"] {
                assert_eq!(Rule::new(rule.as_bytes(), false, path), None, "{rule} {path}");
                assert_eq!(Rule::new(rule.as_bytes(), true, path), None, "{rule} {path}");
            }
        }
        let path = format!("/{}", "x".repeat(LONGEST));
        assert_eq!(Rule::new(path.as_bytes(), true, &path), None);
        exact(&path[..LONGEST]);
    }

    #[test]
    fn an_entry_ends_although_it_is_used() {
        let cache = Cache::new(10);
        let now = Instant::now();
        let later = now + Duration::from_secs(60);
        cache.remember(prefix("/a"), cell(1), Some(later));
        cache.remember(exact("/a/b"), cell(2), Some(now));
        assert_eq!(cache.entry("/a/b").unwrap().expires, Some(later));
        assert_eq!(find(&cache, "/a/b"), Some(1));
        // What is said now replaces what was said before.
        cache.remember(exact("/a/b"), cell(2), None);
        assert_eq!(find(&cache, "/a/b"), Some(2));
    }

    #[test]
    fn the_least_recently_used_entry_makes_room() {
        let cache = Cache::new(2);
        cache.remember(prefix("/a"), cell(1), None);
        cache.remember(prefix("/b"), cell(2), None);
        assert_eq!(find(&cache, "/a/x"), Some(1));
        cache.remember(prefix("/c"), cell(3), None);
        assert_eq!(["/a", "/b", "/c"].map(|path| find(&cache, path)), [Some(1), None, Some(3)]);
        // Another word on a path that is known takes no room.
        cache.remember(prefix("/a"), cell(4), None);
        assert_eq!(["/a", "/c"].map(|path| find(&cache, path)), [Some(4), Some(3)]);
    }

    #[test]
    fn what_led_astray_is_forgotten_or_corrected() {
        let cache = Cache::new(10);
        let end = Instant::now() + Duration::from_secs(60);
        for (rule, index) in
            [(prefix("/a"), 1), (prefix("/a/b"), 2), (prefix("/a/b/c"), 2), (exact("/a/b/c"), 2)]
        {
            cache.remember(rule, cell(index), Some(end));
        }
        // The path leads to another cell: nothing changes.
        cache.forget("/a/b/c", cell(1));
        cache.correct("/a/b/c", cell(1), cell(3));
        assert_eq!(find(&cache, "/a/b/c"), Some(2));
        cache.forget("/a/b/c", cell(2));
        assert_eq!(["/a/b/c", "/a/b/x"].map(|path| find(&cache, path)), [Some(1); 2]);
        cache.correct("/a/b/c", cell(1), cell(3));
        let corrected = Entry { rule: prefix("/a"), cell: cell(3), expires: Some(end) };
        assert_eq!(cache.entry("/a/x"), Some(corrected));
    }

    /// The definition of a match, written naively.
    fn model(entries: &[(String, bool, usize)], path: &str) -> Option<usize> {
        let covers = |rule: &str, exact: bool| {
            path == rule || (!exact && path.starts_with(&format!("{rule}/")))
        };
        entries
            .iter()
            .enumerate()
            .filter(|(_, (rule, exact, _))| covers(rule, *exact))
            .max_by_key(|(order, (rule, exact, _))| (*exact, rule.len(), *order))
            .map(|(_, (_, _, cell))| *cell)
    }

    /// None of these is `/`, which no rule covers, nor ends with a slash, which a prefix loses.
    fn some_path() -> impl Strategy<Value = String> {
        let segments = prop::collection::vec("[ab%]{0,2}", 0..4);
        (segments, "[ab%]{1,2}")
            .prop_map(|(segments, last)| format!("/{}", [segments, vec![last]].concat().join("/")))
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn the_cache_agrees_with_the_model(
            entries in prop::collection::vec((some_path(), any::<bool>(), 0usize..4), 0..12),
            paths in prop::collection::vec((some_path(), "/?"), 1..12),
        ) {
            let cache = Cache::new(100);
            for (path, is_exact, index) in &entries {
                let rule = if *is_exact { exact(path) } else { prefix(path) };
                cache.remember(rule, cell(*index), None);
            }
            for (path, slash) in &paths {
                let path = format!("{path}{slash}");
                prop_assert_eq!(find(&cache, &path), model(&entries, &path), "{}", path);
            }
        }
    }
}
