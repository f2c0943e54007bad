//! Large bodies, down and up, through one router.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use cell_fleet::fault::{At, BodyUnread, Fault, ManyBytes};
use cell_fleet::population::Route;
use cell_fleet::{CellId, Event, Region, wire};
use futures_util::StreamExt;
use futures_util::stream;

use super::{Load, Measured, MemoryWatch, Used, resident};
use crate::people::plain_http;
use crate::plan::ScenarioPlan;
use crate::stage::{Launch, Stage};

/// By how much a router's memory may grow while a body passes: a sixteenth of a gigabyte. A router
/// that keeps a body of a gigabyte needs sixteen times as much; one that streams needs a fraction.
const ALLOWED: u64 = 64 << 20;
/// How long the receiving side reads nothing at first. A router that reads ahead reads hundreds of
/// megabytes in that time.
const STALL: Duration = Duration::from_secs(1);
/// Bytes of a piece of an upload.
const PIECE: usize = 64 << 10;

const PAGE: &str = "/big/page";
const DOWN: &str = "/big/down";
const DOWN_IN_CHUNKS: &str = "/big/down-in-chunks";
const UP: &str = "/big/up";

/// Sends bodies down and up, each on a router of its own, and watches its memory.
///
/// The router learns the path before, since in buffering only a request for a known path may have a
/// body beyond the limit (Z-20).
///
/// # Errors
///
/// Where the fleet or the router cannot be started, or memory cannot be measured here.
pub(super) async fn transfer(load: Load, launch: &Launch) -> Result<Vec<Measured>, String> {
    let mut all = Vec::new();
    for (what, path) in
        [("down, with a length", DOWN), ("down, in chunks", DOWN_IN_CHUNKS), ("up", UP)]
    {
        let stage = Stage::start(plan(load), launch.clone(), Arc::default())
            .await
            .map_err(|fault| fault.to_string())?;
        let outcome = pass(&stage, load, path).await;
        stage.clear(&[]).await?;
        let (used, failures) = outcome?;
        all.push(Measured {
            what: format!("{} bytes {what}", load.bytes),
            used,
            allowed: ALLOWED,
            failures,
        });
    }
    Ok(all)
}

fn plan(load: Load) -> ScenarioPlan {
    let mut plan = ScenarioPlan::documents(load.protocol);
    plan.routers.push(Region::eu());
    let owner = CellId::eu(0);
    plan.fleet.population.add_route(Route {
        path: "/big".to_owned(),
        cell: owner.clone(),
        exact: false,
    });
    let mut fault = |path: &str, fault: cell_fleet::fault::ResponseFault| {
        plan.fleet.faults.push(Fault::of_responses(
            Some(owner.clone()),
            At::Path(path.to_owned()),
            None,
            fault,
        ));
    };
    for (path, chunked) in [(DOWN, false), (DOWN_IN_CHUNKS, true)] {
        fault(path, ManyBytes { length: load.bytes, chunked, second_half_waits: false }.into());
    }
    fault(UP, BodyUnread.into());
    plan
}

async fn pass(stage: &Stage, load: Load, path: &str) -> Result<(Used, Vec<String>), String> {
    let at = stage.router_at(&Region::eu());
    let leader = stage.router_process(&Region::eu()).ok_or("the router is gone")?;
    let http = plain_http().build().map_err(|error| error.to_string())?;
    let url = |path: &str| format!("http://{at}{path}");
    http.get(url(PAGE))
        .header(wire::CONFORMANCE_ID, "memory.0")
        .send()
        .await
        .map_err(|error| format!("{PAGE} got no response: {error}"))?;

    let before = resident(leader)?;
    let watch = MemoryWatch::start(leader);
    let outcome = if path == UP {
        upload(stage, &http, at, load.bytes).await
    } else {
        download(&http, &url(path), load.bytes).await
    };
    let peak = watch.stop();
    Ok((Used { before, peak, after: resident(leader)? }, outcome.err().into_iter().collect()))
}

async fn download(http: &reqwest::Client, url: &str, length: u64) -> Result<(), String> {
    let broke_off = |error: reqwest::Error| format!("the download broke off: {error}");
    let response =
        http.get(url).header(wire::CONFORMANCE_ID, "memory.1").send().await.map_err(broke_off)?;
    let status = response.status().as_u16();
    tokio::time::sleep(STALL).await;
    let (mut pieces, mut got) = (response.bytes_stream(), 0);
    while let Some(piece) = pieces.next().await {
        got += piece.map_err(broke_off)?.len() as u64;
    }
    if (status, got) == (200, length) {
        Ok(())
    } else {
        Err(format!("{got} of {length} bytes arrived, with status {status}"))
    }
}

async fn upload(
    stage: &Stage,
    http: &reqwest::Client,
    at: SocketAddr,
    length: u64,
) -> Result<(), String> {
    let piece = Bytes::from_static(&[b'u'; PIECE]);
    let pieces = length.div_ceil(PIECE as u64);
    let body = stream::iter((0..pieces).map(move |number| {
        let left = length - number * PIECE as u64;
        let size = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        Ok::<_, std::io::Error>(piece.slice(..size))
    }));
    let request = http
        .put(format!("http://{at}{UP}"))
        .header(wire::CONFORMANCE_ID, "memory.2")
        .header("Content-Length", length);
    let release = async {
        tokio::time::sleep(STALL).await;
        stage.fleet().release_held();
    };
    let (response, ()) =
        tokio::join!(request.body(reqwest::Body::wrap_stream(body)).send(), release);
    let response = response.map_err(|error| format!("the upload broke off: {error}"))?;
    let status = response.status().as_u16();
    let read = |entries: &[cell_fleet::Entry]| {
        entries.iter().find_map(|entry| match &entry.event {
            Event::RequestRead { body, .. } if body.length > 0 => Some(body.length),
            _ => None,
        })
    };
    let waits = stage.waits().journal;
    let arrived =
        tokio::time::timeout(waits, stage.fleet().journal().wait_for(read)).await.unwrap_or(0);
    if arrived == length && status < 400 {
        Ok(())
    } else {
        Err(format!("the cell read {arrived} of {length} bytes; the response had status {status}"))
    }
}
