//! The exploration of `run --explore`: random journeys in addition to the scenarios, in one record.

use std::time::Duration;

use super::{explore_and_tell, jobs, protocols};
use conformance_laboratory::explore::{Exploration, LeftOut, Scope, feature, record};
use conformance_suite::engine::Subject;
use conformance_suite::engine::record::RunRecord;
use conformance_suite::stage::Launch;

/// Explores for this time, and returns the record of it. Each violated requirement is found once.
///
/// # Errors
///
/// Where exploration itself is at fault.
pub(in crate::cli) fn explored(
    subject: &Subject,
    launch: &Launch,
    time: Duration,
    asked_jobs: Option<usize>,
) -> Result<RunRecord, String> {
    let protocols = protocols(None, &subject.claims)?;
    let left_out = LeftOut::from_claims(&subject.claims, &[])?;
    let plan = Exploration {
        subject,
        launch,
        protocols: &protocols,
        scope: Scope::Time(time),
        jobs: jobs(subject, asked_jobs),
        left_out: &left_out,
        keep_going: true,
    };
    let explored = explore_and_tell(&plan);
    let features: Vec<_> = explored.found.iter().map(feature).collect();
    let for_time = humantime::format_duration(time).to_string().replace(' ', "");
    record(&plan, &explored, &features, vec!["--for".to_owned(), for_time])
}
