//! Responses that are not sent at once, and what the journal learns of them.

use std::sync::Arc;

use crate::journal::{Digester, Event, HopId, Journal};

/// A response that is being sent.
#[derive(Debug)]
pub(super) struct Sending {
    hop: HopId,
    journal: Arc<Journal>,
    /// Bytes of the body that the server has taken.
    taken: u64,
    complete: bool,
    /// The length of the body, where the head has it. The server takes no more than this.
    length: Option<u64>,
    /// Digests a body that is not known beforehand.
    digester: Option<Digester>,
    /// Bytes of the body that leave at most.
    limit: u64,
}

impl Sending {
    /// `known`: the journal already has the body. `limit`: the bytes after which it breaks off.
    pub(super) fn new(
        hop: HopId,
        journal: Arc<Journal>,
        known: bool,
        length: Option<u64>,
        limit: Option<u64>,
    ) -> Self {
        let digester = (!known).then(Digester::default);
        Self {
            hop,
            journal,
            taken: 0,
            complete: false,
            length,
            digester,
            limit: limit.unwrap_or(u64::MAX),
        }
    }

    pub(super) fn took(&mut self, piece: &[u8]) {
        self.taken += piece.len() as u64;
        self.complete |= self.length.is_some_and(|length| self.taken >= length);
        if let Some(digester) = &mut self.digester {
            digester.update(piece);
        }
    }

    pub(super) fn complete(&mut self) {
        self.complete = true;
    }

    /// Whether the server has taken the whole body.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Enters the end of a response that has left completely.
    pub(super) fn ended(self) {
        let body = self.digester.map(Digester::finish);
        self.journal.append(Event::ResponseEnded {
            hop: self.hop,
            sent: self.taken,
            whole: true,
            body,
        });
    }

    /// Enters the end of a response whose connection ended after this many bytes on the wire.
    pub(super) fn broke_off(self, on_the_wire: u64) {
        let sent = on_the_wire.min(self.taken).min(self.limit);
        // A peer that has all bytes may close before the server has noticed that the last one left.
        if self.length.is_some_and(|length| sent >= length) {
            return self.ended();
        }
        self.journal.append(Event::ResponseEnded { hop: self.hop, sent, whole: false, body: None });
    }
}
