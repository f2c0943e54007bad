//! When steps in which runners act, jobs are queued, and people use Git repositories.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Route};
use crate::action::{Action, GitAction, RunnerAction, Scope, WorldAction};

#[when(expr = "{person} registers at {cell}{route}")]
fn register(step: &mut Meaning, person: Person, cell: Cell, route: Route) {
    step.action(registers(person, cell, Scope::Instance, route));
}

#[when(expr = "{person} registers at {cell} for the group {string}{route}")]
fn register_for_group(step: &mut Meaning, person: Person, cell: Cell, group: String, route: Route) {
    step.action(registers(person, cell, Scope::Group(group), route));
}

#[when(expr = "{person} registers at {cell} for the project {string}{route}")]
fn register_for_project(
    step: &mut Meaning,
    person: Person,
    cell: Cell,
    project: String,
    route: Route,
) {
    step.action(registers(person, cell, Scope::Project(project), route));
}

#[when(expr = "{person} registers by a token of {cell} alone{route}")]
fn register_by_token(step: &mut Meaning, person: Person, cell: Cell, route: Route) {
    step.action(runner(person, RunnerAction::RegisterByToken { cell: cell.0 }, route));
}

#[when(expr = "{person} asks for a job{route}")]
fn ask(step: &mut Meaning, person: Person, route: Route) {
    step.action(runner(person, RunnerAction::Ask, route));
}

#[when(expr = "{person} asks for a job by token alone{route}")]
fn ask_by_token(step: &mut Meaning, person: Person, route: Route) {
    step.action(runner(person, RunnerAction::AskByToken, route));
}

#[when(expr = "{person} reports that the job is running{route}")]
fn job_running(step: &mut Meaning, person: Person, route: Route) {
    step.action(runner(person, RunnerAction::Running, route));
}

#[when(expr = "{person} reports that the job is done{route}")]
fn job_done(step: &mut Meaning, person: Person, route: Route) {
    step.action(runner(person, RunnerAction::Done, route));
}

#[when(expr = "{number} runners of {cell} ask for a job at once, {number} time(s) each")]
fn poll(step: &mut Meaning, runners: Number, cell: Cell, times: Number) {
    step.action(Action::Poll { runners: runners.0, cell: cell.0, times: times.0 });
}

#[when(expr = "the project {string} queues {number} job(s)")]
fn queue(step: &mut Meaning, project: String, jobs: Number) {
    step.action(Action::World(WorldAction::QueueJobs { project, jobs: jobs.0 }));
}

fn runner(person: Person, does: RunnerAction, route: Route) -> Action {
    Action::Runner { person, does, route }
}

fn registers(person: Person, cell: Cell, scope: Scope, route: Route) -> Action {
    runner(person, RunnerAction::Register { cell: cell.0, scope }, route)
}

#[when(expr = "{person} pushes the commit {string} to {string}{route}")]
fn push(step: &mut Meaning, person: Person, commit: String, repository: String, route: Route) {
    step.action(git(person, GitAction::Push { commit, repository }, route));
}

#[when(expr = "{person} clones {string}{route}")]
fn clone(step: &mut Meaning, person: Person, repository: String, route: Route) {
    step.action(git(person, GitAction::Clone { repository }, route));
}

fn git(person: Person, does: GitAction, route: Route) -> Action {
    Action::Git { person, does, route }
}
