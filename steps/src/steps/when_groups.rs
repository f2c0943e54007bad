//! When steps in which a person signs in, signs up, or creates a group: forms of the pages.

use cucumber::when;

use super::parameters::{Cell, Person, RegionName};
use super::when_places::last;
use super::when_requests::{Way, send};
use crate::people::Request;
use crate::world::World;

#[when(expr = "{person} signs in")]
async fn signs_in(world: &mut World, person: Person) {
    sign_in(world, &person, None, Way::default()).await;
}

#[when(expr = "{person} signs in through the {region} router")]
async fn signs_in_through(world: &mut World, person: Person, region: RegionName) {
    sign_in(world, &person, None, Way::through(region)).await;
}

#[when(expr = "{person} signs in on {cell} directly")]
async fn signs_in_directly(world: &mut World, person: Person, cell: Cell) {
    sign_in(world, &person, None, Way::directly(cell)).await;
}

#[when(expr = "{person} signs in with the password {string}")]
async fn signs_in_with(world: &mut World, person: Person, password: String) {
    sign_in(world, &person, Some(password), Way::default()).await;
}

/// Sends the form of the page that the person has before them, to where that page came from.
async fn sign_in(world: &mut World, person: &Person, password: Option<String>, way: Way) {
    let Some((page, _)) = last(world, person).await else { return };
    let Some(stage) = world.stage().await else { return };
    let known =
        stage.plan().fleet.population.person(&person.0).map(|person| person.password.clone());
    let Some(password) = password.or(known) else {
        return world.refuse(format!("{} has no password", person.0));
    };
    let form =
        Request::form(page.target.to_string(), &[("username", &person.0), ("password", &password)]);
    send(world, person, form, way).await;
}

#[when(expr = "{person} signs out")]
async fn signs_out(world: &mut World, person: Person) {
    send(world, &person, Request::form("/users/sign_out", &[]), Way::default()).await;
}

#[when(expr = "{person} signs out on {cell} directly")]
async fn signs_out_directly(world: &mut World, person: Person, cell: Cell) {
    send(world, &person, Request::form("/users/sign_out", &[]), Way::directly(cell)).await;
}

#[when(expr = "{person} creates the group {string} in {string}")]
async fn creates_group(world: &mut World, person: Person, path: String, organization: String) {
    create(world, &person, &path, &organization, Way::default()).await;
}

#[when(expr = "{person} creates the group {string} in {string} through the {region} router")]
async fn creates_group_through(
    world: &mut World,
    person: Person,
    path: String,
    organization: String,
    region: RegionName,
) {
    create(world, &person, &path, &organization, Way::through(region)).await;
}

#[when(expr = "{person} creates the group {string} in {string} on {cell} directly")]
async fn creates_group_directly(
    world: &mut World,
    person: Person,
    path: String,
    organization: String,
    cell: Cell,
) {
    create(world, &person, &path, &organization, Way::directly(cell)).await;
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

#[when(expr = "{person} creates the group {string} without choosing an organization")]
async fn creates_public_group(world: &mut World, person: Person, path: String) {
    send(world, &person, Request::form("/groups", &[("path", &path)]), Way::default()).await;
}

#[when(expr = "a new customer signs up, joining {string}")]
async fn signs_up_joining(world: &mut World, organization: String) {
    sign_up(world, &[("membership", "join"), ("organization", &organization)]).await;
}

#[when(expr = "a new customer signs up, creating the organization {string}")]
async fn signs_up_creating(world: &mut World, organization: String) {
    sign_up(world, &[("membership", "create"), ("organization", &organization)]).await;
}

#[when("a new customer signs up, choosing neither")]
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
