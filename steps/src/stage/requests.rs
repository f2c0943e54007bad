//! The requests of When steps: those that a step waits for, and those that it begins.

use cell_fleet::{Entry, Event};

use super::{Begun, Stage};
use crate::literal::Request;
use crate::trace::{Gate, Phase, path_of};

impl Stage {
    /// Sends a request of a person, in the When step with this number.
    pub(crate) async fn send(
        &mut self,
        person: &str,
        gate: Gate,
        step: usize,
        request: Request,
    ) -> Result<(), String> {
        let at = self.address_of(&gate)?;
        self.people.send(person, gate, at, Phase::Step(step), request).await;
        Ok(())
    }

    /// Sends a request in two halves, the second when a cell has begun to read the body.
    pub(crate) async fn send_in_halves(
        &mut self,
        person: &str,
        gate: Gate,
        step: usize,
        request: Request,
    ) -> Result<(), String> {
        let at = self.address_of(&gate)?;
        let (journal, idle_timeout) = (self.fleet.journal().clone(), self.launch.waits.journal);
        let seen = journal.entries().len();
        let begun = async move {
            let begins = |entries: &[Entry]| {
                let new = entries.get(seen..).unwrap_or_default();
                new.iter()
                    .any(|entry| matches!(entry.event, Event::RequestBodyBegun { .. }))
                    .then_some(())
            };
            // A router that waits for the whole body gets it in the end; the trace has the order.
            let _ = tokio::time::timeout(idle_timeout, journal.wait_for(begins)).await;
        };
        self.people
            .sending(person, gate, at, Phase::Step(step), request, Some(Box::pin(begun)))
            .await;
        Ok(())
    }

    /// Begins a request whose end a later step waits for.
    pub(crate) fn begin(
        &mut self,
        person: &str,
        gate: Gate,
        step: usize,
        request: Request,
    ) -> Result<(), String> {
        let at = self.address_of(&gate)?;
        let path = String::from_utf8_lossy(path_of(request.target.as_bytes())).into_owned();
        let sending = self.people.sending(person, gate, at, Phase::Step(step), request, None);
        let task = tokio::spawn(sending);
        self.begun.push(Begun { person: person.to_owned(), path, task });
        Ok(())
    }

    /// Releases what cells hold, and waits until all requests that were begun have ended.
    pub(crate) async fn release(&mut self) {
        self.fleet.release_held();
        self.ended(|_| true).await;
    }

    /// Releases what cells hold for one path, and waits until the requests for it that were begun
    /// have ended.
    pub(crate) async fn release_held_of(&mut self, path: &str) {
        self.fleet.release_held_of(path);
        self.ended(|begun| begun.path == path).await;
    }

    /// Waits until some of the requests that were begun have ended.
    async fn ended(&mut self, which: impl Fn(&Begun) -> bool) {
        let (ending, open) = std::mem::take(&mut self.begun).into_iter().partition(which);
        self.begun = open;
        let ending: Vec<Begun> = ending;
        for begun in ending {
            // Each has a timeout of its own. A panic in it is one of the scenario.
            let _ = begun.task.await;
        }
    }

    /// Lets a person leave: what they began ends without a response, and its connection closes.
    pub(crate) async fn leave(&mut self, person: &str) {
        for begun in self.begun.iter().filter(|begun| begun.person == person) {
            begun.task.abort();
        }
        self.ended(|begun| begun.person == person).await;
    }
}
