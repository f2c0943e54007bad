//! Then steps about the counters of a page, and how long a write took.

use super::definition::{Definition, then};
use super::parameters::{Cell, Number, Person};
use crate::judge::{self, Counts};
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "{person} sees the counts of {number} to-do item(s), {number} issue(s) \
             and {number} merge request(s)",
            |trace: &Trace,
             person: Person,
             todos: Number,
             issues: Number,
             merge_requests: Number| {
                let expected =
                    Counts { todos: todos.0, issues: issues.0, merge_requests: merge_requests.0 };
                judge::counts(trace, &person.0, expected, true)
            },
        ),
        then(
            "{person} does not see the counts of {number} to-do item(s), {number} issue(s) \
             and {number} merge request(s)",
            |trace: &Trace,
             person: Person,
             todos: Number,
             issues: Number,
             merge_requests: Number| {
                let unexpected =
                    Counts { todos: todos.0, issues: issues.0, merge_requests: merge_requests.0 };
                judge::counts(trace, &person.0, unexpected, false)
            },
        ),
        then(
            "the write of {cell} to {string} took at least {number} ms longer than that of {cell}",
            |trace: &Trace, far: Cell, schema: String, by: Number, near: Cell| {
                judge::write_took_longer(trace, &far.0, &near.0, &schema, by.0)
            },
        ),
        then("there was one pre-flight about {string}", |trace: &Trace, path: String| {
            judge::preflights(trace, Some(&path), 1)
        }),
    ]
}
