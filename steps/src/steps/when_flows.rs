//! When steps in which a body flows at a given pace.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Number, Person};
use crate::action::{Action, Flow};

#[when(expr = "{person} uploads {number} bytes to {string}, the second half once a cell reads")]
fn halves(step: &mut Meaning, person: Person, length: Number, target: String) {
    step.action(Action::Flow { person, flow: Flow::Halves { target, length: length.0 } });
}

#[when(expr = "{person} uploads {number} bytes to {string} until the transfer stalls")]
fn upload_until_stalled(step: &mut Meaning, person: Person, length: Number, target: String) {
    step.action(Action::Flow {
        person,
        flow: Flow::UploadUntilStalled { target, length: length.0 },
    });
}

#[when(expr = "{person} visits {string} and stops reading until the transfer stalls")]
fn read_after_stall(step: &mut Meaning, person: Person, target: String) {
    step.action(Action::Flow { person, flow: Flow::ReadAfterStall { target } });
}

#[when(expr = "{person} has received the first bytes")]
fn first_bytes(step: &mut Meaning, person: Person) {
    step.action(Action::AwaitFirstBytes { person });
}
