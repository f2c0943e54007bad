//! When steps in which people use Git repositories.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Person, Route};
use crate::action::{Action, GitAction};

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
