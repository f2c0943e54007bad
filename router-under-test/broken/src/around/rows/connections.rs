//! Connections of users and to cells.

use std::sync::atomic::{AtomicU64, Ordering};

use http::{Request, Response};
use reference_router::body::Outgoing;
use reference_router::cells::{CellBody, SendError};
use reference_router::parts::Step;
use reference_router::refusal::Refusal as Problem;
use reference_router::response::UserBody;

use crate::around::At;
use crate::around::Seam::{Again as AnotherTime, Cells, Refusal, Request as ToCell, Users};
use crate::around::bytes::{self, Filter};
use crate::around::wrong::Again;

type Outcome<'a> = Result<&'a Response<CellBody>, &'a SendError>;

super::wrong! {
    "keeps-places-of-users-who-left": Both, "Z-92",
        "a cell takes 100 requests at once, also of users who have gone in the meantime" =>
        &[Refusal(refuse), ToCell(take_place), AnotherTime(give_place)];
    "closes-connections-of-others": Both, "Z-66",
        "a user who leaves ends the connections to cells on which others wait as well" =>
        &[Cells(|| Box::new(Together(None)))];
    "drops-half-closed-users": Both, "Z-45",
        "a half-closed user gets no response, and the cell works on it to the end" =>
        &[Users(|| Box::new(HalfClosed { ended: false, hears: false }))];
}

super::variants! {
    "connection-per-hop": Both, "each request to a cell has a connection of its own" =>
        &[Cells(|| bytes::incoming(last_of_connection))];
    "serves-half-closed-users": Both, "a user who half-closes gets the response" =>
        &[Users(|| Box::new(HalfClosed { ended: false, hears: true }))];
}

/// Refuses what belongs to a cell that has 100 requests under way.
fn refuse(at: &At<'_>, problem: Option<Problem>, is_last: bool) -> Option<Response<UserBody>> {
    let owner = at.ask.cache.entry(at.path());
    let taken = owner.and_then(|entry| at.state.bytes().get(entry.cell.index()).copied());
    let full = taken.filter(|taken| *taken >= 100).map(|_| Problem::CellFull);
    problem.or(full).map(|problem| problem.response(is_last))
}

fn take_place(at: &At<'_>, step: Step, _: &mut Request<Outgoing>) {
    let mut places = at.state.bytes();
    places.resize(at.ask.topology.cells.len(), 0);
    let taken = &mut places[step.cell.index()];
    *taken = taken.saturating_add(1);
}

/// Nobody does this for users who left.
fn give_place(at: &At<'_>, step: Step, _: Outcome<'_>) -> Again {
    if let Some(taken) = at.state.bytes().get_mut(step.cell.index()) {
        *taken = taken.saturating_sub(1);
    }
    None
}

/// How many requests were given up before there was a response.
static GIVEN_UP: AtomicU64 = AtomicU64::new(0);

/// Ends with all connections on which a response is awaited; has their number of when the request
/// was sent.
struct Together(Option<u64>);

impl Filter for Together {
    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.0.get_or_insert_with(|| GIVEN_UP.load(Ordering::Relaxed));
        bytes
    }

    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let has_ended = self.0.take().is_some_and(|sent| sent != GIVEN_UP.load(Ordering::Relaxed));
        if has_ended { b"ended\r\n\r\n".to_vec() } else { bytes }
    }

    fn ends(&mut self) -> Vec<u8> {
        self.0 = None;
        Vec::new()
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        if self.0.is_some() {
            GIVEN_UP.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Keeps from the router that a user has ended what it sends.
struct HalfClosed {
    ended: bool,
    /// Whether the user gets the response all the same.
    hears: bool,
}

impl Filter for HalfClosed {
    fn ends(&mut self) -> Vec<u8> {
        self.ended = true;
        b"\r\n".to_vec()
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        if self.ended && !self.hears { Vec::new() } else { bytes }
    }
}

fn last_of_connection(head: Vec<u8>) -> Vec<u8> {
    if head.starts_with(b"HTTP/1.1 1") {
        return head;
    }
    let mut lines = bytes::lines(&head);
    lines.push(b"Connection: close".to_vec());
    bytes::head_of(&lines)
}
