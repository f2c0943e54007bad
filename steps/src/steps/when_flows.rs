//! When steps in which a body flows at a pace of its own.

use super::definition::{Definition, when};
use super::parameters::{Method, Number, Person};
use crate::action::{Action, Flow, expression};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when(
            expression::CHUNKED,
            |person: Person, Method(method): Method, target: String, Number(length): Number| {
                Action::Flow { person, flow: Flow::Chunked { method, target, length } }
            },
        ),
        when(
            expression::AFTER_CONTINUE,
            |person: Person, Method(method): Method, target: String, Number(length): Number| {
                Action::Flow { person, flow: Flow::AfterContinue { method, target, length } }
            },
        ),
        when(
            expression::GENERATED,
            |person: Person, Method(method): Method, target: String, Number(length): Number| {
                Action::Flow { person, flow: Flow::Generated { method, target, length } }
            },
        ),
        when(expression::HALVES, |person: Person, Number(length): Number, target: String| {
            Action::Flow { person, flow: Flow::Halves { target, length } }
        }),
        when(
            expression::UPLOAD_UNTIL_STALLED,
            |person: Person, Number(length): Number, target: String| Action::Flow {
                person,
                flow: Flow::UploadUntilStalled { target, length },
            },
        ),
        when(expression::READ_AFTER_STALL, |person: Person, target: String| Action::Flow {
            person,
            flow: Flow::ReadAfterStall { target },
        }),
        when(expression::FIRST_BYTES, |person: Person| Action::AwaitFirstBytes { person }),
    ]
}
