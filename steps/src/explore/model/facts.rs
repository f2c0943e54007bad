//! What the model knows of an installation: its cells, who owns what, and what changes when.

use std::borrow::Cow;
use std::collections::BTreeSet;

use cell_fleet::{CellId, Protocol, Region};

/// An installation, and what changes in it in the course of a journey.
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
    /// What changes, in the order of the steps.
    pub(crate) changes: Vec<(usize, Change)>,
    /// Cells with faults, until these end.
    pub(crate) faulty: BTreeSet<CellId>,
    /// The lifetime of an entry, in milliseconds.
    pub(crate) ttl_ms: u64,
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
    /// The owner at the beginning.
    pub(crate) cell: CellId,
    /// The organization with which it moves.
    pub(crate) organization: Option<String>,
}

/// Something that changes in the world around the users.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// An organization moves to this cell (TD-01).
    Move(String, CellId),
    /// The same, and some cells do not know it yet: the former owner counts as well.
    Moving(String, CellId),
    /// A namespace is created at this path, on this cell.
    Create(String, CellId),
    /// The place at a path, and all below it, get another path.
    Rename(String, String),
    /// Cells go down.
    Down(Vec<CellId>),
    /// Cells come back.
    Up(Vec<CellId>),
    /// The faults of the fleet end.
    FaultsEnd,
    /// The router of a region is replaced by a new process (RT-03).
    Restart(Region),
    /// The router of a region stops.
    Stop(Region),
    /// Requests that were begun end.
    Release,
}

/// When a request was under way: from one step of the journey to another, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// What follows a path that covers another one.
fn is_rest(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

impl Facts {
    /// The cells of a region.
    pub(crate) fn of_region(&self, region: &Region) -> Vec<&CellId> {
        self.cells.iter().filter(|cell| cell.region() == region).collect()
    }

    /// The owners that a path had within a span; none where the model does not know it.
    pub(crate) fn owners(&self, path: &str, span: Span) -> Option<BTreeSet<CellId>> {
        let places = self.places_within(path, span)?;
        let place = places
            .iter()
            .filter(|place| {
                let rest = path.strip_prefix(place.path.as_str());
                rest.is_some_and(|rest| rest.is_empty() || !place.exact && rest.starts_with('/'))
            })
            .max_by_key(|place| (place.exact, place.path.len()))?;
        let mut owners = BTreeSet::from([place.cell.clone()]);
        for (step, change) in &self.changes {
            let (Change::Move(organization, cell) | Change::Moving(organization, cell)) = change
            else {
                continue;
            };
            if Some(organization) != place.organization.as_ref() || *step > span.to {
                continue;
            }
            if *step < span.from && matches!(change, Change::Move(..)) {
                owners.clear();
            }
            owners.insert(cell.clone());
        }
        Some(owners)
    }

    /// The places during a span; none where one that concerns the path changed in it.
    fn places_within(&self, path: &str, span: Span) -> Option<Cow<'_, [Place]>> {
        let concerns = |of: &str| path.strip_prefix(of).is_some_and(is_rest);
        let mut places = Cow::Borrowed(self.places.as_slice());
        for (step, change) in self.changes.iter().take_while(|(step, _)| *step <= span.to) {
            match change {
                Change::Create(of, _) if *step >= span.from && concerns(of) => return None,
                Change::Rename(of, to) if *step >= span.from && (concerns(of) || concerns(to)) => {
                    return None;
                }
                Change::Create(of, cell) => places.to_mut().push(Place {
                    path: of.clone(),
                    exact: false,
                    cell: cell.clone(),
                    organization: None,
                }),
                Change::Rename(of, to) => {
                    for place in places.to_mut() {
                        if let Some(rest) = place.path.strip_prefix(of).filter(|it| is_rest(it)) {
                            place.path = format!("{to}{rest}");
                        }
                    }
                }
                _ => {}
            }
        }
        Some(places)
    }

    /// The cells that were in trouble at some time within a span.
    pub(crate) fn troubled(&self, span: Span) -> BTreeSet<CellId> {
        let mut faulty = self.faulty.clone();
        let mut down = BTreeSet::new();
        let mut troubled = BTreeSet::new();
        for (step, change) in &self.changes {
            if *step > span.to {
                break;
            }
            if *step >= span.from {
                troubled.extend(faulty.iter().chain(&down).cloned());
            }
            match change {
                Change::Down(cells) => down.extend(cells.iter().cloned()),
                Change::Up(cells) => down.retain(|cell| !cells.contains(cell)),
                Change::FaultsEnd => {
                    faulty.clear();
                    down.clear();
                }
                Change::Move(..)
                | Change::Moving(..)
                | Change::Create(..)
                | Change::Rename(..)
                | Change::Restart(_)
                | Change::Stop(_)
                | Change::Release => {}
            }
        }
        troubled.extend(faulty);
        troubled.extend(down);
        troubled
    }

    /// How often the router of a region was replaced before a step.
    pub(crate) fn generation(&self, region: &Region, step: usize) -> usize {
        let restarts = self.changes.iter().filter(|(at, change)| {
            *at < step && matches!(change, Change::Restart(of) if of == region)
        });
        restarts.count()
    }

    /// Whether the router of a region is not running at some time within a span.
    pub(crate) fn is_stopped(&self, region: &Region, span: Span) -> bool {
        let mut stopped = false;
        for (step, change) in self.changes.iter().take_while(|(step, _)| *step <= span.to) {
            match change {
                Change::Stop(of) if of == region => stopped = true,
                Change::Restart(of) if of == region => {
                    if *step >= span.from {
                        return true;
                    }
                    stopped = false;
                }
                _ => {}
            }
        }
        stopped
    }
}
