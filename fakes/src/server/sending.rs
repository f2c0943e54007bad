//! What the journal is told of a response that is not written in one go.

use std::sync::Arc;

use crate::journal::{Digester, Event, HopId, Journal};

/// A response that is being sent.
#[derive(Debug)]
pub(super) struct Sending {
    hop: HopId,
    journal: Arc<Journal>,
    /// Bytes of the body that the server has taken.
    taken: u64,
    all: bool,
    /// Bytes of the body in all, where the head says so: then the server takes no more than these.
    length: Option<u64>,
    /// Follows a body that is not known beforehand.
    digester: Option<Digester>,
    /// Of the body, how many bytes leave at most.
    limit: u64,
}

impl Sending {
    /// `known` says that the journal already has the body; `limit` is where it breaks off.
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
            all: false,
            length,
            digester,
            limit: limit.unwrap_or(u64::MAX),
        }
    }

    pub(super) fn took(&mut self, piece: &[u8]) {
        self.taken += piece.len() as u64;
        self.all |= self.length.is_some_and(|length| self.taken >= length);
        if let Some(digester) = &mut self.digester {
            digester.update(piece);
        }
    }

    pub(super) fn took_all(&mut self) {
        self.all = true;
    }

    /// Whether nothing more will be taken.
    pub(super) fn is_taken(&self) -> bool {
        self.all
    }

    /// Everything has left.
    pub(super) fn ended(self) {
        let body = self.digester.map(Digester::finish);
        self.journal.append(Event::ResponseEnded {
            hop: self.hop,
            sent: self.taken,
            whole: true,
            body,
        });
    }

    /// The connection is gone, after so many bytes on the wire.
    pub(super) fn broke_off(self, on_the_wire: u64) {
        let sent = on_the_wire.min(self.taken).min(self.limit);
        // Whoever has all bytes may close before the server has noticed that the last of them left.
        if self.length.is_some_and(|length| sent >= length) {
            return self.ended();
        }
        self.journal.append(Event::ResponseEnded { hop: self.hop, sent, whole: false, body: None });
    }
}
