//! Given steps about routers and their settings.

use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Number, RegionName};
use crate::action::Needs;

#[given(expr = "a cold {region} router")]
fn a_cold_router(step: &mut Meaning, region: RegionName) {
    step.needs(Needs::ROUTER);
    step.condition(move |plan| {
        if plan.routers.contains(&region.0) {
            return Err(format!("there is a router of region {} already", region.0));
        }
        plan.routers.push(region.0);
        Ok(())
    });
}

#[given(expr = "the learn endpoint is {string}")]
fn the_learn_endpoint_is(step: &mut Meaning, path: String) {
    step.condition(move |plan| plan.settings.learn_path = path);
}

#[given(expr = "cache entries live {number} ms")]
fn cache_entries_live_ms(step: &mut Meaning, life: Number) {
    step.condition(move |plan| plan.settings.ttl_ms = life.0);
}

#[given(expr = "the cache holds about {number} entries")]
fn the_cache_holds_about_entries(step: &mut Meaning, entries: Number) {
    step.condition(move |plan| plan.settings.max_entries = entries.0);
}

#[given(expr = "the hop limit is {number}")]
fn the_hop_limit_is(step: &mut Meaning, hops: Number) {
    step.condition(move |plan| {
        plan.settings.max_hops =
            u32::try_from(hops.0).map_err(|_| "that many hops fit no topology file".to_owned())?;
        Ok(())
    });
}

#[given(expr = "the body buffer limit is {number} bytes")]
fn the_body_buffer_limit_is_bytes(step: &mut Meaning, bytes: Number) {
    step.condition(move |plan| plan.settings.max_buffered_body_bytes = bytes.0);
}

#[given(expr = "the topology has unknown members")]
fn the_topology_has_unknown_members(step: &mut Meaning) {
    step.condition(move |plan| plan.settings.has_unknown_members = true);
}

#[given(expr = "the second-level cache is enabled")]
fn the_second_level_cache_is_enabled(step: &mut Meaning) {
    step.condition(move |plan| plan.settings.cookie_cache = true);
}

#[given(expr = "404 responses are delayed by at most {number} ms")]
fn n_404_responses_are_delayed_by_at_most_ms(step: &mut Meaning, delay: Number) {
    step.condition(move |plan| plan.settings.not_found_delay_ms = delay.0);
}

#[given(expr = "the connect timeout is {number} ms")]
fn the_connect_timeout_is_ms(step: &mut Meaning, limit: Number) {
    step.condition(move |plan| plan.settings.connect_timeout_ms = limit.0);
}

#[given(expr = "the response timeout is {number} ms")]
fn the_response_timeout_is_ms(step: &mut Meaning, limit: Number) {
    step.condition(move |plan| plan.settings.response_timeout_ms = limit.0);
}
