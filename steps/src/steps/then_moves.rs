//! Then steps about moves in phases.

use super::definition::{Definition, then};
use crate::judge;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![then("no two cells took writes of one organization", judge::one_writer)]
}
