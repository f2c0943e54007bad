//! Given steps about people.

use super::definition::{Definition, given};
use super::parameters::{Person, RegionName};
use crate::plan::{ScenarioPlan, Visit};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given("{person} is signed in", |plan: &mut ScenarioPlan, person: Person| {
            plan.signed_in.insert(person.0);
        }),
        given(
            "{person} visited {string}",
            |plan: &mut ScenarioPlan, person: Person, target: String| {
                plan.visits.push(Visit { person: person.0, region: None, target });
            },
        ),
        given(
            "{person} visited {string} through the {region} router",
            |plan: &mut ScenarioPlan, person: Person, target: String, region: RegionName| {
                plan.visits.push(Visit { person: person.0, region: Some(region.0), target });
            },
        ),
    ]
}
