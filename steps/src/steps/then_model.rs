//! The Then step of explored journeys: the model judges everything that happened.

use cucumber::then;

use super::CheckResult;
use super::meaning::Meaning;
use crate::judge::model::{Installation, judge};
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

#[then(expr = "the model of the documents permits every exchange")]
fn judged(step: &mut Meaning) {
    step.check_by_plan(check);
}

fn check(trace: &Trace, plan: &ScenarioPlan) -> CheckResult {
    let violations = judge(&Installation::of(plan, &trace.actions), trace).into_iter();
    let cited = violations
        .filter_map(|violation| Some((violation.requirement.parse().ok()?, violation.why)));
    CheckResult::Violations(cited.collect())
}
