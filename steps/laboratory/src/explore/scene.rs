//! What happens in a journey: each scene brings a router into a situation, and does a deed.

mod clients;
mod deeds;
mod odd;
mod organizations;
mod situations;
mod walks;

use cell_fleet::Protocol;
use cell_fleet::wire::CONFORMANCE_ID;
use proptest::sample::Index;

use super::deed::{Deed, Situation};
use super::journey::Journey;
use super::names;
use super::world::{Condition, PlaceKind, PlannedPlace, World};
use conformance_suite::action::{Action, Flow, Person, RequestKind, Route, WorldAction};

/// The body limit of a world that has one.
const BODY_LIMIT: u64 = 2_000;
/// How many places a crowding visit goes to.
const CROWD: u64 = 12;
/// The lifetime of entries in a world in which it passes, in milliseconds.
const LIFE: u64 = 100;

/// A situation, and the deed that is then done in it.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) situation: Situation,
    pub(super) deed: Deed,
    /// Numbers for choices: each choice uses one of them.
    pub(super) details: [Index; 6],
    pub(super) signed_in: bool,
    /// Whether it happens at the place of the scene before, or near it.
    pub(super) near: bool,
}

impl Scene {
    /// One of the values. `detail` numbers the choice, so that choices are independent.
    fn pick<'v, T>(&self, detail: usize, values: &'v [T]) -> &'v T {
        self.details[detail % self.details.len()].get(values)
    }

    fn number(&self, detail: usize, below: usize) -> usize {
        self.details[detail % self.details.len()].index(below)
    }
}

/// A journey in the making.
#[derive(Debug)]
pub(super) struct Story {
    world: World,
    actions: Vec<Action>,
    /// How many names were made up in the course of the journey.
    made: usize,
    /// Whether paths have changed hands, so that the plan does not name all of them.
    changed: bool,
    /// The place of the last scene.
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
        let moved = (scene.situation.moves() || scene.deed == Deed::Move).then(|| {
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
        self.deed(scene, &stand, moved.as_deref());
        self.end(scene.situation, &stand);
    }

    fn deed(&mut self, scene: &Scene, stand: &Stand, moved: Option<&str>) {
        let Stand { path, target, .. } = stand;
        let is_trouble = scene.situation.is_trouble();
        match scene.deed {
            Deed::Visit => self.get(stand, target),
            Deed::VisitBelow => self.get(stand, &format!("{path}/deep/er")),
            Deed::VisitWithQuery => {
                let query = scene.pick(3, &["?a=/b&c", "?a?b", "?", "?a=%2Fb+c"]);
                self.get(stand, &format!("{target}{query}"));
            }
            Deed::VisitNeighbor => {
                self.get(stand, scene.pick::<String>(3, &names::neighbors(path)));
            }
            Deed::VisitOtherCase => self.get(stand, &names::swapped_case(path)),
            Deed::VisitRespelled => {
                self.get(stand, scene.pick::<String>(3, &names::respelled(path)));
            }
            Deed::VisitAbove => self.get(stand, &names::above(path)),
            Deed::VisitRoot => self.get(stand, "/"),
            Deed::VisitOrganization => {
                let (slug, _) = self.moving(scene);
                let page = scene.pick(3, &["/-/about", "/-/dashboard", ""]);
                self.get(stand, &format!("/organizations/{slug}{page}"));
            }
            Deed::VisitSignIn => {
                let query = scene.pick(3, &["", "?redirect_to=%2Fx%3Fy&a=b+c"]);
                self.get(stand, &format!("/users/sign_in{query}"));
            }
            Deed::VisitById => {
                let id = self.project_id(scene);
                let rest = scene.pick(4, &["", "/issues"]);
                self.get(stand, &format!("/api/v4/projects/{id}{rest}"));
            }
            Deed::VisitByPath => {
                let escaped = stand.place.name().replace('%', "%25").replace('/', "%2F");
                let known = ["gitlab-org%2Fgitlab", "my-company%2Fhandbook", &escaped];
                self.get(stand, &format!("/api/v4/projects/{}", scene.pick(3, &known)));
            }
            Deed::Graphql => self.graphql(scene, stand),
            Deed::VisitAsset => {
                let assets = ["/assets/application-0f3c.css", "/favicon.ico", "/-/emojis/3/a.json"];
                let asset = *scene.pick(3, &assets);
                self.get(stand, asset);
            }
            Deed::VisitAdmin => self.admin(scene),
            Deed::VisitLearnLike => {
                self.get(stand, scene.pick::<String>(3, &names::near_learn()));
            }
            Deed::VisitMissing => {
                self.get(stand, &format!("/nobody-owns-this{path}"));
            }
            Deed::VisitNewEndpoint => self.new_endpoint(scene, stand),
            Deed::VisitCircle => self.circle(stand),
            Deed::Head => self.method(stand, "HEAD"),
            Deed::Delete => self.method(stand, "DELETE"),
            Deed::OtherMethod => self.other_method(scene, stand),
            Deed::Post => {
                let method = scene.pick(3, &["POST", "POST", "PATCH", "PUT", "DELETE"]);
                self.body(stand, method, 100);
            }
            Deed::PutAtLimit => {
                self.world.max_body = Some(BODY_LIMIT);
                self.body(stand, "PUT", *scene.pick(3, &[BODY_LIMIT, BODY_LIMIT - 1]));
            }
            Deed::PutAboveLimit => {
                self.world.max_body = Some(BODY_LIMIT);
                self.body(stand, "PUT", *scene.pick(3, &[BODY_LIMIT + 1, 2 * BODY_LIMIT]));
            }
            Deed::PostInChunks => {
                let length = *scene.pick(3, &[300, BODY_LIMIT - 1, BODY_LIMIT, BODY_LIMIT + 1]);
                if length > 300 {
                    self.world.max_body = Some(BODY_LIMIT);
                }
                self.chunks(stand, "POST", length);
            }
            // Where a router buffers, or no cell can read, nothing shows that the request is under
            // way: the scenario would wait for its limit.
            Deed::PutInHalves if self.world.protocol == Protocol::Buffering || is_trouble => {
                self.chunks(stand, "PUT", 400);
            }
            Deed::PutInHalves => {
                self.flow(stand, Flow::Halves { target: target.clone(), length: 400 });
            }
            Deed::ForgeFields => self.forge(scene, stand),
            Deed::SignIn => self.sign_in(stand, is_trouble),
            Deed::CreateGroup => self.create_group(scene),
            Deed::CreateNamespace => self.create_namespace(scene, stand),
            Deed::CreateProject => self.create_project(scene, stand),
            Deed::Rename => self.rename(scene, stand),
            Deed::Together => self.actions.push(Action::Together {
                person: stand.person.clone(),
                target: target.clone(),
                times: *scene.pick(3, &[2, 3, 5]),
            }),
            Deed::OtherRouter => {
                let region = scene.pick(3, &self.world.routers).clone();
                self.send(
                    &stand.person,
                    RequestKind::Target { target: target.clone() },
                    Route::Router(region),
                );
            }
            Deed::BeginHeld
            | Deed::BeginHeldPreflight
            | Deed::ReleaseInOrder
            | Deed::Leave
            | Deed::LeaveInBody
            | Deed::WhileHeld
            | Deed::UploadTogether
                if is_trouble =>
            {
                self.get(stand, target);
            }
            Deed::BeginHeld => _ = self.begin(scene, path, "nina", false),
            Deed::BeginHeldPreflight => _ = self.begin(scene, path, "nina", true),
            Deed::ReleaseInOrder => self.release_in_order(scene, stand),
            Deed::Leave => self.leave(scene, stand),
            Deed::LeaveInBody => {
                let framings = [
                    "Transfer-Encoding: chunked\n\n32\nhello\\\n",
                    "Content-Length: 50\n\nhello\\\n",
                ];
                let text = format!(
                    "\nPOST {target} HTTP/1.1\nHost: {{host}}\n{CONFORMANCE_ID}: {{id}}\n{}",
                    scene.pick(3, &framings)
                );
                let person = stand.person.clone();
                self.actions.push(Action::RawBytes { person, text, half_close: true });
                self.get(stand, target);
            }
            Deed::Move => self.moves(scene, moved),
            Deed::RestartCell if is_trouble => self.get(stand, target),
            Deed::RestartCell => {
                let cell = scene.pick(3, &self.world.cells).clone();
                self.act(WorldAction::RestartCell(cell));
                self.get(stand, target);
            }
            Deed::Wander => self.wander(scene, stand),
            Deed::VisitTwins => self.twins(scene, stand),
            Deed::VisitExact => self.exact(scene, stand),
            Deed::VisitFixed => self.fixed(scene, stand),
            Deed::VisitOften => self.often(scene, stand),
            Deed::FirstByOther => self.first_by_other(scene, stand),
            Deed::WithToken => self.with_token(scene, stand),
            Deed::PostForm => self.post_form(scene, stand),
            Deed::PutLarge => self.put_large(scene, stand),
            Deed::WhileHeld => self.while_held(scene, stand, moved),
            Deed::PassTime => self.pass_time(),
            Deed::ClientFields => self.client_fields(scene, stand),
            Deed::ExpectContinue => self.expect_continue(scene, stand),
            Deed::ShareConnection => self.share_connection(scene, stand),
            Deed::UploadTogether => self.upload_together(scene),
            Deed::ByHand => self.by_hand(scene, stand),
            Deed::CellByHand if is_trouble => self.get(stand, target),
            Deed::CellByHand => self.cell_by_hand(scene, stand),
            Deed::AskForParts => self.asks_for_parts(scene, stand),
            Deed::OddForms => self.odd_forms(scene, stand),
        }
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

    fn body(&mut self, stand: &Stand, method: &str, length: u64) {
        let (method, target) = (method.to_owned(), stand.target.clone());
        let request = RequestKind::RandomBody { method, target, length };
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

    fn flow(&mut self, stand: &Stand, flow: Flow) {
        self.actions.push(Action::Flow { person: stand.person.clone(), flow });
    }

    fn chunks(&mut self, stand: &Stand, method: &str, length: u64) {
        let (method, target) = (method.to_owned(), stand.target.clone());
        self.flow(stand, Flow::Chunked { method, target, length });
    }

    fn has_begun(&self) -> bool {
        self.actions
            .iter()
            .any(|action| matches!(action, Action::Begin { .. } | Action::BeginMessage { .. }))
    }

    fn lags(&self) -> bool {
        self.world.conditions.iter().any(|condition| matches!(condition, Condition::Lag(_)))
    }

    /// A number for a new name.
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
