//! When steps in which a person sends bytes as they stand.

use super::definition::{Definition, when};
use super::doc_strings::WireBytes;
use super::parameters::Person;
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} sends the bytes:", sends_bytes),
        when("{person} sends the bytes and closes that half:", sends_bytes_and_closes),
    ]
}

async fn sends_bytes(world: &mut World, person: Person, bytes: WireBytes) {
    say(world, &person, bytes, false).await;
}

async fn sends_bytes_and_closes(world: &mut World, person: Person, bytes: WireBytes) {
    say(world, &person, bytes, true).await;
}

async fn say(world: &mut World, person: &Person, bytes: WireBytes, closes: bool) {
    let step = world.step();
    let stage = world.stage();
    if let Err(why) = stage.say_bytes(&person.0, step, &bytes.0, closes).await {
        world.refuse(why);
    }
}
