//! The cache: which cell owns which paths.
//!
//! Paths are compared by whole segments, byte by byte, undecoded (CA-06, CA-07).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lru::LruCache;

use crate::topology::CellIndex;

/// Longer paths are not remembered: an entry must not cost more than to learn it anew does.
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
    /// What a response to a request for `path` says: this path alone if `exact`, else a prefix, with
    /// or without its last slash.
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
        let has_segment = self.path.bytes().any(|byte| byte != b'/');
        if self.exact {
            has_segment && self.path == path
        } else {
            let rest = path.strip_prefix(without_slash(self.path)).filter(|_| has_segment);
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
pub struct Cache {
    most: usize,
    entries: Mutex<Entries>,
}

#[derive(Debug)]
struct Entries {
    map: LruCache<Box<str>, Owners>,
    /// Slashes in the path with most of them: deeper prefixes need not be looked up.
    deepest: usize,
}

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
    /// An empty cache for `most` paths.
    pub fn new(most: usize) -> Self {
        let map = LruCache::unbounded();
        Self { most, entries: Mutex::new(Entries { map, deepest: 0 }) }
    }

    /// The entry that decides about a path: an exact one, else the longest prefix (Z-38).
    pub fn entry<'a>(&self, path: &'a str) -> Option<Entry<'a>> {
        let mut entries = self.lock();
        let deepest = entries.deepest;
        let mut found = |path: &'a str, exact| {
            let owner = (*entries.map.get_mut(path)?.of(exact)).filter(|owner| !owner.is_over())?;
            Some(Entry { rule: Rule { path, exact }, cell: owner.cell, expires: owner.expires })
        };
        found(path, true).or_else(|| {
            let slashes = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/');
            let ends: Vec<usize> = slashes.map(|(at, _)| at).chain([path.len()]).collect();
            ends[..ends.len().min(deepest + 1)]
                .iter()
                .rev()
                .find_map(|end| found(&path[..*end], false))
        })
    }

    /// Remembers that `cell` owns what `rule` covers, until `expires` where that is given (Z-33).
    pub fn remember(&self, rule: Rule<'_>, cell: CellIndex, expires: Option<Instant>) {
        let mut entries = self.lock();
        entries.deepest =
            entries.deepest.max(rule.path.bytes().filter(|byte| *byte == b'/').count());
        let owner = Some(Owner { cell, expires });
        match entries.map.get_mut(rule.path) {
            Some(owners) => *owners.of(rule.exact) = owner,
            None => {
                let mut owners = Owners::default();
                *owners.of(rule.exact) = owner;
                entries.map.put(rule.path.into(), owners);
            }
        }
        if entries.map.len() > self.most {
            entries.map.pop_lru();
        }
    }

    /// Forgets what leads `path` to `cell`, which is not its owner.
    pub fn forget(&self, path: &str, cell: CellIndex) {
        while let Some(entry) = self.entry(path).filter(|entry| entry.cell == cell) {
            if let Some(owners) = self.lock().map.peek_mut(entry.rule.path) {
                *owners.of(entry.rule.exact) = None;
            }
        }
    }

    /// Lets what leads `path` to `cell` lead it to `owner`.
    pub fn correct(&self, path: &str, cell: CellIndex, owner: CellIndex) {
        if let Some(entry) = self.entry(path).filter(|entry| entry.cell == cell) {
            self.remember(entry.rule, owner, entry.expires);
        }
    }

    /// An operation leaves the entries consistent, so a panic elsewhere does no harm.
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
