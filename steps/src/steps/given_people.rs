//! Given steps about people.

use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Person, Route};
use crate::plan::Visit;

#[given(expr = "{person} is signed in")]
fn is_signed_in(step: &mut Meaning, person: Person) {
    step.condition(move |plan| {
        plan.signed_in.insert(person.0);
    });
}

#[given(expr = "{person} visited {string}{route}")]
fn visited(step: &mut Meaning, person: Person, target: String, route: Route) {
    let region = match route {
        Route::Default => None,
        Route::Router(region) => Some(region),
        Route::Asking(_) | Route::Cell(_) => {
            return step.cannot_be_read("an earlier visit goes through a router".to_owned());
        }
    };
    step.condition(move |plan| plan.visits.push(Visit { person: person.0, region, target }));
}
