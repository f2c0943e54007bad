//! Makes up journeys: draws an installation and its places, so that names stay consistent.
//! [`Story`] adds what happens.

use cell_fleet::{CellId, Protocol, Region};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{RngExt as _, SeedableRng as _};
use strum::VariantArray as _;

use super::journey::Journey;
use super::names::{NAMES, ORGANIZATIONS, RESERVED, is_plain};
use super::scene::{DEEDS, Scene, Situation, Story};
use super::world::{Condition, PRINTED_ID, PlaceKind, PlannedPlace, World};

/// The id of the first project; those of the documents are others.
const FIRST_PROJECT: u64 = 9_001;

/// How many cells a region has, each number with its weight.
const CELLS_IN_REGION: [(u32, u16); 5] = [(3, 1), (4, 2), (2, 3), (1, 4), (1, 5)];
/// What is at a path, each kind with its weight.
const KINDS: [(u32, Drawn); 4] =
    [(6, Drawn::Namespace), (1, Drawn::Exact), (3, Drawn::Group), (3, Drawn::Project)];
const SIGNED_IN: f64 = 0.3;
/// The most scenes of a journey: journeys stay short.
const MOST_SCENES: usize = 4;

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
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut world = world(rng, protocol);
    if rng.random_bool(0.3) {
        Draft::draw(rng).nest(rng, &mut world);
    } else {
        (0..rng.random_range(1..=6)).for_each(|_| Draft::draw(rng).add_to(rng, &mut world));
    }
    if rng.random_bool(0.1) {
        let (cell, place) = (one(rng, &world.cells), one(rng, &world.places));
        let breaks_off = Condition::breaks_off(cell, &place.path, rng.random(), rng.random());
        world.conditions.push(breaks_off);
    }
    let mut story = Story::new(world);
    for _ in 0..rng.random_range(1..=MOST_SCENES) {
        story.play(&scene(rng));
    }
    story.into_journey()
}

fn scene(rng: &mut StdRng) -> Scene {
    Scene {
        situation: *weighted(rng, Situation::VARIANTS, |it| it.weight()),
        deed: weighted(rng, &DEEDS, |deed| deed.weight),
        details: rng.random(),
        signed_in: rng.random_bool(SIGNED_IN),
        near: rng.random(),
    }
}

/// One of some values, of which there is one.
fn one<'v, T>(rng: &mut StdRng, values: &'v [T]) -> &'v T {
    &values[rng.random_range(..values.len())]
}

/// One of some values, each as often as its weight says.
fn weighted<'v, T>(rng: &mut StdRng, values: &'v [T], weight: impl Fn(&T) -> u32) -> &'v T {
    // No weight is 0.
    values.choose_weighted(rng, weight).unwrap_or(&values[0])
}

/// An installation without its places.
fn world(rng: &mut StdRng, protocol: Protocol) -> World {
    let alike = rng.random_bool(0.25);
    let names = if alike { *one(rng, &ALIKE_REGIONS) } else { REGIONS };
    let first = rng.random_range(..ALIKE_NUMBERS.len());
    let mut cells = Vec::new();
    let mut regions: Vec<Region> = Vec::new();
    for name in names.iter().take(rng.random_range(1..=REGIONS.len())) {
        let Ok(region) = name.parse::<Region>() else { continue };
        let (_, count) = *weighted(rng, &CELLS_IN_REGION, |(weight, _)| *weight);
        let numbers: Vec<u16> = match alike {
            true => {
                let numbers = ALIKE_NUMBERS.iter().cycle().skip(first).copied();
                numbers.take(usize::from(count)).collect()
            }
            false => (0..count).collect(),
        };
        cells.extend(numbers.into_iter().map(|number| CellId::new(region.clone(), number)));
        regions.insert(0, region);
    }
    regions.truncate(if rng.random_bool(0.2) { 2 } else { 1 });
    let mut conditions: Vec<Condition> = Vec::new();
    for _ in 0..rng.random_range(0..=2) {
        let (slug, cell) = (*one(rng, &ORGANIZATIONS), one(rng, &cells).clone());
        let is_it = |it: &Condition| matches!(it, Condition::Organization(s, _) if s == slug);
        if !conditions.iter().any(is_it) {
            conditions.push(Condition::Organization(slug.to_owned(), cell));
        }
    }
    let original = cells.first().filter(|cell| PRINTED_ID.parse() == Ok((*cell).clone()));
    if rng.random_bool(0.2) && protocol == Protocol::Learning {
        conditions.extend(original.cloned().map(Condition::PrintedId));
    }
    if rng.random_bool(0.2) {
        let hops: u32 = rng.random_range(3..=4);
        conditions.push(Condition::Step(format!("the hop limit is {hops}"), Vec::new()));
    }
    let mut signed_in = Vec::new();
    if rng.random_bool(SIGNED_IN) {
        signed_in.extend(PEOPLE.map(str::to_owned));
        signed_in.shuffle(rng);
        signed_in.truncate(rng.random_range(1..=PEOPLE.len()));
    }
    World {
        protocol,
        cells,
        routers: regions,
        places: Vec::new(),
        cold_places: 0,
        ttl_ms: None,
        max_entries: None,
        max_body: None,
        holds: Vec::new(),
        signed_in,
        conditions,
    }
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

/// A place that is drawn; its kind and its cell are drawn when it is added.
#[derive(Clone, Debug)]
struct Draft {
    top: &'static str,
    names: Vec<&'static str>,
    below: bool,
    private: bool,
    of_organization: bool,
    apart: bool,
    member: Option<&'static str>,
}

impl Draft {
    fn draw(rng: &mut StdRng) -> Self {
        let name = |rng: &mut StdRng| match rng.random_bool(0.25) {
            true => *one(rng, &RESERVED),
            false => *one(rng, &NAMES),
        };
        Self {
            top: *one(rng, &NAMES),
            names: (0..rng.random_range(0..=2)).map(|_| name(rng)).collect(),
            below: rng.random_bool(0.4),
            private: rng.random_bool(0.3),
            of_organization: rng.random(),
            apart: rng.random_bool(0.3),
            member: rng.random::<bool>().then(|| *one(rng, &PEOPLE)),
        }
    }

    /// Adds the place, unless something is at its path.
    fn add_to(&self, rng: &mut StdRng, world: &mut World) {
        let cell = one(rng, &world.cells).clone();
        let kind = match weighted(rng, &KINDS, |(weight, _)| *weight).1 {
            Drawn::Group => {
                self.group(rng, world, cell);
                return;
            }
            Drawn::Project => return self.project(rng, world, cell),
            Drawn::Exact => PlaceKind::Exact,
            Drawn::Namespace => PlaceKind::Public,
        };
        let names = [&[self.top], &self.names[..]].concat();
        let mut path = format!("/{}", names.join("/"));
        if self.below && !world.places.is_empty() {
            let outer = &one(rng, &world.places).path;
            // Inside a place that moves with its organization it would move too, although it has its
            // own cell.
            if !world.moves_along(outer) {
                path = format!("{outer}{path}");
            }
        }
        add(world, PlannedPlace::new(path, cell, kind));
    }

    /// Adds a few places inside and next to each other, on different cells where there are several.
    fn nest(&self, rng: &mut StdRng, world: &mut World) {
        let first = rng.random_range(..world.cells.len());
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

    fn group(&self, rng: &mut StdRng, world: &mut World, cell: CellId) -> Option<usize> {
        let name = if is_plain(self.top) { self.top } else { "group" };
        let kind = if self.private { PlaceKind::Private } else { PlaceKind::Group };
        let mut place = PlannedPlace::new(format!("/{name}"), cell, kind);
        let organizations: Vec<_> = world.organizations().collect();
        if self.of_organization && !organizations.is_empty() {
            let (slug, cell) = one(rng, &organizations);
            place.cell = (*cell).clone();
            place.of = Some((*slug).to_owned());
        }
        let path = place.path.clone();
        let index = add(world, place)?;
        self.join(world, kind == PlaceKind::Private, &path);
        Some(index)
    }

    /// Adds a project, to a group that is there or to one of its own.
    fn project(&self, rng: &mut StdRng, world: &mut World, cell: CellId) {
        let groups =
            |(index, place): (usize, &PlannedPlace)| place.kind.is_group().then_some(index);
        let groups: Vec<_> = world.places.iter().enumerate().filter_map(groups).collect();
        let group = match self.below && !groups.is_empty() {
            true => Some(*one(rng, &groups)),
            false => self.group(rng, world, cell.clone()),
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
        if let (Some(person), true) = (self.member, is_private) {
            let path = path.trim_start_matches('/').to_owned();
            world.conditions.push(Condition::Member(person.to_owned(), path));
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
mod tests {
    use super::*;

    /// Journeys of fixed seeds, in both protocols.
    fn journeys(count: u64) -> impl Iterator<Item = Journey> {
        (0..count).map(|seed| journey(Protocol::ALL[seed as usize % 2], seed))
    }

    #[test]
    fn every_drawn_journey_is_a_case() {
        for journey in journeys(60) {
            assert!(journey.is_sound(), "{}", journey.as_feature("unsound", "RT-08"));
            let case = journey.as_case("a drawn journey is permitted", "RT-08");
            if let Err(why) =
                case.and_then(|case| conformance_suite::run::planned_for(&case).map(drop))
            {
                panic!("{why}");
            }
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_journey() {
        for seed in [1, 77] {
            let drawn = journey(Protocol::Learning, seed);
            assert_eq!(drawn, journey(Protocol::Learning, seed));
            assert_ne!(drawn, journey(Protocol::Learning, seed + 1));
        }
    }

    /// What a generator loses first: places that are nearly the same, what needs several choices at
    /// once, and what only one situation leads to.
    #[test]
    fn what_is_seldom_is_drawn_as_well() {
        let written: Vec<_> = journeys(2_000)
            .map(|it| it.as_feature("a drawn journey is permitted", "RT-08"))
            .collect();
        for text in [
            "apart from its group",
            "is a member of",
            "region lag until they are released",
            "that only the latest version knows",
            "every cell holds its response to a pre-flight",
            "every cell responds to a pre-flight about",
            "X-GITLAB-CELL-REDIRECT: ",
            "sends FROBNICATE",
            "with 2001 random bytes in chunks",
            "uploads 400 bytes",
            "is renamed to",
            "region goes down",
            "router restarts",
            "the held response to",
            "several users share a connection, pipelining",
            "31 times",
        ] {
            assert!(
                written.iter().any(|feature| feature.contains(text)),
                "no journey has {text:?}"
            );
        }
        let nests = |journey: Journey| {
            let places = &journey.world.places;
            let inside = |a: &PlannedPlace, b: &PlannedPlace| {
                b.path.starts_with(&format!("{}/", a.path)) && a.cell != b.cell
            };
            places.iter().any(|a| places.iter().any(|b| inside(a, b)))
        };
        assert!(journeys(300).any(nests));
    }
}
