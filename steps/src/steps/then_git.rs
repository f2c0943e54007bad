//! Then steps about what people cloned.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::Person;
use crate::judge;

#[then(expr = "{person} has cloned the commit {string}")]
fn has_cloned_the_commit(step: &mut Meaning, person: Person, title: String) {
    step.check(move |trace| judge::cloned_commit(trace, &person.0, &title));
}

#[then(expr = "{person} has cloned all that was pushed")]
fn has_cloned_all_that_was_pushed(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::cloned_all(trace, &person.0));
}
