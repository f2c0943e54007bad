//! A journey: an installation and what happens in it. It is written as a scenario, and run as one.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use cell_fleet::CellId;

use super::world::World;
use crate::scenario;
use conformance_suite::action::{
    Action, CellGroup, Person, RequestKind, Route, Until, Visits, WorldAction,
};
use conformance_suite::catalog::Case;
use conformance_suite::judge::model::JUDGED;

/// An installation and what happens in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Journey {
    pub(crate) world: World,
    pub(crate) actions: Vec<Action>,
}

impl Journey {
    /// The journey as a feature file with one scenario, which the suite runs. `title` stands alone;
    /// `requirement` is what the scenario proves first.
    pub(crate) fn as_feature(&self, title: &str, requirement: &str) -> String {
        let mut text = String::from("Feature: Journeys that exploration found\n\n");
        let protocol = self.world.protocol.as_str();
        let _ = writeln!(text, "  @{protocol} @req:{requirement}\n  Scenario: {title}");
        let givens = self.world.as_gherkin();
        let groups = [
            ("Given", givens),
            ("When", self.actions.iter().map(|action| action.as_gherkin().to_string()).collect()),
            ("Then", vec![format!("{JUDGED} ({requirement})")]),
        ];
        text + &scenario::steps(&groups)
    }

    /// The journey as a case of the catalog. An error is a fault of exploration.
    pub(crate) fn as_case(&self, title: &str, requirement: &str) -> Result<Case, String> {
        scenario::case("explored.feature", &self.as_feature(title, requirement))
    }

    /// Whether the journey can be played: the actions name only what the installation has, and
    /// nobody waits for a held response that nothing releases.
    pub(super) fn is_sound(&self) -> bool {
        let world = &self.world;
        let regions = world.routers.iter();
        let mut routed = regions.map(|region| world.cells.iter().any(|it| it.region() == region));
        !self.actions.is_empty()
            && !world.routers.is_empty()
            && routed.all(|has_cells| has_cells)
            && world.is_consistent()
            && self.actions_name_what_is_there()
            && self.holds_end()
    }

    fn actions_name_what_is_there(&self) -> bool {
        let world = &self.world;
        let has = |cell: &CellId| world.cells.contains(cell);
        let mut asked_to_sign_in = BTreeSet::new();
        let mut made = BTreeSet::new();
        self.actions.iter().all(|action| match action {
            Action::Request { route: Route::Router(region), .. } => world.routers.contains(region),
            Action::Request { person, request: RequestKind::SignIn, .. } => {
                asked_to_sign_in.remove(person)
            }
            // A form answers the page before it.
            Action::Request { person, request: RequestKind::Target { target }, .. } => {
                match target.as_str() {
                    "/users/sign_in" => asked_to_sign_in.insert(person.clone()),
                    _ => asked_to_sign_in.remove(person),
                };
                true
            }
            Action::Visits { visits: Visits::ColdPrefixes { count }, .. } => {
                *count <= world.cold_places
            }
            Action::World(action) => match action {
                WorldAction::TakeDown(CellGroup::Cell(cell))
                | WorldAction::BringBack(CellGroup::Cell(cell))
                | WorldAction::RestartCell(cell) => has(cell),
                WorldAction::MoveOrganization { cell, organization } => {
                    has(cell) && world.has_organization(organization)
                }
                WorldAction::Router { region, .. } => world.routers.contains(region),
                WorldAction::CreateNamespace { path, cell } => {
                    has(cell) && !world.has(path) && made.insert(path.clone())
                        || made.contains(path) && has(cell)
                }
                WorldAction::CreateProject { path } => {
                    let group = path.split('/').next().unwrap_or_default();
                    group == "gitlab-org" || world.has(group)
                }
                WorldAction::RenameNamespace { path, .. } => {
                    made.insert(path.clone());
                    world.has(path)
                }
                _ => true,
            },
            _ => true,
        })
    }

    /// What is held would block a visit that does not expect it.
    fn holds_end(&self) -> bool {
        let mut open: Vec<(&Person, &str)> = Vec::new();
        let mut released: BTreeSet<&str> = BTreeSet::new();
        let holds = |path: &str| self.world.holds.iter().any(|hold| hold.path == path);
        for action in &self.actions {
            match action {
                Action::Begin {
                    person,
                    request: RequestKind::Visit { target } | RequestKind::Message { target, .. },
                    until: until @ (Until::Sent | Until::Arrived),
                    ..
                } => {
                    if !holds(target) && *until == Until::Arrived {
                        return false;
                    }
                    open.push((person, target));
                }
                Action::Leave { person } => open.retain(|(begun, _)| *begun != person),
                Action::World(WorldAction::Release) => {
                    open.clear();
                    released.extend(self.world.holds.iter().map(|hold| hold.path.as_str()));
                }
                Action::World(WorldAction::ReleaseHeld { path }) => {
                    open.retain(|(_, target)| target != path);
                    released.insert(path);
                }
                Action::Request { request: RequestKind::Target { target }, .. }
                | Action::Begin { request: RequestKind::Visit { target }, .. }
                    if holds(target) && !released.contains(target.as_str()) =>
                {
                    return false;
                }
                Action::World(WorldAction::Router { .. }) if !open.is_empty() => return false,
                _ => {}
            }
        }
        open.is_empty()
    }
}
