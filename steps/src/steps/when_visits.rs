//! When steps in which a person makes several visits, or begins one.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person};
use crate::action::{Action, RequestKind, Until, Visits};
use crate::literal::Request;

#[when(expr = "{person} visits {string} {number} times")]
fn visit_times(step: &mut Meaning, person: Person, target: String, times: Number) {
    step.action(Action::Visits { person, visits: Visits::Same { target, times: times.0 } });
}

#[when(expr = "{person} visits {string} until {cell} was asked, at most {number} times")]
fn visit_until(step: &mut Meaning, person: Person, target: String, cell: Cell, most: Number) {
    step.action(Action::Visits {
        person,
        visits: Visits::Until { target, cell: cell.0, most: most.0 },
    });
}

#[when(expr = "{person} visits {number} paths with different cold prefixes")]
fn visit_cold(step: &mut Meaning, person: Person, count: Number) {
    step.action(Action::Visits { person, visits: Visits::ColdPrefixes { count: count.0 } });
}

#[when(expr = "{person} visits {number} paths with long names")]
fn visit_long(step: &mut Meaning, person: Person, count: Number) {
    step.action(Action::Visits { person, visits: Visits::LongPaths { one_in: 1, count: count.0 } });
}

#[when(expr = "{person} visits one in {number} of {number} paths with long names")]
fn visit_some_long(step: &mut Meaning, person: Person, one_in: Number, count: Number) {
    step.action(Action::Visits {
        person,
        visits: Visits::LongPaths { one_in: one_in.0, count: count.0 },
    });
}

#[when(expr = "{person} visits {string} {number} times at once")]
fn together(step: &mut Meaning, person: Person, target: String, times: Number) {
    let request = RequestKind::Visit { target };
    step.action(Action::Begin { person, request, times: times.0, until: Until::Ended });
}

#[when(expr = "{person} starts to visit {string}")]
fn begin(step: &mut Meaning, person: Person, target: String) {
    step.action(Action::begin(person, target, Until::Arrived));
}

#[when(expr = "{person} starts to visit {string} as well")]
fn begin_as_well(step: &mut Meaning, person: Person, target: String) {
    step.action(Action::begin(person, target, Until::Sent));
}

#[when(expr = "{person} starts to send:")]
fn begin_message(step: &mut Meaning, person: Person) {
    let Some(message) = step.doc_string::<Request>() else { return };
    let request = RequestKind::message(message);
    step.action(Action::Begin { person, request, times: 1, until: Until::Arrived });
}

#[when(expr = "{person} starts to visit {string} {number} times")]
fn begin_many(step: &mut Meaning, person: Person, target: String, times: Number) {
    let request = RequestKind::Visit { target };
    step.action(Action::Begin { person, request, times: times.0, until: Until::Arrived });
}

#[when(expr = "{person} leaves")]
fn leave(step: &mut Meaning, person: Person) {
    step.action(Action::Leave { person });
}

#[when(expr = "every cell is asked about {string}")]
fn ask_every_cell(step: &mut Meaning, path: String) {
    step.action(Action::AskEveryCell { path });
}
