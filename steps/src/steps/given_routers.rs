//! Given steps about routers and their settings.

use cucumber::given;

use super::parameters::{Number, RegionName};
use crate::world::World;

#[given(expr = "a cold {region} router")]
fn cold_router(world: &mut World, region: RegionName) {
    world.given(|plan| {
        if plan.routers.contains(&region.0) {
            return Err(format!("there is a router of region {} already", region.0));
        }
        plan.routers.push(region.0);
        Ok(())
    });
}

#[given(expr = "the learn endpoint is {string}")]
fn learn_endpoint(world: &mut World, path: String) {
    world.plan().settings.learn_path = path;
}

#[given(expr = "cache entries live {number} ms")]
fn time_to_live(world: &mut World, life: Number) {
    world.plan().settings.ttl_ms = life.0;
}

#[given(expr = "the cache holds about {number} entries")]
fn cache_size(world: &mut World, entries: Number) {
    world.plan().settings.max_entries = entries.0;
}

#[given(expr = "the hop limit is {number}")]
fn hop_limit(world: &mut World, hops: Number) {
    world.given(|plan| {
        plan.settings.max_hops =
            u32::try_from(hops.0).map_err(|_| "that many hops fit no topology file".to_owned())?;
        Ok(())
    });
}

#[given(expr = "the body buffer limit is {number} bytes")]
fn buffer_limit(world: &mut World, bytes: Number) {
    world.plan().settings.max_buffered_body_bytes = bytes.0;
}

#[given("the topology has unknown members")]
fn unknown_members(world: &mut World) {
    world.plan().settings.has_unknown_members = true;
}

#[given("the second-level cache is enabled")]
fn cookie_cache(world: &mut World) {
    world.plan().settings.cookie_cache = true;
}

#[given(expr = "404 responses are delayed by at most {number} ms")]
fn not_found_delay(world: &mut World, delay: Number) {
    world.plan().settings.not_found_delay_ms = delay.0;
}

#[given(expr = "the connect timeout is {number} ms")]
fn connect_timeout(world: &mut World, limit: Number) {
    world.plan().settings.connect_timeout_ms = limit.0;
}

#[given(expr = "the response timeout is {number} ms")]
fn response_timeout(world: &mut World, limit: Number) {
    world.plan().settings.response_timeout_ms = limit.0;
}
