//! The Then step of explored journeys: the model judges everything that happened.

use super::definition::{Definition, then_by_plan};
use crate::explore;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![then_by_plan(explore::JUDGED, explore::judged)]
}
