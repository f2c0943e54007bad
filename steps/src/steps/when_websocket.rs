//! When steps in which a person speaks over a WebSocket.

use super::definition::{Definition, when};
use super::needs::Needs;
use super::parameters::{Cell, Person};
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} opens a WebSocket at {string}", opens),
        when("{person} opens a WebSocket at {string}, asking {cell} first", opens_asking)
            .needs(Needs::CAST),
        when("{person} says {string}", says),
        when("{person} closes the WebSocket", closes),
    ]
}

async fn opens(world: &mut World, person: Person, target: String) {
    open(world, &person, &target, None).await;
}

async fn opens_asking(world: &mut World, person: Person, target: String, cell: Cell) {
    open(world, &person, &target, Some(cell)).await;
}

async fn open(world: &mut World, person: &Person, target: &str, cast: Option<Cell>) {
    let step = world.step();
    let stage = world.stage();
    if let Err(why) =
        stage.open_socket(&person.0, step, target, cast.map(|cell| cell.0).as_ref()).await
    {
        world.refuse(why);
    }
}

async fn says(world: &mut World, person: Person, text: String) {
    let stage = world.stage();
    stage.people_mut().say(&person.0, &text).await;
}

async fn closes(world: &mut World, person: Person) {
    let stage = world.stage();
    stage.people_mut().hang_up(&person.0).await;
}
