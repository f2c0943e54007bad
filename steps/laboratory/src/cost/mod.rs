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
use std::time::{Duration, Instant, SystemTime};

use cell_fleet::population::PlannedRoute;
use cell_fleet::{CellId, Protocol, Region};

use crate::machine::{load_averages, machine};
use crate::measurement::{NotMeasured, measure_each};
use client::{Load, Slice, Target};
use conformance_suite::engine::record::{COST_VERSION, CostMeasurement, CostRecord, milliseconds};
use conformance_suite::engine::{Conclusion, Subject};
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

/// How many slices a round has: one for each cache, number of connections and way.
const SLICES: u32 = 2 * 2 * CONNECTIONS.len() as u32;

/// What is measured.
#[derive(Debug)]
pub struct CostPlan<'a> {
    /// The router.
    pub subject: &'a Subject,
    /// How it is launched.
    pub launch: &'a Launch,
    /// The protocols.
    pub protocols: &'a [Protocol],
    /// Rounds of each protocol; each starts a fleet and a router.
    pub rounds: u64,
    /// The time of all measurements together, without the starts of the router.
    pub time: Duration,
}

impl CostPlan<'_> {
    /// Measures one protocol after the other, and records what was found. `progress` hears how many
    /// rounds of a protocol are done; `not_measured` hears why one has no figures, and says what
    /// that would mean of a measurement with a verdict.
    pub fn measure(
        &self,
        progress: impl Fn(Protocol, usize) + Sync,
        mut not_measured: impl FnMut(Protocol, &NotMeasured) -> Option<Conclusion>,
    ) -> (Result<Conclusion, String>, CostRecord) {
        let (began, clock, load_before) = (SystemTime::now(), Instant::now(), load_averages());
        let (mut measurements, mut rounds) = (Vec::new(), self.rounds);
        let outcome = measure_each(
            self.protocols,
            |protocol, runtime| {
                runtime.block_on(self.measure_one(*protocol, |done| progress(*protocol, done)))
            },
            |protocol, result| match result {
                Ok((done, measured)) => {
                    measurements.extend_from_slice(measured);
                    rounds = rounds.min(*done);
                    Ok(Some(Conclusion::Conformant))
                }
                // Figures are no verdict, so a router without them is not judged.
                Err(why) => Ok(match (why, not_measured(*protocol, why)) {
                    (NotMeasured::Suite(_), conclusion) => conclusion,
                    (_, conclusion) => conclusion.map(|_| Conclusion::Incomplete),
                }),
            },
        );
        let record = CostRecord {
            version: COST_VERSION,
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            router: self.subject.described.name.clone(),
            began: humantime::format_rfc3339_millis(began).to_string(),
            took_ms: milliseconds(clock.elapsed()),
            machine: machine(load_before, load_averages()),
            rounds: usize::try_from(rounds).unwrap_or(usize::MAX),
            measurements,
        };
        (outcome, record)
    }

    /// Measures one protocol, and counts the rounds: where it is stopped, those that it has made are
    /// kept.
    ///
    /// # Errors
    ///
    /// Where the fleet or the router cannot be started, or no request gets its page; where it is
    /// stopped before the end of the first round.
    async fn measure_one(
        &self,
        protocol: Protocol,
        progress: impl Fn(usize),
    ) -> Result<(u64, Vec<CostMeasurement>), NotMeasured> {
        let loads: Vec<_> = [Cache::Cold, Cache::Warm]
            .into_iter()
            .flat_map(|cache| CONNECTIONS.map(|connections| (cache, connections)))
            .collect();
        let mut rounds = vec![Vec::new(); loads.len()];
        let mut done = 0;
        while done < self.rounds {
            let number = usize::try_from(done).unwrap_or(usize::MAX);
            let round = async {
                let launch = self.launch.clone();
                let stage = Stage::start(fleet(protocol), launch, Arc::default()).await?;
                let outcome = one_round(&stage, self.slice(), &loads, number).await;
                stage.clear(&[]).await?;
                outcome
            };
            let outcome = tokio::select! {
                reason = self.launch.stop.requested() => Err(NotMeasured::Stopped(reason)),
                outcome = round => outcome,
            };
            if matches!(outcome, Err(NotMeasured::Stopped(_))) && done > 0 {
                break;
            }
            for (all, one) in rounds.iter_mut().zip(outcome?) {
                all.push(one);
            }
            done += 1;
            progress(number + 1);
        }
        let measured = loads.iter().zip(rounds).map(|((cache, connections), rounds)| {
            figures::measurement(protocol.as_str(), cache.as_str(), *connections, &rounds)
        });
        Ok((done, measured.collect()))
    }

    /// The longest time of one way under one load in one round.
    fn slice(&self) -> Duration {
        let protocols = u32::try_from(self.protocols.len().max(1)).unwrap_or(u32::MAX);
        let rounds = u32::try_from(self.rounds).unwrap_or(u32::MAX);
        self.time / SLICES.saturating_mul(protocols).saturating_mul(rounds)
    }
}

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

/// All loads of a round, both ways.
async fn one_round(
    stage: &Stage,
    limit: Duration,
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
            let direct = slice(direct, *connections, limit).await?;
            (direct, slice(routed, *connections, limit).await?)
        } else {
            let routed = slice(routed, *connections, limit).await?;
            (slice(direct, *connections, limit).await?, routed)
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
