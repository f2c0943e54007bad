//! When steps in which a person signs in, signs up, or creates a group: forms of the pages.

use super::definition::{Definition, when};
use super::parameters::{Cell, Person, RegionName};
use super::when_places::last;
use super::when_requests::{Way, send};
use crate::people::Request;
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} signs in", signs_in),
        when("{person} signs in through the {region} router", signs_in_through),
        when("{person} signs in on {cell} directly", signs_in_directly),
        when("{person} creates the group {string} in {string}", creates_group),
        when(
            "{person} creates the group {string} in {string} through the {region} router",
            creates_group_through,
        ),
        when(
            "{person} creates the group {string} without choosing an organization",
            creates_public_group,
        ),
        when("a new customer signs up, joining {string}", signs_up_joining),
        when("a new customer signs up, creating the organization {string}", signs_up_creating),
        when("a new customer signs up, choosing neither", signs_up_choosing_neither),
    ]
}

async fn signs_in(world: &mut World, person: Person) {
    sign_in(world, &person, Way::default()).await;
}

async fn signs_in_through(world: &mut World, person: Person, region: RegionName) {
    sign_in(world, &person, Way::through(region)).await;
}

async fn signs_in_directly(world: &mut World, person: Person, cell: Cell) {
    sign_in(world, &person, Way::directly(cell)).await;
}

/// Sends the form of the page that the person has before them, to where that page came from.
async fn sign_in(world: &mut World, person: &Person, way: Way) {
    let Some((page, _)) = last(world, person).await else { return };
    let stage = world.stage();
    let known =
        stage.plan().fleet.population.person(&person.0).map(|person| person.password.clone());
    let Some(password) = known else {
        return world.refuse(format!("{} has no password", person.0));
    };
    let form =
        Request::form(page.target.to_string(), &[("username", &person.0), ("password", &password)]);
    send(world, person, form, way).await;
}

async fn creates_group(world: &mut World, person: Person, path: String, organization: String) {
    create(world, &person, &path, &organization, Way::default()).await;
}

async fn creates_group_through(
    world: &mut World,
    person: Person,
    path: String,
    organization: String,
    region: RegionName,
) {
    create(world, &person, &path, &organization, Way::through(region)).await;
}

async fn create(world: &mut World, person: &Person, path: &str, organization: &str, way: Way) {
    send(
        world,
        person,
        Request::form(format!("/organizations/{organization}/groups"), &[("path", path)]),
        way,
    )
    .await;
}

async fn creates_public_group(world: &mut World, person: Person, path: String) {
    send(world, &person, Request::form("/groups", &[("path", &path)]), Way::default()).await;
}

async fn signs_up_joining(world: &mut World, organization: String) {
    sign_up(world, &[("membership", "join"), ("organization", &organization)]).await;
}

async fn signs_up_creating(world: &mut World, organization: String) {
    sign_up(world, &[("membership", "create"), ("organization", &organization)]).await;
}

async fn signs_up_choosing_neither(world: &mut World) {
    sign_up(world, &[("membership", "neither")]).await;
}

async fn sign_up(world: &mut World, choice: &[(&str, &str)]) {
    let person = Person("customer".to_owned());
    let account = [("username", "customer"), ("password", "correct horse battery staple")];
    send(
        world,
        &person,
        Request::form("/users/sign_up", &[&account, choice].concat()),
        Way::default(),
    )
    .await;
}
