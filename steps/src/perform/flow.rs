//! Sends or receives a body at a given pace.

use std::sync::atomic::Ordering;

use cell_fleet::{Entry, Event};

use super::ActionError;
use crate::action::{Flow, Framing, Person, Route, random};
use crate::literal::Request;
use crate::people::Streaming;
use crate::stage::{Stage, Waits};

impl Flow {
    /// Lets the body flow, and waits for the end of the response.
    pub(super) async fn perform(
        &self,
        person: &Person,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let way = stage.way(&Route::Default)?;
        let (person, people) = (&person.0, &mut stage.people);
        let (fleet, waits) = (&stage.fleet, &stage.launch.waits);
        let upload = |target: &str, length: u64| Request {
            method: "PUT".to_owned(),
            body: random(length),
            ..Request::get(target)
        };
        let streaming = match self {
            Self::Halves { target, length } => {
                let between = Box::pin(body_begins(stage));
                let request = upload(target, *length);
                stage.people.sending(person, way, request, Some(between)).await;
                return Ok(());
            }
            Self::UploadUntilStalled { target, length } => {
                let request = upload(target, *length);
                let mut streaming = Streaming::unwatched(request, Framing::Plain);
                let taken = streaming.taken.clone();
                streaming.meanwhile = Some(Box::pin(async move {
                    until_stalled(|| taken.load(Ordering::Relaxed), waits).await;
                    let seen = taken.load(Ordering::Relaxed);
                    fleet.release_held();
                    seen
                }));
                streaming
            }
            Self::ReadAfterStall { target } => {
                let before = fleet.flow().sent;
                let mut streaming = Streaming::unwatched(Request::get(target), Framing::Plain);
                streaming.before_reading = Some(Box::pin(async move {
                    until_stalled(|| fleet.flow().sent, waits).await;
                    fleet.flow().sent - before
                }));
                streaming
            }
        };
        people.stream(person, way, streaming).await;
        if matches!(self, Self::UploadUntilStalled { .. }) {
            // A response may come before the upload stalls.
            fleet.release_held();
        }
        Ok(())
    }
}

/// Waits until a cell has begun to read the body of a request that is sent from now on.
fn body_begins(stage: &Stage) -> impl Future<Output = ()> + Send + use<> {
    let (journal, idle_timeout) = (stage.fleet.journal().clone(), stage.launch.waits.journal);
    let (seen, recorder) = (journal.entries().len(), stage.recorder.clone());
    async move {
        let begins = |entries: &[Entry]| {
            let mut new = entries.iter().skip(seen);
            new.any(|entry| matches!(entry.event, Event::RequestBodyBegun { .. })).then_some(())
        };
        // A router that waits for the whole body gets it in the end; the trace has the order.
        if tokio::time::timeout(idle_timeout, journal.wait_for(begins)).await.is_err() {
            recorder.waited(idle_timeout);
        }
    }
}

/// Waits until a count has grown and then stalls, or until it has not begun to grow for a while. On
/// a slow machine the wait may end early; the count is then only lower.
async fn until_stalled(count: impl Fn() -> u64, waits: &Waits) {
    let begin = count();
    let begins = async {
        while count() == begin {
            tokio::time::sleep(waits.ready_poll).await;
        }
    };
    if tokio::time::timeout(waits.flow, begins).await.is_err() {
        return;
    }
    loop {
        let seen = count();
        tokio::time::sleep(waits.still).await;
        if count() == seen {
            return;
        }
    }
}
