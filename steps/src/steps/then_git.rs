//! Then steps about what people cloned.

use super::definition::{Definition, then};
use super::parameters::Person;
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "{person} has cloned the commit {string}",
            |trace: &Trace, person: Person, title: String| {
                judge::cloned_commit(trace, &person.0, &title)
            },
        ),
        then("{person} has cloned all that was pushed", |trace: &Trace, person: Person| {
            judge::cloned_all(trace, &person.0)
        }),
    ]
}
