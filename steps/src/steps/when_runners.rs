//! When steps in which runners act, jobs are queued, and the clock of the cells goes on.

use super::definition::{Definition, when};
use super::parameters::{Cell, Number, Person, Route};
use crate::action::{Action, JobAction, RunnerAction, Scope, WorldAction, expression};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let job = |action| Action::World(WorldAction::Jobs(action));
    let runner = |person, does, route| Action::Runner { person, does, route };
    let register = move |person, cell, scope, route| {
        runner(person, RunnerAction::Register { cell, scope }, route)
    };
    vec![
        when(expression::REGISTER, move |person: Person, Cell(cell): Cell, route: Route| {
            register(person, cell, Scope::Instance, route)
        }),
        when(
            expression::REGISTER_FOR_GROUP,
            move |person: Person, Cell(cell): Cell, group: String, route: Route| {
                register(person, cell, Scope::Group(group), route)
            },
        ),
        when(
            expression::REGISTER_FOR_PROJECT,
            move |person: Person, Cell(cell): Cell, project: String, route: Route| {
                register(person, cell, Scope::Project(project), route)
            },
        ),
        when(
            expression::REGISTER_BY_TOKEN,
            move |person: Person, Cell(cell): Cell, route: Route| {
                runner(person, RunnerAction::RegisterByToken { cell }, route)
            },
        ),
        when(expression::ASK, move |person: Person, route: Route| {
            runner(person, RunnerAction::Ask, route)
        }),
        when(expression::ASK_BY_TOKEN, move |person: Person, route: Route| {
            runner(person, RunnerAction::AskByToken, route)
        }),
        when(expression::JOB_RUNNING, move |person: Person, route: Route| {
            runner(person, RunnerAction::Running, route)
        }),
        when(expression::JOB_DONE, move |person: Person, route: Route| {
            runner(person, RunnerAction::Done, route)
        }),
        when(
            expression::POLL,
            |Number(runners): Number, Cell(cell): Cell, Number(times): Number| Action::Poll {
                runners,
                cell,
                times,
            },
        ),
        when(expression::QUEUE, move |project: String, Number(jobs): Number| {
            job(JobAction::Queue { project, jobs })
        }),
        when(expression::ADVANCE_CLOCK, move |Number(minutes): Number| {
            job(JobAction::AdvanceClock { minutes })
        }),
    ]
}
