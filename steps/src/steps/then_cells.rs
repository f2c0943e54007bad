//! Then steps about what reached cells, and about routers and databases.

use cucumber::then;

use super::parameters::{Cell, Method, Number, RegionName};
use crate::judge;
use crate::world::World;

#[then(expr = "{cell} responded last")]
fn responded_last(world: &mut World, cell: Cell) {
    world.prove(judge::responded_last(world.trace(), &cell.0));
}

#[then(expr = "no request went to {cell}")]
fn nothing_reached(world: &mut World, cell: Cell) {
    world.prove(judge::nothing_reached(world.trace(), &cell.0));
}

#[then(expr = "no request reached a cell of the {region} region")]
fn nothing_reached_region(world: &mut World, region: RegionName) {
    world.prove(judge::nothing_reached_region(world.trace(), &region.0));
}

#[then("every request reached exactly one cell")]
fn every_request_once(world: &mut World) {
    world.prove(judge::reached_exactly_one(world.trace(), false));
}

#[then("the last request reached exactly one cell")]
fn last_request_once(world: &mut World) {
    world.prove(judge::reached_exactly_one(world.trace(), true));
}

#[then(expr = "the last request reached cells at most {number} times")]
fn reached_at_most(world: &mut World, times: Number) {
    world.prove(judge::reached_at_most(world.trace(), times.size()));
}

#[then(expr = "the last request reached cells exactly {number} times")]
fn reached_exactly(world: &mut World, times: Number) {
    world.prove(judge::reached_exactly(world.trace(), times.size()));
}

#[then("there was no pre-flight")]
fn no_preflight(world: &mut World) {
    world.prove(judge::preflights(world.trace(), None, 0));
}

#[then(expr = "there was no pre-flight about {string}")]
fn no_preflight_about(world: &mut World, path: String) {
    world.prove(judge::preflights(world.trace(), Some(&path), 0));
}

#[then("there was one pre-flight")]
fn one_preflight(world: &mut World) {
    world.prove(judge::preflights(world.trace(), None, 1));
}

#[then("there was a pre-flight")]
fn some_preflight(world: &mut World) {
    world.prove(judge::some_preflight(world.trace()));
}

#[then(expr = "there were {number} pre-flights")]
fn so_many_preflights(world: &mut World, count: Number) {
    world.prove(judge::preflights(world.trace(), None, count.size()));
}

#[then(expr = "the pre-flight asked about {string} with the method {method}")]
fn preflight_asked(world: &mut World, path: String, method: Method) {
    world.prove(judge::preflight_asked(world.trace(), &path, &method.0));
}

#[then("every pre-flight came without a body")]
fn preflights_without_body(world: &mut World) {
    world.prove(judge::preflights_without_body(world.trace()));
}

#[then("every pre-flight came without credentials")]
fn preflights_without_credentials(world: &mut World) {
    world.prove(judge::preflights_without_credentials(world.trace()));
}

#[then(expr = "at most {number} of the paths were still cached")]
fn still_known_at_most(world: &mut World, places: Number) {
    world.prove(judge::still_known_at_most(world.trace(), places.size()));
}

#[then("every copy of the request carried the same method, target and body")]
fn copies_unchanged(world: &mut World) {
    world.prove(judge::copies_unchanged(world.trace()));
}

#[then("every copy of the request carried the user's fields")]
fn copies_carry_fields(world: &mut World) {
    world.prove(judge::copies_carry_fields(world.trace()));
}

#[then("every request that reached a cell carried the user's fields")]
fn arrivals_carry_fields(world: &mut World) {
    world.prove(judge::arrivals_carry_fields(world.trace()));
}

#[then(expr = "no cell received the field {string}")]
fn no_copy_carries(world: &mut World, field: String) {
    world.prove(judge::no_copy_carries(world.trace(), &field));
}

#[then(expr = "the target {string} reached {cell}")]
fn target_reached(world: &mut World, target: String, cell: Cell) {
    world.prove(judge::target_reached(world.trace(), &target, Some(&cell.0)));
}

#[then(expr = "the target {string} reached a cell")]
fn target_reached_some(world: &mut World, target: String) {
    world.prove(judge::target_reached(world.trace(), &target, None));
}

#[then(expr = "the target {string} reached {cell}, or the router refused the raw request")]
fn target_reached_or_refused(world: &mut World, target: String, cell: Cell) {
    world.prove(judge::target_reached_or_refused(world.trace(), &target, &cell.0));
}

#[then("no cell took a truncated body for complete")]
fn no_part_as_whole_body(world: &mut World) {
    world.prove(judge::no_part_as_whole_body(world.trace()));
}

#[then("the cell received the complete body")]
fn body_whole(world: &mut World) {
    world.prove(judge::body_whole(world.trace()));
}

#[then("the first bytes reached the cell before the last were sent")]
fn streamed(world: &mut World) {
    world.prove(judge::streamed(world.trace()));
}

#[then(expr = "each cell of the {region} region was asked first at least {number} times")]
fn asked_first_at_least(world: &mut World, region: RegionName, times: Number) {
    world.prove(judge::asked_first_at_least(world.trace(), &region.0, times.size()));
}

#[then(expr = "no cell of the {region} region was asked first")]
fn never_asked_first(world: &mut World, region: RegionName) {
    world.prove(judge::never_asked_first(world.trace(), &region.0));
}

#[then("no request went to another region before a cell had been asked")]
fn asked_before_abroad(world: &mut World) {
    world.prove(judge::asked_before_abroad(world.trace()));
}

#[then(expr = "the path {string} belongs to {cell}")]
fn belongs_to(world: &mut World, path: String, cell: Cell) {
    world.prove(judge::belongs_to(world.trace(), &path, &cell.0));
}

#[then("every cell gave the same response")]
fn same_responses(world: &mut World) {
    world.prove(judge::same_responses(world.trace()));
}

#[then(expr = "every cell points to {cell}")]
fn all_point_to(world: &mut World, cell: Cell) {
    world.prove(judge::all_point_to(world.trace(), &cell.0));
}

#[then("no database was written")]
fn nothing_written(world: &mut World) {
    world.prove(judge::nothing_written(world.trace()));
}

#[then(expr = "the write to {string} went to the primary")]
fn written_at_primary(world: &mut World, schema: String) {
    world.prove(judge::written_at_primary(world.trace(), &schema));
}

#[then(expr = "{cell} read {string} from the {region} replica")]
fn read_from_replica(world: &mut World, cell: Cell, schema: String, region: RegionName) {
    world.prove(judge::read_from_replica(world.trace(), &cell.0, &schema, &region.0));
}

#[then(expr = "{cell} read {string} from its own server")]
fn read_from_own(world: &mut World, cell: Cell, schema: String) {
    world.prove(judge::read_from_own(world.trace(), &cell.0, &schema));
}

#[then(expr = "{cell} did not read {string}")]
fn did_not_read(world: &mut World, cell: Cell, schema: String) {
    world.prove(judge::did_not_read(world.trace(), &cell.0, &schema));
}

#[then(expr = "the router(s) became ready and stopped when told to")]
fn routers_well_behaved(world: &mut World) {
    world.prove(judge::routers_well_behaved(world.trace()));
}
