//! When steps in which it matters how a body flows.

use cucumber::when;

use super::parameters::{Method, Number, Person};
use super::when_requests::random;
use crate::people::{Framed, Request, Upload};
use crate::world::World;

#[when(expr = "{person} sends {method} {string} with {number} random bytes in chunks")]
async fn sends_chunks(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    length: Number,
) {
    upload(world, &person, method, target, Upload::Bytes(random(length)), Framed::Chunks).await;
}

#[when(expr = "{person} sends {method} {string} with {number} random bytes after 100 Continue")]
async fn sends_when_asked(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    length: Number,
) {
    let Some(stage) = world.stage().await else { return };
    let framed = Framed::WhenAsked(stage.waits().asked);
    upload(world, &person, method, target, Upload::Bytes(random(length)), framed).await;
}

#[when(expr = "{person} sends {method} {string} with {number} bytes")]
async fn sends_made_bytes(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    length: Number,
) {
    upload(world, &person, method, target, Upload::Made(length.0), Framed::Length).await;
}

async fn upload(
    world: &mut World,
    person: &Person,
    method: Method,
    target: String,
    upload: Upload,
    framed: Framed,
) {
    let step = world.step();
    let Some(stage) = world.stage().await else { return };
    let request = Request { method: method.0, ..Request::get(target) };
    if let Err(why) = stage.upload(&person.0, step, request, upload, framed).await {
        world.refuse(why);
    }
}

#[when(expr = "{person} has received the first bytes")]
async fn has_first_bytes(world: &mut World, person: Person) {
    if let Some(stage) = world.stage().await {
        stage.people().first_bytes(&person.0).await;
    }
}

#[when(expr = "{person} visits {string} and stops reading until the transfer stalls")]
async fn visits_without_reading(world: &mut World, person: Person, target: String) {
    let step = world.step();
    let Some(stage) = world.stage().await else { return };
    if let Err(why) = stage.visit_without_reading(&person.0, step, &target).await {
        world.refuse(why);
    }
}

#[when(expr = "{person} uploads {number} bytes to {string} until the transfer stalls")]
async fn uploads_without_reading(
    world: &mut World,
    person: Person,
    length: Number,
    target: String,
) {
    let step = world.step();
    let Some(stage) = world.stage().await else { return };
    if let Err(why) = stage.upload_without_reading(&person.0, step, length.0, &target).await {
        world.refuse(why);
    }
}
