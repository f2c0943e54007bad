//! A running fleet: from a plan to listening cells, and back to nothing.

mod control;
mod disturb;
mod start;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

pub use crate::server::DoorError;
pub use control::SessionCookie;
pub use disturb::Flow;
pub use start::{Listen, StartError};

use crate::fault::ActiveFaults;
use crate::mutants::Mutation;
use crate::plan::FleetPlan;
use crate::rails::{Installation, application};
use crate::script::{ScriptError, ScriptProblem};
use crate::server::{CellFault, Faults, FlowCounters, Node, Scripts, Servers};
use crate::{Casting, CellId, Journal};

/// One cell of a running fleet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningCell {
    /// The cell, as the topology names it.
    pub id: CellId,
    /// Its id as routers are told it ([`FleetPlan::id_of`]).
    pub written_id: String,
    /// Where it listens.
    pub address: SocketAddr,
}

impl RunningCell {
    /// `http://127.0.0.1:22000`, as in a router's topology file.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// A running fleet. [`stop`](Self::stop) it to learn whether the cells themselves were sound;
/// dropping it only ends it.
#[derive(Debug)]
pub struct Fleet {
    cells: Vec<RunningCell>,
    journal: Arc<Journal>,
    casting: Arc<Casting>,
    installation: Arc<Installation>,
    scripts: Arc<Scripts>,
    active_faults: Arc<ActiveFaults>,
    flow: Arc<FlowCounters>,
    servers: Servers,
}

impl Fleet {
    /// Starts the cells of a plan. All of them listen when this returns.
    ///
    /// They are served by tasks of the current tokio runtime, which needs its IO and time drivers.
    ///
    /// # Errors
    /// Where the plan contradicts itself, an address cannot be bound, or a store fails; then nothing
    /// listens.
    pub async fn start(plan: FleetPlan, listen: Listen) -> Result<Self, StartError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(StartError::NoRuntime);
        }
        plan.check().map_err(StartError::Plan)?;
        let scripts = Arc::new(scripts_of(&plan).map_err(StartError::Script)?);
        let bound = listen.bind(&plan.topology)?;

        let (journal, casting) = (Arc::new(Journal::default()), Arc::new(Casting::default()));
        let installation = Installation::new(&plan, journal.clone(), casting.clone()).await?;
        let faults = Arc::new(Faults::default());
        let active_faults =
            Arc::new(ActiveFaults::new(plan.protocol, &plan.faults, plan.latency.clone()));
        let flow = Arc::new(FlowCounters::default());
        let mut servers = Servers::new(faults.clone());
        let addresses = bound.iter().map(|(id, listener)| {
            let address = listener
                .local_addr()
                .map_err(|error| StartError::NoAddress { cell: id.clone(), error })?;
            Ok(RunningCell { id: id.clone(), written_id: plan.id_of(id), address })
        });
        let cells: Vec<_> = addresses.collect::<Result<_, StartError>>()?;
        for (place, (id, listener)) in bound.into_iter().enumerate() {
            let neighbour = neighbour(&plan, &cells, place);
            let application = application(installation.clone(), id.clone());
            let address = cells[place].address;
            let (journal, casting, scripts, faults) =
                (journal.clone(), casting.clone(), scripts.clone(), faults.clone());
            let (active_faults, flow, cell) = (active_faults.clone(), flow.clone(), id.clone());
            let node = Node {
                id,
                address,
                application,
                journal,
                casting,
                scripts,
                active_faults,
                flow,
                faults,
                neighbour,
            };
            servers.serve(listener, node).map_err(|error| StartError::Bind {
                cell,
                address,
                error,
            })?;
        }
        Ok(Self { cells, journal, casting, installation, scripts, active_faults, flow, servers })
    }

    /// The cells, in the order of the topology.
    pub fn cells(&self) -> &[RunningCell] {
        &self.cells
    }

    /// One cell, where the topology has it.
    pub fn cell(&self, id: &CellId) -> Option<&RunningCell> {
        self.cells.iter().find(|cell| cell.id == *id)
    }

    /// What the cells saw; it outlives the fleet.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// Which cell plays which role.
    pub fn casting(&self) -> &Arc<Casting> {
        &self.casting
    }

    /// What the cells share: databases, sessions, organizations.
    pub fn installation(&self) -> &Arc<Installation> {
        &self.installation
    }

    /// Lets all go that scripts and faults hold back ([`Act::Hold`](crate::Act::Hold), second
    /// halves of responses, bodies that are not read), and holds nothing from now on.
    pub fn release_held(&self) {
        self.scripts.release();
        self.active_faults.release();
    }

    /// Lets the cells take in everything that the system has already received for them. Once a
    /// router is gone, everything that it ever sent stands in the journal after this. (That needs a
    /// runtime of one thread, whose turns can be counted; with more it is only very likely.)
    pub async fn settle(&self) {
        self.servers.settle().await;
    }

    /// What went wrong in the cells so far.
    pub fn faults(&self) -> Vec<CellFault> {
        let mut faults = self.servers.faults();
        faults.extend(self.journal.store_failures().into_iter().map(CellFault::Store));
        faults
    }

    /// Ends the fleet: the cells take in what has already reached them, finish the responses that
    /// are under way (a quarter of a second at most), and close.
    ///
    /// # Errors
    /// Where a cell proved broken at any time since the start: a trace of such a fleet proves
    /// nothing.
    pub async fn stop(self) -> Result<(), FleetFault> {
        self.scripts.release();
        self.active_faults.stop();
        let mut faults = self.servers.stop().await;
        faults.extend(self.journal.store_failures().into_iter().map(CellFault::Store));
        if faults.is_empty() { Ok(()) } else { Err(FleetFault { faults }) }
    }
}

/// The cell that a broken one asks for a part of each page.
fn neighbour(plan: &FleetPlan, cells: &[RunningCell], place: usize) -> Option<SocketAddr> {
    let asks = plan.mutant.is_some_and(|mutant| mutant.is(Mutation::AsksANeighbour, plan.protocol));
    (asks && cells.len() > 1).then(|| cells[(place + 1) % cells.len()].address)
}

fn scripts_of(plan: &FleetPlan) -> Result<Scripts, ScriptError> {
    for (index, script) in plan.scripts.iter().enumerate() {
        if let Some(cell) = script.cell.as_ref().filter(|cell| !plan.topology.contains(cell)) {
            let problem = ScriptProblem::UnknownCell(cell.clone());
            return Err(ScriptError { index, path: script.path.clone(), problem });
        }
    }
    Scripts::new(plan.protocol, &plan.scripts)
}

/// The fleet itself proved broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FleetFault {
    /// Everything that went wrong, at least one thing, in the order in which it came to light.
    pub faults: Vec<CellFault>,
}

impl fmt::Display for FleetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fleet itself is broken")?;
        self.faults.iter().enumerate().try_for_each(|(index, fault)| {
            write!(f, "{} {fault}", if index == 0 { ":" } else { ";" })
        })
    }
}

impl std::error::Error for FleetFault {}
