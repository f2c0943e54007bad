//! Visits many paths, each under its own prefix: each once, and some of them again. Before
//! that, few paths get as many visits, so that the heap has already grown by what visits alone
//! cost.

use std::sync::Arc;

use cell_fleet::Region;
use cell_fleet::population::PlannedRoute;
use futures_util::{StreamExt, stream};

use super::{Load, Measured, MemoryWatch, PART, Used};
use crate::measurement::{NotMeasured, Tell, resident};
use crate::visitor::{Page, VISIT_TIMEOUT, Visitor, leader};
use conformance_suite::engine::FirstFew;
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::stage::{Launch, Stage};

const VISITORS: usize = 32;
const MAX_ENTRIES: u64 = 10_000;
/// Number of paths that are visited again, evenly spread.
const AGAIN: u64 = 1_000;
/// Number of visits to few paths that come first.
const BEFORE: u64 = 1_000;
/// The most bytes that a cache entry usually takes, with all that belongs to it.
const ENTRY: u64 = 2_048;
/// Growth beyond this, and beyond the entries, is unusual.
const BESIDE: u64 = 128 << 20;
/// Memory may always grow by this much between a quarter of the prefixes and all of them.
const SPARE: u64 = 32 << 20;
/// How often it is told how far the visits are.
const TOLD: u64 = 10;

pub(super) async fn learn(
    load: Load,
    launch: &Launch,
    tell: Tell<'_>,
) -> Result<Measured, NotMeasured> {
    let mut plan = ScenarioPlan::documents(load.protocol);
    plan.routers.push(Region::eu());
    plan.settings.max_entries = MAX_ENTRIES;
    let cells = plan.fleet.topology.cells.clone();
    let all = (0..load.prefixes).map(path).chain((0..BEFORE).map(path_before));
    for (path, cell) in all.zip(cells.iter().cycle()) {
        plan.fleet.population.add_route(PlannedRoute { path, cell: cell.clone(), exact: false });
    }
    let stage = Stage::start(plan, launch.clone(), Arc::default()).await?;
    let outcome = visit_all(&stage, load, tell).await;
    stage.clear(&[]).await?;
    let (quarter, used, failures) = outcome?;
    let what = format!(
        "{} prefixes learned, `max_entries` {}, {} visited again",
        load.prefixes,
        MAX_ENTRIES,
        AGAIN.min(load.prefixes)
    );
    Ok(Measured {
        what,
        quarter,
        used,
        spare: SPARE,
        usual: BESIDE + MAX_ENTRIES.min(load.prefixes) * ENTRY,
        failures,
        note: None,
    })
}

/// Returns by how much the memory grew with a quarter of the prefixes, and the memory with all.
async fn visit_all(
    stage: &Stage,
    load: Load,
    tell: Tell<'_>,
) -> Result<(u64, Used, Vec<String>), String> {
    let leader = leader(stage)?;
    let visitor = Visitor::new(stage, Some(VISIT_TIMEOUT))?;
    let mut failures = FirstFew::default();
    let (again, quarter) = (AGAIN.min(load.prefixes), load.prefixes / PART);
    let mut peaks = Vec::new();
    let (mut visited, all) = (0, 2 * load.prefixes + again);
    let before = (0..load.prefixes).map(|number| path_before(number % BEFORE));
    let first = (0..quarter).map(path);
    let rest = (quarter..load.prefixes)
        .chain((0..again).map(|number| number * load.prefixes / again))
        .map(path);
    let turns: [Box<dyn Iterator<Item = String> + Send>; 3] =
        [Box::new(before), Box::new(first), Box::new(rest)];
    for paths in turns {
        let watch = MemoryWatch::start(leader);
        let mut visits =
            stream::iter(paths).map(|path| visit(&visitor, path)).buffer_unordered(VISITORS);
        while let Some(outcome) = visits.next().await {
            visited += 1;
            progress(visited, all).into_iter().for_each(|line| tell(&line));
            if let Err(failure) = outcome {
                failures.add(|| failure);
            }
        }
        peaks.push(watch.stop().max(resident(leader)?));
    }
    let [before, first, rest] = peaks[..] else { return Err("no memory was read".to_owned()) };
    let used = Used { before, peak: rest.max(first), after: resident(leader)? };
    Ok((first.saturating_sub(before), used, failures.words()))
}

/// The line about progress after `visited` of `all` visits: one for each tenth.
fn progress(visited: u64, all: u64) -> Option<String> {
    let is_due = visited < all && visited.is_multiple_of((all / TOLD).max(1));
    is_due.then(|| format!("{visited} of {all} visits"))
}

/// Visits a path. The page must be that of the path, so that a wrong entry shows.
async fn visit(visitor: &Visitor, path: String) -> Result<(), String> {
    match visitor.visit(&path, None).await {
        Ok(Page { status: 200, body, .. }) if body.contains(&path) => Ok(()),
        Ok(Page { status: 200, .. }) => Err(format!("{path} got the page of another path")),
        Ok(Page { status, .. }) => Err(format!("{path} got status {status}")),
        Err(why) => Err(format!("{path}: {why}")),
    }
}

fn path(number: u64) -> String {
    format!("/place-{number}")
}

fn path_before(number: u64) -> String {
    format!("/known-{number}")
}
