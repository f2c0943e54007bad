//! What happens in a journey: each scene brings a router into a situation, and does a deed.

mod clients;
mod deed;
mod deeds;
mod odd;
mod situations;
mod walks;

use super::journey::Journey;
use super::world::{Condition, PlaceKind, PlannedPlace, World};
use conformance_suite::action::{Action, Framing, Person, RequestKind, Route, Until, WorldAction};
use deed::Needs;
pub(super) use deed::{DEEDS, Deed};
pub(super) use situations::Situation;

/// The body limit of a world that has one.
const BODY_LIMIT: u64 = 2_000;
/// How many places a crowding visit goes to.
const CROWD: u64 = 12;
/// The lifetime of entries in a world in which it passes, in milliseconds.
const LIFE: u64 = 100;

/// A situation, and the deed that is then done in it.
pub(super) struct Scene {
    pub(super) situation: Situation,
    pub(super) deed: &'static Deed,
    /// Numbers for choices: each choice uses one of them.
    pub(super) details: [u64; 6],
    pub(super) signed_in: bool,
    /// Whether it happens at the place of the scene before, or near it.
    pub(super) near: bool,
}

impl Scene {
    /// One of the values. `detail` numbers the choice, so that choices are independent.
    fn pick<'v, T>(&self, detail: usize, values: &'v [T]) -> &'v T {
        &values[self.number(detail, values.len())]
    }

    fn number(&self, detail: usize, below: usize) -> usize {
        (self.details[detail % self.details.len()] % below as u64) as usize
    }
}

pub(super) struct Story {
    world: World,
    actions: Vec<Action>,
    /// How many names were made up in the course of the journey.
    made: usize,
    /// Whether paths have changed hands, so that the plan does not name all of them.
    changed: bool,
    last: Option<PlannedPlace>,
}

/// Who acts, at which place.
struct Stand {
    person: Person,
    place: PlannedPlace,
    path: String,
    target: String,
}

impl Story {
    pub(super) fn new(world: World) -> Self {
        Self { world, actions: Vec::new(), made: 0, changed: false, last: None }
    }

    pub(super) fn into_journey(mut self) -> Journey {
        if self.has_begun() {
            self.act(WorldAction::Release);
        }
        Journey { world: self.world, actions: self.actions }
    }

    /// Adds what brings the router into the situation, then what is done.
    pub(super) fn play(&mut self, scene: &Scene) {
        let mut place = match self.last.as_ref().filter(|_| scene.near) {
            Some(last) => match &self.near(last)[..] {
                [] => last.clone(),
                near => (*scene.pick(5, near)).clone(),
            },
            None => scene.pick(0, &self.world.places).clone(),
        };
        self.last = Some(place.clone());
        let moves = scene.situation.moves() || scene.deed.needs == Needs::Organization;
        let moved = moves.then(|| {
            let (slug, path) = self.moving(scene);
            path.clone_into(&mut place.path);
            slug
        });
        let person = match &self.world.signed_in[..] {
            people if scene.signed_in && !people.is_empty() => scene.pick(1, people).clone(),
            _ => Person::visitor().0,
        };
        let path = place.path.clone();
        let below = scene.pick(2, &["", "/", "/x", "/-/issues", "/x/y.z", "/%20/-"]);
        let stand = Stand { person: Person(person), target: format!("{path}{below}"), path, place };
        self.bring_about(scene, &stand, moved.as_deref());
        if scene.deed.needs == Needs::Cells && scene.situation.is_trouble() {
            self.get(&stand, &stand.target);
        } else {
            (scene.deed.act)(self, scene, &stand, moved.as_deref());
        }
        self.end(scene.situation, &stand);
    }

    fn act(&mut self, action: WorldAction) {
        self.actions.push(Action::World(action));
    }

    fn send(&mut self, person: &Person, request: RequestKind, route: Route) {
        self.actions.push(Action::request(person.clone(), request, route));
    }

    fn get(&mut self, stand: &Stand, target: &str) {
        let request = RequestKind::Target { target: target.to_owned() };
        self.send(&stand.person, request, Route::Default);
    }

    fn method(&mut self, stand: &Stand, method: &str) {
        let (method, target) = (method.to_owned(), stand.target.clone());
        self.send(&stand.person, RequestKind::Method { method, target }, Route::Default);
    }

    fn body(&mut self, stand: &Stand, method: &str, length: u64, framing: Framing) {
        let (method, target) = (method.to_owned(), stand.target.clone());
        let request = RequestKind::RandomBody { method, target, length, framing };
        self.send(&stand.person, request, Route::Default);
    }

    /// A request with its own fields and body.
    fn message(
        &mut self,
        stand: &Stand,
        method: &str,
        target: &str,
        fields: &[(&str, &str)],
        body: &str,
    ) {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let request = RequestKind::Message {
            method: method.to_owned(),
            target: target.to_owned(),
            fields: fields.iter().map(owned).collect(),
            body: body.to_owned(),
        };
        self.send(&stand.person, request, Route::Default);
    }

    fn has_begun(&self) -> bool {
        let begins = |action: &Action| {
            matches!(action, Action::Begin { until: Until::Sent | Until::Arrived, .. })
        };
        self.actions.iter().any(begins)
    }

    fn lags(&self) -> bool {
        self.world.conditions.iter().any(|condition| matches!(condition, Condition::Lag(_)))
    }

    fn next(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    /// Somebody has a session.
    fn with_session(&mut self, person: &str) {
        if !self.world.signed_in.iter().any(|name| name == person) {
            self.world.signed_in.push(person.to_owned());
        }
    }

    /// The id of a project: of the world, of the documents, or of nobody.
    fn project_id(&self, scene: &Scene) -> u64 {
        let mut ids: Vec<u64> = self
            .world
            .places
            .iter()
            .filter_map(|place| match place.kind {
                PlaceKind::Project(id) | PlaceKind::PrivateProject(id) => Some(id),
                _ => None,
            })
            .collect();
        ids.extend([278_964, 5_003, 1]);
        *scene.pick(3, &ids)
    }
}
