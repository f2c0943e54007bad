//! The end of a scenario: routers stop, then the fleet, and what happened becomes the trace.

use std::collections::BTreeSet;
use std::time::Duration;

use cell_fleet::{Entry, Protocol, RunningCell};

use super::error::RouterError;
use super::process::Stopped;
use super::{Routers, Stage, resources};
use crate::engine::record::LogRecord;
use crate::people::is_no_http;
use crate::trace::{Gate, InstalledCell, NoResponse, Trace, UserRequest, join, milliseconds};

/// What is left of a scenario.
#[derive(Debug)]
pub struct Cleared {
    pub trace: Trace,
    pub logs: Vec<LogRecord>,
    /// The routers that exited although nobody told them to, in words.
    pub deaths: Vec<String>,
    /// Why a running router cannot be reached anymore, if it cannot.
    pub unreachable: Option<RouterError>,
    /// Why the suite could write nothing to the folder of the scenario, if it could not: then no
    /// failure is the router's.
    pub trouble: Option<String>,
}

/// `router_eu died: signal 11 (SIGSEGV)`.
fn death_of(router: &Stopped) -> Option<String> {
    // The system writes `signal: 11`, `exit status: 1`.
    let how = router.death?.to_string().replacen("signal: ", "signal ", 1);
    let how = how.replacen("exit status: ", "exit status ", 1);
    Some(format!("{} died: {how}", router.facts.name))
}

/// Why a connection of a user could not be opened, where that is for want of files: it is no fault
/// of the router then.
fn no_file_left(requests: &[UserRequest]) -> Option<String> {
    let mut errors = requests.iter().filter_map(UserRequest::no_response);
    let error = errors.find(|why| matches!(why, NoResponse::NoFile(_)))?;
    Some(format!("the suite had no file left for a connection ({error}): raise `ulimit -Hn`"))
}

impl Stage {
    /// Whether a user has sent a request to a router and got no response.
    fn has_lost_a_response(&self) -> bool {
        self.recorder
            .requests()
            .iter()
            .any(|request| request.is_routed() && request.got().is_none())
    }

    /// All connections of users close: a router may wait for them before it exits.
    async fn hang_up(&mut self) {
        let people: BTreeSet<_> =
            self.recorder.requests().into_iter().map(|request| request.person).collect();
        for person in people {
            self.people.hang_up(&person).await;
        }
    }

    /// Asks routers once more that sent no HTTP, and adds what comes to the record. Returns the
    /// cells' journal until then, if one is asked.
    async fn ask_once_more(&mut self) -> Option<Vec<Entry>> {
        let requests = self.recorder.requests();
        let mut unread = requests.iter().enumerate().filter(|(_, it)| is_no_http(it)).peekable();
        unread.peek()?;
        self.fleet.settle().await;
        let until_then = self.fleet.journal().entries();
        for (index, request) in unread {
            let Gate::Router(region) = &request.gate else { continue };
            let (at, still) = (self.router_at(region), self.launch.waits.still);
            self.people.ask_once_more(index, request, at, still).await;
        }
        Some(until_then)
    }

    /// Stops the routers, then the fleet, and returns the trace with what the routers left. The
    /// trace is complete, since nothing is left that could add to it. It names the owners that the
    /// watched paths have at the end. It is an error if the fleet itself fails: its trace would
    /// prove nothing.
    pub async fn clear(mut self, watched: &[String]) -> Result<Cleared, String> {
        self.release().await;
        self.hang_up().await;
        // Before the routers stop: they may remove what they wrote.
        let trouble = resources::trouble(self.folder.path());
        let mut unreachable = None;
        if let Routers::Running(running) = &self.launch.routers {
            for region in &self.plan.routers {
                let reached = if self.has_lost_a_response() {
                    running.lasts(region, self.launch.waits.still).await
                } else {
                    running.reach(region, Duration::ZERO).await
                };
                unreachable = unreachable.or(reached.err());
            }
        }
        let until_then = self.ask_once_more().await;
        let gone_routers = self.gone.len();
        let mut stopped = std::mem::take(&mut self.gone);
        for router in std::mem::take(&mut self.routers) {
            stopped.push(router.stop(&self.launch.waits).await);
        }
        if stopped.iter().any(|router| !router.facts.stopped) {
            self.recorder.waited(self.launch.waits.stop);
        }
        self.fleet.settle().await;
        let mut owners = Vec::new();
        for path in watched {
            let owner = self.fleet.installation().owner_of(path).await;
            owners.extend(
                owner.map_err(|error| error.to_string())?.map(|owner| (path.clone(), owner)),
            );
        }
        let host = |region| self.router_at(region).ip().to_string();
        let routers: Vec<_> = self.plan.routers.iter().map(host).collect();
        let place = |cell: &RunningCell| {
            let own_host = !routers.contains(&cell.advertised.host);
            InstalledCell { cell: cell.id.clone(), address: cell.advertised.clone(), own_host }
        };
        let cells = self.fleet.cells().iter().map(place).collect();
        let (journal, casting) = (self.fleet.journal().clone(), self.fleet.casting().clone());
        self.fleet.stop().await.map_err(|fault| fault.to_string())?;
        let learning = self.plan.fleet.protocol == Protocol::Learning;
        let deaths = stopped.iter().filter_map(death_of).collect();
        let logs = stopped
            .iter()
            .enumerate()
            .filter(|(index, router)| *index >= gone_routers || router.death.is_some())
            .map(|(_, router)| LogRecord {
                router: router.facts.name.clone(),
                end: router.log.clone(),
            })
            .collect();
        let facts = Trace {
            actions: self.actions,
            default_router: self.plan.default_router().cloned(),
            sessions: self.plan.sessions(),
            users: self.recorder.requests(),
            cells,
            learn_path: learning.then(|| self.plan.settings.learn_path.clone()),
            roles: casting.roles(),
            routers: stopped.into_iter().map(|router| router.facts).collect(),
            owners,
            own_cookies: self.plan.settings.cookie_cache,
            waited_ms: self.recorder.shortest_wait().map(milliseconds),
            ..Trace::default()
        };
        let journal = until_then.unwrap_or_else(|| journal.entries());
        let trace = join(facts, journal, self.began, self.launch.health_check_path.as_deref());
        let trouble = trouble.or_else(|| no_file_left(&trace.users));
        Ok(Cleared { trace, logs, deaths, unreachable, trouble })
    }
}
