//! Then steps about the counters of a page, and how long a write took.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Sees};
use crate::judge::{self, Counts};

#[then(expr = "{person} {sees} the counts of {number} to-do item(s), {number} issue(s) \
             and {number} merge request(s)")]
fn sees_counts_to_do_item_issue_and_merge_request(
    step: &mut Meaning,
    person: Person,
    sees: Sees,
    todos: Number,
    issues: Number,
    merge_requests: Number,
) {
    step.check(move |trace| {
        let expected =
            Counts { todos: todos.0, issues: issues.0, merge_requests: merge_requests.0 };
        judge::counts(trace, &person.0, expected, sees.0)
    });
}

#[then(
    expr = "the write of {cell} to {string} took at least {number} ms longer than that of {cell}"
)]
fn write_took_longer(step: &mut Meaning, far: Cell, schema: String, by: Number, near: Cell) {
    step.check(move |trace| judge::write_took_longer(trace, &far.0, &near.0, &schema, by.0));
}
