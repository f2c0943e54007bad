//! When steps in which a person makes several visits, or begins one.

use super::definition::{Definition, when};
use super::parameters::{Cell, Number, Person};
use crate::action::{Action, RequestKind, Visits, expression};
use crate::request::Request;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when(expression::VISIT_TIMES, |person: Person, target: String, Number(times): Number| {
            Action::Visits { person, visits: Visits::Same { target, times } }
        }),
        when(
            expression::VISIT_UNTIL,
            |person: Person, target: String, Cell(cell): Cell, Number(most): Number| {
                Action::Visits { person, visits: Visits::Until { target, cell, most } }
            },
        ),
        when(expression::VISIT_COLD, |person: Person, Number(count): Number| Action::Visits {
            person,
            visits: Visits::ColdPrefixes { count },
        }),
        when(expression::VISIT_LONG, |person: Person, Number(count): Number| Action::Visits {
            person,
            visits: Visits::LongPaths { one_in: 1, count },
        }),
        when(
            expression::VISIT_SOME_LONG,
            |person: Person, Number(one_in): Number, Number(count): Number| Action::Visits {
                person,
                visits: Visits::LongPaths { one_in, count },
            },
        ),
        when(expression::TOGETHER, |person: Person, target: String, Number(times): Number| {
            Action::Together { person, target, times }
        }),
        when(expression::BEGIN, |person: Person, target: String| Action::Begin {
            person,
            target,
            arrives: true,
        }),
        when(expression::BEGIN_AS_WELL, |person: Person, target: String| Action::Begin {
            person,
            target,
            arrives: false,
        }),
        when(expression::BEGIN_MESSAGE, |person: Person, message: Request| Action::BeginMessage {
            person,
            request: RequestKind::message(message),
        }),
        when(expression::BEGIN_MANY, |person: Person, target: String, Number(times): Number| {
            Action::BeginMany { person, target, times }
        }),
        when(expression::LEAVE, |person: Person| Action::Leave { person }),
        when(expression::ASK_EVERY_CELL, |path: String| Action::AskEveryCell { path }),
    ]
}
