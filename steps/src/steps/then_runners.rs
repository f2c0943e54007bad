//! Then steps about the jobs that runners got.

use super::definition::{Definition, then};
use super::parameters::{Number, Person};
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "{person} gets a job of {string}",
            |trace: &Trace, person: Person, project: String| {
                judge::gets_job(trace, &person.0, &project)
            },
        ),
        then("{person} gets no job", |trace: &Trace, person: Person| {
            judge::gets_no_job(trace, &person.0)
        }),
        then("{number} jobs were given, none twice", |trace: &Trace, jobs: Number| {
            judge::jobs_given_once(trace, jobs.size())
        }),
    ]
}
