//! When steps in which a person uses a personal access token that a cell has just made.

use super::definition::{Definition, when};
use super::parameters::{Cell, Person};
use super::when_places::last;
use super::when_requests::{Way, send};
use crate::people::Request;
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![when(
        "{person} visits {string} on {cell} directly with the token of the last page of {person}",
        visits_with_token,
    )]
}

async fn visits_with_token(
    world: &mut World,
    person: Person,
    target: String,
    cell: Cell,
    owner: Person,
) {
    let Some((request, response)) = last(world, &owner).await else { return };
    let page = response.body.text();
    let token = page.split_once("<code id=\"token\">").and_then(|(_, rest)| rest.split_once('<'));
    match token {
        Some((token, _)) => {
            let fields = vec![("Private-Token".to_owned(), token.to_owned())];
            send(world, &person, Request { fields, ..Request::get(target) }, Way::directly(cell))
                .await;
        }
        None => world.interrupt(format!(
            "{} {} received {} and no token",
            request.method, request.target, response.status
        )),
    }
}
