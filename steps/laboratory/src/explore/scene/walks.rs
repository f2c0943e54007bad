//! The deeds that visit several places, or one place in several ways.

use cell_fleet::{CellId, Protocol};

use super::{CROWD, LIFE, Scene, Stand, Story};
use crate::explore::names;
use crate::explore::world::{PlaceKind, PlannedPlace};
use conformance_suite::action::{Action, Framing, RequestKind, Route, Visits, WorldAction};

const STEPS: usize = 5;
/// The length of a body that is longer than 64 KiB.
const LARGE: u64 = 70_000;

/// How often a page is visited so that a fair choice of these cells leaves none out: at most once
/// in a thousand million runs.
fn often(cells: usize) -> u64 {
    let cells = cells.max(1) as f64;
    let misses = |times: u64| cells * ((cells - 1.0) / cells).powf(times as f64);
    (2..).find(|times| misses(*times) < 1e-9).unwrap_or(2)
}

impl Story {
    /// Visits places that lie inside and next to each other, in any order. In learning, the
    /// lifetime of the entries may pass meanwhile.
    pub(super) fn wander(&mut self, scene: &Scene, stand: &Stand) {
        let mut around: Vec<_> =
            self.near(&stand.place).into_iter().map(|place| place.path.clone()).collect();
        if around.len() < 2 {
            around.push(names::above(&stand.path));
            around.push(format!("{}/x/y", stand.path));
        }
        // One number holds all choices.
        let mut plan = scene.number(3, usize::MAX);
        let mut choose = |below: usize| {
            let chosen = plan % below;
            plan /= below;
            chosen
        };
        let pause = match self.world.protocol {
            Protocol::Learning => choose(2 * STEPS),
            Protocol::Buffering => STEPS,
        };
        for step in 0..STEPS {
            if step > 0 && step == pause {
                self.pass_time();
            }
            let path = around[choose(around.len())].clone();
            let below = ["", "", "/x", "/x/y"][choose(4)];
            self.get(stand, &format!("{path}{below}"));
        }
    }

    pub(super) fn pass_time(&mut self) {
        self.world.ttl_ms = Some(LIFE);
        self.act(WorldAction::PassTime { ms: LIFE + 30 });
    }

    /// Places inside and next to this one, and around it, and itself.
    pub(super) fn near(&self, place: &PlannedPlace) -> Vec<&PlannedPlace> {
        let top = |path: &str| path.split('/').nth(1).unwrap_or_default().to_ascii_lowercase();
        let mine = top(&place.path);
        self.world.places.iter().filter(|other| top(&other.path) == mine).collect()
    }

    /// A path for one deed alone: at the top, or below the place.
    pub(super) fn fresh(&mut self, scene: &Scene, stand: &Stand, name: &str) -> String {
        let name = format!("/{name}-{}", self.next());
        let is_open = matches!(stand.place.kind, PlaceKind::Public)
            && !self.changed
            && !self.world.moves_along(&stand.place.path);
        match is_open && scene.number(4, 3) == 0 {
            true => format!("{}{name}", stand.place.path),
            false => name,
        }
    }

    /// A place for one deed alone, on any cell.
    pub(super) fn place(&mut self, path: &str, kind: PlaceKind, cell: CellId) {
        self.world.places.push(PlannedPlace::new(path.to_owned(), cell, kind));
    }

    /// A public one on the cell that a detail chooses; returns its path.
    pub(super) fn own_place(&mut self, scene: &Scene, stand: &Stand, name: &str) -> String {
        let base = self.fresh(scene, stand, name);
        let cell = scene.pick(2, &self.world.cells).clone();
        self.place(&base, PlaceKind::Public, cell);
        base
    }

    /// The cell that a detail chooses, and the ones after it.
    pub(super) fn cells_from(&self, scene: &Scene, detail: usize) -> Vec<CellId> {
        let mut cells = self.world.cells.clone();
        let first = scene.number(detail, cells.len());
        cells.rotate_left(first);
        cells
    }

    pub(super) fn twins(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.fresh(scene, stand, "twin");
        let (one, other) = scene.pick(3, &names::twins(&base)).clone();
        let kind = *scene.pick(1, &[PlaceKind::Public, PlaceKind::Public, PlaceKind::Exact]);
        let cells = self.cells_from(scene, 2);
        let second = cells.get(1).unwrap_or(&cells[0]).clone();
        self.place(&one, kind, cells[0].clone());
        self.place(&other, kind, second);
        let below = match kind {
            PlaceKind::Exact => ["", ""],
            _ => ["/x", "/y"],
        };
        for below in below {
            self.get(stand, &format!("{one}{below}"));
            self.get(stand, &format!("{other}{below}"));
        }
    }

    pub(super) fn exact(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.fresh(scene, stand, "Exact");
        let path = format!("{base}.html");
        let cell = scene.pick(2, &self.world.cells).clone();
        self.place(&path, PlaceKind::Exact, cell);
        let near = [
            path.clone(),
            format!("{path}/"),
            format!("{path}?x=1"),
            format!("{path}?"),
            format!("{path}?a?b"),
            format!("{path};v=1"),
            format!("{path}/x"),
            names::swapped_case(&path),
            path.replace(".html", "Xhtml"),
        ];
        let first = scene.pick(1, &near).clone();
        let second = scene.pick(3, &near).clone();
        for target in [&path, &first, &second, &path] {
            self.get(stand, target);
            self.get(stand, target);
        }
    }

    pub(super) fn fixed(&mut self, scene: &Scene, stand: &Stand) {
        let pages = [
            "/dashboard",
            "/dashboard",
            "/admin",
            "/users/sign_in?redirect_to=%2Fx%3Fy&a=b+c",
            "/explore",
            "/search?search=a%20b",
            "/-/profile",
            "/organizations",
            "/organizations",
        ];
        let page = *scene.pick(3, &pages);
        if page != "/organizations" {
            self.get(stand, page);
            return self.get(stand, page);
        }
        let mut slugs = vec!["my-organization".to_owned(), "not-my-organization".to_owned()];
        slugs.extend(self.world.organizations().map(|(slug, _)| slug.to_owned()));
        for below in ["/-/about", ""] {
            for slug in &slugs {
                self.get(stand, &format!("/organizations/{slug}{below}"));
            }
        }
    }

    /// Pages that every cell serves: over many visits, a router picks each cell of its region.
    pub(super) fn often(&mut self, scene: &Scene, stand: &Stand) {
        let target = (*scene.pick(3, &["/", "/", "/dashboard"])).to_owned();
        let region = &self.world.routers[0];
        let cells = self.world.cells.iter().filter(|cell| cell.region() == region).count();
        let times = match self.world.protocol {
            Protocol::Buffering => often(cells),
            Protocol::Learning => 2,
        };
        let visits = Visits::Same { target, times };
        self.actions.push(Action::Visits { person: stand.person.clone(), visits });
    }

    pub(super) fn first_by_other(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.own_place(scene, stand, "first");
        let method = scene.pick(3, &["HEAD", "DELETE", "OPTIONS", "PATCH", "POST"]).to_string();
        let request = RequestKind::Method { method, target: format!("{base}/x") };
        self.send(&stand.person, request, Route::Default);
        self.get(stand, &format!("{base}/x"));
        self.get(stand, &format!("{base}/y"));
    }

    pub(super) fn with_token(&mut self, scene: &Scene, stand: &Stand) {
        let target = self.own_place(scene, stand, "tokens") + "/x";
        let fields = [
            ("Authorization", "Bearer 0123456789abcdef"),
            ("Private-Token", "0123456789abcdef"),
            ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)"),
            ("Accept-Language", "de"),
        ];
        let (name, value) = *scene.pick(3, &fields);
        self.get(stand, &target);
        for value in [value, &format!("{value} 2")] {
            self.message(stand, "GET", &target, &[(name, value)], "");
        }
        self.get(stand, &target);
    }

    pub(super) fn post_form(&mut self, scene: &Scene, stand: &Stand) {
        let target = self.own_place(scene, stand, "forms") + "/x";
        let form = ("Content-Type", "application/x-www-form-urlencoded");
        let fields = [form, ("Accept", "application/json"), ("Authorization", "Bearer 0123")];
        self.message(stand, "POST", &target, &fields, "b=2&a=1+2&c=%7e");
    }

    pub(super) fn put_large(&mut self, scene: &Scene, stand: &Stand) {
        let target = self.own_place(scene, stand, "large") + "/x";
        let (method, framing) = ("PUT".to_owned(), Framing::Plain);
        let request = RequestKind::RandomBody { method, target, length: LARGE, framing };
        self.send(&stand.person, request, Route::Default);
    }

    /// Somebody waits for a held response, or pre-flight, while something else happens.
    pub(super) fn while_held(&mut self, scene: &Scene, stand: &Stand, moved: Option<&str>) {
        self.get(stand, &stand.target);
        let held = self.begin(scene, &stand.path, "nina", scene.number(4, 2) == 0);
        match scene.number(3, 4) {
            0 => self.pass_time(),
            1 => self.crowd(stand),
            2 if moved.is_some() => self.moves(scene, moved),
            _ => {
                let other = scene.pick(1, &self.world.places).path.clone();
                self.get(stand, &format!("{other}/other"));
            }
        }
        self.act(WorldAction::ReleaseHeld { path: held.clone() });
        self.get(stand, &stand.target);
        self.get(stand, &held);
    }

    pub(super) fn crowd(&mut self, stand: &Stand) {
        self.world.max_entries = Some(3);
        self.world.cold_places = CROWD;
        let visits = Visits::ColdPrefixes { count: CROWD };
        self.actions.push(Action::Visits { person: stand.person.clone(), visits });
    }
}
