//! Handmade traces, for tests.

use std::time::Duration;

use bytes::Bytes;
use cell_fleet::{BodySeen, CellId, Field, ResponseSeen, Stamp, Text};

use super::{
    ConnectionEnd, Hop, InstalledCell, NoResponse, Origin, Phase, ReceivedResponse, Stray, Trace,
    UserRequest, UserResponse,
};

/// How a request ends whose connection is closed before a response.
pub(crate) const CLOSED: NoResponse = NoResponse::Unanswered(ConnectionEnd::Closed);
/// How a request ends that hangs.
pub(crate) const TIMED_OUT: NoResponse = NoResponse::TimedOut(20_000);

/// The When step in which everything happens.
const STEP: Phase = Phase::Step(0);

/// A trace under construction. Functions take and return indexes of its lists.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) trace: Trace,
    now: u64,
}

pub(crate) fn fields(lines: &[(&str, &str)]) -> Vec<Field> {
    lines
        .iter()
        .map(|(name, value)| Field { name: (*name).into(), value: (*value).into() })
        .collect()
}

/// A trace in which a request that was sent with some fields reaches a cell with others.
pub(crate) fn carried(sent: &[(&str, &str)], came: &[(&str, &str)]) -> Trace {
    let mut made = Made::default();
    let user = made.sends("anna", "/a");
    made.trace.users[user].fields = fields(sent);
    let hop = made.reaches(user, "cell_eu0");
    made.trace.hops[hop].request.fields = fields(came);
    made.trace
}

impl Made {
    /// A body as a cell or a user sees it.
    pub(crate) fn body(text: &str) -> BodySeen {
        BodySeen::of(&Bytes::copy_from_slice(text.as_bytes()))
    }

    /// Lets this much time pass.
    pub(crate) fn passes(&mut self, ms: u64) {
        self.now += ms;
    }

    /// The next stamp of the sequence.
    pub(crate) fn stamp(&mut self) -> Stamp {
        self.now += 1;
        Stamp { sequence: self.now, at: Duration::from_millis(self.now) }
    }

    /// These are the cells of the fleet, each at a port of one address, from 22000 on.
    pub(crate) fn installs(&mut self, cells: impl IntoIterator<Item = CellId>) {
        let installed = |(cell, port): (CellId, u16)| InstalledCell {
            cell,
            address: ([127, 1, 2, 3], port).into(),
            own_host: false,
        };
        self.trace.cells = cells.into_iter().zip(22_000..).map(installed).collect();
    }

    pub(crate) fn sends(&mut self, person: &str, target: &str) -> usize {
        let sent = self.stamp();
        self.trace.users.push(UserRequest {
            person: person.to_owned(),
            phase: STEP,
            target: target.into(),
            sent,
            ..UserRequest::default()
        });
        self.trace.users.len() - 1
    }

    /// A person's request reaches a cell.
    pub(crate) fn reaches(&mut self, user: usize, cell: &str) -> usize {
        let target = self.trace.users[user].target.clone();
        self.hop(Origin::User(user), target, cell)
    }

    /// An unsolicited request reaches a cell.
    pub(crate) fn unsolicited(&mut self, target: &str, cell: &str) -> usize {
        self.hop(Origin::Unsolicited, target.into(), cell)
    }

    pub(crate) fn hop(&mut self, origin: Origin, target: Text, cell: &str) -> usize {
        let at = self.stamp();
        let hop = Hop::made(cell.parse().unwrap(), origin, at, "GET", target);
        self.trace.hops.push(hop);
        self.trace.hops.len() - 1
    }

    pub(crate) fn responses(
        &mut self,
        hop: usize,
        status: u16,
        lines: &[(&str, &str)],
        text: &str,
    ) {
        let at = self.stamp();
        let hop = &mut self.trace.hops[hop];
        let response = ResponseSeen {
            hop: hop.id,
            cell: hop.node.clone(),
            status,
            fields: fields(lines),
            body: Self::body(text),
        };
        hop.response = Some((at, response));
    }

    /// The user gets a status and a body, or no response.
    pub(crate) fn gets(&mut self, user: usize, got: Result<(u16, &str), NoResponse>) {
        let got = got.map(|(status, text)| received(status, &[], text));
        if got.as_ref().is_err_and(|why| *why == TIMED_OUT) {
            self.trace.waited_ms = Some(20_000);
        }
        let at = self.stamp();
        self.trace.users[user].response = Some(UserResponse { at, got });
    }

    /// The user gets a response with these fields.
    pub(crate) fn gets_fields(
        &mut self,
        user: usize,
        status: u16,
        lines: &[(&str, &str)],
        text: &str,
    ) {
        let (at, got) = (self.stamp(), Ok(received(status, lines, text)));
        self.trace.users[user].response = Some(UserResponse { at, got });
    }

    /// Bytes that are not a request reach a cell.
    pub(crate) fn strays(&mut self, bytes: &str) {
        let at = self.stamp();
        let (cell, bytes) = (CellId::eu(0), bytes.to_owned());
        self.trace.strays.push(Stray { at, cell, bytes, refused_with: None, from: None });
    }
}

fn received(status: u16, lines: &[(&str, &str)], text: &str) -> ReceivedResponse {
    ReceivedResponse { status, fields: fields(lines), body: Made::body(text) }
}
