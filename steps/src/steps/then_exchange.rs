//! Then steps about exchanges.

use cucumber::gherkin::Step;
use cucumber::then;

use super::doc_string;
use crate::exchange::{Exchange, compare};
use crate::world::World;

#[then("the exchange was")]
fn whole_exchange(world: &mut World, step: &Step) {
    exchange(world, step, false);
}

#[then("the last exchange was")]
fn last_exchange(world: &mut World, step: &Step) {
    exchange(world, step, true);
}

fn exchange(world: &mut World, step: &Step, last_step_only: bool) {
    let expected =
        doc_string(step).and_then(|text| Exchange::parse(text).map_err(|error| error.to_string()));
    match expected {
        Ok(expected) => {
            let trace = world.trace();
            let comparison = compare(&expected, trace, &trace.arrows(last_step_only));
            world.prove_exchange(comparison);
        }
        Err(why) => world.refuse(why),
    }
}
