//! Then steps about moves in phases.

use cucumber::then;

use super::meaning::Meaning;
use crate::judge;

#[then(expr = "no two cells took writes of one organization")]
fn no_two_cells_took_writes_one_organization(step: &mut Meaning) {
    step.check(judge::one_writer);
}
