//! Then steps about what a page counts, and how long a write was under way.

use cucumber::then;

use super::parameters::{Cell, Number, Person};
use crate::judge::{self, Counts};
use crate::world::World;

#[then(
    expr = "{person} sees the counts of {number} to-do item(s), {number} issue(s) and {number} merge request(s)"
)]
fn sees_counts(
    world: &mut World,
    person: Person,
    todos: Number,
    issues: Number,
    merge_requests: Number,
) {
    let expected = Counts { todos: todos.0, issues: issues.0, merge_requests: merge_requests.0 };
    world.prove(judge::counts(world.trace(), &person.0, expected, true));
}

#[then(
    expr = "{person} does not see the counts of {number} to-do item(s), {number} issue(s) and {number} merge request(s)"
)]
fn does_not_see_counts(
    world: &mut World,
    person: Person,
    todos: Number,
    issues: Number,
    merge_requests: Number,
) {
    let unexpected = Counts { todos: todos.0, issues: issues.0, merge_requests: merge_requests.0 };
    world.prove(judge::counts(world.trace(), &person.0, unexpected, false));
}

#[then(
    expr = "the write of {cell} to {string} took at least {number} ms longer than that of {cell}"
)]
fn write_took_longer(world: &mut World, far: Cell, schema: String, by: Number, near: Cell) {
    world.prove(judge::write_took_longer(world.trace(), &far.0, &near.0, &schema, by.0));
}

#[then(expr = "there was one pre-flight about {string}")]
fn one_preflight_about(world: &mut World, path: String) {
    world.prove(judge::preflights(world.trace(), Some(&path), 1));
}
