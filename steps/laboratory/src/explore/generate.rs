//! Makes up journeys: proptest draws installations, places and what is done; this module puts the
//! installation together, so that names stay consistent. [`Story`] adds what happens.

use cell_fleet::{CellId, Protocol, Region};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::{Union, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::batch::can_share;
use super::deed::{Deed, Situation};
use super::journey::Journey;
use super::names::{NAMES, ORGANIZATIONS, RESERVED, is_plain};
use super::scene::{Scene, Story};
use super::seeds;
use super::weights::{Drawn, Weights};
use super::world::{Condition, PRINTED_ID, PlaceKind, PlannedFault, PlannedPlace, World};

/// The id of the first project; those of the documents are others.
const FIRST_PROJECT: u64 = 9_001;
/// More projects than a journey has.
const PROJECTS: u64 = 100;

/// Who may have a session.
const PEOPLE: [&str; 3] = ["anna", "nina", "gabe"];

/// Draws a journey. The same seed and weights give the same journey. If it can share
/// a router, all its names begin with a word that no other journey has. The names of others are
/// like the application's.
pub(crate) fn journey(protocol: Protocol, seed: u64, weights: &Weights) -> Journey {
    let mut draft = Draft::of(seed, weights);
    draft.family = sampled(&of_family(weights), seeds::of_cells(seed));
    let head = seeds::head(seed);
    if !head.is_empty() {
        let named = Draft { head, projects: seeds::in_family(seed), ..draft.clone() };
        let journey = named.into_journey(protocol);
        if can_share(&journey) {
            return journey;
        }
    }
    draft.into_journey(protocol)
}

/// The pairs of situation and deed of the journey of a seed.
pub(crate) fn drawn(seed: u64, weights: &Weights) -> Vec<(Situation, Deed)> {
    let draft = Draft::of(seed, weights);
    draft.scenes.iter().map(|scene| (scene.situation, scene.deed)).collect()
}

/// What proptest draws; indexes are resolved when the journey is put together.
#[derive(Clone, Debug, Default)]
struct Draft {
    /// How names at the top begin.
    head: String,
    /// Which project ids are its own.
    projects: u64,
    family: OfFamily,
    related: bool,
    organizations: Vec<(&'static str, Index)>,
    places: Vec<DraftPlace>,
    fault: Option<(Index, Index, bool, bool)>,
    hop_limit: Option<u32>,
    signed_in: Vec<&'static str>,
    scenes: Vec<Scene>,
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

/// The regions of a world, in the order in which they are used.
const REGIONS: [&str; 3] = ["us", "eu", "ap"];

/// Regions of which one name begins with another.
const ALIKE_REGIONS: [[&str; 3]; 3] =
    [["euw", "eu", "ap"], ["us", "usw", "eu"], ["apsouth", "apsoutha", "ap"]];

/// Numbers of cells of which one begins with another, and some end with the same digit.
const ALIKE_NUMBERS: [u16; 5] = [1, 10, 11, 0, 110];

/// The cells and routers of a family of journeys.
#[derive(Clone, Debug, Default)]
struct OfFamily {
    cells: Vec<u16>,
    /// Which names of cells begin alike, and with which of them a region begins.
    alike: Option<(Index, Index)>,
    second_router: bool,
    printed_id: bool,
}

fn of_family(weights: &Weights) -> impl Strategy<Value = OfFamily> + use<> {
    (
        // One to three regions, one to five cells in each.
        prop::collection::vec(weighted(weights.cells_in_region.clone()), 1..=REGIONS.len()),
        prop::option::weighted(weights.cells_alike, any::<(Index, Index)>()),
        prop::bool::weighted(weights.second_router),
        prop::bool::weighted(weights.printed_id),
    )
        .prop_map(|(cells, alike, second_router, printed_id)| OfFamily {
            cells,
            alike,
            second_router,
            printed_id,
        })
}

fn draft(weights: &Weights, shares: bool) -> impl Strategy<Value = Draft> + use<> {
    let pairs = weights.pairs();
    let pairs = if shares { shareable(pairs) } else { pairs };
    let fault = prop::option::weighted(
        weights.fault,
        (any::<Index>(), any::<Index>(), any::<bool>(), any::<bool>()),
    );
    let scene = (
        Union::new_weighted(pairs),
        any::<[Index; 6]>(),
        prop::bool::weighted(weights.signed_in),
        prop::bool::weighted(weights.near),
    )
        .prop_map(|((situation, deed), details, signed_in, near)| Scene {
            situation,
            deed,
            details,
            signed_in,
            near,
        });
    (
        prop::collection::vec((select(&ORGANIZATIONS[..]), any::<Index>()), 0..=2),
        prop::collection::vec(place(weights), 1..=6),
        fault,
        prop::option::weighted(weights.hop_limit, 3_u32..=4),
        prop::bool::weighted(weights.signed_in),
        prop::sample::subsequence(&PEOPLE[..], 1..=PEOPLE.len()),
        prop::collection::vec(scene, 1..=weights.scenes),
        prop::bool::weighted(weights.related),
    )
        .prop_map(move |drawn| Draft {
            head: String::new(),
            projects: 0,
            family: OfFamily::default(),
            organizations: drawn.0,
            places: drawn.1,
            fault: drawn.2.filter(|_| !shares),
            hop_limit: drawn.3.filter(|_| !shares),
            signed_in: if drawn.4 { drawn.5 } else { Vec::new() },
            scenes: drawn.6,
            related: drawn.7,
        })
}

/// The pairs after which others can use the router; all of them if there are none.
fn shareable(pairs: Vec<(u32, Just<(Situation, Deed)>)>) -> Vec<(u32, Just<(Situation, Deed)>)> {
    let can_share = |(_, Just((situation, deed))): &&(u32, Just<(Situation, Deed)>)| {
        situation.can_share() && deed.can_share()
    };
    let some: Vec<_> = pairs.iter().filter(can_share).cloned().collect();
    if some.is_empty() { pairs } else { some }
}

fn place(weights: &Weights) -> impl Strategy<Value = DraftPlace> + use<> {
    let kinds = weights.places.iter().map(|(kind, weight)| (*weight, *kind)).collect();
    let below = prop_oneof![3 => select(&NAMES[..]), 1 => select(&RESERVED[..])];
    (
        weighted(kinds),
        select(&NAMES[..]),
        prop::collection::vec(below, 0..=2),
        prop::option::weighted(0.4, any::<Index>()),
        any::<Index>(),
        prop::bool::weighted(weights.private),
        prop::bool::weighted(weights.of_organization),
        prop::bool::weighted(weights.apart),
        prop::option::weighted(0.5, any::<Index>()),
    )
        .prop_map(|drawn| DraftPlace {
            drawn: drawn.0,
            top: drawn.1,
            names: drawn.2,
            below: drawn.3,
            cell: drawn.4,
            private: drawn.5,
            of_organization: drawn.6,
            apart: drawn.7,
            member: drawn.8,
        })
}

fn weighted<T: Clone + std::fmt::Debug + 'static>(
    weights: Vec<(u32, T)>,
) -> impl Strategy<Value = T> + use<T> {
    let can_be = weights.into_iter().filter(|(weight, _)| *weight > 0);
    Union::new_weighted(can_be.map(|(weight, value)| (weight, Just(value))).collect())
}

/// What a seed draws.
fn sampled<T: std::fmt::Debug + Default>(strategy: &impl Strategy<Value = T>, seed: u64) -> T {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    // None of the strategies filters, so none can give up.
    strategy.new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default()
}

impl Draft {
    fn of(seed: u64, weights: &Weights) -> Self {
        sampled(&draft(weights, !seeds::head(seed).is_empty()), seed)
    }

    fn into_journey(self, protocol: Protocol) -> Journey {
        let mut world = self.world(protocol);
        let first_project = FIRST_PROJECT + self.projects * PROJECTS;
        match self.places.first() {
            Some(first) if self.related => first.nest(&mut world),
            _ => {
                self.places.iter().for_each(|place| place.add_to(&mut world, first_project));
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
        let mut story = Story::of(world);
        for scene in &self.scenes {
            story.play(scene);
        }
        story.into_journey()
    }

    /// The installation without its places.
    fn world(&self, protocol: Protocol) -> World {
        let mut cells = Vec::new();
        let mut regions: Vec<Region> = Vec::new();
        let names = match &self.family.alike {
            Some((which, _)) => *which.get(&ALIKE_REGIONS),
            None => REGIONS,
        };
        for (name, count) in names.iter().zip(&self.family.cells) {
            let Ok(region) = name.parse::<Region>() else { continue };
            let numbers: Vec<u16> = match &self.family.alike {
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
        regions.truncate(if self.family.second_router { 2 } else { 1 });
        let mut conditions: Vec<Condition> = Vec::new();
        for (slug, cell) in &self.organizations {
            let slug = format!("{}{slug}", self.head);
            let is_it = |it: &Condition| matches!(it, Condition::Organization(s, _) if *s == slug);
            if !conditions.iter().any(is_it) {
                conditions.push(Condition::Organization(slug, cell.get(&cells).clone()));
            }
        }
        // Who shares a router shares its topology.
        let original = cells.first().filter(|cell| PRINTED_ID.parse() == Ok((*cell).clone()));
        if self.family.printed_id && protocol == Protocol::Learning && self.head.is_empty() {
            conditions.extend(original.cloned().map(Condition::PrintedId));
        }
        conditions.extend(self.hop_limit.map(Condition::HopLimit));
        let signed_in = self.signed_in.iter().map(|name| (*name).to_owned()).collect();
        let head = self.head.clone();
        World { head, signed_in, conditions, ..World::new(protocol, cells, regions) }
    }
}

impl DraftPlace {
    /// Adds the place, unless something is at its path.
    fn add_to(&self, world: &mut World, first_project: u64) {
        let cell = self.cell.get(&world.cells).clone();
        match self.drawn {
            Drawn::Namespace | Drawn::Exact => {
                let kind = match self.drawn {
                    Drawn::Exact => PlaceKind::Exact,
                    _ => PlaceKind::Public,
                };
                let names = [&[self.top], &self.names[..]].concat();
                let mut path = format!("/{}{}", world.head, names.join("/"));
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
            Drawn::Project => self.project(world, cell, first_project),
        }
    }

    /// Adds a few places inside and next to each other, on different cells where there are several.
    fn nest(&self, world: &mut World) {
        let first = self.cell.index(world.cells.len());
        let mut cells = world.cells.clone();
        cells.rotate_left(first);
        let mut names = self.names.iter().copied();
        let outer = format!("/{}{}", world.head, self.top);
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
        let mut place = PlannedPlace::new(format!("/{}{name}", world.head), cell, kind);
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
    fn project(&self, world: &mut World, cell: CellId, first_project: u64) {
        let groups =
            |(index, place): (usize, &PlannedPlace)| place.kind.is_group().then_some(index);
        let groups: Vec<_> = world.places.iter().enumerate().filter_map(groups).collect();
        let group = match &self.below {
            Some(below) if !groups.is_empty() => Some(*below.get(&groups)),
            _ => self.group(world, cell.clone()),
        };
        let Some(group) = group.map(|index| world.places[index].clone()) else { return };
        let name = self.names.iter().copied().find(|name| is_plain(name)).unwrap_or("project");
        let id = first_project + world.places.len() as u64;
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
