//! When steps in which a person sends one request.

use super::definition::{Definition, when};
use super::parameters::{Cell, Method, Number, Person, Route};
use crate::action::{Action, Joining, RequestKind, expression};
use crate::request::Request;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    [messages(), follow_ups(), forms()].into_iter().flatten().collect()
}

fn messages() -> Vec<Definition> {
    vec![
        when(expression::VISIT, |person: Person, target: String, route: Route| {
            Action::request(person, RequestKind::Visit { target }, route)
        }),
        when(expression::TARGET, |person: Person, target: String, route: Route| {
            Action::request(person, RequestKind::Target { target }, route)
        }),
        when(
            expression::METHOD,
            |person: Person, Method(method): Method, target: String, route: Route| {
                Action::request(person, RequestKind::Method { method, target }, route)
            },
        ),
        when(expression::RANDOM_BODY, random_body),
        when(expression::MESSAGE, |person: Person, route: Route, message: Request| {
            Action::request(person, RequestKind::message(message), route)
        }),
    ]
}

fn random_body(
    person: Person,
    Method(method): Method,
    target: String,
    Number(length): Number,
    route: Route,
) -> Action {
    Action::request(person, RequestKind::RandomBody { method, target, length }, route)
}

/// Requests that follow from the last response.
fn follow_ups() -> Vec<Definition> {
    vec![
        when(expression::FOLLOW_REDIRECT, |person: Person, route: Route| {
            Action::request(person, RequestKind::FollowRedirect, route)
        }),
        when(expression::PAGE_BELOW, |person: Person, below: String, route: Route| {
            Action::request(person, RequestKind::PageBelow { below }, route)
        }),
        when(expression::CHOOSE_CELL, |person: Person, Cell(cell): Cell, route: Route| {
            Action::request(person, RequestKind::ChooseCell { cell }, route)
        }),
        when(
            expression::WITH_TOKEN,
            |person: Person, target: String, route: Route, owner: Person| {
                Action::request(person, RequestKind::WithToken { target, owner }, route)
            },
        ),
    ]
}

/// Forms: signing in, out and up, and creating a group.
fn forms() -> Vec<Definition> {
    let sign_up = |joining, route| {
        Action::request(Person::customer(), RequestKind::SignUp { joining }, route)
    };
    vec![
        when(expression::SIGN_IN, |person: Person, route: Route| {
            Action::request(person, RequestKind::SignIn, route)
        }),
        when(expression::SIGN_OUT, |person: Person, route: Route| {
            Action::request(person, RequestKind::SignOut, route)
        }),
        when(
            expression::CREATE_GROUP,
            |person: Person, path: String, organization: String, route: Route| {
                let organization = Some(organization);
                Action::request(person, RequestKind::CreateGroup { path, organization }, route)
            },
        ),
        when(expression::CREATE_GROUP_WITHOUT, |person: Person, path: String, route: Route| {
            let group = RequestKind::CreateGroup { path, organization: None };
            Action::request(person, group, route)
        }),
        when(expression::SIGN_UP_JOINING, move |organization: String, route: Route| {
            sign_up(Joining::Existing(organization), route)
        }),
        when(expression::SIGN_UP_CREATING, move |organization: String, route: Route| {
            sign_up(Joining::New(organization), route)
        }),
        when(expression::SIGN_UP_NEITHER, move |route: Route| sign_up(Joining::Neither, route)),
    ]
}
