//! Then steps about exchanges.

use cucumber::then;

use super::meaning::{CheckResult, Meaning, Role};
use super::parameters::Cell;
use crate::exchange::{Exchange, compare};

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
    step.check(move |trace| match Exchange::straight(trace, &cell.0) {
        Ok(expected) => compare(&expected, trace, &trace.arrows(true)).into(),
        Err(why) => CheckResult::Proof(Err(why.into())),
    });
}
