//! The cells of a fleet, read from a topology file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::{
    CellId, IdPlan, IdPlanError, Region, RunnerPlan, RunnerPlanError, SessionPlan,
    SessionPlanError, SettingsModel, UnknownSpelling,
};

/// The named topologies, embedded. The files also document the format.
const DOCUMENTS: &str = include_str!("../../fixtures/topologies/documents.toml");
const THREE_EU_CELLS: &str = include_str!("../../fixtures/topologies/three-eu-cells.toml");
const SINGLE_CELL: &str = include_str!("../../fixtures/topologies/single-cell.toml");

/// The cells of one installation.
///
/// ```
/// use cell_fleet::{CellId, Region, Topology};
/// let topology = Topology::documents();
/// assert_eq!(topology.latest, CellId::us(0));
/// assert_eq!(topology.cells_of(&Region::eu()).count(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topology {
    /// All cells, in the order of the file, each once.
    pub cells: Vec<CellId>,
    /// The cell that runs the latest deployment and receives unknown routes (UN-01, UN-06).
    pub latest: CellId,
    /// The region of the shared databases' primaries (DB-02).
    pub primary_region: Region,
    /// How ids are drawn, where the file says so.
    pub ids: Option<IdPlan>,
    /// How runners get jobs, where the file says so.
    pub runners: Option<RunnerPlan>,
    /// How settings can differ between cells, where the file says so.
    pub settings: Option<SettingsModel>,
    /// How sessions are kept, where the file says so.
    pub sessions: Option<SessionPlan>,
}

/// A topology file, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopologyFile {
    cells: Vec<String>,
    latest: String,
    primary_region: String,
    ids: Option<IdsEntry>,
    runners: Option<RunnersEntry>,
    settings: Option<SettingsEntry>,
    sessions: Option<SessionsEntry>,
}

/// The table `[sessions]`, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionsEntry {
    model: String,
    token_life_s: Option<u64>,
    revocation_list: Option<bool>,
}

impl SessionsEntry {
    fn plan(self) -> Result<SessionPlan, TopologyProblem> {
        let mut plan = SessionPlan::of(self.model.parse().map_err(TopologyProblem::SessionModel)?);
        plan.token_life = self.token_life_s.map_or(plan.token_life, Duration::from_secs);
        plan.revocation_list = self.revocation_list.unwrap_or(plan.revocation_list);
        plan.check().map_err(TopologyProblem::Sessions)?;
        Ok(plan)
    }
}

/// The table `[ids]`, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IdsEntry {
    strategy: String,
    range_size: Option<u64>,
    #[serde(default)]
    cell_numbers: BTreeMap<String, u64>,
}

impl IdsEntry {
    fn plan(self) -> Result<IdPlan, TopologyProblem> {
        let mut plan = IdPlan::of(self.strategy.parse().map_err(TopologyProblem::Strategy)?);
        plan.range_size = self.range_size.unwrap_or(plan.range_size);
        for (cell, number) in self.cell_numbers {
            plan.cell_numbers.insert(cell_at("ids.cell_numbers", &cell)?, number);
        }
        Ok(plan)
    }
}

/// The table `[runners]`, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunnersEntry {
    model: String,
    group_and_project: Option<bool>,
    lease_seconds: Option<u64>,
}

impl RunnersEntry {
    fn plan(self) -> Result<RunnerPlan, TopologyProblem> {
        let mut plan = RunnerPlan::of(self.model.parse().map_err(TopologyProblem::RunnerModel)?);
        plan.group_and_project = self.group_and_project.unwrap_or(plan.group_and_project);
        plan.lease = self.lease_seconds.map_or(plan.lease, Duration::from_secs);
        plan.check().map_err(TopologyProblem::Runners)?;
        Ok(plan)
    }
}

/// The table `[settings]`, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsEntry {
    model: String,
}

impl SettingsEntry {
    fn model(self) -> Result<SettingsModel, TopologyProblem> {
        self.model.parse().map_err(TopologyProblem::SettingsModel)
    }
}

impl Topology {
    /// The four cells of the documents: US0, US1, EU0 and EU1.
    pub fn documents() -> Self {
        Self::embedded(DOCUMENTS)
    }

    /// The documents' cells and EU2. With three cells in a region, a router fails that sends
    /// requests to "the other cell" instead of the cell that is named.
    pub fn three_eu_cells() -> Self {
        Self::embedded(THREE_EU_CELLS)
    }

    /// US0 alone: an installation before it is split.
    pub fn single_cell() -> Self {
        Self::embedded(SINGLE_CELL)
    }

    fn embedded(text: &str) -> Self {
        Self::parse(text, "an embedded topology").expect("the embedded topologies are tested")
    }

    /// Reads a topology file.
    ///
    /// # Errors
    /// Where the file cannot be read or does not describe an installation.
    pub fn read(path: &Path) -> Result<Self, TopologyError> {
        let origin = path.display().to_string();
        let unreadable = |error| TopologyError {
            origin: origin.clone(),
            problem: TopologyProblem::Unreadable(error),
        };
        let text = crate::input::read_input(path, crate::input::WRITTEN_BY_PEOPLE);
        Self::parse(&text.map_err(unreadable)?, &origin)
    }

    /// Reads the text of a topology file; `origin` names it in errors.
    ///
    /// # Errors
    /// Where the text does not describe an installation.
    pub fn parse(text: &str, origin: &str) -> Result<Self, TopologyError> {
        let file: Result<TopologyFile, _> = toml::from_str(text);
        let checked = file.map_err(TopologyProblem::Syntax).and_then(TopologyFile::check);
        checked.map_err(|problem| TopologyError { origin: origin.to_owned(), problem })
    }

    /// The cells of a region, in the order of the file.
    pub fn cells_of(&self, region: &Region) -> impl Iterator<Item = &CellId> {
        self.cells.iter().filter(move |cell| cell.region() == region)
    }

    /// All regions that have a cell.
    pub fn regions(&self) -> BTreeSet<Region> {
        self.cells.iter().map(|cell| cell.region().clone()).collect()
    }

    /// Whether the topology lists this cell.
    pub fn contains(&self, cell: &CellId) -> bool {
        self.cells.contains(cell)
    }

    /// The cell itself, or the latest in an installation that does not have it.
    pub fn present(&self, cell: &CellId) -> CellId {
        if self.contains(cell) { cell.clone() } else { self.latest.clone() }
    }
}

impl TopologyFile {
    fn check(self) -> Result<Topology, TopologyProblem> {
        let mut cells = Vec::new();
        for (index, text) in self.cells.iter().enumerate() {
            let cell = cell_at(&format!("cells[{index}]"), text)?;
            if cells.contains(&cell) {
                return Err(TopologyProblem::Duplicate { cell, index });
            }
            cells.push(cell);
        }
        if cells.is_empty() {
            return Err(TopologyProblem::NoCells);
        }
        let latest = cell_at("latest", &self.latest)?;
        if !cells.contains(&latest) {
            return Err(TopologyProblem::LatestNotAmongThem(latest));
        }
        let primary_region = self
            .primary_region
            .parse()
            .map_err(|_| TopologyProblem::NoRegion(self.primary_region))?;
        if !cells.iter().any(|cell| *cell.region() == primary_region) {
            return Err(TopologyProblem::EmptyPrimaryRegion(primary_region));
        }
        let ids = self.ids.map(IdsEntry::plan).transpose()?;
        let runners = self.runners.map(RunnersEntry::plan).transpose()?;
        let settings = self.settings.map(SettingsEntry::model).transpose()?;
        let sessions = self.sessions.map(SessionsEntry::plan).transpose()?;
        let topology = Topology { cells, latest, primary_region, ids, runners, settings, sessions };
        if let Some(plan) = &topology.ids {
            plan.check(&topology).map_err(TopologyProblem::Ids)?;
        }
        Ok(topology)
    }
}

fn cell_at(member: &str, text: &str) -> Result<CellId, TopologyProblem> {
    text.parse().map_err(|spelling| TopologyProblem::NoCell { member: member.to_owned(), spelling })
}

/// An invalid topology file: the file, what is wrong with it, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("the topology `{origin}` cannot be used: {problem}")]
pub struct TopologyError {
    /// The file.
    pub origin: String,
    /// What is wrong with it.
    #[source]
    pub problem: TopologyProblem,
}

/// What can be wrong with a topology file.
#[derive(Debug, thiserror::Error)]
pub enum TopologyProblem {
    /// The file could not be read.
    #[error("it could not be read: {0}; check the path and its permissions")]
    Unreadable(#[source] std::io::Error),
    /// Not valid TOML, or a member is missing, unknown or of the wrong type.
    #[error(
        "{0}; it needs the members `cells`, `latest` and `primary_region`, and may have `[ids]`, \
         `[runners]`, `[settings]` and `[sessions]`"
    )]
    Syntax(#[source] toml::de::Error),
    /// A member does not name a cell.
    #[error("in `{member}`, {spelling}")]
    NoCell {
        /// The member, with its index where it is a list.
        member: String,
        /// Its text.
        #[source]
        spelling: UnknownSpelling,
    },
    /// The list of cells is empty.
    #[error("`cells` is empty; list at least one cell, such as `cell_us0`")]
    NoCells,
    /// A cell is listed twice, perhaps in two spellings.
    #[error("`cells[{index}]` lists {cell} a second time; remove one of the two")]
    Duplicate {
        cell: CellId,
        /// The index of the second entry, counted from 0.
        index: usize,
    },
    /// `latest` is a cell that is not listed.
    #[error("`latest` names {0}, which `cells` does not list; add it there, or name another")]
    LatestNotAmongThem(CellId),
    /// `primary_region` is not a valid region.
    #[error("`primary_region` is `{0}`; write a region in up to eight letters, such as `us`")]
    NoRegion(String),
    /// The primary region has no cell.
    #[error("`primary_region` is {0}, which has no cell in `cells`; name a region that has one")]
    EmptyPrimaryRegion(Region),
    /// `ids.strategy` is none of the strategies.
    #[error("in `ids.strategy`, {0}")]
    Strategy(String),
    /// `runners.model` is none of the models.
    #[error("in `runners.model`, {0}")]
    RunnerModel(String),
    /// No runner can follow `[runners]`.
    #[error("in `[runners]`, {0}")]
    Runners(RunnerPlanError),
    /// `settings.model` is none of the models.
    #[error("in `settings.model`, {0}")]
    SettingsModel(String),
    /// No allocator of ids can follow `[ids]`.
    #[error("in `[ids]`, {0}")]
    Ids(IdPlanError),
    /// `sessions.model` is none of the ways to keep sessions.
    #[error("in `sessions.model`, {0}")]
    SessionModel(String),
    /// No cell can keep sessions by `[sessions]`.
    #[error("in `[sessions]`, {0}")]
    Sessions(SessionPlanError),
}

#[cfg(test)]
mod tests;
