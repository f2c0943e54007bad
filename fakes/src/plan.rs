//! What a fleet is to be before it starts: cells, people, protocol, and what a scenario changes.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::database::Stores;
use crate::fault::Fault;
use crate::ids::IdStrategy;
use crate::mutants::CellMutant;
use crate::population::Population;
use crate::rails::{is_plain_segment, is_reserved};
use crate::script::Script;
use crate::{CellId, Region, Topology};

/// Which of the two proposals the cells follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Protocol {
    /// Cells response 302 with the redirect header for what they do not own.
    Buffering,
    /// Cells response the learn endpoint, and 404 for what they do not own.
    Learning,
}

impl Protocol {
    /// `buffering` or `learning`, as in a topology file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Buffering => "buffering",
            Self::Learning => "learning",
        }
    }
}

/// Who turns a signed-out visit to a private place to the sign-in page (BF-15, A-43).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoginBy {
    /// Whichever cell is asked: as the buffering proposal draws it.
    AskedCell,
    /// The owner of the place: as the routes-learning proposal draws it.
    Owner,
}

/// A version of the Rails application; a higher number is a later deployment (UN-02).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version(pub u32);

impl Version {
    /// What cells run that have not been upgraded yet.
    pub const OLDER: Self = Self(1);
    /// The latest deployment.
    pub const LATEST: Self = Self(2);
}

/// How far the replicas of the shared databases are behind the primary (DB-06).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReplicationLag {
    /// A write can be read everywhere at once.
    #[default]
    None,
    /// A write can be read from a replica this long after it was made.
    For(Duration),
    /// Replicas stand still until they are released.
    UntilReleased,
}

/// A git repository that a cell serves over HTTP, to be read and written by anybody.
///
/// What lies under its path belongs to its cell in both protocols, as places do (BF-02, LN-08).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repository {
    /// Where it is found on the installation: `/my-company/my-project.git`.
    pub path: String,
    /// The cell that has it, as the documents name it.
    pub cell: CellId,
    /// The bare repository.
    pub folder: PathBuf,
}

impl Repository {
    /// Whether a place can have this path: plain segments, and none of the application's own words.
    fn is_a_place(&self) -> bool {
        let plain =
            self.path.strip_prefix('/').is_some_and(|path| path.split('/').all(is_plain_segment));
        plain && !is_reserved(&self.path)
    }
}

/// Everything that makes a fleet, to be changed freely before it starts.
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
    /// The cell on which organizations of new customers are placed; in an installation without it,
    /// the latest cell.
    pub sign_up_cell: CellId,
    /// Who starts the login; `None` is what the protocol's proposal draws.
    pub login_by: Option<LoginBy>,
    /// Cells that do not run the latest version.
    pub older: BTreeMap<CellId, Version>,
    /// The databases behind the cells.
    pub stores: Stores,
    /// How the cells draw the ids of new rows.
    pub id_strategy: IdStrategy,
    /// Lag of the shared databases' replicas.
    pub lag: ReplicationLag,
    /// The only region whose replicas are behind; `None` is every region.
    pub lagging: Option<Region>,
    /// How long a write to the shared databases is under way from a region that has not the primary
    /// (RG-04).
    pub write_distance: Duration,
    /// Whether members of an organization have only the APIs below it (OR-08).
    pub older_apis_closed: bool,
    /// Responses that replace or change what the application would respond.
    pub scripts: Vec<Script>,
    /// Ids of cells that are others than region and number make (LN-24). Such a cell is never cast.
    pub ids: BTreeMap<CellId, String>,
    /// What goes wrong at the cells. Of several faults that are about one request, those that take
    /// the place of the response go one after the other, in this order; the others add up.
    pub faults: Vec<Fault>,
    /// By how much all responses of a region's cells are late, as if it were far away.
    pub latency: BTreeMap<Region, Duration>,
    /// Git repositories. `git` must be installed where there are any.
    pub repositories: Vec<Repository>,
    /// The mistake that all cells make; `None` for sound cells.
    pub mutant: Option<&'static CellMutant>,
}

impl FleetPlan {
    /// The fleet of the documents: its four cells, its people, everything as drawn.
    ///
    /// ```
    /// use cell_fleet::{CellId, FleetPlan, Protocol};
    /// let plan = FleetPlan::documents(Protocol::Learning);
    /// assert_eq!(plan.sign_in_cell, CellId::eu(0));
    /// assert_eq!(plan.sign_up_cell, CellId::us(1));
    /// ```
    pub fn documents(protocol: Protocol) -> Self {
        Self::new(protocol, Topology::documents(), Population::documents())
    }

    /// A fleet of these cells and people, everything else as drawn.
    pub fn new(protocol: Protocol, topology: Topology, population: Population) -> Self {
        Self {
            protocol,
            topology,
            population,
            sign_in_cell: CellId::eu(0),
            sign_up_cell: CellId::us(1),
            login_by: None,
            older: BTreeMap::new(),
            stores: Stores::default(),
            id_strategy: IdStrategy::default(),
            lag: ReplicationLag::default(),
            lagging: None,
            write_distance: Duration::ZERO,
            older_apis_closed: false,
            scripts: Vec::new(),
            ids: BTreeMap::new(),
            faults: Vec::new(),
            latency: BTreeMap::new(),
            repositories: Vec::new(),
            mutant: None,
        }
    }

    /// The id of a cell on the wire and in the topology file.
    pub fn id_of(&self, cell: &CellId) -> String {
        self.ids.get(cell).cloned().unwrap_or_else(|| cell.id())
    }

    /// Checks what would otherwise silently have no effect.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        for repository in &self.repositories {
            if !self.topology.contains(&repository.cell) {
                return Err(PlanError::UnknownRepositoryCell(repository.cell.clone()));
            }
            if !repository.is_a_place() {
                return Err(PlanError::RepositoryPath(repository.path.clone()));
            }
        }
        if let Some((cell, id)) = self.ids.iter().find(|(cell, _)| **cell != self.topology.latest) {
            return Err(PlanError::OtherId(cell.clone(), id.clone()));
        }
        if let Some(cell) =
            self.faults.iter().filter_map(Fault::cell).find(|cell| !self.topology.contains(cell))
        {
            return Err(PlanError::UnknownFaultyCell(cell.clone()));
        }
        if let Some(region) =
            self.latency.keys().find(|region| self.topology.cells_of(region).next().is_none())
        {
            return Err(PlanError::UnknownLateRegion(region.clone()));
        }
        if let Some(region) =
            self.lagging.iter().find(|region| self.topology.cells_of(region).next().is_none())
        {
            return Err(PlanError::UnknownLateRegion(region.clone()));
        }
        match self.older.keys().find(|cell| !self.topology.contains(cell)) {
            Some(cell) => Err(PlanError::UnknownOlderCell(cell.clone())),
            None => Ok(()),
        }
    }
}

/// A plan that contradicts itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanError {
    /// `older` names a cell that the topology does not list.
    UnknownOlderCell(CellId),
    /// A fault is about a cell that the topology does not list.
    UnknownFaultyCell(CellId),
    /// `latency` or `lagging` names a region without cells.
    UnknownLateRegion(Region),
    /// A repository is to be on a cell that the topology does not list.
    UnknownRepositoryCell(CellId),
    /// A cell that may be cast is to have another id: the two would mix up which cell a name means.
    OtherId(CellId, String),
    /// No place can have the path of this repository.
    RepositoryPath(String),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOlderCell(cell) => {
                write!(f, "`older` names {cell}, which the topology does not list")
            }
            Self::UnknownFaultyCell(cell) => {
                write!(f, "a fault is about {cell}, which the topology does not list")
            }
            Self::UnknownLateRegion(region) => {
                write!(f, "the region {region} is to be late, and no cell stands there")
            }
            Self::UnknownRepositoryCell(cell) => {
                write!(f, "a repository is to be on {cell}, which the topology does not list")
            }
            Self::OtherId(cell, id) => {
                write!(f, "{cell} is to have the id `{id}`; the latest cell alone can have another")
            }
            Self::RepositoryPath(path) => write!(
                f,
                "`{path}` is no path of a repository: plain segments, a slash before each, no word of the application's own first"
            ),
        }
    }
}

impl std::error::Error for PlanError {}
