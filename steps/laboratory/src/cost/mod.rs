//! What a router costs beside its verdict: latency and throughput, against the direct way from a
//! user to the owner's cell.
//!
//! In each round a fleet and a router are started. Each load goes both ways, one after the other, so
//! that what the machine does besides meets both alike; which way is first alternates. Users are on
//! a thread of their own, apart from the cells.

mod client;
mod figures;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use cell_fleet::population::PlannedRoute;
use cell_fleet::{CellId, Protocol, Region};

use crate::measurement::NotMeasured;
use client::{Load, Slice, Target};
use conformance_suite::engine::record::CostMeasurement;
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::stage::{Launch, Stage};
use figures::Round;

/// Numbers of connections: one user who waits for each response, and many at once.
const CONNECTIONS: [usize; 2] = [1, 32];
/// The most requests of one slice: the fleet keeps a journal of all.
const MOST: usize = 1_000;
/// Namespaces that the router is to know.
const WARM: usize = 64;
/// How often each of them is visited before anything is measured.
const WARM_UP: usize = 4;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct CostPlan {
    /// The protocol.
    pub protocol: Protocol,
    /// Rounds.
    pub rounds: usize,
    /// The longest time of one way under one load in one round.
    pub slice: Duration,
}

/// How many slices a round has: one for each cache, number of connections and way.
pub const SLICES: u32 = 2 * 2 * CONNECTIONS.len() as u32;

/// What the router has learnt of the namespaces before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Cache {
    Cold,
    Warm,
}

impl Cache {
    fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Measures a router under one protocol; `progress` receives the number of rounds that are done.
///
/// # Errors
///
/// Where the fleet or the router cannot be started, or no request gets its page.
pub async fn measure(
    plan: &CostPlan,
    launch: &Launch,
    progress: impl Fn(usize),
) -> Result<Vec<CostMeasurement>, NotMeasured> {
    let loads: Vec<_> = [Cache::Cold, Cache::Warm]
        .into_iter()
        .flat_map(|cache| CONNECTIONS.map(|connections| (cache, connections)))
        .collect();
    let mut rounds = vec![Vec::new(); loads.len()];
    for round in 0..plan.rounds {
        let fleet = fleet(plan.protocol);
        let stage = Stage::start(fleet, launch.clone(), Arc::default()).await?;
        let outcome = one_round(&stage, plan, &loads, round).await;
        stage.clear(&[]).await?;
        for (all, one) in rounds.iter_mut().zip(outcome?) {
            all.push(one);
        }
        progress(round + 1);
    }
    let measured = loads.iter().zip(rounds).map(|((cache, connections), rounds)| {
        figures::measurement(plan.protocol.as_str(), cache.as_str(), *connections, &rounds)
    });
    Ok(measured.collect())
}

/// All loads of a round, both ways.
async fn one_round(
    stage: &Stage,
    plan: &CostPlan,
    loads: &[(Cache, usize)],
    round: usize,
) -> Result<Vec<Round>, NotMeasured> {
    let router = stage.router_at(&Region::eu());
    let cells: Vec<_> = stage.fleet().cells().iter().map(|cell| cell.address).collect();
    // A path, and where it leads on both ways. Owners take turns, as in `fleet`.
    let ways = |paths: &[usize]| -> [Vec<Target>; 2] {
        let target = |at: SocketAddr, number: &usize| Target { at, path: path(*number) };
        [
            paths.iter().map(|number| target(cells[number % cells.len()], number)).collect(),
            paths.iter().map(|number| target(router, number)).collect(),
        ]
    };
    let warm: Vec<_> = (0..WARM).collect();
    let cycled = |times: usize| warm.iter().copied().cycle().take(times).collect::<Vec<_>>();
    let slice = async |targets: Vec<Target>, connections: usize, limit: Duration| {
        Slice::of(Load { targets, connections, limit }).await
    };
    for targets in ways(&cycled(WARM * WARM_UP)) {
        slice(targets, CONNECTIONS[1], Duration::MAX).await?;
    }
    let mut rounds = Vec::new();
    for (number, (cache, connections)) in loads.iter().enumerate() {
        let paths: Vec<_> = match cache {
            // The cold loads come first, each with namespaces of its own.
            Cache::Cold => (WARM + number * MOST..WARM + (number + 1) * MOST).collect(),
            Cache::Warm => cycled(MOST),
        };
        let [direct, routed] = ways(&paths);
        let (direct, routed) = if (round + number).is_multiple_of(2) {
            let direct = slice(direct, *connections, plan.slice).await?;
            (direct, slice(routed, *connections, plan.slice).await?)
        } else {
            let routed = slice(routed, *connections, plan.slice).await?;
            (slice(direct, *connections, plan.slice).await?, routed)
        };
        rounds.push(figures::round(&direct, &routed)?);
    }
    Ok(rounds)
}

/// The documents' cells, a router in Europe, and all namespaces.
fn fleet(protocol: Protocol) -> ScenarioPlan {
    let mut plan = ScenarioPlan::documents(protocol);
    plan.routers.push(Region::eu());
    let cells: Vec<CellId> = plan.fleet.topology.cells.clone();
    for (number, cell) in (0..WARM + CONNECTIONS.len() * MOST).zip(cells.iter().cycle()) {
        plan.fleet.population.add_route(PlannedRoute {
            path: path(number),
            cell: cell.clone(),
            exact: false,
        });
    }
    plan
}

fn path(number: usize) -> String {
    format!("/cost-{number}")
}
