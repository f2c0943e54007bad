//! Organizations, which move from cell to cell with everything that belongs to them.

use super::{Scene, Story};
use crate::explore::world::PlannedPlace;
use conformance_suite::action::WorldAction;

/// An organization of the documents that moves where a world has none of its own.
pub(super) const ORGANIZATION: &str = "my-organization";
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
}
