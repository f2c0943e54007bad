//! The stage as people use it beyond a request by their client: the fleet's flow is watched while
//! they send or do not read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cell_fleet::Event;

use super::{Stage, Waits};
use crate::people::{Framed, RawText, Request, Streaming, Upload};
use crate::trace::{Gate, Phase};

impl Stage {
    /// Lets a person send raw bytes.
    pub(crate) async fn send_bytes(
        &mut self,
        person: &str,
        step: usize,
        text: &[u8],
        half_close: bool,
    ) -> Result<(), String> {
        let gate = self.gate(None)?;
        let at = self.address_of(&gate)?;
        let raw = RawText { text, half_close, surplus: self.launch.waits.still };
        self.people.send_bytes(person, gate, at, Phase::Step(step), raw).await;
        Ok(())
    }

    /// Lets a person send a body in another way than their client would.
    pub(crate) async fn upload(
        &mut self,
        person: &str,
        step: usize,
        request: Request,
        upload: Upload,
        framed: Framed,
    ) -> Result<(), String> {
        let gate = self.gate(None)?;
        let at = self.address_of(&gate)?;
        self.people
            .flow(person, gate, at, Phase::Step(step), Streaming::plain(request, upload, framed))
            .await;
        Ok(())
    }

    /// Lets a person ask for something and read nothing of it until the cells can send no more,
    /// then all.
    pub(crate) async fn visit_without_reading(
        &mut self,
        person: &str,
        step: usize,
        target: &str,
    ) -> Result<(), String> {
        let gate = self.gate(None)?;
        let at = self.address_of(&gate)?;
        let (fleet, waits) = (&self.fleet, &self.launch.waits);
        let before = fleet.flow().sent;
        let still = async move {
            stands_still(|| fleet.flow().sent, waits).await;
            fleet.flow().sent - before
        };
        let mut flowing = Streaming::plain(Request::get(target), Upload::Made(0), Framed::Length);
        flowing.before_reading = Some(Box::pin(still));
        self.people.flow(person, gate, at, Phase::Step(step), flowing).await;
        Ok(())
    }

    /// Lets a person upload until nothing more is taken; then what cells hold is released.
    pub(crate) async fn upload_without_reading(
        &mut self,
        person: &str,
        step: usize,
        length: u64,
        target: &str,
    ) -> Result<(), String> {
        let gate = self.gate(None)?;
        let at = self.address_of(&gate)?;
        let (fleet, waits) = (&self.fleet, &self.launch.waits);
        let request = Request { method: "PUT".to_owned(), ..Request::get(target) };
        let mut flowing = Streaming::plain(request, Upload::Made(length), Framed::Length);
        let taken: Arc<AtomicU64> = flowing.taken.clone();
        flowing.meanwhile = Some(Box::pin(async move {
            stands_still(|| taken.load(Ordering::Relaxed), waits).await;
            let seen = taken.load(Ordering::Relaxed);
            fleet.release_held();
            seen
        }));
        self.people.flow(person, gate, at, Phase::Step(step), flowing).await;
        // A response may have come first.
        self.fleet.release_held();
        Ok(())
    }

    /// Lets a person ask for a WebSocket.
    pub(crate) async fn open_socket(
        &mut self,
        person: &str,
        gate: Gate,
        step: usize,
        target: &str,
    ) -> Result<(), String> {
        let at = self.address_of(&gate)?;
        self.people.open_socket(person, gate, at, Phase::Step(step), target).await;
        Ok(())
    }

    /// The users, to let them do something that is no request.
    pub(crate) fn people_mut(&mut self) -> &mut crate::people::People {
        &mut self.people
    }

    /// Names of the cookies that cells have set so far, and of those that signing in gave: all
    /// others are the router's.
    pub(crate) fn cookies_of_cells(&self) -> Vec<String> {
        let mut names = vec![cell_fleet::SESSION_COOKIE.to_owned()];
        names.extend(self.plan.cookies.iter().map(|cookie| cookie.name.clone()));
        for entry in self.fleet.journal().entries() {
            let Event::Response(response) = entry.event else { continue };
            for line in response.fields.iter().filter(|field| field.is("Set-Cookie")) {
                names.extend(
                    line.value.to_string().split_once('=').map(|(name, _)| name.trim().to_owned()),
                );
            }
        }
        names
    }
}

/// Waits until a count that had begun to grow has not grown for a while, or has not begun to for a
/// longer while. On a slow machine it may end early; what was counted by then is only less.
async fn stands_still(count: impl Fn() -> u64, waits: &Waits) {
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
