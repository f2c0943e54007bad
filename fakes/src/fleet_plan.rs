//! The plan of a fleet: cells, people, protocol, and what a scenario changes.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::database::Stores;
use crate::fault::Fault;
use crate::git::on_disk::Repository;
use crate::plan::{
    IdPlan, LoginBy, Protocol, ReplicationLag, RunnerPlan, Script, SessionPlan, SettingsModel,
    Topology, Version,
};
use crate::population::Population;
use crate::{CellId, Region};

/// Everything that makes a fleet. Change it freely before the fleet starts.
#[derive(Clone, Debug)]
pub struct FleetPlan {
    /// The protocol of all cells.
    pub protocol: Protocol,
    /// The cells, their regions, and which of them is the latest deployment.
    pub topology: Topology,
    /// Users, organizations, namespaces, projects and extra routes.
    pub population: Population,
    /// The cell on which the sign-in page is fixed in learning (A-15: EU0 as drawn, US0 as
    /// written). An installation without it fixes the page on the latest cell.
    pub sign_in_cell: CellId,
    /// Which cell starts the login; `None` is what the protocol's proposal draws.
    pub login_by: Option<LoginBy>,
    /// The cells that do not run the latest version, with their versions.
    pub older: BTreeMap<CellId, Version>,
    /// The databases behind the cells.
    pub stores: Stores,
    /// How the cells draw the ids of new rows.
    pub id_plan: IdPlan,
    /// How runners get jobs.
    pub runner_plan: RunnerPlan,
    /// How admin settings can differ between cells.
    pub settings_model: SettingsModel,
    /// Where the cells keep the sessions of users.
    pub session_plan: SessionPlan,
    /// Lag of the shared databases' replicas.
    pub lag: ReplicationLag,
    /// The only region whose replicas lag; `None` is every region.
    pub lagging: Option<Region>,
    /// How long a write to the shared databases takes from a region without the primary, at least
    /// (RG-04).
    pub write_distance: Duration,
    /// Whether members of an organization can use only the APIs below it (OR-08).
    pub older_apis_closed: bool,
    /// Responses that replace or change the application's responses.
    pub scripts: Vec<Script>,
    /// Cell ids that differ from the region and number (LN-24). Such a cell is never cast.
    pub ids: BTreeMap<CellId, String>,
    /// What goes wrong at the cells. Where several faults apply to one request, those that replace
    /// the response are used one after the other, in this order; the others add up.
    pub faults: Vec<Fault>,
    /// The delay of all responses of a region's cells, as if the region were far away.
    pub latency: BTreeMap<Region, Duration>,
    /// The bytes of memory that the journal may take; then its oldest entries are dropped. `None`
    /// keeps every entry, as a scenario needs it.
    pub journal_bytes: Option<usize>,
    /// Git repositories. `git` must be installed where there are any.
    pub repositories: Vec<Repository>,
    /// The most bytes of a push to one of them.
    pub largest_push: u64,
    /// The hosts under which others reach the cells; a cell that is missing is reached where it
    /// listens. The ports are those on which the cells listen.
    pub advertised: BTreeMap<CellId, String>,
}

impl FleetPlan {
    /// The fleet of the documents: its four cells, its people, everything as drawn.
    ///
    /// ```
    /// use cell_fleet::{CellId, FleetPlan, Protocol};
    /// let plan = FleetPlan::documents(Protocol::Learning);
    /// assert_eq!(plan.sign_in_cell, CellId::eu(0));
    /// ```
    pub fn documents(protocol: Protocol) -> Self {
        Self::new(protocol, Topology::documents(), Population::documents())
    }

    /// A fleet of these cells and people, everything else as drawn.
    pub fn new(protocol: Protocol, topology: Topology, population: Population) -> Self {
        Self {
            protocol,
            id_plan: topology.ids.clone().unwrap_or_default(),
            runner_plan: topology.runners.clone().unwrap_or_default(),
            settings_model: topology.settings.unwrap_or_default(),
            session_plan: topology.sessions.clone().unwrap_or_default(),
            topology,
            population,
            sign_in_cell: CellId::eu(0),
            login_by: None,
            older: BTreeMap::new(),
            stores: Stores::default(),
            lag: ReplicationLag::default(),
            lagging: None,
            write_distance: Duration::ZERO,
            older_apis_closed: false,
            scripts: Vec::new(),
            ids: BTreeMap::new(),
            faults: Vec::new(),
            latency: BTreeMap::new(),
            journal_bytes: None,
            repositories: Vec::new(),
            largest_push: 1 << 30,
            advertised: BTreeMap::new(),
        }
    }

    /// The id of a cell on the wire and in the topology file.
    pub fn id_of(&self, cell: &CellId) -> String {
        self.ids.get(cell).cloned().unwrap_or_else(|| cell.id())
    }

    /// Refuses what would silently have no effect.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        self.id_plan.check(&self.topology)?;
        self.runner_plan.check()?;
        self.session_plan.check()?;
        for repository in &self.repositories {
            self.known("a repository", &repository.cell)?;
            if !repository.has_valid_path() {
                return Err(PlanError(format!(
                    "`{}` is not a valid repository path: write a slash before each segment, use \
                     plain segments, and start with one that is not reserved for the application",
                    repository.path
                )));
            }
        }
        // With both an own id and a cast, a name would mean two cells.
        if let Some((cell, id)) = self.ids.iter().find(|(cell, _)| **cell != self.topology.latest) {
            return Err(PlanError(format!(
                "{cell} cannot have the id `{id}`; only the latest cell can have an own id"
            )));
        }
        self.faults.iter().filter_map(Fault::cell).try_for_each(|it| self.known("a fault", it))?;
        let regions = self.topology.regions();
        let mut late = self.latency.keys().chain(&self.lagging);
        if let Some(region) = late.find(|region| !regions.contains(region)) {
            return Err(PlanError(format!(
                "the delayed region {region} has no cell; name a region of the topology"
            )));
        }
        self.older.keys().try_for_each(|cell| self.known("`older`", cell))
    }

    /// Refuses a cell that the topology does not list.
    fn known(&self, who: &str, cell: &CellId) -> Result<(), PlanError> {
        if self.topology.contains(cell) {
            return Ok(());
        }
        Err(PlanError(format!("{who} names {cell}, which the topology does not list")))
    }
}

/// A plan that contradicts itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(pub String);
