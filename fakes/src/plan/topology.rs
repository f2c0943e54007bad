//! The cells of a fleet, read from a topology file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::{CellId, IdPlan, Region, RunnerPlan, SessionPlan, SettingsModel, UnknownSpelling};

/// The file also documents the format.
const DOCUMENTS: &str = include_str!("../../fixtures/topologies/documents.toml");

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
    fn plan(self) -> Result<SessionPlan, String> {
        let mut plan = SessionPlan::of(self.model.parse().map_err(within("sessions.model"))?);
        plan.token_life = self.token_life_s.map_or(plan.token_life, Duration::from_secs);
        plan.revocation_list = self.revocation_list.unwrap_or(plan.revocation_list);
        plan.check().map_err(within("[sessions]"))?;
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
    fn plan(self) -> Result<IdPlan, String> {
        let mut plan = IdPlan::of(self.strategy.parse().map_err(within("ids.strategy"))?);
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
    fn plan(self) -> Result<RunnerPlan, String> {
        let mut plan = RunnerPlan::of(self.model.parse().map_err(within("runners.model"))?);
        plan.group_and_project = self.group_and_project.unwrap_or(plan.group_and_project);
        plan.lease = self.lease_seconds.map_or(plan.lease, Duration::from_secs);
        plan.check().map_err(within("[runners]"))?;
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
    fn model(self) -> Result<SettingsModel, String> {
        self.model.parse().map_err(within("settings.model"))
    }
}

impl Topology {
    /// The four cells of the documents: US0, US1, EU0 and EU1.
    pub fn documents() -> Self {
        Self::parse(DOCUMENTS, "an embedded topology").expect("the embedded topology is tested")
    }

    /// Reads a topology file.
    ///
    /// # Errors
    /// Where the file cannot be read or does not describe an installation.
    pub fn read(path: &Path) -> Result<Self, TopologyError> {
        let origin = path.display().to_string();
        let text = crate::input::read_input(path, crate::input::WRITTEN_BY_PEOPLE);
        let text = text.map_err(|error| TopologyError {
            problem: format!("it could not be read: {error}; check the path and its permissions"),
            origin: origin.clone(),
        });
        Self::parse(&text?, &origin)
    }

    /// Reads the text of a topology file; `origin` names it in errors.
    ///
    /// # Errors
    /// Where the text does not describe an installation.
    pub fn parse(text: &str, origin: &str) -> Result<Self, TopologyError> {
        let file: Result<TopologyFile, _> = toml::from_str(text);
        let file = file.map_err(|error| {
            format!(
                "{error}; it needs the members `cells`, `latest` and `primary_region`, and may \
                 have `[ids]`, `[runners]`, `[settings]` and `[sessions]`"
            )
        });
        let checked = file.and_then(TopologyFile::check);
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
    fn check(self) -> Result<Topology, String> {
        let mut cells = Vec::new();
        for (index, text) in self.cells.iter().enumerate() {
            let cell = cell_at(&format!("cells[{index}]"), text)?;
            if cells.contains(&cell) {
                return Err(format!(
                    "`cells[{index}]` lists {cell} a second time; remove one of the two"
                ));
            }
            cells.push(cell);
        }
        if cells.is_empty() {
            return Err("`cells` is empty; list at least one cell, such as `cell_us0`".to_owned());
        }
        let latest = cell_at("latest", &self.latest)?;
        if !cells.contains(&latest) {
            return Err(format!(
                "`latest` names {latest}, which `cells` does not list; add it there, or name \
                 another"
            ));
        }
        let primary_region: Region = self.primary_region.parse().map_err(|_| {
            format!(
                "`primary_region` is `{}`; write a region in up to eight letters, such as `us`",
                self.primary_region
            )
        })?;
        if !cells.iter().any(|cell| *cell.region() == primary_region) {
            return Err(format!(
                "`primary_region` is {primary_region}, which has no cell in `cells`; name a region \
                 that has one"
            ));
        }
        let ids = self.ids.map(IdsEntry::plan).transpose()?;
        let runners = self.runners.map(RunnersEntry::plan).transpose()?;
        let settings = self.settings.map(SettingsEntry::model).transpose()?;
        let sessions = self.sessions.map(SessionsEntry::plan).transpose()?;
        let topology = Topology { cells, latest, primary_region, ids, runners, settings, sessions };
        if let Some(plan) = &topology.ids {
            plan.check(&topology).map_err(within("[ids]"))?;
        }
        Ok(topology)
    }
}

fn cell_at(member: &str, text: &str) -> Result<CellId, String> {
    let cell: Result<_, UnknownSpelling> = text.parse();
    cell.map_err(within(member))
}

/// Says in which part of the file something is wrong.
fn within<E: Display>(part: &str) -> impl Fn(E) -> String {
    move |problem| format!("in `{part}`, {problem}")
}

/// An invalid topology file: the file, what is wrong with it, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("the topology `{origin}` cannot be used: {problem}")]
pub struct TopologyError {
    /// The file.
    pub origin: String,
    /// What is wrong with it.
    pub problem: String,
}

#[cfg(test)]
mod tests;
