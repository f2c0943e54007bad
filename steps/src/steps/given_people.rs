//! Given steps about people.

use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Person, RegionName};
use crate::plan::Visit;

#[given(expr = "{person} is signed in")]
fn is_signed_in(step: &mut Meaning, person: Person) {
    step.condition(move |plan| {
        plan.signed_in.insert(person.0);
    });
}

#[given(expr = "{person} visited {string}")]
fn visited(step: &mut Meaning, person: Person, target: String) {
    step.condition(move |plan| plan.visits.push(Visit { person: person.0, region: None, target }));
}

#[given(expr = "{person} visited {string} through the {region} router")]
fn visited_through(step: &mut Meaning, person: Person, target: String, region: RegionName) {
    step.condition(move |plan| {
        plan.visits.push(Visit { person: person.0, region: Some(region.0), target });
    });
}
