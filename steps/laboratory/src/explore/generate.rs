//! Makes up journeys: proptest draws installations, places and what is done; this module puts the
//! installation together, so that names stay consistent. [`Story`] adds what happens.

use cell_fleet::{CellId, Protocol, Region};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::{Union, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use strum::VariantArray as _;

use super::deed::{Deed, Situation};
use super::journey::Journey;
use super::names::{NAMES, ORGANIZATIONS, RESERVED, is_plain};
use super::scene::{Scene, Story};
use super::world::{Condition, PRINTED_ID, PlaceKind, PlannedFault, PlannedPlace, World};

/// The id of the first project; those of the documents are others.
const FIRST_PROJECT: u64 = 9_001;

/// How many cells a region has, each number with its weight.
const CELLS_IN_REGION: [(u32, u16); 5] = [(3, 1), (4, 2), (2, 3), (1, 4), (1, 5)];
/// What is at a path, each kind with its weight.
const KINDS: [(u32, Drawn); 4] =
    [(6, Drawn::Namespace), (1, Drawn::Exact), (3, Drawn::Group), (3, Drawn::Project)];
/// The share of people with a session.
const SIGNED_IN: f64 = 0.3;
/// The most scenes of a journey: journeys stay short.
const MOST_SCENES: usize = 4;

/// Who may have a session.
const PEOPLE: [&str; 3] = ["anna", "nina", "gabe"];

/// The regions of a world, in the order in which they are used.
const REGIONS: [&str; 3] = ["us", "eu", "ap"];

/// Regions of which one name begins with another.
const ALIKE_REGIONS: [[&str; 3]; 3] =
    [["euw", "eu", "ap"], ["us", "usw", "eu"], ["apsouth", "apsoutha", "ap"]];

/// Numbers of cells of which one begins with another, and some end with the same digit.
const ALIKE_NUMBERS: [u16; 5] = [1, 10, 11, 0, 110];

/// Draws a journey. The same seed gives the same journey.
pub(super) fn journey(protocol: Protocol, seed: u64) -> Journey {
    Draft::from_seed(seed).into_journey(protocol)
}

/// What proptest draws; indexes are resolved when the journey is put together.
#[derive(Clone, Debug, Default)]
struct Draft {
    cells: DraftCells,
    related: bool,
    organizations: Vec<(&'static str, Index)>,
    places: Vec<DraftPlace>,
    fault: Option<(Index, Index, bool, bool)>,
    hop_limit: Option<u32>,
    signed_in: Vec<&'static str>,
    scenes: Vec<Scene>,
}

/// The cells and routers of a journey.
#[derive(Clone, Debug, Default)]
struct DraftCells {
    in_regions: Vec<u16>,
    /// Which names of cells begin alike, and with which of them a region begins.
    alike: Option<(Index, Index)>,
    second_router: bool,
    printed_id: bool,
}

/// What kind of place is drawn.
#[derive(Clone, Copy, Debug)]
enum Drawn {
    /// A row of the routes table, with pages at every path below it.
    Namespace,
    /// A page that covers nothing below it.
    Exact,
    Group,
    /// A project, with its group.
    Project,
}

#[derive(Clone, Debug)]
struct DraftPlace {
    drawn: Drawn,
    top: &'static str,
    names: Vec<&'static str>,
    below: Option<Index>,
    cell: Index,
    private: bool,
    of_organization: bool,
    apart: bool,
    member: Option<Index>,
}

prop_compose! {
    fn draft()(
        cells in cells(),
        organizations in prop::collection::vec(
            (select(&ORGANIZATIONS[..]), any::<Index>()), 0..=2,
        ),
        places in prop::collection::vec(place(), 1..=6),
        fault in prop::option::weighted(
            0.1, (any::<Index>(), any::<Index>(), any::<bool>(), any::<bool>()),
        ),
        hop_limit in prop::option::weighted(0.2, 3_u32..=4),
        has_sessions in prop::bool::weighted(SIGNED_IN),
        people in prop::sample::subsequence(&PEOPLE[..], 1..=PEOPLE.len()),
        scenes in prop::collection::vec(scene(), 1..=MOST_SCENES),
        related in prop::bool::weighted(0.3),
    ) -> Draft {
        let signed_in = if has_sessions { people } else { Vec::new() };
        Draft { cells, related, organizations, places, fault, hop_limit, signed_in, scenes }
    }
}

prop_compose! {
    fn cells()(
        in_regions in prop::collection::vec(weighted(CELLS_IN_REGION), 1..=REGIONS.len()),
        alike in prop::option::weighted(0.25, any::<(Index, Index)>()),
        second_router in prop::bool::weighted(0.2),
        printed_id in prop::bool::weighted(0.2),
    ) -> DraftCells {
        DraftCells { in_regions, alike, second_router, printed_id }
    }
}

prop_compose! {
    fn place()(
        drawn in weighted(KINDS),
        top in select(&NAMES[..]),
        names in prop::collection::vec(
            prop_oneof![3 => select(&NAMES[..]), 1 => select(&RESERVED[..])], 0..=2,
        ),
        below in prop::option::weighted(0.4, any::<Index>()),
        cell in any::<Index>(),
        private in prop::bool::weighted(0.3),
        of_organization in prop::bool::weighted(0.5),
        apart in prop::bool::weighted(0.3),
        member in prop::option::weighted(0.5, any::<Index>()),
    ) -> DraftPlace {
        DraftPlace { drawn, top, names, below, cell, private, of_organization, apart, member }
    }
}

prop_compose! {
    fn scene()(
        situation in weighted(Situation::VARIANTS.iter().map(|it| (it.weight(), *it))),
        deed in weighted(Deed::VARIANTS.iter().map(|it| (it.weight(), *it))),
        details in any::<[Index; 6]>(),
        signed_in in prop::bool::weighted(SIGNED_IN),
        near in prop::bool::weighted(0.5),
    ) -> Scene {
        Scene { situation, deed, details, signed_in, near }
    }
}

/// One of the values, each as often as its weight says.
fn weighted<T: Clone + std::fmt::Debug + 'static>(
    weights: impl IntoIterator<Item = (u32, T)>,
) -> impl Strategy<Value = T> {
    Union::new_weighted(weights.into_iter().map(|(weight, it)| (weight, Just(it))).collect())
}

impl Draft {
    /// What a seed draws.
    fn from_seed(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        // None of the strategies filters, so none can give up.
        draft().new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default()
    }

    fn into_journey(self, protocol: Protocol) -> Journey {
        let mut world = self.world(protocol);
        match self.places.first() {
            Some(first) if self.related => first.nest(&mut world),
            _ => {
                self.places.iter().for_each(|place| place.add_to(&mut world));
            }
        }
        if let Some((cell, place, reset, within_body)) = &self.fault {
            world.faults.push(PlannedFault {
                cell: cell.get(&world.cells).clone(),
                path: place.get(&world.places).path.clone(),
                reset: *reset,
                within_body: *within_body,
            });
        }
        let mut story = Story::new(world);
        for scene in &self.scenes {
            story.play(scene);
        }
        story.into_journey()
    }

    /// The installation without its places.
    fn world(&self, protocol: Protocol) -> World {
        let mut cells = Vec::new();
        let mut regions: Vec<Region> = Vec::new();
        let names = match &self.cells.alike {
            Some((which, _)) => *which.get(&ALIKE_REGIONS),
            None => REGIONS,
        };
        for (name, count) in names.iter().zip(&self.cells.in_regions) {
            let Ok(region) = name.parse::<Region>() else { continue };
            let numbers: Vec<u16> = match &self.cells.alike {
                Some((_, first)) => {
                    let first = first.index(ALIKE_NUMBERS.len());
                    ALIKE_NUMBERS
                        .iter()
                        .cycle()
                        .skip(first)
                        .copied()
                        .take(*count as usize)
                        .collect()
                }
                None => (0..*count).collect(),
            };
            cells.extend(numbers.into_iter().map(|number| CellId::new(region.clone(), number)));
            regions.insert(0, region);
        }
        regions.truncate(if self.cells.second_router { 2 } else { 1 });
        let mut conditions: Vec<Condition> = Vec::new();
        for (slug, cell) in &self.organizations {
            let is_it = |it: &Condition| matches!(it, Condition::Organization(s, _) if s == slug);
            if !conditions.iter().any(is_it) {
                conditions
                    .push(Condition::Organization((*slug).to_owned(), cell.get(&cells).clone()));
            }
        }
        let original = cells.first().filter(|cell| PRINTED_ID.parse() == Ok((*cell).clone()));
        if self.cells.printed_id && protocol == Protocol::Learning {
            conditions.extend(original.cloned().map(Condition::PrintedId));
        }
        conditions.extend(self.hop_limit.map(Condition::HopLimit));
        let signed_in = self.signed_in.iter().map(|name| (*name).to_owned()).collect();
        World { signed_in, conditions, ..World::new(protocol, cells, regions) }
    }
}

impl DraftPlace {
    /// Adds the place, unless something is at its path.
    fn add_to(&self, world: &mut World) {
        let cell = self.cell.get(&world.cells).clone();
        match self.drawn {
            Drawn::Namespace | Drawn::Exact => {
                let kind = match self.drawn {
                    Drawn::Exact => PlaceKind::Exact,
                    _ => PlaceKind::Public,
                };
                let names = [&[self.top], &self.names[..]].concat();
                let mut path = format!("/{}", names.join("/"));
                if let (Some(below), false) = (&self.below, world.places.is_empty()) {
                    let outer = &below.get(&world.places).path;
                    // Inside a place that moves with its organization it would move too, although
                    // it has its own cell.
                    if !world.moves_along(outer) {
                        path = format!("{outer}{path}");
                    }
                }
                add(world, PlannedPlace::new(path, cell, kind));
            }
            Drawn::Group => _ = self.group(world, cell),
            Drawn::Project => self.project(world, cell),
        }
    }

    /// Adds a few places inside and next to each other, on different cells where there are several.
    fn nest(&self, world: &mut World) {
        let first = self.cell.index(world.cells.len());
        let mut cells = world.cells.clone();
        cells.rotate_left(first);
        let mut names = self.names.iter().copied();
        let outer = format!("/{}", self.top);
        let middle = format!("{outer}/{}", names.next().unwrap_or("m"));
        let inner = format!("{middle}/{}", names.next().unwrap_or("i"));
        let paths = [
            (inner, PlaceKind::Public),
            (middle, PlaceKind::Public),
            (format!("{outer}/page"), PlaceKind::Exact),
            (format!("{outer}/beside"), PlaceKind::Public),
            (outer, PlaceKind::Public),
        ];
        for ((path, kind), cell) in paths.into_iter().zip(cells.iter().cycle()) {
            add(world, PlannedPlace::new(path, cell.clone(), kind));
        }
    }

    /// Adds a group, and returns its index.
    fn group(&self, world: &mut World, cell: CellId) -> Option<usize> {
        let name = if is_plain(self.top) { self.top } else { "group" };
        let kind = if self.private { PlaceKind::Private } else { PlaceKind::Group };
        let mut place = PlannedPlace::new(format!("/{name}"), cell, kind);
        let organizations: Vec<_> = world.organizations().collect();
        if self.of_organization && !organizations.is_empty() {
            let (slug, cell) = self.cell.get(&organizations);
            place.cell = (*cell).clone();
            place.of = Some((*slug).to_owned());
        }
        let path = place.path.clone();
        let index = add(world, place)?;
        self.join(world, kind == PlaceKind::Private, &path);
        Some(index)
    }

    /// Adds a project, to a group that is there or to one of its own.
    fn project(&self, world: &mut World, cell: CellId) {
        let groups =
            |(index, place): (usize, &PlannedPlace)| place.kind.is_group().then_some(index);
        let groups: Vec<_> = world.places.iter().enumerate().filter_map(groups).collect();
        let group = match &self.below {
            Some(below) if !groups.is_empty() => Some(*below.get(&groups)),
            _ => self.group(world, cell.clone()),
        };
        let Some(group) = group.map(|index| world.places[index].clone()) else { return };
        let name = self.names.iter().copied().find(|name| is_plain(name)).unwrap_or("project");
        let id = FIRST_PROJECT + world.places.len() as u64;
        let kind =
            if self.private { PlaceKind::PrivateProject(id) } else { PlaceKind::Project(id) };
        let path = format!("{}/{name}", group.path);
        // What belongs to an organization is where the organization is.
        let is_apart = self.apart && group.of.is_none() && cell != group.cell;
        let on = if is_apart { cell } else { group.cell.clone() };
        let of = Some(group.name().to_owned());
        let place = PlannedPlace { path: path.clone(), cell: on.clone(), kind, of };
        let name = place.name().to_owned();
        if add(world, place).is_some() {
            if is_apart {
                world.conditions.push(Condition::Apart(name, on));
            }
            self.join(world, self.private, &path);
        }
    }

    /// Makes somebody a member of what is private.
    fn join(&self, world: &mut World, is_private: bool, path: &str) {
        if let (Some(member), true) = (&self.member, is_private) {
            let person = (*member.get(&PEOPLE)).to_owned();
            let path = path.trim_start_matches('/').to_owned();
            world.conditions.push(Condition::Member(person, path));
        }
    }
}

fn add(world: &mut World, place: PlannedPlace) -> Option<usize> {
    (!world.has(&place.path)).then(|| {
        world.places.push(place);
        world.places.len() - 1
    })
}

#[cfg(test)]
mod tests;
