//! The Then step of explored journeys: the model judges everything that happened.

use cucumber::then;

use super::meaning::Meaning;
use crate::explore;

#[then(expr = "the model of the documents permits every exchange")]
fn judged(step: &mut Meaning) {
    step.check_by_plan(explore::judged);
}
