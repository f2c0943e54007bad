//! The installation of a journey, as exploration makes it up.

use cell_fleet::{CellId, Protocol, Region};

/// The id in the learn responses that the proposal prints: an alias of the original cell.
pub(super) const PRINTED_ID: &str = "cell_0";

/// An installation: what the Given steps of a journey say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct World {
    pub(crate) protocol: Protocol,
    /// The cells; the first is the latest deployment.
    pub(crate) cells: Vec<CellId>,
    /// The regions with a router; people use the first unless an action says otherwise.
    pub(crate) routers: Vec<Region>,
    pub(crate) places: Vec<PlannedPlace>,
    /// How many further places with different prefixes there are.
    pub(crate) cold_places: u64,
    /// The lifetime of an entry, in milliseconds; the suite's default where nothing depends on it.
    pub(crate) ttl_ms: Option<u64>,
    /// The order of magnitude of the cache.
    pub(crate) max_entries: Option<u64>,
    /// The largest body that is buffered, in bytes.
    pub(crate) max_body: Option<u64>,
    /// Paths whose responses, or pre-flights, every cell holds until they are released.
    pub(crate) holds: Vec<Hold>,
    pub(crate) signed_in: Vec<String>,
    pub(crate) conditions: Vec<Condition>,
}

/// A path with an owner.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PlannedPlace {
    /// The path, with a slash in front and none at its end.
    pub(crate) path: String,
    /// The owner; that of the organization or group, where the place belongs to one.
    pub(crate) cell: CellId,
    pub(crate) kind: PlaceKind,
    /// The organization of a group, by its slug; the group of a project, by its path.
    pub(crate) of: Option<String>,
}

impl PlannedPlace {
    /// A place that belongs to no organization and no group.
    pub(crate) fn new(path: String, cell: CellId, kind: PlaceKind) -> Self {
        Self { path, cell, kind, of: None }
    }

    /// The path without the slash in front, as groups and projects are named.
    pub(crate) fn name(&self) -> &str {
        self.path.trim_start_matches('/')
    }
}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PlaceKind {
    /// A row of the routes table, with pages at every path below it, that everybody may see.
    Public,
    Private,
    /// A page that covers nothing below it.
    Exact,
    Group,
    /// A public project of a group, with its id.
    Project(u64),
    /// A private project of a group, with its id.
    PrivateProject(u64),
}

impl PlaceKind {
    /// Whether projects can be in it.
    pub(crate) fn is_group(self) -> bool {
        matches!(self, Self::Private | Self::Group)
    }
}

/// A response that every cell holds until it is released.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Hold {
    pub(crate) path: String,
    /// Whether the responses to pre-flights about it are held, not those to the request itself.
    pub(crate) preflight: bool,
}

/// What one of the other Given steps says of an installation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Condition {
    /// There is an organization with this slug on this cell.
    Organization(String, CellId),
    /// A project, by its path, is on another cell than its group.
    Apart(String, CellId),
    Member(String, String),
    /// The replicas of a region, or of all regions, lag until they are released.
    Lag(Option<Region>),
    /// The original cell has the id that the printed learn responses name (LN-24).
    PrintedId(CellId),
    /// A Given step as it is written, and the cells that it names.
    Step(String, Vec<CellId>),
}

impl Condition {
    pub(crate) fn of(cell: &CellId, words: &str) -> Self {
        Self::Step(format!("{cell} {words}"), vec![cell.clone()])
    }

    pub(crate) fn of_with(cell: &CellId, words: &str, text: &str) -> Self {
        Self::of(cell, &with_text(words, text))
    }

    pub(crate) fn responds(cell: &CellId, path: &str, text: &str) -> Self {
        Self::of_with(cell, &format!("responds to \"{path}\" with:"), text)
    }

    pub(crate) fn sets(cell: &CellId, path: &str, lines: &str) -> Self {
        Self::of_with(cell, &format!("sets on its response to \"{path}\":"), lines)
    }

    /// A cell resets or closes the connection once, within the body of its response to a path or
    /// instead of it.
    pub(crate) fn breaks_off(cell: &CellId, path: &str, resets: bool, in_body: bool) -> Self {
        let what = if resets { "resets" } else { "closes" };
        let when =
            if in_body { "within the body of its response to" } else { "instead of responding to" };
        Self::of(cell, &format!("{what} the connection {when} \"{path}\", once"))
    }

    pub(crate) fn cells(&self) -> &[CellId] {
        match self {
            Self::Organization(_, cell) | Self::Apart(_, cell) | Self::PrintedId(cell) => {
                std::slice::from_ref(cell)
            }
            Self::Step(_, cells) => cells,
            Self::Member(..) | Self::Lag(_) => &[],
        }
    }

    fn as_gherkin(&self) -> String {
        match self {
            Self::Organization(slug, cell) => format!("the organization \"{slug}\" on {cell}"),
            Self::Apart(path, cell) => {
                format!("the project \"{path}\" is on {cell}, apart from its group")
            }
            Self::Member(person, path) => format!("{person} is a member of \"{path}\""),
            Self::Lag(None) => "the replicas lag until they are released".to_owned(),
            Self::Lag(Some(region)) => {
                let word = region.as_str().to_ascii_uppercase();
                format!("the replicas of the {word} region lag until they are released")
            }
            Self::PrintedId(cell) => format!("{cell} has the id \"{PRINTED_ID}\""),
            Self::Step(step, _) => step.clone(),
        }
    }
}

pub(crate) fn with_text(step: &str, text: &str) -> String {
    let mut written = format!("{step}\n      \"\"\"");
    for line in text.split('\n') {
        written.push_str(if line.is_empty() { "\n" } else { "\n      " });
        written.push_str(line);
    }
    written + "\n      \"\"\""
}

impl PlannedPlace {
    fn as_gherkin(&self) -> String {
        let (name, cell) = (self.name(), &self.cell);
        match (self.kind, &self.of) {
            (PlaceKind::Public, _) => format!("the namespace \"{name}\" on {cell}"),
            (PlaceKind::Exact, _) => format!("the exact route \"{}\" on {cell}", self.path),
            (PlaceKind::Private, None) => format!("the private group \"{name}\" on {cell}"),
            (PlaceKind::Group, None) => format!("the group \"{name}\" on {cell}"),
            (PlaceKind::Private, Some(slug)) => {
                format!("the private group \"{name}\" of the organization \"{slug}\"")
            }
            (PlaceKind::Group, Some(slug)) => {
                format!("the group \"{name}\" of the organization \"{slug}\"")
            }
            (PlaceKind::Project(id), _) => format!("the project \"{name}\" with the id {id}"),
            (PlaceKind::PrivateProject(id), _) => {
                format!("the private project \"{name}\" with the id {id}")
            }
        }
    }
}

impl World {
    /// The organizations in addition to those of the documents, with their cells.
    pub(super) fn organizations(&self) -> impl Iterator<Item = (&str, &CellId)> {
        self.conditions.iter().filter_map(|condition| match condition {
            Condition::Organization(slug, cell) => Some((slug.as_str(), cell)),
            _ => None,
        })
    }

    /// The id by which a learn response names a cell.
    pub(super) fn id_of(&self, cell: &CellId) -> String {
        let is_printed = self.conditions.contains(&Condition::PrintedId(cell.clone()));
        if is_printed { PRINTED_ID.to_owned() } else { cell.id() }
    }

    /// Whether everything that names a cell, a group or an organization names one that is there.
    pub(super) fn is_consistent(&self) -> bool {
        let has = |cell: &CellId| self.cells.contains(cell);
        let belongs = |place: &PlannedPlace| match &place.of {
            None => true,
            Some(slug) if place.kind.is_group() => self.has_organization(slug),
            Some(group) => self.places.iter().any(|it| it.kind.is_group() && it.name() == group),
        };
        self.places.iter().all(|place| has(&place.cell) && belongs(place))
            && self.conditions.iter().all(|condition| {
                let names_a_place = match condition {
                    Condition::Apart(path, _) | Condition::Member(_, path) => self.has(path),
                    Condition::Step(text, _) if text.contains(PRINTED_ID) => {
                        self.conditions.iter().any(|it| matches!(it, Condition::PrintedId(_)))
                    }
                    _ => true,
                };
                names_a_place && condition.cells().iter().all(has)
            })
    }

    /// Whether there is a place at the path, with or without a slash in front.
    pub(super) fn has(&self, path: &str) -> bool {
        self.places.iter().any(|place| place.name() == path.trim_start_matches('/'))
    }

    /// Whether a path is one that moves with an organization, and all below it.
    pub(super) fn moves_along(&self, path: &str) -> bool {
        let of_organizations = self
            .places
            .iter()
            .filter(|it| it.kind.is_group() && it.of.is_some())
            .map(|it| it.name());
        of_organizations.chain(["my-company", "not-my-company"]).any(|group| {
            let rest = path.trim_start_matches('/').strip_prefix(group);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Whether there is an organization with this slug: one of the documents, or of this world.
    pub(super) fn has_organization(&self, slug: &str) -> bool {
        matches!(slug, "my-organization" | "not-my-organization")
            || self.organizations().any(|(known, _)| known == slug)
    }

    pub(crate) fn as_gherkin(&self) -> Vec<String> {
        let mut steps = Vec::new();
        let cells: Vec<_> = self.cells.iter().map(ToString::to_string).collect();
        steps.push(format!("the installation of the cells \"{}\"", cells.join(", ")));
        // Groups are made before what is in them.
        let (inner, outer): (Vec<&PlannedPlace>, Vec<_>) =
            self.places.iter().partition(|place| place.of.is_some() && !place.kind.is_group());
        steps.extend(outer.into_iter().chain(inner).map(PlannedPlace::as_gherkin));
        steps.extend(self.conditions.iter().map(Condition::as_gherkin));
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
