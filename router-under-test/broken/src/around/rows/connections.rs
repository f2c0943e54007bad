//! Connections of users and to cells.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::around::bytes::{self, Filter, Scanner};
use crate::around::prelude::*;

super::wrong! {
    "keeps-places-of-users-who-left": Both, "Z-92",
        "a cell takes 100 requests at once, also of users who have gone in the meantime" =>
        &[
            RefuseIf(|at| {
                let owner = at.ask.cache.entry(at.path())?.cell.index();
                let is_full = at.state.bytes().get(owner).is_some_and(|taken| *taken >= 100);
                is_full.then_some(503)
            }),
            ToCell(|at, step, _| {
                let mut places = at.state.bytes();
                places.resize(at.ask.topology.cells.len(), 0);
                places[step.cell.index()] = places[step.cell.index()].saturating_add(1);
            }),
            // Nobody does this for users who left.
            Resend(|at, step, _| {
                if let Some(taken) = at.state.bytes().get_mut(step.cell.index()) {
                    *taken = taken.saturating_sub(1);
                }
                None
            }),
        ];
    "drops-half-closed-users": Both, "Z-45",
        "a half-closed user gets no response, and the cell works on it to the end" =>
        &[UserBytes(|| Box::new(HalfClosed { ended: false, hears: false }))];
    "spoils-connections-of-users-who-left": Both, "Z-66",
        "the rest of a response that a user left stands before the next response" =>
        &[CellBytes(|| Box::new(Left::default()))];
    "opens-tunnels-before-a-101": Both, "Z-96", claims "upgrade",
        "a connection on which a user asked for an upgrade belongs to the cell, also without a 101" =>
        &[
            ToUser(|at, step, _, response| {
                let is_asked = at.note().headers.contains_key(UPGRADE);
                if is_asked && response.status() != StatusCode::SWITCHING_PROTOCOLS {
                    at.state.cells().insert(at.user(), step.cell);
                }
            }),
            LookUp(|at| {
                let rule = Rule { path: at.path(), exact: true };
                let tunnel = at.state.cells().get(&at.user()).copied();
                let tunnel = tunnel.map(|cell| Entry { rule, cell, expires: None });
                tunnel.or_else(|| at.ask.cache.entry(at.path()))
            }),
        ];
}

super::variants! {
    "connection-per-hop": Both, "each request to a cell has a connection of its own" =>
        &[CellBytes(|| bytes::incoming(|head| {
            let mut lines = bytes::lines(&head);
            if !head.starts_with(b"HTTP/1.1 1") {
                lines.push(b"Connection: close".to_vec());
            }
            bytes::head_of(&lines)
        }))];
    "serves-half-closed-users": Both, "a user who half-closes gets the response" =>
        &[UserBytes(|| Box::new(HalfClosed { ended: false, hears: true }))];
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

/// Connections on which users left a response in the middle.
static LEFT: AtomicU64 = AtomicU64::new(0);

/// Counts its connection if it ends within a response, and not because the cell ended it.
#[derive(Default)]
struct Left {
    scanner: Scanner,
    is_over: bool,
}

impl Filter for Left {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.is_over |= bytes.starts_with(b"HTTP/1.1 101");
        let bytes = self.scanner.comes(&bytes, |head| head);
        // The rest of such a response comes on the next connection that is read.
        if LEFT.swap(0, Relaxed) > 0 { [b"the rest\n", &*bytes].concat() } else { bytes }
    }

    fn ends(&mut self) -> Vec<u8> {
        self.is_over = true;
        Vec::new()
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.scanner.goes(&bytes, |head| head)
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        if !self.is_over && !self.scanner.is_between() {
            LEFT.fetch_add(1, Relaxed);
        }
    }
}
