//! Then steps about exchanges.

use cucumber::then;

use super::meaning::{Meaning, Role};
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
