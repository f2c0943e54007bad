//! A journey: an installation and what happens in it. It is written as a scenario, and run as one.

use std::fmt::Write as _;

use cell_fleet::{CellId, Protocol};

use super::world::World;
use crate::action::{Action, CellGroup, Route, Visits, WorldAction};
use crate::catalog::{Case, Catalog, Source};

/// The step that lets the model judge a scenario.
pub(crate) const JUDGED: &str = "the model of the documents permits every exchange";

/// An installation and what happens in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Journey {
    /// The installation.
    pub(crate) world: World,
    /// What happens.
    pub(crate) actions: Vec<Action>,
}

impl Journey {
    /// The journey as a feature file with one scenario, which the suite runs. `title` stands alone;
    /// `requirement` is what the scenario proves first.
    pub(crate) fn as_feature(&self, title: &str, requirement: &str) -> String {
        let mut text = String::from("Feature: Journeys that exploration found\n\n");
        let protocol = match self.world.protocol {
            Protocol::Buffering => "buffering",
            Protocol::Learning => "learning",
        };
        let _ = writeln!(text, "  @{protocol} @req:{requirement}\n  Scenario: {title}");
        let givens = self.world.as_gherkin();
        let groups = [
            ("Given", givens),
            ("When", self.actions.iter().map(|action| action.as_gherkin().to_string()).collect()),
            ("Then", vec![format!("{JUDGED} ({requirement})")]),
        ];
        for (keyword, steps) in groups {
            for (number, step) in steps.iter().enumerate() {
                let _ = writeln!(text, "    {} {step}", if number == 0 { keyword } else { "And" });
            }
        }
        text
    }

    /// The journey as a case of the catalog.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the scenario: a fault of exploration.
    pub(crate) fn as_case(&self, title: &str, requirement: &str) -> Result<Case, String> {
        let text = self.as_feature(title, requirement);
        let catalog = Catalog::load([Source { path: "explored.feature", text: &text }]);
        if let Some(error) = catalog.errors.first() {
            return Err(format!("{}\n{text}", error.message));
        }
        catalog.cases.into_iter().next().ok_or_else(|| format!("no case comes of\n{text}"))
    }
}

impl Journey {
    /// Whether the actions name only what the installation has, so that the scenario can be played.
    pub(super) fn is_sound(&self) -> bool {
        let world = &self.world;
        let has = |cell: &CellId| world.cells.contains(cell);
        let places = world.places.iter().all(|place| has(&place.cell));
        let faults = world.faults.iter().all(|fault| has(&fault.cell));
        let routers = !world.routers.is_empty()
            && world
                .routers
                .iter()
                .all(|region| world.cells.iter().any(|cell| cell.region() == region));
        let mut open = 0;
        let mut actions = !self.actions.is_empty();
        for action in &self.actions {
            actions &= match action {
                Action::Request { route: Route::Router(region), .. } => {
                    world.routers.contains(region)
                }
                Action::Visits { visits: Visits::ColdPrefixes { count }, .. } => {
                    *count <= world.cold_places
                }
                // What is held would block a visit that does not expect it.
                Action::Begin { target, .. } => {
                    open += 1;
                    world.holds.iter().any(|hold| hold.path == *target)
                }
                Action::World(action) => match action {
                    WorldAction::TakeDown(CellGroup::Cell(cell))
                    | WorldAction::BringBack(CellGroup::Cell(cell))
                    | WorldAction::RestartCell(cell)
                    | WorldAction::MoveOrganization { cell, .. } => has(cell),
                    WorldAction::Router { region, .. } => world.routers.contains(region),
                    WorldAction::Release => {
                        open = 0;
                        true
                    }
                    _ => true,
                },
                _ => true,
            };
        }
        places && faults && routers && actions && open == 0
    }
}
