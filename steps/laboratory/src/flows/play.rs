//! Runs a flow once, with the cell that the router picks made certain.

use std::sync::Arc;

use cell_fleet::{CellId, Protocol};

use super::figures::{figures, hops, keeps};
use super::flow::{Cache, Flow, State};
use super::record::RequestRecord;
use crate::measurement::NotMeasured;
use crate::scenario;
use conformance_suite::catalog::Case;
use conformance_suite::ledger::Ledger;
use conformance_suite::run::{JobSlot, run};
use conformance_suite::stage::Launch;
use conformance_suite::trace::{Content, Trace, UserRequest};
use conformance_suite::verdict::{OutcomeWord, Verdict};

/// One run to make.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) flow: &'static Flow,
    pub(crate) protocol: Protocol,
    pub(crate) state: State,
    /// The cell that the router picks whenever it picks one.
    pub(crate) pick: CellId,
    /// How many cells each region has: 2, or 3.
    pub(crate) cells: u16,
}

/// A request of the user in a run, and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Step {
    /// What is recorded of it; of its body, only how much of it the router kept is open.
    pub(crate) request: RequestRecord,
    /// Whether the router kept the body, where the run shows it.
    pub(crate) keeps: Option<bool>,
    pub(crate) body: u64,
}

impl Task {
    pub(crate) fn name(&self) -> String {
        let Self { flow, protocol, state, pick, .. } = self;
        let protocol = protocol.as_str();
        format!("{} in {protocol}, {}, owner {}, {pick}", flow.id, state.cache, state.owner)
    }

    pub(crate) fn play(
        &self,
        launch: &Launch,
        slot: &Arc<JobSlot>,
    ) -> Result<Vec<Step>, NotMeasured> {
        let case = self.case()?;
        let launch = Launch { picked: Some(self.pick.clone()), ..launch.clone() };
        let verdict = run(&case, &launch, Ledger::embedded(), slot);
        self.played(&verdict)
    }

    fn case(&self) -> Result<Case, String> {
        scenario::case("flow.feature", &self.flow.feature(self.protocol, self.state, self.cells))
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
