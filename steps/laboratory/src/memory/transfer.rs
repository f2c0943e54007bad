//! Large bodies, down and up, through one router.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use cell_fleet::fault::ResponseFault::{self, BodyUnread, ManyBytes};
use cell_fleet::fault::{At, Fault};
use cell_fleet::population::PlannedRoute;
use cell_fleet::{BodySeen, CellId, Entry, Event, HopId, Protocol, Region};
use futures_util::{StreamExt, stream};
use reqwest::Method;

use super::{Load, Measured, MemoryWatch, PART, Used};
use crate::measurement::{NotMeasured, Tell, resident};
use crate::visitor::{Visitor, leader};
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::stage::{Launch, Stage};

/// More than this is unusual while a body passes, whatever its size.
const USUAL: u64 = 64 << 20;
/// Memory may always grow by this much more under the larger body than under the smaller one.
const SPARE: u64 = 32 << 20;
/// Or by one part in this many of the bytes by which the bodies differ, where that is more. So
/// small a part does not mean that the router keeps the body.
const LITTLE: u64 = 4;
/// The receiving side reads nothing until the router's memory has not grown for this long: by then,
/// a router that reads ahead has read as much as it ever will.
const STALL: Duration = Duration::from_secs(1);
/// The longest time for which it reads nothing.
const LONGEST_STALL: Duration = Duration::from_secs(60);
/// Growth by less than this counts as none.
const NONE: u64 = 1 << 20;
const PIECE: usize = 64 << 10;

const PAGE: &str = "/big/page";
const DOWN: &str = "/big/down";
const DOWN_IN_CHUNKS: &str = "/big/down-in-chunks";
const UP: &str = "/big/up";

/// Sends bodies down and up, a smaller one and a larger one, each on its own router, and
/// watches its memory.
///
/// The router learns the path before, since in buffering only a request for a known path may have a
/// body beyond the limit (Z-20).
pub(super) async fn transfer(
    load: Load,
    launch: &Launch,
    tell: Tell<'_>,
    all: &mut Vec<Measured>,
) -> Result<(), NotMeasured> {
    for (what, path) in
        [("down, with a length", DOWN), ("down, in chunks", DOWN_IN_CHUNKS), ("up", UP)]
    {
        let smaller = Load { bytes: load.bytes / PART, ..load };
        let (part, all_of_it) = (smaller.bytes >> 20, load.bytes >> 20);
        tell(&format!("{part} MiB, then {all_of_it} MiB {what}"));
        let (quarter, (used, judged)) =
            (one(smaller, launch, path).await?, one(load, launch, path).await?);
        let (failures, note) = match quarter.1.and(judged) {
            Ok(note) => (Vec::new(), note),
            Err(failure) => (vec![failure], None),
        };
        all.push(Measured {
            what: format!("{} MiB {what}", load.bytes >> 20),
            quarter: quarter.0.growth(),
            used,
            spare: SPARE.max((load.bytes - smaller.bytes) / LITTLE),
            usual: USUAL,
            failures,
            note,
        });
    }
    Ok(())
}

/// Whether a body passed as it may, with a note where it was refused.
type Outcome = Result<Option<String>, String>;

async fn one(load: Load, launch: &Launch, path: &str) -> Result<(Used, Outcome), NotMeasured> {
    let plan = plan(load);
    let limit =
        (load.protocol == Protocol::Buffering).then_some(plan.settings.max_buffered_body_bytes);
    let stage = Stage::start(plan, launch.clone(), Arc::default()).await?;
    let journal = stage.fleet.journal().clone();
    let outcome = pass(&stage, load, path).await;
    stage.clear(&[]).await?;
    let (used, passed) = outcome?;
    let judged = match path {
        // Only now, with router and cells stopped, has the journal all that reached a cell.
        UP => Upload::seen(passed, &journal.entries()).judge(load.bytes, limit),
        _ => passed.map(|_| None),
    };
    Ok((used, judged))
}

fn plan(load: Load) -> ScenarioPlan {
    let mut plan = ScenarioPlan::documents(load.protocol);
    plan.routers.push(Region::eu());
    let owner = CellId::eu(0);
    plan.fleet.population.add_route(PlannedRoute {
        path: "/big".to_owned(),
        cell: owner.clone(),
        exact: false,
    });
    let mut fault = |path: &str, fault: ResponseFault| {
        plan.fleet.faults.push(Fault::of_responses(
            Some(owner.clone()),
            At::Path(path.to_owned()),
            None,
            fault,
        ));
    };
    for (path, chunked) in [(DOWN, false), (DOWN_IN_CHUNKS, true)] {
        fault(path, ManyBytes { length: load.bytes, chunked, second_half_waits: false });
    }
    fault(UP, BodyUnread);
    plan
}

/// The status of the response, or why the body did not pass.
type Passed = Result<u16, String>;

async fn pass(stage: &Stage, load: Load, path: &str) -> Result<(Used, Passed), NotMeasured> {
    let leader = leader(stage)?;
    let visitor = Visitor::new(stage, None)?;
    let visit = visitor.visit(PAGE, None).await;
    visit.map_err(|why| NotMeasured::Router(format!("{PAGE}: {why}")))?;

    let before = resident(leader)?;
    let watch = MemoryWatch::start(leader);
    let passed = match path {
        UP => upload(stage, &visitor, load.bytes, leader).await,
        _ => download(&visitor, path, load.bytes, leader).await,
    };
    let peak = watch.stop();
    Ok((Used { before, peak, after: resident(leader)? }, passed))
}

async fn download(visitor: &Visitor, path: &str, length: u64, leader: i32) -> Passed {
    let broke_off = |error: reqwest::Error| format!("the download broke off: {error}");
    let response = visitor.request(Method::GET, path).send().await.map_err(broke_off)?;
    let status = response.status().as_u16();
    stall(leader).await;
    let (mut pieces, mut got) = (response.bytes_stream(), 0);
    while let Some(piece) = pieces.next().await {
        got += piece.map_err(broke_off)?.len() as u64;
    }
    if (status, got) == (200, length) {
        Ok(status)
    } else {
        Err(format!("{got} of {length} bytes arrived, with status {status}"))
    }
}

/// Waits until the router's memory has not grown for a while.
async fn stall(leader: i32) {
    let began = Instant::now();
    let (mut highest, mut grew) = (0, began);
    while grew.elapsed() < STALL && began.elapsed() < LONGEST_STALL {
        tokio::time::sleep(STALL / 20).await;
        // A router that is gone grows no more, and the transfer says so.
        let now = resident(leader).unwrap_or(0);
        if now > highest + NONE {
            (highest, grew) = (now, Instant::now());
        }
    }
}

async fn upload(stage: &Stage, visitor: &Visitor, length: u64, leader: i32) -> Passed {
    let piece = Bytes::from_static(&[b'u'; PIECE]);
    let pieces = length.div_ceil(PIECE as u64);
    let body = stream::iter((0..pieces).map(move |number| {
        let left = length - number * PIECE as u64;
        let size = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        Ok::<_, std::io::Error>(piece.slice(..size))
    }));
    let request = visitor.request(Method::PUT, UP).header("Content-Length", length);
    let release = async {
        stall(leader).await;
        stage.fleet.release_held();
    };
    let (response, ()) =
        tokio::join!(request.body(reqwest::Body::wrap_stream(body)).send(), release);
    let status = response.map_err(|error| error.to_string())?.status().as_u16();
    let read = |entries: &[Entry]| Upload::read(entries).next().map(drop);
    // A refused body reaches no cell. Any other does, perhaps after its response.
    if status < 400 {
        let waits = stage.launch.waits.journal;
        let _ = tokio::time::timeout(waits, stage.fleet.journal().wait_for(read)).await;
    }
    Ok(status)
}

/// An upload that has ended, as the user and the cells saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Upload {
    /// The status of the response, or why there was none.
    response: Result<u16, String>,
    /// Whether a cell got anything of the request.
    reached: bool,
    /// The bytes of its body that a cell read as a complete request, if one did.
    complete: Option<u64>,
}

impl Upload {
    /// The upload of a journal that is complete.
    fn seen(response: Result<u16, String>, entries: &[Entry]) -> Self {
        Self {
            response,
            reached: hops(entries).next().is_some(),
            complete: Self::read(entries).next().map(|body| body.length),
        }
    }

    /// The bodies of uploads that a cell read to the end.
    fn read(entries: &[Entry]) -> impl Iterator<Item = &BodySeen> {
        entries.iter().filter_map(|entry| match &entry.event {
            Event::RequestRead { hop, body } if hops(entries).any(|upload| upload == *hop) => {
                Some(body)
            }
            _ => None,
        })
    }

    /// Whether the contract allows it, for a body of `length` bytes. `limit` is the largest body
    /// that the router has to keep, if there is such a limit. Returns a note for a refusal.
    fn judge(self, length: u64, limit: Option<u64>) -> Result<Option<String>, String> {
        let arrived = self.complete.unwrap_or(0);
        if arrived == length && matches!(self.response, Ok(status) if status < 400) {
            return Ok(None);
        }
        let what = match &self.response {
            Ok(status) => format!("the response had status {status}"),
            Err(why) => format!("there was no response: {why}"),
        };
        // A reset is seen as no response.
        let is_refusal = matches!(self.response, Ok(413) | Err(_));
        match limit.filter(|limit| length > *limit && is_refusal) {
            Some(limit) if !self.reached => Ok(Some(format!(
                "refused, and no cell got any of it: {what}; the contract allows that for a body \
                 beyond `max_buffered_body_bytes` ({limit})"
            ))),
            Some(_) => Err(format!(
                "{what}, after a cell had got the beginning: a refused request reaches no cell"
            )),
            None => Err(format!("the cell read {arrived} of {length} bytes; {what}")),
        }
    }
}

fn hops(entries: &[Entry]) -> impl Iterator<Item = HopId> {
    entries.iter().filter_map(|entry| match &entry.event {
        Event::Request(request) if request.target == *UP => Some(request.hop),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Option<u64> = Some(10);

    fn upload(status: Option<u16>, reached: bool, complete: Option<u64>) -> Upload {
        let response = status.ok_or_else(|| "connection reset".to_owned());
        Upload { response, reached, complete }
    }

    #[test]
    fn a_body_beyond_the_limit_may_be_refused_before_a_cell_gets_any_of_it() {
        for limit in [LIMIT, None] {
            assert_eq!(upload(Some(200), true, Some(20)).judge(20, limit), Ok(None));
        }
        for status in [Some(413), None] {
            let note = upload(status, false, None).judge(20, LIMIT).unwrap().unwrap();
            assert!(note.contains("the contract allows that"), "{note}");
            let late = upload(status, true, None).judge(20, LIMIT).unwrap_err();
            assert!(late.contains("reaches no cell"), "{late}");
        }
    }

    #[test]
    fn nothing_else_may_be_refused() {
        for (status, length, limit) in
            [(413, 10, LIMIT), (413, 20, None), (500, 20, LIMIT), (502, 20, None)]
        {
            let why = upload(Some(status), false, None).judge(length, limit).unwrap_err();
            assert!(why.contains(&status.to_string()), "{why}");
        }
        assert!(upload(None, false, None).judge(20, None).is_err());
        assert!(upload(Some(200), true, Some(19)).judge(20, LIMIT).is_err());
    }
}
