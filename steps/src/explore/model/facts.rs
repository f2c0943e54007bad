//! What the model knows of an installation: its cells, who owns what, and when what was wrong.

use std::collections::BTreeSet;
use std::time::Duration;

use cell_fleet::{CellId, Protocol, Region};

/// An installation in the course of a journey.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The protocol.
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

/// A path with an owner: it and all below it, or it alone.
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

/// From one action of the journey to another, both included; 0 is before the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Span {
    /// The whole journey.
    pub(crate) const ALWAYS: Self = Self { from: 0, to: usize::MAX };

    /// Whether two spans have an action in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

impl Facts {
    /// The cells of a region.
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

    /// The cells that were in trouble at some time within a span.
    pub(super) fn troubled(&self, span: Span) -> BTreeSet<&CellId> {
        let troubles = self.troubles.iter().filter(|(_, trouble)| trouble.meets(span));
        troubles.map(|(cell, _)| cell).collect()
    }

    /// How often the router of a region was replaced before a step.
    pub(super) fn generation(&self, region: &Region, step: usize) -> usize {
        self.absences.iter().filter(|(of, span)| of == region && span.from < step).count()
    }
}

/// Whether a place or an entry covers a path: by whole segments, byte by byte (CA-06, CA-07), or
/// it alone (LN-06).
pub(super) fn covers(place: &str, exact: bool, path: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || !exact && rest.starts_with('/'))
}
