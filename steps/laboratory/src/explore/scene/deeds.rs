//! The deeds that take several steps.

use cell_fleet::{CellId, Protocol, wire};

use super::{Scene, Stand, Story};
use crate::explore::world::{Condition, Hold, PlaceKind, PlannedPlace, with_text};
use conformance_suite::action::{Action, Person, RequestKind, Route, Until, WorldAction};

/// An organization of the documents that moves where a world has none of its own.
const ORGANIZATION: &str = "my-organization";
/// A public project of it.
const OF_ORGANIZATION: &str = "/my-company/handbook";

impl Story {
    /// An organization, and a path that moves with it.
    pub(super) fn moving(&self, scene: &Scene) -> (String, String) {
        let path_of = |(slug, _): (&str, _)| {
            let is_of = |it: &&PlannedPlace| it.kind.is_group() && it.of.as_deref() == Some(slug);
            let place = self.world.places.iter().find(is_of)?;
            Some((slug.to_owned(), place.path.clone()))
        };
        let mut known: Vec<_> = self.world.organizations().filter_map(path_of).collect();
        known.push((ORGANIZATION.to_owned(), OF_ORGANIZATION.to_owned()));
        scene.pick(4, &known).clone()
    }

    pub(super) fn moves(&mut self, scene: &Scene, organization: Option<&str>) {
        let organization = organization.unwrap_or(ORGANIZATION).to_owned();
        let cell = scene.pick(3, &self.world.cells).clone();
        self.act(WorldAction::MoveOrganization { organization, cell });
    }

    pub(super) fn graphql(&mut self, scene: &Scene, stand: &Stand) {
        let (slug, _) = self.moving(scene);
        let of_organization = format!("/api/organizations/{slug}/graphql");
        let target = scene.pick(3, &["/api/graphql", of_organization.as_str()]).to_string();
        let query = r#"{"query": "{ currentUser { username } }"}"#;
        self.message(stand, "POST", &target, &[("Content-Type", "application/json")], query);
    }

    /// The operator, who has access, or somebody else.
    pub(super) fn admin(&mut self, scene: &Scene) {
        let person = *scene.pick(4, &["olga", "olga", "anna"]);
        self.with_session(person);
        let slug = scene.pick(3, &self.world.cells).slug();
        let pages = ["", "/projects", "/routes", "/settings"];
        let of_cell = format!("/admin/cells/{slug}{}", scene.pick(1, &pages));
        let pages = ["/admin", &of_cell, &of_cell, "/dashboard", "/-/profile", "/-/user_settings"];
        let request = RequestKind::Target { target: (*scene.pick(2, &pages)).to_owned() };
        self.send(&Person(person.to_owned()), request, Route::Default);
    }

    pub(super) fn new_endpoint(&mut self, scene: &Scene, stand: &Stand) {
        let path = format!("/-/new-{}", self.next());
        let owner = scene.pick(3, &self.world.cells).clone();
        let endpoint = format!(
            "the endpoint \"{path}\" that only the latest version knows and that belongs to {owner}"
        );
        self.world.conditions.push(Condition::Step(endpoint, vec![owner]));
        for cell in self.world.cells.iter().skip(1) {
            let older = Condition::of(cell, "runs an older version");
            if !self.world.conditions.contains(&older) {
                self.world.conditions.push(older);
            }
        }
        self.get(stand, &path);
        self.get(stand, &path);
    }

    /// In learning, no cell redirects: nobody owns the path.
    pub(super) fn circle(&mut self, stand: &Stand) {
        let path = format!("/circle-{}", self.next());
        if self.world.protocol == Protocol::Buffering {
            let cells = &self.world.cells;
            let pairs = cells.iter().zip(cells.iter().cycle().skip(1));
            let bounces = pairs.map(|(from, to)| {
                let redirect = wire::redirect_value(&to.name());
                let response = format!("302\n{}: {redirect}", wire::CELL_REDIRECT);
                let step = format!("responds to \"{path}\" with:");
                let cells = vec![from.clone(), to.clone()];
                Condition::Step(with_text(&format!("{from} {step}"), &response), cells)
            });
            self.world.conditions.extend(bounces);
        }
        self.get(stand, &path);
    }

    /// Sends the cells' internal fields as a user, to try to choose the cell.
    pub(super) fn forge(&mut self, scene: &Scene, stand: &Stand) {
        let redirect = wire::redirect_value(&scene.pick(3, &self.world.cells).name());
        let cache = wire::cache_value(&format!("{}/", stand.path));
        let fields = [(wire::CELL_REDIRECT, &*redirect), (wire::CELL_CACHE, &*cache)];
        self.message(stand, "GET", &stand.target, &fields, "");
    }

    pub(super) fn sign_in(&mut self, stand: &Stand, is_trouble: bool) {
        let has_none = |name: &&str| !self.world.signed_in.iter().any(|it| it == name);
        let person = ["gabe", "nina", "anna"].into_iter().find(has_none).filter(|_| !is_trouble);
        let Some(person) = person.map(|name| Person(name.to_owned())) else {
            return self.get(stand, &stand.target);
        };
        let visit = |target: &str| RequestKind::Target { target: target.to_owned() };
        for request in [
            visit("/users/sign_in"),
            RequestKind::SignIn,
            visit(&stand.target),
            RequestKind::SignOut,
            visit(&stand.target),
        ] {
            self.send(&person, request, Route::Default);
        }
    }

    pub(super) fn create_group(&mut self, scene: &Scene) {
        let organization = *scene.pick(3, &[None, Some(ORGANIZATION)]);
        self.with_session("anna");
        let path = format!("made-{}", self.next());
        let anna = Person("anna".to_owned());
        let create = RequestKind::CreateGroup {
            path: path.clone(),
            organization: organization.map(str::to_owned),
        };
        self.send(&anna, create, Route::Default);
        self.send(&anna, RequestKind::Target { target: format!("/{path}") }, Route::Default);
    }

    pub(super) fn create_namespace(&mut self, scene: &Scene, stand: &Stand) {
        // A lagging replica may or may not have the new namespace, so a visit would prove nothing.
        if self.lags() {
            return self.get(stand, &stand.target);
        }
        self.changed = true;
        let name = format!("made-{}", self.next());
        let place = &stand.place.path;
        let top = format!("/{name}");
        let path = match scene.number(3, 2) == 0 && !self.world.moves_along(place) {
            true => format!("{place}/{name}"),
            false => top,
        };
        let cell = scene.pick(4, &self.world.cells).clone();
        let name = path.trim_start_matches('/').to_owned();
        self.act(WorldAction::CreateNamespace { path: name, cell });
        self.get(stand, &format!("{path}/x"));
    }

    pub(super) fn create_project(&mut self, scene: &Scene, stand: &Stand) {
        if self.lags() || self.changed {
            return self.get(stand, &stand.target);
        }
        let made = format!("made-{}", self.next());
        let mut groups: Vec<_> =
            self.world.places.iter().filter(|it| it.kind.is_group()).map(|it| it.name()).collect();
        groups.push("gitlab-org");
        let path = format!("{}/{made}", scene.pick(3, &groups));
        self.act(WorldAction::CreateProject { path: path.clone() });
        self.get(stand, &format!("/{path}/-/issues"));
    }

    /// The place and all below it get another path. Perhaps another place takes the old one.
    pub(super) fn rename(&mut self, scene: &Scene, stand: &Stand) {
        let place = &stand.place;
        let is_known = self.world.places.iter().any(|it| it.path == place.path);
        let is_namespace = matches!(place.kind, PlaceKind::Public) || place.kind.is_group();
        if self.lags() || self.changed || !is_known || !is_namespace {
            return self.get(stand, &stand.target);
        }
        self.changed = true;
        let to = format!("renamed-{}", self.next());
        let rest = &stand.target[stand.path.len()..];
        self.act(WorldAction::RenameNamespace { path: place.name().to_owned(), to: to.clone() });
        if scene.number(3, 2) == 0 {
            let cell = scene.pick(4, &self.world.cells).clone();
            self.act(WorldAction::CreateNamespace { path: place.name().to_owned(), cell });
        }
        self.get(stand, &stand.target);
        self.get(stand, &format!("/{to}{rest}"));
    }

    /// Begins a visit that is held, and returns its path. `preflight` asks for the pre-flight to be
    /// held, in learning.
    pub(super) fn begin(
        &mut self,
        scene: &Scene,
        path: &str,
        person: &str,
        preflight: bool,
    ) -> String {
        let number = self.world.holds.len();
        let preflight = preflight && self.world.protocol == Protocol::Learning;
        let mut held = format!("{path}/held-{number}");
        if preflight {
            // A place that no router knows: otherwise there is no pre-flight.
            let name = format!("/unknown-{number}");
            held = format!("{name}/page");
            let cell: CellId = scene.pick(3, &self.world.cells).clone();
            self.world.places.push(PlannedPlace::new(name, cell, PlaceKind::Public));
        }
        self.world.holds.push(Hold { path: held.clone(), preflight });
        let person = Person(person.to_owned());
        self.actions.push(Action::begin(person, held.clone(), Until::Arrived));
        held
    }

    pub(super) fn release_in_order(&mut self, scene: &Scene, stand: &Stand) {
        let mut held: Vec<_> = (0..2 + scene.number(3, 2))
            .map(|number| {
                let path = scene.pick(number, &self.world.places).path.clone();
                self.begin(scene, &path, "nina", number == 1)
            })
            .collect();
        self.get(stand, &stand.target);
        let first = scene.number(4, held.len());
        held.rotate_left(first);
        for path in held {
            self.act(WorldAction::ReleaseHeld { path });
        }
    }

    /// Somebody leaves; others who wait for the same pre-flight do not.
    pub(super) fn leave(&mut self, scene: &Scene, stand: &Stand) {
        let preflight = scene.number(4, 2) == 0;
        let held = self.begin(scene, &stand.path, "gabe", preflight);
        if preflight && self.world.protocol == Protocol::Learning {
            let nina = Person("nina".to_owned());
            self.actions.push(Action::begin(nina, held.clone(), Until::Sent));
        }
        self.get(stand, &stand.target);
        self.actions.push(Action::Leave { person: Person("gabe".to_owned()) });
        self.get(stand, &stand.target);
        self.act(WorldAction::ReleaseHeld { path: held });
    }
}
