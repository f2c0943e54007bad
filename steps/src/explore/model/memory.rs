//! What a router may remember: a set of permitted memories.
//!
//! A cache may forget, and must not invent. So an entry is *possible* from the moment at which a
//! cell said it, and *certain* only while nothing permits a router to have dropped it.

use std::time::Duration;

use cell_fleet::{CellId, Stamp};

/// One thing that a cell said about a path.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The path or prefix, without a final slash.
    pub(super) path: String,
    /// Whether the path alone is meant (LN-06).
    pub(super) exact: bool,
    /// The owner.
    pub(super) cell: CellId,
    /// The method of the request that taught it.
    pub(super) method: String,
    /// When the cell said it.
    pub(super) said: Stamp,
    /// When the router had certainly read it: it acted on it, or its user had the response.
    pub(super) known: Option<Stamp>,
    /// The index of the user's request that taught it.
    pub(super) taught_by: usize,
    /// Whether it corrected an entry that led to a wrong cell (RT-09).
    pub(super) corrected: bool,
    /// Which start of the router's process heard it.
    pub(super) generation: usize,
}

/// A request whose first hop went wrong: an entry that led there may have been dropped (contract,
/// *What an entry covers*).
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    pub(super) path: String,
    pub(super) cell: CellId,
    pub(super) at: Stamp,
    pub(super) generation: usize,
}

/// The memories that one router may have.
#[derive(Clone, Default, Debug)]
pub(super) struct Memory {
    pub(super) entries: Vec<Entry>,
    pub(super) doubts: Vec<Doubt>,
}

/// A question to a memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) path: &'a str,
    pub(super) method: &'a str,
    /// When the user sent the request.
    pub(super) sent: Stamp,
    /// When the router had decided: its first request reached a cell.
    pub(super) decided: Stamp,
    pub(super) generation: usize,
}

/// The limits that the topology file states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The lifetime of an entry (LN-13).
    pub(super) ttl: Duration,
    /// The order of magnitude of the cache (Z-70).
    pub(super) max_entries: u64,
    /// Whether a prefix covers the path that is the prefix itself: certain in learning, left open
    /// in buffering.
    pub(super) covers_itself: bool,
}

/// How sure it is that a router has an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sure {
    /// It may have it.
    Possible,
    /// It has it for other methods; a router that keeps entries by method may not (LN-21).
    ForOtherMethods,
    /// It has it.
    Certain,
    /// It must not have it any more (LN-13).
    Expired,
}

impl Memory {
    /// The entries that cover the path, the one that decides first (CA-10, Z-09, Z-38): an exact
    /// one, then the longest prefix, of equal ones the latest.
    pub(super) fn covering(&self, asked: &Question<'_>, limits: Limits) -> Vec<(&Entry, Sure)> {
        let mut found: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| {
                entry.generation == asked.generation
                    && entry.said < asked.decided
                    && covers(entry, asked.path)
                    && !self.is_replaced(entry, asked)
            })
            .map(|entry| (entry, self.sure(entry, asked, limits)))
            .collect();
        found.sort_by_key(|(entry, _)| {
            std::cmp::Reverse((entry.exact, entry.path.len(), entry.said))
        });
        found
    }

    /// Whether a cell was once named for this path, by what has since been replaced.
    pub(super) fn replaced(&self, asked: &Question<'_>, cell: &CellId) -> bool {
        self.entries.iter().any(|entry| {
            entry.said < asked.decided
                && entry.cell == *cell
                && covers(entry, asked.path)
                && (self.is_replaced(entry, asked) || entry.generation != asked.generation)
        })
    }

    /// An entry that covers other paths, and names this cell.
    pub(super) fn elsewhere(&self, asked: &Question<'_>, cell: &CellId) -> Option<&Entry> {
        self.entries.iter().find(|entry| {
            entry.generation == asked.generation
                && entry.said < asked.decided
                && entry.cell == *cell
                && !covers(entry, asked.path)
        })
    }

    /// A later response replaces an earlier one, once the router has read it.
    fn is_replaced(&self, entry: &Entry, asked: &Question<'_>) -> bool {
        self.entries.iter().any(|later| {
            later.generation == entry.generation
                && (&later.path, later.exact) == (&entry.path, entry.exact)
                && later.said > entry.said
                && later.known.is_some_and(|known| known < asked.sent)
        })
    }

    fn sure(&self, entry: &Entry, asked: &Question<'_>, limits: Limits) -> Sure {
        let Some(known) = entry.known.filter(|known| *known < asked.sent) else {
            return Sure::Possible;
        };
        let at_least = asked.sent.at.saturating_sub(known.at);
        if at_least > limits.ttl + CLOCKS {
            return Sure::Expired;
        }
        let at_most = asked.decided.at.saturating_sub(entry.said.at);
        let open = at_most + CLOCKS >= limits.ttl
            || (!entry.exact && entry.path == asked.path && !limits.covers_itself)
            || self.is_doubtful(entry, asked)
            || self.is_full(asked, limits);
        match open {
            true => Sure::Possible,
            false if entry.method != asked.method => Sure::ForOtherMethods,
            false => Sure::Certain,
        }
    }

    fn is_doubtful(&self, entry: &Entry, asked: &Question<'_>) -> bool {
        self.doubts.iter().any(|doubt| {
            doubt.generation == entry.generation
                && doubt.cell == entry.cell
                && doubt.at > entry.said
                && doubt.at < asked.decided
                && covers(entry, &doubt.path)
        })
    }

    /// Whether so much was taught that the cache may be full.
    pub(super) fn is_full(&self, asked: &Question<'_>, limits: Limits) -> bool {
        let mut taught: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| entry.generation == asked.generation && entry.said < asked.decided)
            .map(|entry| (&entry.path, entry.exact))
            .collect();
        taught.sort();
        taught.dedup();
        u64::try_from(taught.len()).unwrap_or(u64::MAX).saturating_mul(FAR_BELOW)
            > limits.max_entries
    }
}

/// Differences between the clocks of two processes.
const CLOCKS: Duration = Duration::from_millis(20);

/// A cache is far from full while it could hold so many times what was taught.
const FAR_BELOW: u64 = 4;

/// Whether an entry covers a path: by whole segments, byte by byte (CA-06, CA-07).
fn covers(entry: &Entry, path: &str) -> bool {
    if entry.exact {
        return entry.path == path;
    }
    path.strip_prefix(entry.path.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
