//! Then steps about exchanges.

use cucumber::then;

use super::meaning::{CheckResult, Meaning, Role};
use super::parameters::Cell;
use crate::exchange::{Exchange, compare};
use crate::trace::Trace;

#[then(expr = "the exchange was")]
fn the_exchange_was(step: &mut Meaning) {
    step.role(Role::Exchange);
    let Some(expected) = step.doc_string::<Exchange>() else { return };
    step.check(move |trace| compare(&expected, trace, &trace.arrows(false)));
}

#[then(expr = "the last exchange was")]
fn the_last_exchange_was(step: &mut Meaning) {
    step.role(Role::Exchange);
    let Some(expected) = step.doc_string::<Exchange>() else { return };
    step.check(move |trace| compare(&expected, trace, &trace.arrows(true)));
}

#[then(expr = "the visit went straight to {cell}")]
fn the_visit_went_straight_to(step: &mut Meaning, cell: Cell) {
    step.check(move |trace| as_drawn(trace, Exchange::straight(trace, &cell.0)));
}

#[then(expr = "the visit went to {cell} as on a cold cache")]
fn the_visit_went_as_on_a_cold_cache(step: &mut Meaning, cell: Cell) {
    step.check_by_plan(move |trace, plan| {
        as_drawn(trace, Exchange::cold(trace, &cell.0, plan.fleet.protocol))
    });
}

fn as_drawn(trace: &Trace, expected: Result<Exchange, String>) -> CheckResult {
    match expected {
        Ok(expected) => compare(&expected, trace, &trace.arrows(true)).into(),
        Err(why) => CheckResult::Proof(Err(why.into())),
    }
}
