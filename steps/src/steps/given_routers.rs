//! Given steps about routers and their settings.

use super::definition::{Definition, given};
use super::parameters::{Number, RegionName};
use crate::needs::Needs;
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given("a cold {region} router", |plan: &mut ScenarioPlan, region: RegionName| {
            if plan.routers.contains(&region.0) {
                return Err(format!("there is a router of region {} already", region.0));
            }
            plan.routers.push(region.0);
            Ok(())
        })
        .needs(Needs::ROUTER),
        given("the learn endpoint is {string}", |plan: &mut ScenarioPlan, path: String| {
            plan.settings.learn_path = path;
        }),
        given("cache entries live {number} ms", |plan: &mut ScenarioPlan, life: Number| {
            plan.settings.ttl_ms = life.0;
        }),
        given(
            "the cache holds about {number} entries",
            |plan: &mut ScenarioPlan, entries: Number| {
                plan.settings.max_entries = entries.0;
            },
        ),
        given("the hop limit is {number}", |plan: &mut ScenarioPlan, hops: Number| {
            plan.settings.max_hops = u32::try_from(hops.0)
                .map_err(|_| "that many hops fit no topology file".to_owned())?;
            Ok(())
        }),
        given(
            "the body buffer limit is {number} bytes",
            |plan: &mut ScenarioPlan, bytes: Number| {
                plan.settings.max_buffered_body_bytes = bytes.0;
            },
        ),
        given("the topology has unknown members", |plan: &mut ScenarioPlan| {
            plan.settings.has_unknown_members = true;
        }),
        given("the second-level cache is enabled", |plan: &mut ScenarioPlan| {
            plan.settings.cookie_cache = true;
        }),
        given(
            "404 responses are delayed by at most {number} ms",
            |plan: &mut ScenarioPlan, delay: Number| {
                plan.settings.not_found_delay_ms = delay.0;
            },
        ),
        given("the response timeout is {number} ms", |plan: &mut ScenarioPlan, limit: Number| {
            plan.settings.response_timeout_ms = limit.0;
        }),
    ]
}
