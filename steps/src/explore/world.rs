//! The installation of a journey, as exploration makes it up.

use cell_fleet::{CellId, Protocol, Region};

/// An installation: what the Given steps of a journey say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct World {
    /// The protocol.
    pub(crate) protocol: Protocol,
    /// The cells; the first is the latest deployment.
    pub(crate) cells: Vec<CellId>,
    /// The regions with a router; people use the first unless an action says otherwise.
    pub(crate) routers: Vec<Region>,
    /// Paths with owners.
    pub(crate) places: Vec<PlannedPlace>,
    /// How many places with different prefixes there are beside them.
    pub(crate) cold_places: u64,
    /// The lifetime of an entry, in milliseconds; the suite's default where nothing depends on it.
    pub(crate) ttl_ms: Option<u64>,
    /// The order of magnitude of the cache.
    pub(crate) max_entries: Option<u64>,
    /// The largest body that is buffered, in bytes.
    pub(crate) max_body: Option<u64>,
    /// Faults that happen once.
    pub(crate) faults: Vec<PlannedFault>,
    /// Paths whose responses, or pre-flights, every cell holds until they are released.
    pub(crate) holds: Vec<Hold>,
    /// Who has a session.
    pub(crate) signed_in: Vec<String>,
}

/// A path with an owner.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PlannedPlace {
    /// The path, with a slash in front and none at its end.
    pub(crate) path: String,
    /// The owner.
    pub(crate) cell: CellId,
    /// What is there.
    pub(crate) kind: PlaceKind,
}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PlaceKind {
    /// A namespace, with pages below it, that everybody may see.
    Public,
    /// A private namespace.
    Private,
    /// A page that covers nothing below it.
    Exact,
}

/// A fault that happens once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PlannedFault {
    /// The cell.
    pub(crate) cell: CellId,
    /// The path.
    pub(crate) path: String,
    /// Whether the connection is reset, or closed.
    pub(crate) reset: bool,
    /// Whether it happens within the body, or instead of the response.
    pub(crate) within_body: bool,
}

/// A response that every cell holds until it is released.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Hold {
    /// The path.
    pub(crate) path: String,
    /// Whether the responses to pre-flights about it are held, not those to the request itself.
    pub(crate) preflight: bool,
}

impl World {
    /// The Given steps that make this installation.
    pub(crate) fn as_gherkin(&self) -> Vec<String> {
        let mut steps = Vec::new();
        let cells: Vec<_> = self.cells.iter().map(ToString::to_string).collect();
        steps.push(format!("the installation of the cells \"{}\"", cells.join(", ")));
        for place in &self.places {
            let what = match place.kind {
                PlaceKind::Public => "the namespace",
                PlaceKind::Private => "the private namespace",
                PlaceKind::Exact => "the exact route",
            };
            let path = match place.kind {
                PlaceKind::Exact => place.path.as_str(),
                PlaceKind::Public | PlaceKind::Private => place.path.trim_start_matches('/'),
            };
            steps.push(format!("{what} \"{path}\" on {}", place.cell));
        }
        if self.cold_places > 0 {
            steps.push(format!("{} paths with different prefixes", self.cold_places));
        }
        if let Some(ttl) = self.ttl_ms {
            steps.push(format!("cache entries live {ttl} ms"));
        }
        if let Some(entries) = self.max_entries {
            steps.push(format!("the cache holds about {entries} entries"));
        }
        if let Some(bytes) = self.max_body {
            steps.push(format!("the body buffer limit is {bytes} bytes"));
        }
        for fault in &self.faults {
            let what = if fault.reset { "resets" } else { "closes" };
            let when = match fault.within_body {
                true => "within the body of its response to",
                false => "instead of responding to",
            };
            steps.push(format!(
                "{} {what} the connection {when} \"{}\", once",
                fault.cell, fault.path
            ));
        }
        for hold in &self.holds {
            let what = if hold.preflight { "a pre-flight about " } else { "" };
            steps.push(format!("every cell holds its response to {what}\"{}\"", hold.path));
        }
        steps.extend(self.signed_in.iter().map(|person| format!("{person} is signed in")));
        for region in &self.routers {
            let word = region.as_str().to_ascii_uppercase();
            steps.push(format!("a cold {word} router"));
        }
        steps
    }
}
