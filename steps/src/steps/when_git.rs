//! When steps in which people use Git repositories.

use super::definition::{Definition, when};
use super::parameters::{Person, Route};
use crate::action::{Action, GitAction, expression};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let git = |person, does, route| Action::Git { person, does, route };
    vec![
        when(
            expression::PUSH,
            move |person: Person, commit: String, repository: String, route: Route| {
                git(person, GitAction::Push { commit, repository }, route)
            },
        ),
        when(expression::CLONE, move |person: Person, repository: String, route: Route| {
            git(person, GitAction::Clone { repository }, route)
        }),
    ]
}
