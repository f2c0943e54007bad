//! The requests of people: those that a step waits for, and those that it begins.

use super::{Begun, Stage};
use crate::action::Route;
use crate::literal::Request;
use crate::people::Way;
use crate::trace::{Gate, Phase, path_of};

impl Stage {
    /// The way of a request that is sent now. Casts the cell that is asked first, where the route
    /// says so.
    pub(crate) fn way(&self, route: &Route) -> Result<Way, String> {
        let region = match route {
            Route::Cell(_) => None,
            Route::Asking(cell) => {
                self.cast(cell)?;
                self.plan.default_router()
            }
            Route::Router(region) => Some(region),
            Route::Default => self.plan.default_router(),
        };
        let (gate, at) = match (route, region) {
            (Route::Cell(cell), _) => {
                let running = self.fleet.cell(cell);
                let running = running.ok_or_else(|| format!("the fleet has no {cell}"))?;
                (Gate::Cell(cell.clone()), running.address)
            }
            // A router that has stopped keeps its address: nothing listens there.
            (_, Some(region)) => (Gate::Router(region.clone()), self.router_at(region)),
            (_, None) => {
                return Err(
                    "the scenario has no router; add `Given a cold EU router`, or visit a \
                            cell directly"
                        .to_owned(),
                );
            }
        };
        let phase = self.actions.len().checked_sub(1).map_or(Phase::Setup, Phase::Step);
        Ok(Way { gate, at, phase })
    }

    /// Begins a request to the default router, whose end a later step waits for.
    pub(crate) fn begin(&mut self, person: &str, request: Request) -> Result<(), String> {
        let way = self.way(&Route::Default)?;
        let path = String::from_utf8_lossy(path_of(request.target.as_bytes())).into_owned();
        let task = tokio::spawn(self.people.sending(person, way, request, None));
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
            // Each has its own timeout. A panic in it is one of the scenario.
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
