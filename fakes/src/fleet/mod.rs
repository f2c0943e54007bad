//! A running fleet: from a plan to listening cells, and to their stop.

mod control;
mod start;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

pub use crate::server::OutageError;
pub use control::{Flow, SessionCookie};
pub use start::{Listen, StartError};

use crate::plan::ScriptError;
use crate::rails::moving::Mover;
use crate::rails::parts::{CorrectParts, Parts};
use crate::rails::{Installation, application};
use crate::server::{ActiveFaults, CellError, CellErrors, FlowCounters, Node, Scripts, Servers};
use crate::{Authority, Casting, CellId, FleetPlan, Journal};

/// One cell of a running fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningCell {
    /// The cell, as the topology names it.
    pub id: CellId,
    /// Its id in a router's topology file ([`FleetPlan::id_of`]).
    pub written_id: String,
    /// Where this machine reaches it.
    pub address: SocketAddr,
    /// Where routers reach it.
    pub advertised: Authority,
}

impl RunningCell {
    /// Its URL for routers, as in their topology files: `http://127.0.0.1:22000`.
    pub fn url(&self) -> String {
        format!("http://{}", self.advertised)
    }
}

/// A running fleet. [`stop`](Self::stop) reports whether the cells had errors of their own;
/// dropping the fleet only ends it.
#[derive(Debug)]
pub struct Fleet {
    cells: Vec<RunningCell>,
    journal: Arc<Journal>,
    casting: Arc<Casting>,
    installation: Arc<Installation>,
    /// What moves organizations.
    mover: Arc<dyn Mover>,
    scripts: Arc<Scripts>,
    active_faults: Arc<ActiveFaults>,
    flow: Arc<FlowCounters>,
    servers: Servers,
}

impl Fleet {
    /// Starts the cells of a plan. All cells listen when this returns.
    ///
    /// Their tasks run in the current tokio runtime, which needs its IO and time drivers.
    ///
    /// # Errors
    /// Where the plan contradicts itself, an address cannot be bound, or a store fails. Then no
    /// cell listens.
    pub async fn start(plan: FleetPlan, listen: Listen) -> Result<Self, StartError> {
        Self::start_with(plan, listen, Arc::new(CorrectParts)).await
    }

    /// Starts cells that have these parts in place of the correct ones.
    ///
    /// # Errors
    /// The errors of [`start`](Self::start).
    pub async fn start_with(
        plan: FleetPlan,
        listen: Listen,
        parts: Arc<dyn Parts>,
    ) -> Result<Self, StartError> {
        let plan = parts.plan(plan);
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(StartError::NoRuntime);
        }
        plan.check().map_err(StartError::Plan)?;
        let scripts = Arc::new(scripts_of(&plan).map_err(StartError::Script)?);
        let bound = listen.bind(&plan.topology)?;

        let journal = Arc::new(plan.journal_bytes.map_or_else(Journal::default, Journal::limited));
        let casting = Arc::new(Casting::default());
        let mover = parts.mover();
        plan.population.check(&plan.topology).map_err(StartError::Population)?;
        let installation = Installation::new(&plan, journal.clone(), casting.clone()).await?;
        let errors = Arc::new(CellErrors::default());
        let active_faults =
            Arc::new(ActiveFaults::new(plan.protocol, &plan.faults, plan.latency.clone()));
        let flow = Arc::new(FlowCounters::default());
        let mut servers = Servers::new(errors.clone());
        let cells: Vec<_> = bound
            .iter()
            .map(|(id, address, _)| {
                let address = reachable(*address);
                let mut advertised = Authority::from(address);
                if let Some(host) = plan.advertised.get(id) {
                    advertised.host.clone_from(host);
                }
                RunningCell { id: id.clone(), written_id: plan.id_of(id), address, advertised }
            })
            .collect();
        installation.listen_at(cells.iter().map(|cell| (cell.id.clone(), cell.address)).collect());
        for (index, (id, _, listener)) in bound.into_iter().enumerate() {
            let application = application(installation.clone(), id.clone(), parts.clone());
            let address = cells[index].address;
            let node = Node {
                id: id.clone(),
                advertised: cells[index].advertised.clone(),
                application,
                journal: journal.clone(),
                casting: casting.clone(),
                scripts: scripts.clone(),
                active_faults: active_faults.clone(),
                flow: flow.clone(),
                errors: errors.clone(),
            };
            let served = servers.serve(listener, node);
            served.map_err(|error| StartError::Bind { cell: id, address, error })?;
        }
        Ok(Self {
            cells,
            journal,
            casting,
            installation,
            mover,
            scripts,
            active_faults,
            flow,
            servers,
        })
    }

    /// The cells, in the order of the topology.
    pub fn cells(&self) -> &[RunningCell] {
        &self.cells
    }

    /// A cell, where the topology lists it.
    pub fn cell(&self, id: &CellId) -> Option<&RunningCell> {
        self.cells.iter().find(|cell| cell.id == *id)
    }

    /// The journal of the cells. It outlives the fleet.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// The casting: which cell plays which role.
    pub fn casting(&self) -> &Arc<Casting> {
        &self.casting
    }

    /// What the cells share: databases, sessions and organizations.
    pub fn installation(&self) -> &Arc<Installation> {
        &self.installation
    }

    /// Releases everything that scripts and faults hold
    /// ([`ScriptedAction::Hold`](crate::ScriptedAction::Hold), second halves of responses, bodies
    /// that are not read), and holds nothing from now on.
    pub fn release_held(&self) {
        self.scripts.release();
        self.active_faults.release();
    }

    /// Releases the responses that scripts hold for one path, to requests and to pre-flights, and
    /// holds none of that path from now on.
    pub fn release_held_of(&self, path: &str) {
        self.scripts.release_path(path);
    }

    /// Waits until the cells have read everything that the operating system has already received
    /// for them. After a router has exited, the journal then has everything that it ever sent.
    /// (This is certain with a runtime of one thread, whose turns can be counted, and very likely
    /// with more threads.)
    pub async fn settle(&self) {
        self.servers.settle().await;
    }

    /// The cells' own errors so far, and those of the stores behind them.
    pub fn errors(&self) -> Vec<CellError> {
        let mut errors = self.servers.errors();
        errors.extend(self.journal.store_failures().into_iter().map(CellError::Store));
        errors
    }

    /// Ends the fleet: the cells read what has already reached them, finish the responses that are
    /// being sent (for a quarter of a second at most), and close.
    ///
    /// # Errors
    /// Where a cell had an error of its own at any time since the start. A trace of such a
    /// fleet proves nothing.
    pub async fn stop(self) -> Result<(), FleetError> {
        self.scripts.release();
        self.active_faults.stop();
        let mut errors = self.servers.stop().await;
        errors.extend(self.journal.store_failures().into_iter().map(CellError::Store));
        if errors.is_empty() { Ok(()) } else { Err(FleetError { errors }) }
    }
}

/// Where this machine reaches a listener: one on all addresses by the loopback address.
fn reachable(listens: SocketAddr) -> SocketAddr {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listens.port())
}

fn scripts_of(plan: &FleetPlan) -> Result<Scripts, ScriptError> {
    for (index, script) in plan.scripts.iter().enumerate() {
        if let Some(cell) = script.cell.as_ref().filter(|cell| !plan.topology.contains(cell)) {
            let problem = format!("it is for {cell}, which the topology does not list");
            return Err(ScriptError { index, path: script.path.clone(), problem });
        }
    }
    Scripts::new(plan.protocol, &plan.scripts)
}

/// Errors of the fleet itself, for which no router is responsible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FleetError {
    /// All errors, at least one, in the order in which they were noticed.
    pub errors: Vec<CellError>,
}

impl fmt::Display for FleetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fleet itself failed")?;
        self.errors.iter().enumerate().try_for_each(|(index, error)| {
            write!(f, "{} {error}", if index == 0 { ":" } else { ";" })
        })
    }
}

impl std::error::Error for FleetError {}
