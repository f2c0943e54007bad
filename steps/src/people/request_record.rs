//! What is written down of one request while it is under way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cell_fleet::Journal;

use super::raw::Event;
use crate::trace::{ReceivedResponse, Recorder, UserRequest, UserResponse};

/// The pen for one entry of the record.
#[derive(Clone, Debug)]
pub(super) struct RequestRecord {
    journal: Arc<Journal>,
    recorder: Arc<Recorder>,
    place: usize,
    began: Instant,
}

impl RequestRecord {
    /// Enters a request that is about to leave.
    pub(super) fn begin(
        journal: &Arc<Journal>,
        recorder: &Arc<Recorder>,
        request: UserRequest,
    ) -> Self {
        let place = recorder.sent(UserRequest { sent: journal.stamp(), ..request });
        Self { journal: journal.clone(), recorder: recorder.clone(), place, began: Instant::now() }
    }

    /// The last part of the body is about to leave.
    pub(super) fn last_part(&self) {
        let at = self.journal.stamp();
        self.recorder.note(self.place, |request| request.last_part = Some(at));
    }

    /// Bytes of the response's body have come; only the first ones are of interest.
    pub(super) fn body(&self) {
        self.recorder.note(self.place, |request| {
            _ = request.first_bytes.get_or_insert_with(|| self.journal.stamp())
        });
    }

    /// Something of a response has come.
    pub(super) fn saw(&self, event: &Event) {
        match event {
            Event::Interim(status) => {
                self.recorder.note(self.place, |request| request.interim.push(*status))
            }
            Event::Body => self.body(),
            Event::Head | Event::Whole(_) => {}
        }
    }

    /// Enters something else.
    pub(super) fn note(&self, enter: impl FnOnce(&mut UserRequest)) {
        self.recorder.note(self.place, enter);
    }

    /// How it ended.
    pub(super) fn end(&self, got: Result<ReceivedResponse, String>) {
        let (at, elapsed) = (self.journal.stamp(), milliseconds(self.began.elapsed()));
        self.recorder.note(self.place, |request| {
            request.elapsed_ms = Some(elapsed);
            request.response = Some(UserResponse { at, got });
        });
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
