//! Many paths, each under a prefix of its own: each visited once, and some of them again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use cell_fleet::population::PlannedRoute;
use cell_fleet::{Region, wire};
use futures_util::StreamExt;
use futures_util::stream;

use super::{Load, Measured, MemoryWatch, Used, resident};
use crate::engine::measurement::NotMeasured;
use crate::first_few::FirstFew;
use crate::people::plain_http;
use crate::plan::ScenarioPlan;
use crate::stage::{Launch, Stage};

/// Concurrent visitors.
const VISITORS: usize = 32;
/// Number of paths that are visited again, evenly spread.
const AGAIN: u64 = 1_000;
/// Bytes that a cache entry may take with all that belongs to it: generous, since allocators are
/// not judged.
const ENTRY: u64 = 2_048;
/// Bytes that connections, buffers and the allocator may take beside the entries.
const BESIDE: u64 = 128 << 20;
/// Longer than any visit takes to a router that responds.
const VISIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Visits all paths, then some again, and watches the router's memory.
///
/// # Errors
///
/// Where the fleet or the router cannot be started, or memory cannot be measured here.
pub(super) async fn learn(load: Load, launch: &Launch) -> Result<Measured, NotMeasured> {
    let mut plan = ScenarioPlan::documents(load.protocol);
    plan.routers.push(Region::eu());
    plan.settings.max_entries = load.max_entries;
    let cells = plan.fleet.topology.cells.clone();
    for (number, cell) in (0..load.prefixes).zip(cells.iter().cycle()) {
        plan.fleet.population.add_route(PlannedRoute {
            path: path(number),
            cell: cell.clone(),
            exact: false,
        });
    }
    let stage = Stage::start(plan, launch.clone(), Arc::default()).await?;
    let outcome = visit_all(&stage, load).await;
    stage.clear(&[]).await?;
    let (used, failures) = outcome?;
    let what = format!(
        "{} prefixes learnt, `max_entries` {}, {} of them visited again",
        load.prefixes,
        load.max_entries,
        AGAIN.min(load.prefixes)
    );
    Ok(Measured {
        what,
        used,
        allowed: BESIDE + load.max_entries.min(load.prefixes) * ENTRY,
        failures,
        note: None,
    })
}

async fn visit_all(stage: &Stage, load: Load) -> Result<(Used, Vec<String>), String> {
    let at = stage.router_at(&Region::eu());
    let leader =
        stage.router_process(&Region::eu()).ok_or_else(|| "the router is gone".to_owned())?;
    let http = plain_http().timeout(VISIT_TIMEOUT).build().map_err(|error| error.to_string())?;
    let before = resident(leader)?;
    let watch = MemoryWatch::start(leader);
    let again = (0..AGAIN.min(load.prefixes))
        .map(|number| number * load.prefixes / AGAIN.min(load.prefixes));
    let mut visits = stream::iter((0..load.prefixes).chain(again))
        .map(|number| visit(&http, at, number))
        .buffer_unordered(VISITORS);
    let mut failures = FirstFew::default();
    while let Some(outcome) = visits.next().await {
        if let Err(failure) = outcome {
            failures.add(|| failure);
        }
    }
    Ok((Used { before, peak: watch.stop(), after: resident(leader)? }, failures.words()))
}

/// Visits a path. The page must be that of the path, so that a wrong entry shows.
async fn visit(http: &reqwest::Client, at: SocketAddr, number: u64) -> Result<(), String> {
    let path = path(number);
    let got = async {
        let response = http
            .get(format!("http://{at}{path}"))
            .header(wire::CONFORMANCE_ID, "memory")
            .send()
            .await?;
        Ok::<_, reqwest::Error>((response.status().as_u16(), response.text().await?))
    };
    match got.await {
        Ok((200, page)) if page.contains(&path) => Ok(()),
        Ok((200, _)) => Err(format!("{path} got the page of another path")),
        Ok((status, _)) => Err(format!("{path} got status {status}")),
        Err(error) => Err(format!("{path} got no response: {error}")),
    }
}

fn path(number: u64) -> String {
    format!("/place-{number}")
}
