//! Connections of users and to cells.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::Request;
use reference_router::body::Outgoing;
use reference_router::cells::Cells;
use reference_router::parts::Step;
use tokio::time::sleep;

use crate::around::At;
use crate::around::Seam::{Again, Cells as OfCells, RequestLater, Users};
use crate::around::bytes::{self, Filter};
use crate::around::wrong::{Later, Wrong};

super::wrong! {
    "keeps-places-of-users-who-left": Both, "Z-92",
        "a cell takes 64 requests at once, also of users who have gone in the meantime" =>
        &[
            RequestLater(take_place),
            Again(|at, step, _| {
                if let Some(taken) = at.state.bytes().get_mut(step.cell.index()) {
                    *taken = taken.saturating_sub(1);
                }
                None
            }),
        ];
    "closes-connections-of-others": Both, "Z-66",
        "a user who leaves ends the connections to cells on which others wait as well" =>
        &[OfCells(|| Box::new(Together(None)))];
    "drops-half-closed-users": Both, "Z-45",
        "a half-closed user gets no response, and the cell works on it to the end" =>
        &[Users(|| Box::new(HalfClosed { ended: false, hears: false }))];
}

super::variants! {
    "connection-per-hop": Both, "each request to a cell has a connection of its own" =>
        &[OfCells(|| bytes::incoming(last_of_connection))];
    "serves-half-closed-users": Both, "a user who half-closes gets the response" =>
        &[Users(|| Box::new(HalfClosed { ended: false, hears: true }))];
}

/// Waits for one of 64 places at the cell, which nobody gives back for a user who left.
fn take_place<'a>(
    at: &'a At<'a>,
    step: Step,
    _: &'a mut Request<Outgoing>,
    _: &'a Cells<Wrong>,
) -> Later<'a, ()> {
    let try_to = move || {
        let mut places = at.state.bytes();
        places.resize(at.ask.topology.cells.len(), 0);
        let taken = &mut places[step.cell.index()];
        let is_free = *taken < 64;
        *taken += u8::from(is_free);
        is_free
    };
    Box::pin(async move {
        while !try_to() {
            sleep(Duration::from_millis(10)).await;
        }
    })
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
