//! Connections of users and to cells.

use crate::around::bytes::{self, Filter};
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
