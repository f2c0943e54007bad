//! When steps in which a person speaks over a WebSocket.

use cucumber::when;

use super::parameters::{Cell, Person};
use crate::world::World;

#[when(expr = "{person} opens a WebSocket at {string}")]
async fn opens(world: &mut World, person: Person, target: String) {
    open(world, &person, &target, None).await;
}

#[when(expr = "{person} opens a WebSocket at {string}, asking {cell} first")]
async fn opens_asking(world: &mut World, person: Person, target: String, cell: Cell) {
    open(world, &person, &target, Some(cell)).await;
}

async fn open(world: &mut World, person: &Person, target: &str, cast: Option<Cell>) {
    let step = world.step();
    let Some(stage) = world.stage().await else { return };
    if let Err(why) =
        stage.open_socket(&person.0, step, target, cast.map(|cell| cell.0).as_ref()).await
    {
        world.refuse(why);
    }
}

#[when(expr = "{person} sends the message {string}")]
async fn says(world: &mut World, person: Person, text: String) {
    if let Some(stage) = world.stage().await {
        stage.people_mut().say(&person.0, &text).await;
    }
}

#[when(expr = "{person} closes the WebSocket")]
async fn closes(world: &mut World, person: Person) {
    if let Some(stage) = world.stage().await {
        stage.people_mut().hang_up(&person.0).await;
    }
}
