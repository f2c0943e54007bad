//! What is noted of one request while it is in flight.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cell_fleet::Journal;

use super::raw::Event;
use crate::trace::{
    NoResponse, ReceivedResponse, Recorder, UserRequest, UserResponse, milliseconds,
};

/// A request in flight, with its entry among the requests of all users.
#[derive(Clone, Debug)]
pub(super) struct InFlight {
    journal: Arc<Journal>,
    recorder: Arc<Recorder>,
    index: usize,
    began: Instant,
}

impl InFlight {
    /// Adds a request that is about to be sent.
    pub(super) fn begin(
        journal: &Arc<Journal>,
        recorder: &Arc<Recorder>,
        request: UserRequest,
    ) -> Self {
        let index = recorder.sent(UserRequest { sent: journal.stamp(), ..request });
        Self { journal: journal.clone(), recorder: recorder.clone(), index, began: Instant::now() }
    }

    /// Records that the last part of the body is about to be sent.
    pub(super) fn last_part(&self) {
        let at = self.journal.stamp();
        self.recorder.note(self.index, |request| request.last_part = Some(at));
    }

    /// Records when the first bytes of the response's body have come.
    pub(super) fn body(&self) {
        self.recorder.note(self.index, |request| {
            _ = request.first_bytes.get_or_insert_with(|| self.journal.stamp())
        });
    }

    pub(super) fn saw(&self, event: &Event) {
        match event {
            Event::Interim(status) => {
                self.recorder.note(self.index, |request| request.interim.push(*status))
            }
            Event::Body => self.body(),
            Event::Tunnel(bytes) => {
                self.recorder.note(self.index, |request| request.heard.push(bytes.to_string()))
            }
            Event::Head | Event::Whole(_) => {}
        }
    }

    pub(super) fn note(&self, enter: impl FnOnce(&mut UserRequest)) {
        self.recorder.note(self.index, enter);
    }

    pub(super) fn end(&self, got: Result<ReceivedResponse, NoResponse>) {
        if let Err(NoResponse::TimedOut(limit)) = &got {
            self.recorder.waited(Duration::from_millis(*limit));
        }
        let (at, elapsed) = (self.journal.stamp(), milliseconds(self.began.elapsed()));
        self.recorder.note(self.index, |request| {
            request.elapsed_ms = Some(elapsed);
            request.response = Some(UserResponse { at, got });
        });
    }
}
