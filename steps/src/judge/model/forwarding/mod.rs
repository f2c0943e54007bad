//! Whether messages are passed on as they came: each cell receives what the user sent, and the user
//! what a cell responded. It knows nothing of owners and of what a router remembers.
//!
//! The sentences stand in the table of the [model](super).

mod requests;
mod responses;

pub(super) use requests::requests;
pub(super) use responses::{contradicts_itself, discreet, response, unchanged};

use cell_fleet::Field;

use super::exchange::given;
use crate::trace::Hop;
use crate::trace::field_lines::lines;

/// The cookies that field lines set, without their attributes.
fn cookies(fields: &[Field]) -> Vec<String> {
    let lines = lines(fields, "Set-Cookie");
    let pair = |line: &String| line.split(';').next().unwrap_or_default().trim().to_owned();
    lines.iter().map(pair).collect()
}

fn set_cookies(hop: &Hop) -> Vec<String> {
    given(hop).map_or_else(Vec::new, |response| cookies(&response.fields))
}
