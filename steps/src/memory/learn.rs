//! Many prefixes, each visited once, and some of them again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use cell_fleet::population::PlannedRoute;
use cell_fleet::{Region, wire};
use futures_util::StreamExt;
use futures_util::stream;

use super::{Load, Measured, Used, Watch, resident};
use crate::first_few::FirstFew;
use crate::people::plain_http;
use crate::plan::ScenarioPlan;
use crate::stage::{Launch, Stage};

/// Visitors at once.
const VISITORS: usize = 32;
/// How many places are visited again, spread over all.
const AGAIN: u64 = 1_000;
/// Bytes that an entry may take, with everything that belongs to it: generous, since allocators are
/// not judged.
const ENTRY: u64 = 2_048;
/// Bytes that connections, buffers and what the allocator keeps may take beside the entries.
const BESIDE: u64 = 128 << 20;
const PATIENCE: Duration = Duration::from_secs(20);

/// Visits all places, then some again, and watches the router's memory.
///
/// # Errors
///
/// Where the fleet or the router could not be started, or memory cannot be measured here.
pub async fn learn(load: Load, launch: &Launch) -> Result<Measured, String> {
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
    let stage = Stage::start(plan, launch.clone(), Arc::default())
        .await
        .map_err(|fault| fault.to_string())?;
    let outcome = visit_all(&stage, load).await;
    stage.clear(&[]).await?;
    let (used, faults) = outcome?;
    let what = format!(
        "{} prefixes learnt, `max_entries` {}, {AGAIN} of them visited again",
        load.prefixes, load.max_entries
    );
    Ok(Measured {
        what,
        used,
        allowed: BESIDE + load.max_entries.min(load.prefixes) * ENTRY,
        faults,
    })
}

async fn visit_all(stage: &Stage, load: Load) -> Result<(Used, Vec<String>), String> {
    let at = stage.router_at(&Region::eu());
    let leader = stage.router_process(&Region::eu()).ok_or("the router is gone")?;
    let http = plain_http().timeout(PATIENCE).build().map_err(|error| error.to_string())?;
    let before = resident(leader)?;
    let watch = Watch::begin(leader);
    let again = (0..AGAIN.min(load.prefixes))
        .map(|number| number * load.prefixes / AGAIN.min(load.prefixes));
    let mut visits = stream::iter((0..load.prefixes).chain(again))
        .map(|number| visit(&http, at, number))
        .buffer_unordered(VISITORS);
    let mut faults = FirstFew::default();
    while let Some(outcome) = visits.next().await {
        if let Err(fault) = outcome {
            faults.add(|| fault);
        }
    }
    Ok((Used { before, peak: watch.end(), after: resident(leader)? }, faults.words()))
}

/// A visit; the page must be that of the place, so a wrong entry shows.
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
        Ok((status, _)) => Err(format!("{path} received {status}, or with another page")),
        Err(error) => Err(format!("{path} got no response: {error}")),
    }
}

fn path(number: u64) -> String {
    format!("/place-{number}")
}
