//! Makes all runs, each with the cell that the router picks made certain, and the record of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use cell_fleet::{CellId, Protocol};

use super::figures::{Figures, figures, hops, keeps};
use super::flow::{Cache, FLOWS, Flow, State, UPLOAD};
use super::record::{
    FLOWS_VERSION, FlowRecord, FlowsRecord, RequestRecord, RunRecord, StateRecord,
};
use crate::measurement::NotMeasured;
use crate::scenario;
use conformance_suite::engine::Subject;
use conformance_suite::engine::pool::{self, Progress};
use conformance_suite::ledger::Ledger;
use conformance_suite::run::{self, JobSlot};
use conformance_suite::stage::Launch;
use conformance_suite::trace::{Content, Trace, UserRequest};
use conformance_suite::verdict::{OutcomeWord, Verdict};

#[derive(Debug)]
pub struct FlowsPlan<'a> {
    pub subject: &'a Subject,
    pub launch: &'a Launch,
    pub protocols: &'a [Protocol],
    pub rtt: Duration,
    /// Which flows, by their ids; all if none. How much of a body is kept, the upload shows.
    pub only: &'a [&'a str],
    /// How many cells each region has: 2, or 3.
    pub cells: u16,
    pub jobs: usize,
}

/// What the page says of the figures.
const UNIT: [&str; 7] = [
    "A request at a cell reads one session, with its user, and one route; a pre-flight reads one \
     route. A request without a session reads none of the first two, and a path that stands in no \
     table, such as `/dashboard`, needs no route. What else a page shows (its organization, \
     settings) is read in addition, in both proposals alike.",
    "Reads and writes are those of shared databases. At home is what is in the region of the cell \
     that reads or writes: replicas are read there, and the primaries are in the US.",
    "A crossing is a round trip between the regions for which the user waits: a request at a cell \
     abroad, or an access of a cell to a database abroad. Crossings follow each other, so the time \
     that they add is their number times the round trip. Connections are kept, and the user is \
     next to the router.",
    "A body counts as kept where the router sent it to a second cell, or sent nothing of it before \
     it had all. Where a run cannot show that, the upload at the end shows it for the same state.",
    "A session is written to a store that all regions share and whose primary is in the US. That is \
     this fleet's choice (A-110), and so is the crossing of a sign-in in Europe: with a store in each \
     region there is none.",
    "Cold is a router that knows nothing. Warm is one that has seen the places of the flow before. \
     An entry of learning that has expired costs what a missing one costs (LN-13), so cold is \
     expired as well. Stale is a warm router after the organization has moved to another cell of \
     its region.",
    "Each state is run once for each cell that the router can pick. The first figure is the mean \
     over the picks, the one in parentheses the worst pick at each request. In the column for N \
     cells, N is how many cells each region has.",
];

impl FlowsPlan<'_> {
    /// Makes all runs. `progress` hears how many of how many are done. Where the launch is stopped,
    /// the record has the flows whose runs were all made.
    pub fn count(
        &self,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<FlowsRecord, NotMeasured> {
        let tasks = self.tasks();
        let stop = &self.launch.stop;
        let mut done = 0;
        let played = pool::run(
            self.jobs,
            &tasks,
            |task: &Task, slot| task.play(self.launch, slot),
            |told| {
                let Progress::Finished(_, result) = told else { return ControlFlow::Continue(()) };
                if stop.reason().is_some() {
                    return ControlFlow::Break(());
                }
                done += 1;
                progress(done, tasks.len());
                match result {
                    Ok(Ok(_)) => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            },
        );
        // The first that failed is why others were not made, or were not let go on after their start.
        let mut runs = Vec::new();
        let (mut not_made, mut failed) = (None, None);
        let mut partial = BTreeSet::new();
        for (task, result) in tasks.into_iter().zip(played) {
            if !matches!(result, Ok(Ok(_))) {
                partial.insert(task.flow.id);
            }
            match result {
                Ok(Ok(steps)) => runs.push((task, steps)),
                Ok(Err(why)) => {
                    let explains = !matches!(why, NotMeasured::Prevented(_));
                    if failed.is_none()
                        || explains && matches!(failed, Some(NotMeasured::Prevented(_)))
                    {
                        failed = Some(why);
                    }
                }
                Err(why) => not_made = not_made.or(Some(format!("{}: {why}", task.name()))),
            }
        }
        let stopped = stop.reason();
        match (failed, not_made, stopped) {
            // What the end cut short is no fault.
            (Some(NotMeasured::Prevented(_)) | None, _, Some(reason)) => {
                if self.flows().all(|flow| partial.contains(flow.id)) {
                    return Err(NotMeasured::Stopped(reason));
                }
            }
            (Some(why), ..) => return Err(why),
            (None, Some(why), None) => return Err(NotMeasured::Suite(why)),
            (None, None, None) => {}
        }
        let whole = self.flows().filter(|flow| !partial.contains(flow.id));
        Ok(FlowsRecord {
            version: FLOWS_VERSION,
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            router: self.subject.described.name.clone(),
            rtt_ms: self.rtt.as_secs_f64() * 1e3,
            unit: UNIT.map(str::to_owned).to_vec(),
            ended_early: stopped.map(|reason| reason.to_string()),
            flows: flows(whole, self.protocols, &runs),
        })
    }

    fn flows(&self) -> impl Iterator<Item = &'static Flow> {
        FLOWS.iter().filter(|flow| self.only.is_empty() || self.only.contains(&flow.id))
    }

    /// All runs. Uploads come first: in buffering they wait.
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for flow in self.flows() {
            for protocol in self.protocols.iter().copied() {
                for state in State::all().filter(|state| flow.never(*state).is_none()) {
                    let region = flow.region(state.owner);
                    tasks.extend((0..self.cells).map(|number| {
                        let pick = CellId::new(region.clone(), number);
                        Task { flow, protocol, state, pick, cells: self.cells }
                    }));
                }
            }
        }
        tasks.sort_by_key(|task| task.flow.id != UPLOAD);
        tasks
    }
}

/// The records of some flows from their runs.
fn flows(
    flows: impl Iterator<Item = &'static Flow>,
    protocols: &[Protocol],
    runs: &[(Task, Vec<Step>)],
) -> Vec<FlowRecord> {
    let kept = where_kept(runs);
    let of_flow = |flow: &'static Flow| {
        let mut states = Vec::new();
        for state in State::all() {
            for protocol in protocols {
                let region = flow.region(state.owner).as_str().to_owned();
                let name = protocol.as_str();
                let own = runs.iter().filter(|(task, _)| {
                    (task.flow.id, task.protocol, task.state) == (flow.id, *protocol, state)
                });
                let kept = kept.get(&(*protocol, state)).copied();
                let runs = own.map(|(task, steps)| record(task, steps, kept)).collect();
                let never = flow.never(state).map(str::to_owned);
                let drawn = flow.drawn_pick(state);
                let made = StateRecord::from_runs(name, state, region, drawn, runs);
                states.push(StateRecord { never, ..made });
            }
        }
        let words = |steps: &[&str]| steps.iter().map(|step| (*step).to_owned()).collect();
        FlowRecord {
            id: flow.id.to_owned(),
            title: flow.title.to_owned(),
            section: flow.section().to_owned(),
            owner: flow.owner().map(|region| region.as_str().to_uppercase()),
            steps: words(flow.steps),
            warm: words(flow.warm),
            states,
        }
    };
    flows.map(of_flow).collect()
}

/// In which states the upload shows that the router keeps a body.
fn where_kept(runs: &[(Task, Vec<Step>)]) -> BTreeMap<(Protocol, State), bool> {
    let mut keeps = BTreeMap::new();
    for (task, steps) in runs.iter().filter(|(task, _)| task.flow.id == UPLOAD) {
        let kept = steps.iter().any(|step| step.keeps == Some(true));
        *keeps.entry((task.protocol, task.state)).or_default() |= kept;
    }
    keeps
}

fn record(task: &Task, steps: &[Step], kept: Option<bool>) -> RunRecord {
    let request = |step: &Step| {
        let mut request = step.request.clone();
        if step.keeps.or(kept) == Some(true) {
            request.figures.kept_bytes = step.body as f64;
        }
        request
    };
    let requests: Vec<_> = steps.iter().map(request).collect();
    RunRecord {
        pick: task.pick.id(),
        status: requests.last().and_then(|request| request.status),
        total: Figures::sum(requests.iter().map(|request| request.figures)),
        requests,
    }
}

#[derive(Clone, Debug)]
struct Task {
    flow: &'static Flow,
    protocol: Protocol,
    state: State,
    /// The cell that the router picks whenever it picks one.
    pick: CellId,
    /// How many cells each region has: 2, or 3.
    cells: u16,
}

/// A request of the user in a run, and what came of it.
#[derive(Clone, PartialEq, Debug)]
struct Step {
    /// What is recorded of it; of its body, only how much of it the router kept is open.
    request: RequestRecord,
    /// Whether the router kept the body, where the run shows it.
    keeps: Option<bool>,
    body: u64,
}

impl Task {
    fn name(&self) -> String {
        let Self { flow, protocol, state, pick, .. } = self;
        let protocol = protocol.as_str();
        format!("{} in {protocol}, {}, owner {}, {pick}", flow.id, state.cache, state.owner)
    }

    fn play(&self, launch: &Launch, slot: &Arc<JobSlot>) -> Result<Vec<Step>, NotMeasured> {
        let feature = self.flow.feature(self.protocol, self.state, self.cells);
        let case = scenario::case("flow.feature", &feature)?;
        let launch = Launch { picked: Some(self.pick.clone()), ..launch.clone() };
        let verdict = run::run(&case, &launch, Ledger::embedded(), slot);
        self.played(&verdict)
    }

    fn played(&self, verdict: &Verdict) -> Result<Vec<Step>, NotMeasured> {
        let why = |what: &str| format!("{}: {what}", self.name());
        let reason = verdict.outcome.reason();
        match verdict.outcome.word {
            OutcomeWord::Passed | OutcomeWord::Warned => {}
            OutcomeWord::SuiteError => return Err(NotMeasured::Suite(why(reason))),
            OutcomeWord::Failed => {
                let found = verdict.findings.iter().map(|finding| finding.message.as_str());
                let found = found.collect::<Vec<_>>().join("; ");
                return Err(NotMeasured::Router(why(&found)));
            }
            OutcomeWord::CouldNotRun | OutcomeWord::NotRun | OutcomeWord::NotAsked => {
                return Err(NotMeasured::Prevented(why(reason)));
            }
            OutcomeWord::NotApplicable => return Err(NotMeasured::NotFollowed(why(reason))),
            OutcomeWord::KnownFailure => return Err(NotMeasured::Router(why(reason))),
        }
        let trace = verdict.trace.as_deref().ok_or_else(|| why("the run left no trace"))?;
        // A router that knows nothing has to pick.
        if let (Cache::Cold, Some((user, _))) = (self.state.cache, trace.acted().next()) {
            let asked = hops(trace, user).next().map(|hop| &hop.node);
            if asked != Some(&self.pick) {
                let asked = asked.map_or_else(|| "no cell".to_owned(), CellId::id);
                return Err(NotMeasured::Router(why(&format!(
                    "it asked {asked} first, though {} is the only cell of its region",
                    self.pick
                ))));
            }
        }
        let mut steps: Vec<_> =
            trace.acted().map(|(user, request)| step(trace, user, request)).collect();
        // Requests follow each other, so the lines of one stand together.
        let lines = verdict.exchanges.first().map(|(_, exchange)| exchange);
        let mut at = None;
        for (line, content) in lines.iter().flat_map(|it| it.observed.iter().zip(&it.shown)) {
            if let Content::Sent(_) = content {
                at = Some(at.map_or(0, |at| at + 1));
            }
            if let Some(step) = at.and_then(|at| steps.get_mut(at)) {
                step.request.exchange.push(line.clone());
            }
        }
        Ok(steps)
    }
}

fn step(trace: &Trace, user: usize, request: &UserRequest) -> Step {
    let got = request.response.as_ref().and_then(|response| response.got.as_ref().ok());
    let record = RequestRecord {
        request: format!("{} {}", request.method, request.target),
        status: got.map(|got| got.status),
        figures: figures(trace, user, request),
        exchange: Vec::new(),
    };
    let keeps = keeps(trace, user, request);
    Step { request: record, keeps, body: request.body.length }
}
