//! When steps in which a person sends bytes as they stand.

use cucumber::gherkin::Step;
use cucumber::when;

use super::doc_string;
use super::parameters::Person;
use crate::people::wire_bytes;
use crate::world::World;

#[when(expr = "{person} sends raw bytes:")]
async fn sends_bytes(world: &mut World, person: Person, step: &Step) {
    say(world, &person, step, false).await;
}

#[when(expr = "{person} sends raw bytes, then half-closes:")]
async fn sends_bytes_and_closes(world: &mut World, person: Person, step: &Step) {
    say(world, &person, step, true).await;
}

async fn say(world: &mut World, person: &Person, text: &Step, closes: bool) {
    let step = world.step();
    let bytes = match doc_string(text)
        .and_then(|text| wire_bytes(text).map_err(|error| error.to_string()))
    {
        Ok(bytes) => bytes,
        Err(why) => return world.refuse(why),
    };
    let Some(stage) = world.stage().await else { return };
    if let Err(why) = stage.say_bytes(&person.0, step, &bytes, closes).await {
        world.refuse(why);
    }
}
