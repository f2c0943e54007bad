//! The router under test.

use std::path::PathBuf;

use super::claims::Claims;
use super::record::RouterRecord;
use crate::catalog::Case;
use crate::router_file::{Capability, RouterFile};
use crate::stage::{
    Launch, RouterCommand, Routers, RunningRouters, Waits, launch_of, reference_router,
};
use crate::verdict::{Outcome, OutcomeWord};

#[derive(Clone, Debug)]
pub struct Subject {
    pub routers: Routers,
    /// Why it could not be reached before the run, where it runs already.
    pub unreachable: Option<String>,
    pub claims: Claims,
    pub described: RouterRecord,
}

impl Subject {
    pub fn started(command: RouterCommand, claims: Claims, described: RouterRecord) -> Self {
        let described = claims.describe(described);
        let routers = Routers::Started(command);
        Self { routers, unreachable: None, claims, described }
    }

    /// Routers that run already. They are asked now whether they can be reached.
    pub fn running(running: RunningRouters, claims: Claims, described: RouterRecord) -> Self {
        let mut described = claims.describe(described);
        // Without a reset it speaks one protocol, whatever its file claims.
        if running.reset.is_none() && claims.allow(running.protocol) {
            described.protocols = vec![running.protocol];
        }
        let unreachable = running.unreachable();
        Self { routers: Routers::Running(running), unreachable, claims, described }
    }

    /// The reference router, as this program's own subcommand.
    pub fn reference(program: PathBuf) -> Self {
        let described = RouterRecord {
            name: "reference router".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            command: vec!["cells-conformance".to_owned(), "router".to_owned()],
            ..RouterRecord::default()
        };
        let command = reference_router(program);
        Self::started(command, Claims::of_reference(), described)
    }

    /// How the router is launched, with the usual waits.
    pub fn launch(&self, seed: u64) -> Launch {
        let usual = Waits::default();
        let ready = self.claims.start_timeout.unwrap_or(usual.ready);
        Launch {
            waits: Waits { ready, ..usual },
            place: self.claims.place.clone(),
            health_check_path: self.claims.health_check_path.clone(),
            ..launch_of(self.routers.clone(), seed)
        }
    }

    pub fn claims(&self, capability: Capability) -> bool {
        self.claims.capabilities.contains(&capability)
    }

    /// The outcome of a case that cannot be run against this router; `None` if it can be.
    pub fn skips(&self, case: &Case) -> Option<Outcome> {
        if let Some(why) = self.claims.not_applicable(case) {
            return Some(OutcomeWord::NotApplicable.because(why));
        }
        let Routers::Running(running) = &self.routers else { return None };
        if let Some(why) = self.unreachable.as_ref().filter(|_| case.needs().router) {
            return Some(OutcomeWord::CouldNotRun.because(why));
        }
        let not_asked =
            |why: &str| Some(OutcomeWord::NotAsked.because(format!("running router: {why}")));
        if !case.needs().router {
            None
        } else if running.reset.is_none() && running.protocol != case.protocol {
            let protocol = running.protocol.as_str();
            let why = format!("the running router follows the {protocol} protocol");
            Some(OutcomeWord::NotApplicable.because(why))
        } else if case.needs().process {
            not_asked("the suite cannot start and stop it")
        } else if running.reset.is_some() {
            None
        } else if !case.holds_with_any_cache() {
            not_asked("its cache must be empty; `reset` of the router file can see to that")
        } else {
            None
        }
    }

    /// Whether all cases meet the same router processes, so that they cannot run side by side.
    pub fn is_shared(&self) -> bool {
        matches!(self.routers, Routers::Running(_))
    }
}

impl From<&RouterFile> for RouterRecord {
    fn from(file: &RouterFile) -> Self {
        Self {
            name: file.name.clone(),
            version: file.version.clone(),
            url: file.url.clone(),
            contact: file.contact.clone(),
            command: file.command.clone(),
            ..Self::default()
        }
    }
}
