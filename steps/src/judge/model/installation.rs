//! What is known of an installation: its cells, who owns what, and when what was wrong.

use std::collections::BTreeSet;
use std::time::Duration;

use cell_fleet::{CellId, Protocol, Region};

use super::exchange::{Case, Span, is_called};

/// An installation in the course of a journey.
#[derive(Clone, Debug)]
pub(crate) struct Installation {
    pub(crate) protocol: Protocol,
    /// All cells of the topology file.
    pub(crate) cells: Vec<CellId>,
    /// The latest deployment, `cell_0` of the documents.
    pub(crate) latest: CellId,
    /// Paths with an owner.
    pub(crate) places: Vec<Place>,
    /// Cells that were down or had faults.
    pub(crate) troubles: Vec<(CellId, Span)>,
    /// Regions whose router did not run, or was replaced by a new process.
    pub(crate) absences: Vec<(Region, Span)>,
    /// The lifetime of an entry.
    pub(crate) ttl: Duration,
    /// The order of magnitude of the cache.
    pub(crate) max_entries: u64,
    /// The largest body that is buffered, in bytes.
    pub(crate) max_body: u64,
}

/// A path with an owner, who owns all paths below it too, unless the entry is about this path
/// alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The path, without a final slash.
    pub(crate) path: String,
    /// Whether it alone is meant.
    pub(crate) exact: bool,
    /// The owner.
    pub(crate) cell: CellId,
    /// When it is the owner.
    pub(crate) span: Span,
}

impl Installation {
    pub(super) fn called(&self, word: &str) -> Option<&CellId> {
        self.cells.iter().find(|cell| is_called(cell, word))
    }

    /// Whether a body is above the limit; only buffering knows one (contract, *Limits*).
    pub(super) fn is_too_large(&self, case: &Case<'_>) -> bool {
        case.request.body.length > self.max_body
    }

    pub(super) fn of_region(&self, region: &Region) -> impl Iterator<Item = &CellId> {
        self.cells.iter().filter(move |cell| cell.region() == region)
    }

    /// The owners of a path within a span: those of the closest place (CA-10); none if unknown.
    pub(super) fn owners(&self, path: &str, span: Span) -> BTreeSet<&CellId> {
        let around = |place: &&Place| covers(&place.path, place.exact, path);
        let rank = |place: &Place| (place.exact, place.path.len());
        let closest = self.places.iter().filter(around).map(rank).max();
        let closest = self.places.iter().filter(around).filter(|it| Some(rank(it)) == closest);
        let within: Vec<_> = closest.filter(|place| place.span.meets(span)).collect();
        // A place that was created, or got another path, meanwhile: who knew it is not known.
        let began = within.iter().any(|place| place.span.from <= span.from);
        let lasted = within.iter().any(|place| place.span.to >= span.to);
        within.into_iter().filter(|_| began && lasted).map(|place| &place.cell).collect()
    }
}

/// Whether a place or an entry covers a path: by whole segments, byte by byte (CA-06, CA-07), or
/// it alone (LN-06).
pub(super) fn covers(place: &str, exact: bool, path: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || !exact && rest.starts_with('/'))
}
