//! Checks of the jobs that runners got.

use std::collections::BTreeMap;

use serde_json::Value;

use super::responses::asked;
use super::{Proof, ensure};
use crate::trace::{Trace, UserRequest};

/// In the last step of a person, one of the registrations gave a job of this project.
pub fn gets_job(trace: &Trace, person: &str, project: &str) -> Proof {
    let jobs = last_jobs(trace, person)?;
    let found: Vec<_> = jobs.into_iter().flatten().map(|job| project_of(&job)).collect();
    ensure(found.iter().any(|found| found == project), || match found[..] {
        [] => format!("{person} got no job"),
        _ => format!("{person} got jobs of {found:?} alone"),
    })
}

/// In the last step of a person, no registration gave a job.
pub fn gets_no_job(trace: &Trace, person: &str) -> Proof {
    let jobs = last_jobs(trace, person)?;
    let found: Vec<_> = jobs.into_iter().flatten().map(|job| project_of(&job)).collect();
    ensure(found.is_empty(), || format!("{person} got jobs of {found:?}"))
}

/// This many jobs were given to runners, and none of them twice.
pub fn jobs_given_once(trace: &Trace, count: usize) -> Proof {
    let mut given: BTreeMap<(String, String), &str> = BTreeMap::new();
    for (_, request) in trace.acted().filter(|(_, request)| is_asking(request)) {
        let Some(job) = job_given(request)? else { continue };
        let key = (project_of(&job), job["id"].to_string());
        if let Some(other) = given.insert(key, &request.person) {
            let person = &request.person;
            return Err(format!("{other} and {person} both got the job {}", job["id"]));
        }
    }
    ensure(given.len() == count, || format!("{} jobs were given, not {count}", given.len()))
}

/// What a person's requests for a job gave in the last step in which there were any.
fn last_jobs(trace: &Trace, person: &str) -> Result<Vec<Option<Value>>, String> {
    let asks = || {
        let acted = trace.acted().map(|(_, request)| request);
        acted.filter(|request| request.person == person && is_asking(request))
    };
    let last = asks().last().ok_or_else(|| format!("{person} asked for no job"))?.phase;
    asks().filter(|request| request.phase == last).map(job_given).collect()
}

fn is_asking(request: &UserRequest) -> bool {
    request.method == "POST" && request.target.as_bytes().ends_with(b"/api/v4/jobs/request")
}

/// The job that a request gave; none for 204.
fn job_given(request: &UserRequest) -> Result<Option<Value>, String> {
    let got = request.received()?;
    match got.status {
        204 => Ok(None),
        201 => serde_json::from_str(&got.body.text())
            .map(Some)
            .map_err(|error| format!("{} gave no job in JSON: {error}", asked(request))),
        status => Err(format!("{} gave {status}", asked(request))),
    }
}

fn project_of(job: &Value) -> String {
    job["job_info"]["project_name"].as_str().unwrap_or_default().to_owned()
}
