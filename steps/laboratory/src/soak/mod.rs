//! A long time at a steady load while cells stop, restart, hang, reset, and an organization moves
//! between them: every response is right or a refusal that trouble explains, and what the router
//! holds does not grow in proportion to the time.

mod trouble;
mod users;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use cell_fleet::fault::ResponseFault::{BreaksOffInBody, NeverResponds};
use cell_fleet::fault::{At, Ending, Fault};
use cell_fleet::population::PlannedRoute;
use cell_fleet::{CellId, Protocol, Region};
use futures_util::future::join_all;

use crate::measurement::{Held, NotMeasured, Tell};
use crate::visitor::{Visitor, leader, session};
use conformance_suite::engine::Conclusion;
use conformance_suite::ledger::RequirementId;
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::stage::{Launch, Stage, Stop};

use trouble::{End, Trouble};
pub use users::Got;
use users::{HANGS, PLACES, RESETS, Users, place};

/// Users who ask at the same time.
const USERS: usize = 32;
/// The longest time for which the highest load is measured. Cells have no trouble meanwhile.
const MEASURED: Duration = Duration::from_secs(5);
/// The lifetime of entries: short, so that they expire again and again.
const TTL: Duration = Duration::from_secs(3);
/// What a busy machine may add to the router's own limits.
const BUSY: Duration = Duration::from_secs(10);
/// How long a router may take to let go of what it no longer needs: idle connections, buffers.
const LETS_GO: Duration = Duration::from_secs(90);
/// After one part in this many of the time there is a pause, in which the router lets go of what it
/// no longer needs. The rest is four times as long.
const PARTS: u32 = 5;
/// Between two lines about how far it is.
const TOLD: Duration = Duration::from_secs(15);
/// Bytes of the cells' journal. It is small, since nobody reads it.
const JOURNAL: usize = 4 << 20;

/// What a soak showed.
#[derive(Clone, Debug)]
pub struct Soaked {
    /// The highest load, in requests a second.
    pub highest: f64,
    /// What happened to cells and organizations, in number.
    pub events: u64,
    pub took: Duration,
    pub got: Got,
    pub before: Held,
    /// The most that it held, looked at each second.
    pub most: Held,
    /// What it held after a fifth of the time, when it had let go.
    pub first: Held,
    pub after: Held,
    /// Whether it was stopped before its time: then what the router holds is not judged.
    pub is_stopped: bool,
}

impl Soaked {
    /// What grows in proportion to the time, in words.
    pub fn in_proportion(&self) -> Option<String> {
        self.after.in_proportion(&self.before, &self.first).filter(|_| !self.is_stopped)
    }

    /// What it did not let go of, in words.
    pub fn kept(&self) -> Option<String> {
        self.after.beyond(&self.before).filter(|_| !self.is_stopped)
    }

    pub fn conclusion(&self) -> Conclusion {
        if self.got.wrong > 0 || !self.got.serves() {
            Conclusion::NotConformant
        } else if self.in_proportion().is_some() {
            Conclusion::OutOfProportion
        } else if !self.got.known.is_empty() {
            Conclusion::ConformantBut(self.got.known.len())
        } else {
            Conclusion::Conformant
        }
    }
}

pub async fn soak(
    protocol: Protocol,
    length: Duration,
    launch: &Launch,
    known: BTreeSet<RequirementId>,
    tell: Tell<'_>,
) -> Result<Soaked, NotMeasured> {
    let plan = plan(protocol);
    let settings = &plan.settings;
    // Every hop may take as long as connecting and responding may.
    let hop = Duration::from_millis(settings.connect_timeout_ms + settings.response_timeout_ms);
    let limit = hop * settings.max_hops + BUSY;
    let stage = Stage::start(plan, launch.clone(), Arc::default()).await?;
    let outcome = soak_on(&stage, protocol, length, limit, known, &launch.stop, tell).await;
    stage.clear(&[]).await?;
    Ok(outcome?)
}

fn plan(protocol: Protocol) -> ScenarioPlan {
    let mut plan = ScenarioPlan::documents(protocol);
    plan.routers.push(Region::eu());
    plan.settings.ttl_ms = TTL.as_millis() as u64;
    plan.settings.response_timeout_ms = 2_000;
    plan.fleet.journal_bytes = Some(JOURNAL);
    let cells = plan.fleet.topology.cells.clone();
    let mut route = |path: &str, cell: &CellId| {
        let path = path.trim_end_matches("/page").to_owned();
        plan.fleet.population.add_route(PlannedRoute { path, cell: cell.clone(), exact: false });
    };
    (0..PLACES).zip(cells.iter().cycle()).for_each(|(number, cell)| route(&place(number), cell));
    route(HANGS, &CellId::us(1));
    route(RESETS, &CellId::us(1));
    let at = |path: &str| At::Path(path.to_owned());
    plan.fleet.faults.push(Fault::of_responses(None, at(HANGS), None, NeverResponds));
    let resets = BreaksOffInBody { chunked: false, ending: Ending::Reset };
    plan.fleet.faults.push(Fault::of_responses(None, at(RESETS), None, resets));
    plan
}

async fn soak_on(
    stage: &Stage,
    protocol: Protocol,
    length: Duration,
    limit: Duration,
    known: BTreeSet<RequirementId>,
    stop: &Stop,
    tell: Tell<'_>,
) -> Result<Soaked, String> {
    let leader = leader(stage)?;
    let trouble = Arc::new(Trouble::default());
    let session = session(stage, "anna").await?;
    let users = Arc::new(Users {
        protocol,
        trouble: trouble.clone(),
        session,
        ttl: TTL,
        known,
        next: AtomicU64::new(0),
    });
    // How long any response may take: the router's own limits, and some more for a busy machine.
    let connect = || Visitor::new(stage, Some(limit));

    let measured = MEASURED.min(length / 4);
    // The highest load, with everybody asking as soon as they can.
    let mut got = Got::default();
    let (visitor, began) = (connect()?, Instant::now());
    let end = |at| End { at, stop: stop.clone() };
    let asked =
        join_all((0..USERS).map(|_| users.ask(&visitor, end(began + measured), None))).await;
    let took = began.elapsed();
    asked.into_iter().for_each(|one| got.join(one));
    let highest = got.right as f64 / took.as_secs_f64();
    drop(visitor);
    tell(&format!("the highest load is {highest:.0} requests a second; a third of it comes next"));
    tokio::select! {
        _ = stop.requested() => {}
        () = tokio::time::sleep(measured) => {}
    }
    let before = Held::read(leader)?;

    // A third of it, and trouble; after a part of the time, a pause in which the router lets go.
    let pause = Duration::from_secs_f64(3.0 * USERS as f64 / highest.max(1.0));
    let (mut events, mut took, mut most) = (0, Duration::ZERO, Held::default());
    let mut settled = Vec::new();
    for part in [length / PARTS, length - length / PARTS] {
        let (visitor, began) = (connect()?, Instant::now());
        let until = end(began + part);
        let asking = join_all((0..USERS).map(|_| users.ask(&visitor, until.clone(), Some(pause))));
        let (asked, bad, happened, held) = tokio::join!(
            asking,
            users.ask_for_bad_pages(&visitor, &until),
            trouble.make(&stage.fleet, &until),
            watch(leader, &until, tell),
        );
        asked.into_iter().chain([bad]).for_each(|one| got.join(one));
        took += began.elapsed();
        events += happened?;
        most = most.max(held?);
        drop(visitor);
        tell(&format!(
            "{} s of {} s under load: {} right, {} wrong; now the router has up to {} s to let go",
            took.as_secs(),
            length.as_secs(),
            got.right,
            got.wrong,
            LETS_GO.as_secs()
        ));
        settled.push(lets_go(leader, &before, stop).await?);
        if stop.reason().is_some() {
            break;
        }
    }
    let (Some(&first), Some(&after)) = (settled.first(), settled.last()) else {
        return Err("nothing was read".to_owned());
    };
    let is_stopped = stop.reason().is_some();
    Ok(Soaked { highest, events, took, got, before, most, first, after, is_stopped })
}

/// The most that the router holds until `until`.
async fn watch(leader: i32, until: &End, tell: Tell<'_>) -> Result<Held, String> {
    let (mut most, mut told) = (Held::default(), Instant::now());
    while !until.is_here() {
        tokio::time::sleep(Duration::from_secs(1)).await;
        most = most.max(Held::read(leader)?);
        if told.elapsed() >= TOLD {
            told = Instant::now();
            let left = until.at.saturating_duration_since(told).as_secs();
            tell(&format!("under load for {left} s more; it holds at most {most}"));
        }
    }
    Ok(most)
}

/// What the router holds when nobody asks: it has some time to let go.
async fn lets_go(leader: i32, before: &Held, stop: &Stop) -> Result<Held, String> {
    let until = Instant::now() + LETS_GO;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = Held::read(leader)?;
        let is_over = Instant::now() >= until || stop.reason().is_some();
        if is_over || now.beyond(before).is_none() {
            return Ok(now);
        }
    }
}
