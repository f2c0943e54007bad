//! What was counted, for a file and for pages.

use cell_fleet::CellId;
use serde::{Deserialize, Serialize};

use super::figures::Figures;
use super::flow::{Cache, State};

pub const FLOWS_VERSION: u32 = 3;

/// The costs of all flows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FlowsRecord {
    pub version: u32,
    pub suite: String,
    pub router: String,
    /// The time of a round trip between the regions, in milliseconds.
    pub rtt_ms: f64,
    /// What is counted, in sentences.
    pub unit: Vec<String>,
    /// Why it ended early, if it did; then it has those flows alone whose runs were all made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<String>,
    /// The flows, in the order of the documents.
    pub flows: Vec<FlowRecord>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FlowRecord {
    /// Its id: that of its section in `fixtures/documents.toml`, and which flow of it.
    pub id: String,
    pub title: String,
    pub section: String,
    /// The region of the cell that owns its page; none where any cell may serve it.
    pub owner: Option<String>,
    /// The requests of the user, as the steps of a scenario.
    pub steps: Vec<String>,
    /// The visits that teach the router, as the steps of a scenario.
    pub warm: Vec<String>,
    /// Its states, each in both proposals.
    pub states: Vec<StateRecord>,
}

/// A flow in a state and a proposal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StateRecord {
    pub protocol: String,
    #[serde(flatten)]
    pub state: State,
    pub region: String,
    /// The cell that the router picks in the documents' drawing, if they draw this state.
    pub drawn: Option<String>,
    /// Why there is no such state, if there is none; then it has no runs.
    pub never: Option<String>,
    /// One run for each cell that the router can pick.
    pub runs: Vec<RunRecord>,
    /// The mean over all picks.
    pub expected: Figures,
    /// The worst pick at each request.
    pub worst: Figures,
    /// The expected value in an installation with N cells in each region.
    pub of_cells: OfCells,
}

/// What depends on the number of cells N in a region: `most - less / N`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OfCells {
    /// Where another cell than the owner is picked.
    pub most: Figures,
    /// What it saves that the owner is picked.
    pub less: Figures,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    pub pick: String,
    /// What the user gets in the end.
    pub status: Option<u16>,
    pub total: Figures,
    pub requests: Vec<RequestRecord>,
}

/// A request of the user.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RequestRecord {
    /// `GET /a`.
    pub request: String,
    pub status: Option<u16>,
    pub figures: Figures,
    /// The exchange from which they are counted, in the notation of the features.
    pub exchange: Vec<String>,
}

impl OfCells {
    /// The expected figures with this many cells in a region.
    pub fn at(&self, cells: u16) -> Figures {
        let share = 1.0 / f64::from(cells.max(1));
        self.most.with(self.less, |most, less| most - less * share)
    }
}

impl FlowsRecord {
    pub fn flow(&self, id: &str) -> Option<&FlowRecord> {
        self.flows.iter().find(|flow| flow.id == id)
    }
}

impl FlowRecord {
    /// Whether the user gets a 404 from a stale router that a warm one does not give.
    pub fn is_lost_when_stale(&self) -> bool {
        let gets_404 = |one: &StateRecord| one.ends().contains(&404);
        let stale = self.states.iter().filter(|one| one.state.cache == Cache::Stale);
        let mut lost = stale.filter(|one| gets_404(one));
        lost.any(|one| {
            let warm = State { cache: Cache::Warm, ..one.state };
            self.state(&one.protocol, warm).is_some_and(|warm| !gets_404(warm))
        })
    }

    pub fn state(&self, protocol: &str, state: State) -> Option<&StateRecord> {
        self.states.iter().find(|one| one.protocol == protocol && one.state == state)
    }
}

impl StateRecord {
    pub(super) fn from_runs(
        protocol: &str,
        state: State,
        region: String,
        drawn: Option<CellId>,
        runs: Vec<RunRecord>,
    ) -> Self {
        let all = Figures::sum(runs.iter().map(|run| run.total));
        let expected = all.times(1.0 / runs.len().max(1) as f64);
        let longest = runs.iter().map(|run| run.requests.len()).max().unwrap_or_default();
        // A router picks again for each request.
        let worst = Figures::sum((0..longest).map(|at| {
            let each = runs.iter().filter_map(|run| run.requests.get(at));
            Figures::greatest(each.map(|request| request.figures))
        }));
        Self {
            protocol: protocol.to_owned(),
            state,
            region,
            drawn: drawn.map(|cell| cell.id()),
            never: None,
            of_cells: by_cells(&runs),
            runs,
            expected,
            worst,
        }
    }

    /// The statuses in which it ends, one after the other.
    pub fn ends(&self) -> Vec<u16> {
        let mut ends: Vec<_> = self.runs.iter().filter_map(|run| run.status).collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }
}

/// All further cells of a region are like the one that costs more: they own nothing of the flow.
fn by_cells(runs: &[RunRecord]) -> OfCells {
    let cost = |run: &&RunRecord| run.total.requests + run.total.preflights;
    let by_cost = |one: &&RunRecord, other: &&RunRecord| cost(one).total_cmp(&cost(other));
    let mut most = runs.iter().max_by(by_cost).map(|run| run.total).unwrap_or_default();
    // None of them is Cell US0, which gets only what it gets whoever is picked.
    let at_us0 = runs.iter().map(|run| run.total.at_us0).min_by(f64::total_cmp);
    most.at_us0 = at_us0.unwrap_or_default();
    let all = Figures::sum(runs.iter().map(|run| most.with(run.total, |most, own| most - own)));
    OfCells { most, less: all }
}
