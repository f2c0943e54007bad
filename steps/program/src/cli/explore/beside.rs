//! The exploration of `run --explore`: random journeys in addition to the scenarios, in one record.

use std::time::{Duration, SystemTime};

use cell_fleet::Protocol;

use super::SIDE_BY_SIDE;
use super::progress::ExplorationProgress;
use conformance_laboratory::explore::{
    About, Exploration, FoundFeature, LeftOut, Limit, Pairs, Scope, explore, record,
};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::record::RunRecord;
use conformance_suite::engine::{Subject, usual_jobs};
use conformance_suite::ledger::Ledger;
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
    jobs: Option<usize>,
) -> Result<RunRecord, String> {
    let ledger = Ledger::embedded();
    let protocols: Vec<_> =
        Protocol::ALL.into_iter().filter(|one| subject.claims.allow(*one)).collect();
    let left_out = LeftOut::of(&subject.claims, &Catalog::embedded().cases, &[], ledger)?;
    let jobs = match subject.is_shared() {
        true => 1,
        false => jobs.unwrap_or_else(|| SIDE_BY_SIDE * usual_jobs()),
    };
    let plan = Exploration {
        subject,
        launch,
        ledger,
        protocols: &protocols,
        seed: launch.seed,
        scope: Scope::Random(Limit::Time(time)),
        jobs,
        left_out: &left_out,
        keep_going: true,
    };
    let began = SystemTime::now();
    let mut progress = ExplorationProgress::new(Some(time), Pairs::all());
    let explored = explore(&plan, |now| progress.tell(&now));
    progress.clear();
    let features: Vec<_> =
        explored.found.iter().map(|found| FoundFeature::of(found, ledger)).collect();
    let for_time = humantime::format_duration(time).to_string().replace(' ', "");
    let options = vec!["--for".to_owned(), for_time];
    record(&explored, &features, About { subject, ledger, began, options })
}
