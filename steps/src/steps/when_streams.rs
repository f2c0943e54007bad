//! When steps in which it matters how a body flows.

use super::definition::{Definition, when};
use super::parameters::{Method, Number, Person};
use super::when_requests::random;
use crate::people::{Framed, Request, Upload};
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} sends {method} {string} with {number} random bytes in chunks", sends_chunks),
        when(
            "{person} sends {method} {string} with {number} random bytes, waiting to be asked for them",
            sends_when_asked,
        ),
        when("{person} sends {method} {string} with {number} bytes", sends_made_bytes),
        when("{person} has got the first bytes", has_first_bytes),
        when(
            "{person} visits {string} and reads nothing until the flow stands still",
            visits_without_reading,
        ),
        when(
            "{person} uploads {number} bytes to {string} until the flow stands still",
            uploads_without_reading,
        ),
    ]
}

async fn sends_chunks(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    length: Number,
) {
    upload(world, &person, method, target, Upload::Bytes(random(length)), Framed::Chunks).await;
}

async fn sends_when_asked(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    length: Number,
) {
    let stage = world.stage();
    let framed = Framed::WhenAsked(stage.waits().asked);
    upload(world, &person, method, target, Upload::Bytes(random(length)), framed).await;
}

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
    let stage = world.stage();
    let request = Request { method: method.0, ..Request::get(target) };
    if let Err(why) = stage.upload(&person.0, step, request, upload, framed).await {
        world.refuse(why);
    }
}

async fn has_first_bytes(world: &mut World, person: Person) {
    let stage = world.stage();
    stage.people().first_bytes(&person.0).await;
}

async fn visits_without_reading(world: &mut World, person: Person, target: String) {
    let step = world.step();
    let stage = world.stage();
    if let Err(why) = stage.visit_without_reading(&person.0, step, &target).await {
        world.refuse(why);
    }
}

async fn uploads_without_reading(
    world: &mut World,
    person: Person,
    length: Number,
    target: String,
) {
    let step = world.step();
    let stage = world.stage();
    if let Err(why) = stage.upload_without_reading(&person.0, step, length.0, &target).await {
        world.refuse(why);
    }
}
