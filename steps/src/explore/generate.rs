//! Makes up journeys: proptest draws installations, places and what is done; this module puts the
//! draws together, so that names stay consistent.

use cell_fleet::{CellId, Protocol, Region};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::{Union, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::deed::{Deed, Situation};
use super::journey::Journey;
use super::weights::Weights;
use super::world::{Hold, PlaceKind, PlannedFault, PlannedPlace, World};
use crate::action::{
    Action, CellGroup, Flow, Person, RequestKind, Route, RouterAction, Visits, WorldAction,
};

/// The organization that moves.
const ORGANIZATION: &str = "my-organization";
/// A public project of it.
const OF_ORGANIZATION: &str = "/my-company/handbook";
/// The body limit of a world that has one.
const BODY_LIMIT: u64 = 2_000;
/// How many places a crowding visit goes to.
const CROWD: u64 = 12;

/// Draws a journey. The same seed and weights give the same journey.
pub(crate) fn journey(protocol: Protocol, seed: u64, weights: &Weights) -> Journey {
    Draft::of(seed, weights).into_journey(protocol)
}

/// The pairs of situation and deed of the journey of a seed.
pub(crate) fn drawn(seed: u64, weights: &Weights) -> Vec<(Situation, Deed)> {
    let draft = Draft::of(seed, weights);
    draft.scenes.iter().map(|scene| (scene.situation, scene.deed)).collect()
}

impl Draft {
    fn of(seed: u64, weights: &Weights) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let draft = draft(weights).new_tree(&mut runner);
        // None of the strategies filters, so none can give up.
        draft.map_or_else(|_| Draft::smallest(), |tree| tree.current())
    }
}

/// What proptest draws; indexes are resolved when the journey is put together.
#[derive(Clone, Debug)]
struct Draft {
    cells: Vec<(usize, u16)>,
    second_router: bool,
    places: Vec<(Vec<&'static str>, Option<Index>, Index, PlaceKind)>,
    fault: Option<(Index, Index, bool, bool)>,
    signed_in: bool,
    scenes: Vec<Scene>,
}

/// One situation with what is then done.
#[derive(Clone, Debug)]
struct Scene {
    situation: Situation,
    deed: Deed,
    place: Index,
    detail: Index,
    signed_in: bool,
}

impl Draft {
    fn smallest() -> Self {
        Self {
            cells: vec![(0, 1)],
            second_router: false,
            places: Vec::new(),
            fault: None,
            signed_in: false,
            scenes: Vec::new(),
        }
    }
}

/// Names that differ in one byte, in case, in escaping, or are prefixes of each other.
const NAMES: [&str; 20] = [
    "a", "ab", "a-b", "a.b", "A", "acme", "acme-2", "Acme", "ac", "b", "users2", "admin-x", "api2",
    "groups.x", "a%20b", "%C3%A4", "a+b", "a(b", "-x", "x",
];

/// The regions of a world, in the order in which they are used.
const REGIONS: [&str; 3] = ["us", "eu", "ap"];

fn draft(weights: &Weights) -> impl Strategy<Value = Draft> + use<> {
    // One to three regions, one to five cells in each.
    let cells = prop::collection::vec(weighted(&weights.cells_in_region), 1..=REGIONS.len())
        .prop_map(|counts| counts.into_iter().enumerate().collect::<Vec<_>>());
    let kind = prop_oneof![
        6 => Just(PlaceKind::Public),
        2 => Just(PlaceKind::Private),
        1 => Just(PlaceKind::Exact),
    ];
    let place = (
        prop::collection::vec(select(&NAMES[..]), 1..=3),
        prop::option::weighted(0.4, any::<Index>()),
        any::<Index>(),
        kind,
    );
    let fault = prop::option::weighted(
        weights.fault,
        (any::<Index>(), any::<Index>(), any::<bool>(), any::<bool>()),
    );
    let scene = (
        Union::new_weighted(weights.pairs()),
        any::<Index>(),
        any::<Index>(),
        prop::bool::weighted(weights.signed_in),
    )
        .prop_map(|((situation, deed), place, detail, signed_in)| Scene {
            situation,
            deed,
            place,
            detail,
            signed_in,
        });
    (
        cells,
        prop::bool::weighted(weights.second_router),
        prop::collection::vec(place, 1..=6),
        fault,
        prop::bool::weighted(weights.signed_in),
        prop::collection::vec(scene, 1..=weights.scenes),
    )
        .prop_map(|(cells, second_router, places, fault, signed_in, scenes)| Draft {
            cells: cells.into_iter().collect(),
            second_router,
            places,
            fault,
            signed_in,
            scenes,
        })
}

fn weighted(weights: &[(u32, u16)]) -> impl Strategy<Value = u16> + use<> {
    Union::new_weighted(weights.iter().map(|(weight, count)| (*weight, Just(*count))).collect())
}

impl Draft {
    fn into_journey(self, protocol: Protocol) -> Journey {
        let cells: Vec<_> = self
            .cells
            .iter()
            .flat_map(|(region, count)| {
                let region: Option<Region> =
                    REGIONS.get(*region).and_then(|name| name.parse().ok());
                (0..*count).filter_map(move |number| {
                    region.clone().map(|region| CellId::new(region, number))
                })
            })
            .collect();
        let mut regions: Vec<Region> = Vec::new();
        for cell in cells.iter().rev() {
            if !regions.contains(cell.region()) {
                regions.push(cell.region().clone());
            }
        }
        regions.truncate(if self.second_router { 2 } else { 1 });
        let mut places: Vec<PlannedPlace> = Vec::new();
        for (names, below, cell, kind) in &self.places {
            let mut path = format!("/{}", names.join("/"));
            if let (Some(below), false) = (below, places.is_empty()) {
                path = format!("{}{path}", below.get(&places).path);
            }
            // A private namespace is at the top of its tree.
            let plain = names.iter().all(|name| !name.contains(['%', '+', '(']));
            let private = *kind == PlaceKind::Private && names.len() == 1 && below.is_none();
            let kind = match kind {
                PlaceKind::Private if !(private && plain) => PlaceKind::Public,
                kind => *kind,
            };
            if !places.iter().any(|place| place.path == path) {
                places.push(PlannedPlace { path, cell: cell.get(&cells).clone(), kind });
            }
        }
        let signed_in = if self.signed_in { vec!["anna".to_owned()] } else { Vec::new() };
        let mut world = World {
            protocol,
            cells,
            routers: regions,
            places,
            cold_places: 0,
            ttl_ms: None,
            max_entries: None,
            max_body: None,
            faults: Vec::new(),
            holds: Vec::new(),
            signed_in,
        };
        if let Some((cell, place, reset, within_body)) = &self.fault {
            world.faults.push(PlannedFault {
                cell: cell.get(&world.cells).clone(),
                path: place.get(&world.places).path.clone(),
                reset: *reset,
                within_body: *within_body,
            });
        }
        let mut actions = Vec::new();
        for scene in &self.scenes {
            scene.play(&mut world, &mut actions);
        }
        if actions.iter().any(|action| matches!(action, Action::Begin { .. })) {
            actions.push(Action::World(WorldAction::Release));
        }
        Journey { world, actions }
    }
}

impl Scene {
    /// Adds what brings the router into the situation, then what is done.
    fn play(&self, world: &mut World, actions: &mut Vec<Action>) {
        let place = self.place.get(&world.places).clone();
        let moving = matches!(self.situation, Situation::Moved) || self.deed == Deed::Move;
        let path = if moving { OF_ORGANIZATION.to_owned() } else { place.path.clone() };
        let person = match self.signed_in && world.signed_in.contains(&"anna".to_owned()) {
            true => Person("anna".to_owned()),
            false => Person::visitor(),
        };
        let visit = |target: &str| {
            let request = RequestKind::Target { target: target.to_owned() };
            Action::request(person.clone(), request, Route::Default)
        };
        let target = self.target(&path);
        match self.situation {
            Situation::AsItIs => {}
            Situation::Visited => actions.push(visit(&target)),
            Situation::Moved => {
                actions.push(visit(&target));
                actions.push(self.moves(world));
            }
            Situation::Outlived => {
                world.ttl_ms = Some(200);
                actions.push(visit(&target));
                actions.push(Action::World(WorldAction::PassTimeToLive));
            }
            Situation::Crowded => {
                world.max_entries = Some(3);
                world.cold_places = CROWD;
                actions.push(visit(&target));
                let visits = Visits::ColdPrefixes { count: CROWD };
                actions.push(Action::Visits { person: person.clone(), visits });
            }
            Situation::OwnerDown => {
                actions.push(visit(&target));
                actions.push(Action::World(WorldAction::TakeDown(CellGroup::Cell(
                    place.cell.clone(),
                ))));
            }
            Situation::Restarted => {
                actions.push(visit(&target));
                // A router that stops waits for its open requests.
                if actions.iter().any(|action| matches!(action, Action::Begin { .. })) {
                    actions.push(Action::World(WorldAction::Release));
                }
                let region = world.routers[0].clone();
                let action = RouterAction::Restart;
                actions.push(Action::World(WorldAction::Router { region, action }));
            }
        }
        self.act(world, &path, &person, actions);
        if self.situation == Situation::OwnerDown {
            let group = CellGroup::Cell(place.cell.clone());
            actions.push(Action::World(WorldAction::BringBack(group)));
            actions.push(visit(&target));
        }
    }

    fn target(&self, path: &str) -> String {
        let below = self.detail.get(&["", "/", "/x", "/-/issues", "/x/y.z"]);
        format!("{path}{below}")
    }

    fn moves(&self, world: &World) -> Action {
        Action::World(WorldAction::MoveOrganization {
            organization: ORGANIZATION.to_owned(),
            cell: self.detail.get(&world.cells).clone(),
        })
    }

    fn act(&self, world: &mut World, path: &str, person: &Person, actions: &mut Vec<Action>) {
        let target = self.target(path);
        let send = |request| Action::request(person.clone(), request, Route::Default);
        let get = |target: String| send(RequestKind::Target { target });
        let method = |method: &str, target: &str| {
            send(RequestKind::Method { method: method.to_owned(), target: target.to_owned() })
        };
        let body = |method: &str, length| {
            send(RequestKind::RandomBody {
                method: method.to_owned(),
                target: target.clone(),
                length,
            })
        };
        let flow = |flow| Action::Flow { person: person.clone(), flow };
        actions.push(match self.deed {
            // Where a router buffers, or no cell can read, nothing shows that the request is under
            // way: the scenario would wait for its limit.
            Deed::PutInHalves if world.protocol == Protocol::Buffering => {
                flow(Flow::Chunked { method: "PUT".to_owned(), target, length: 400 })
            }
            Deed::BeginHeld | Deed::BeginHeldPreflight | Deed::PutInHalves
                if self.situation == Situation::OwnerDown =>
            {
                get(target.clone())
            }
            Deed::Visit => get(target.clone()),
            Deed::VisitBelow => get(format!("{path}/deep/er")),
            Deed::VisitWithQuery => get(format!("{target}?a=/b&c")),
            Deed::VisitNeighbour => get(format!("{path}{}", self.detail.get(&["x", "-2", "."]))),
            Deed::VisitOtherCase => get(swapped_case(path)),
            Deed::VisitRespelt => get(respelt(path, &self.detail)),
            Deed::VisitAbove => get(above(path)),
            Deed::VisitRoot => get("/".to_owned()),
            Deed::VisitOrganization => get(format!("/organizations/{ORGANIZATION}/-/about")),
            Deed::VisitSignIn => get("/users/sign_in".to_owned()),
            Deed::VisitById => get(format!(
                "/api/v4/projects/{}",
                self.detail.get(&["278964", "5003", "my-company%2Fhandbook", "1"])
            )),
            Deed::VisitLearnLike => {
                get(format!("/api/v4/internal/cells/{}", self.detail.get(&["learned", "learn/x"])))
            }
            Deed::VisitMissing => get(format!("/nobody-owns-this{path}")),
            Deed::Head => method("HEAD", &target),
            Deed::Delete => method("DELETE", &target),
            Deed::Post => body("POST", 100),
            Deed::PutAtLimit => {
                world.max_body = Some(BODY_LIMIT);
                body("PUT", BODY_LIMIT)
            }
            Deed::PutAboveLimit => {
                world.max_body = Some(BODY_LIMIT);
                body("PUT", BODY_LIMIT + 1)
            }
            Deed::PostInChunks => {
                flow(Flow::Chunked { method: "POST".to_owned(), target, length: 300 })
            }
            Deed::PutInHalves => flow(Flow::Halves { target, length: 400 }),
            Deed::ForgeFields => send(RequestKind::Message {
                method: "GET".to_owned(),
                target: target.clone(),
                fields: self.forged(world, path),
                body: String::new(),
            }),
            Deed::Together => Action::Together { person: person.clone(), target, times: 3 },
            Deed::OtherRouter => Action::request(
                person.clone(),
                RequestKind::Target { target },
                Route::Router(self.detail.get(&world.routers).clone()),
            ),
            Deed::BeginHeld | Deed::BeginHeldPreflight => {
                let mut held = format!("{path}/held-{}", world.holds.len());
                let preflight =
                    self.deed == Deed::BeginHeldPreflight && world.protocol == Protocol::Learning;
                if preflight {
                    // A place that no router knows: otherwise there is no pre-flight.
                    let name = format!("/unknown-{}", world.holds.len());
                    held = format!("{name}/page");
                    let cell = self.detail.get(&world.cells).clone();
                    let kind = PlaceKind::Public;
                    world.places.push(PlannedPlace { path: name, cell, kind });
                }
                world.holds.push(Hold { path: held.clone(), preflight });
                Action::Begin { person: Person("nina".to_owned()), target: held, arrives: true }
            }
            Deed::Move => self.moves(world),
            Deed::RestartCell => {
                Action::World(WorldAction::RestartCell(self.detail.get(&world.cells).clone()))
            }
        });
    }

    /// What a user might say to be sent to a cell.
    fn forged(&self, world: &World, path: &str) -> Vec<(String, String)> {
        let cell = self.detail.get(&world.cells);
        vec![
            ("X-Gitlab-Cell-Redirect".to_owned(), format!("{{cell:{}}}", cell.name())),
            ("X-Gitlab-Cell-Cache".to_owned(), format!("{{path_prefix:{path}/}}")),
        ]
    }
}

fn swapped_case(path: &str) -> String {
    let swapped = |c: char| match c {
        c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
        c => c.to_ascii_lowercase(),
    };
    // Escapes keep their meaning.
    if path.contains('%') { path.to_owned() } else { path.chars().map(swapped).collect() }
}

fn respelt(path: &str, how: &Index) -> String {
    let first = path.chars().nth(1).unwrap_or('a');
    match how.index(4) {
        0 => format!("/{path}"),
        1 => format!("{path}/./x"),
        2 => format!("{path}/y/../x"),
        _ if first.is_ascii_alphanumeric() => {
            format!("/%{:02X}{}", u32::from(first), &path[2..])
        }
        _ => format!("{path}//x"),
    }
}

fn above(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((above, _)) if !above.is_empty() => above.to_owned(),
        _ => path.to_owned(),
    }
}
