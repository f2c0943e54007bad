//! What arrived on one connection, and how the journal learns of it.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

use super::head::Head;
use super::scanner::{Found, Scanner};
use super::socket::FlowCounters;
use crate::CellId;
use crate::journal::{ConnectionId, Digester, Event, HopId, Journal, RequestSeen};

/// Bytes that the journal keeps of what is not a request.
const FOREIGN_KEPT: usize = 1024;

/// Joins the bytes that the tap sees with the requests that the server reads.
///
/// A request is entered in the journal when the server has read its head and calls the application
/// ([`claim`](Self::claim)). The part of its body that has arrived by then follows at once, the
/// rest as it arrives.
#[derive(Debug)]
pub(super) struct ConnectionLog {
    node: CellId,
    connection: ConnectionId,
    from: Option<SocketAddr>,
    journal: Arc<Journal>,
    flow: Arc<FlowCounters>,
    state: Mutex<LogState>,
}

#[derive(Debug, Default)]
struct LogState {
    scanner: Scanner,
    /// Requests that are not both claimed and read. The last one is being read.
    open: VecDeque<Scanned>,
    foreign: Vec<u8>,
    /// The status with which the server refused what it could not parse.
    refused_with: Option<u16>,
    closed: bool,
    /// Whether bytes are no longer scanned.
    silent: bool,
}

#[derive(Debug)]
struct Scanned {
    head: Head,
    hop: Option<HopId>,
    body: Digester,
    begun: bool,
    end: Option<BodyEnd>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BodyEnd {
    Read,
    Cut,
}

/// Why a request that the server read is not entered as one.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unclaimed {
    /// The connection has broken HTTP/1.1, though the server does not mind.
    #[error("the request has {0}")]
    Malformed(&'static str),
    /// The scanner saw no request there, or another: an error of the fleet.
    #[error("the journal did not see the request that the server read")]
    Disagreement,
}

impl ConnectionLog {
    pub(super) fn new(node: CellId, journal: Arc<Journal>, flow: Arc<FlowCounters>) -> Self {
        let connection = journal.next_connection();
        Self { connection, from: None, node, journal, flow, state: Mutex::default() }
    }

    /// The log of a connection from this address.
    pub(super) fn from(self, from: Option<SocketAddr>) -> Self {
        Self { from, ..self }
    }

    /// Notes that the server could not parse what arrived, and responded with this status.
    pub(super) fn refused(&self, status: u16) {
        self.lock().refused_with = Some(status);
    }

    /// Stops scanning: the connection has another protocol now, or the cell itself ends it.
    pub(super) fn fall_silent(&self) {
        self.ended();
        self.lock().silent = true;
    }

    /// Whether all bytes that have arrived belong to requests that the server has read completely.
    pub(super) fn is_between_requests(&self) -> bool {
        let state = &*self.lock();
        state.open.is_empty() && state.scanner.unfinished().is_empty()
    }

    /// Scans bytes that have arrived.
    pub(super) fn received(&self, bytes: &[u8]) {
        let state = &mut *self.lock();
        if state.silent {
            return;
        }
        let (open, foreign) = (&mut state.open, &mut state.foreign);
        state.scanner.feed(bytes, |found| match found {
            Found::Head(head) => open.push_back(Scanned {
                head,
                hop: None,
                body: Digester::default(),
                begun: false,
                end: None,
            }),
            Found::Content(piece) => {
                self.flow.read.fetch_add(piece.len() as u64, Ordering::Relaxed);
                if let Some(reading) = open.back_mut() {
                    reading.body.update(piece);
                    if !std::mem::replace(&mut reading.begun, true)
                        && let Some(hop) = reading.hop
                    {
                        self.journal.append(Event::RequestBodyBegun { hop });
                    }
                }
            }
            Found::End => self.end(open, BodyEnd::Read),
            Found::Break => self.end(open, BodyEnd::Cut),
            Found::Foreign(bytes) => keep(foreign, bytes),
        });
    }

    /// Enters the next request that the server has read into the journal, and returns its id.
    pub(super) fn claim(&self, method: &http::Method) -> Result<HopId, Unclaimed> {
        let state = &mut *self.lock();
        let Some(index) = state.open.iter().position(|scanned| scanned.hop.is_none()) else {
            let fault = state.scanner.fault();
            return Err(fault.map_or(Unclaimed::Disagreement, Unclaimed::Malformed));
        };
        let scanned = &mut state.open[index];
        if scanned.head.method.as_bytes() != method.as_str().as_bytes() {
            return Err(Unclaimed::Disagreement);
        }
        let hop = self.journal.next_hop();
        scanned.hop = Some(hop);
        let Head { request_line, method, target, fields, .. } = scanned.head.clone();
        let (cell, connection) = (self.node.clone(), self.connection);
        self.journal.append(Event::Request(RequestSeen {
            hop,
            cell,
            connection,
            request_line,
            method,
            target,
            fields,
        }));
        if scanned.begun {
            self.journal.append(Event::RequestBodyBegun { hop });
        }
        if let Some(end) = scanned.end
            && let Some(scanned) = state.open.remove(index)
        {
            self.enter_end(hop, scanned.body, end);
        }
        Ok(hop)
    }

    /// Ends the stream: a request that is incomplete was cut off.
    pub(super) fn ended(&self) {
        let open = &mut self.lock().open;
        if open.back().is_some_and(|reading| reading.end.is_none()) {
            self.end(open, BodyEnd::Cut);
        }
    }

    /// Ends the connection: enters the bytes that the server did not read as a request.
    pub(super) fn closed(&self) {
        self.ended();
        let state = &mut *self.lock();
        if std::mem::replace(&mut state.closed, true) || state.silent {
            return;
        }
        let mut bytes = Vec::new();
        state
            .open
            .iter()
            .filter(|scanned| scanned.hop.is_none())
            .for_each(|scanned| keep(&mut bytes, &scanned.head.raw));
        keep(&mut bytes, state.scanner.unfinished());
        keep(&mut bytes, &state.foreign);
        if !bytes.is_empty() {
            let bytes = bytes.as_slice().into();
            self.journal.append(Event::NotHttp {
                cell: self.node.clone(),
                connection: self.connection,
                from: self.from,
                bytes,
                refused_with: state.refused_with,
                malformed: state.scanner.fault(),
            });
        }
    }

    /// Ends the request that is being read. It is entered and dropped when it has also been
    /// claimed.
    fn end(&self, open: &mut VecDeque<Scanned>, end: BodyEnd) {
        match open.back_mut() {
            Some(Scanned { hop: None, end: unknown, .. }) => *unknown = Some(end),
            Some(Scanned { hop: Some(hop), .. }) => {
                let hop = *hop;
                if let Some(scanned) = open.pop_back() {
                    self.enter_end(hop, scanned.body, end);
                }
            }
            None => {}
        }
    }

    fn enter_end(&self, hop: HopId, body: Digester, end: BodyEnd) {
        let body = body.finish();
        self.journal.append(match end {
            BodyEnd::Read => Event::RequestRead { hop, body },
            BodyEnd::Cut => Event::RequestCut { hop, body },
        });
    }

    fn lock(&self) -> MutexGuard<'_, LogState> {
        // No code panics between two writes, so a poisoned lock still guards a consistent state.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn keep(kept: &mut Vec<u8>, bytes: &[u8]) {
    let room = FOREIGN_KEPT.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
}
