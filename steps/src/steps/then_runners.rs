//! Then steps about the jobs that runners got.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Number, Person};
use crate::judge;

#[then(expr = "{person} gets a job of {string}")]
fn gets_a_job_of(step: &mut Meaning, person: Person, project: String) {
    step.check(move |trace| judge::gets_job(trace, &person.0, &project));
}

#[then(expr = "{person} gets no job")]
fn gets_no_job(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::gets_no_job(trace, &person.0));
}

#[then(expr = "{number} jobs were given, none twice")]
fn jobs_were_given_none_twice(step: &mut Meaning, jobs: Number) {
    step.check(move |trace| judge::jobs_given_once(trace, jobs.size()));
}
