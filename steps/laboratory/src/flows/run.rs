//! Makes all runs, and the record of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use cell_fleet::{CellId, Protocol};

use super::figures::Figures;
use super::flow::{FLOWS, Flow, State, UPLOAD};
use super::play::{Step, Task};
use super::record::{FLOWS_VERSION, FlowRecord, FlowsRecord, RunRecord, StateRecord};
use crate::measurement::NotMeasured;
use conformance_suite::engine::Subject;
use conformance_suite::engine::pool::{self, Progress};
use conformance_suite::stage::Launch;

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
    let keeps = keeps(runs);
    let record = |flow: &'static Flow| {
        let mut states = Vec::new();
        for state in State::all() {
            for protocol in protocols {
                let region = flow.region(state.owner).as_str().to_owned();
                let name = protocol.as_str();
                let own = runs.iter().filter(|(task, _)| {
                    (task.flow.id, task.protocol, task.state) == (flow.id, *protocol, state)
                });
                let kept = keeps.get(&(*protocol, state)).copied();
                let runs = own.map(|(task, steps)| run(task, steps, kept)).collect();
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
    flows.map(record).collect()
}

/// In which states the upload shows that the router keeps a body.
fn keeps(runs: &[(Task, Vec<Step>)]) -> BTreeMap<(Protocol, State), bool> {
    let mut keeps = BTreeMap::new();
    for (task, steps) in runs.iter().filter(|(task, _)| task.flow.id == UPLOAD) {
        let kept = steps.iter().any(|step| step.keeps == Some(true));
        *keeps.entry((task.protocol, task.state)).or_default() |= kept;
    }
    keeps
}

fn run(task: &Task, steps: &[Step], kept: Option<bool>) -> RunRecord {
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
