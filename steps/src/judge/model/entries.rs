//! What a router may remember: the entries that it may have, and those that it certainly has.
//!
//! A cache may forget, and must not invent. So an entry is *possible* from the moment at which a
//! cell said it, and *certain* only while nothing permits a router to have dropped it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::Duration;

use cell_fleet::{CellId, Protocol, Stamp};

use super::exchange::Case;
use super::installation::{Installation, covers};

/// One thing that a cell said about a path.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The path or prefix, without a final slash; empty for `/`.
    pub(super) path: String,
    /// Whether the path alone is meant (LN-06).
    pub(super) exact: bool,
    pub(super) cell: CellId,
    /// The path and the method of the request that taught it.
    pub(super) about: (String, String),
    /// When the cell said it.
    pub(super) said: Stamp,
    /// When the router had certainly read it: it acted on it, or its user had the response.
    pub(super) known: Option<Stamp>,
    /// The index of the user's request that taught it.
    pub(super) user: usize,
    /// Whether it corrected a wrong first choice (RT-09).
    pub(super) corrects: bool,
    /// The start of the router's process that read it, counted: a restarted router has forgotten
    /// it.
    pub(super) generation: usize,
    /// Why it must not be remembered.
    pub(super) banned: Option<&'static str>,
    /// From when a router may have dropped it (contract, *What an entry covers*).
    pub(super) doubtful: Option<Stamp>,
    /// When something later about the same path was certainly read (Z-38).
    pub(super) replaced: Option<Stamp>,
}

/// How sure it is that a router has an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sure {
    /// The router may have the entry.
    Possible,
    /// The router certainly has the entry.
    Certain,
    /// The lifetime of the entry has passed (LN-13).
    Expired,
}

/// Differences between the clocks of two processes.
const CLOCKS: Duration = Duration::from_millis(20);

/// A cache is far from full while it could hold this many times what was taught (Z-70).
const FAR_BELOW: usize = 4;

/// The entries that one router may have.
#[derive(Clone, Default, Debug)]
pub(super) struct Entries(pub(super) Vec<Entry>);

impl Entries {
    /// Notes what replaced each entry: what was said later about the same path. A learning router
    /// may tell methods apart (LN-21), a buffering one does not (contract).
    pub(super) fn replace(&mut self, protocol: Protocol) {
        for index in 0..self.0.len() {
            let entry = &self.0[index];
            let later = self.0.iter().filter(|later| {
                later.banned.is_none()
                    && later.doubtful.is_none()
                    && later.said > entry.said
                    && (&later.path, later.exact) == (&entry.path, entry.exact)
                    && later.generation == entry.generation
                    && (protocol == Protocol::Buffering || later.about.1 == entry.about.1)
            });
            self.0[index].replaced = later.filter_map(|later| later.known).min();
        }
    }

    /// A router may drop the entries that led it to a failure, a bounce or a 404, from this moment
    /// on: those of this cell that cover the path, and those that it was taught until the end.
    /// Without a cell they may be of any cell, without a path about any path, and without an end
    /// taught at any time.
    pub(super) fn doubt(
        &mut self,
        path: Option<&str>,
        cell: Option<&CellId>,
        from: Stamp,
        until: Option<Stamp>,
    ) {
        for entry in &mut self.0 {
            let led_there = path.is_none_or(|path| entry.covers(path))
                && cell.is_none_or(|cell| entry.cell == *cell);
            if led_there && until.is_none_or(|until| entry.said < until) {
                let before = entry.doubtful.filter(|before| *before < from);
                entry.doubtful = before.or(Some(from));
            }
        }
    }

    /// The entries that cover the path, the one that decides first: an exact one, then the longest
    /// prefix (Z-38, CA-10, Z-09), then the latest.
    pub(super) fn covering(
        &self,
        case: &Case<'_>,
        decided: Stamp,
        installation: &Installation,
    ) -> Vec<(&Entry, Sure)> {
        let mut found: Vec<_> = self
            .heard(decided)
            .filter(|entry| entry.banned.is_none() && entry.covers(&case.path))
            .filter(|entry| entry.replaced.is_none_or(|replaced| replaced >= case.request.sent))
            .map(|entry| (entry, self.sure(entry, case, decided, installation)))
            .collect();
        found.sort_by_key(|(entry, _)| Reverse((entry.exact, entry.path.len(), entry.said)));
        // "Once a wrong first choice has been corrected, the following request to that place
        // reaches its owner in one hop" (RT-09).
        let corrected = found.iter().find(|(entry, sure)| {
            entry.corrects && *sure == Sure::Certain && entry.about.0 == case.path
        });
        if let Some((corrected, _)) = corrected.copied() {
            found.retain(|(entry, _)| entry.said >= corrected.said || entry.cell == corrected.cell);
        }
        found
    }

    /// Everything that the router's cells had said before it decided.
    pub(super) fn heard(&self, decided: Stamp) -> impl Iterator<Item = &Entry> {
        self.0.iter().filter(move |entry| entry.said < decided)
    }

    fn sure(
        &self,
        entry: &Entry,
        case: &Case<'_>,
        decided: Stamp,
        installation: &Installation,
    ) -> Sure {
        let Some(known) = entry.known.filter(|known| *known < case.request.sent) else {
            return Sure::Possible;
        };
        // Buffering names no lifetime (CA-16), so there the router may drop the entry or keep it.
        let learning = installation.protocol == Protocol::Learning;
        if learning && case.request.sent.at.saturating_sub(known.at) > installation.ttl + CLOCKS {
            return Sure::Expired;
        }
        let may_have_ended = decided.at.saturating_sub(entry.said.at) + CLOCKS >= installation.ttl
            || entry.doubtful.is_some_and(|doubtful| doubtful < decided)
            || self.is_full(decided, installation)
            || entry.generation != case.generation;
        // Whether `/a/` covers `/a` is left open in buffering (decision A-03).
        let may_not_cover = !learning && !entry.exact && entry.path == case.path;
        if may_have_ended || may_not_cover { Sure::Possible } else { Sure::Certain }
    }

    /// Whether so much was taught that the cache may be full (CA-14, Z-70).
    pub(super) fn is_full(&self, decided: Stamp, installation: &Installation) -> bool {
        let taught = || {
            let taught = self.heard(decided).filter(|entry| entry.banned.is_none());
            taught.map(|entry| (&entry.path, entry.exact))
        };
        let may_fill = |count: usize| (count * FAR_BELOW) as u64 > installation.max_entries;
        // To count repetitions as well is cheaper, and mostly shows already that there are too few.
        may_fill(taught().count()) && may_fill(taught().collect::<BTreeSet<_>>().len())
    }
}

impl Entry {
    pub(super) fn covers(&self, path: &str) -> bool {
        covers(&self.path, self.exact, path)
    }
}
