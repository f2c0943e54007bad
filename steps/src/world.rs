//! The world of the steps: a plan, then a stage, then a trace.

use std::sync::Arc;

use cell_fleet::Protocol;

use crate::exchange::Comparison;
use crate::ledger::RequirementId;
use crate::plan::ScenarioPlan;
use crate::stage::{Launch, Stage, StageError};
use crate::trace::{Recorder, Trace};
use crate::verdict::Finding;

/// What the steps of a scenario share.
#[derive(Debug, cucumber::World)]
#[world(init = Self::unlaunched)]
pub struct World {
    part: Part,
    launch: Option<Launch>,
    recorder: Arc<Recorder>,
    /// Number of the When step in progress, counted from 0.
    step: usize,
    /// What the Then step in progress proves, and its text.
    citing: Option<(RequirementId, String)>,
    findings: Vec<Finding>,
    exchanges: Vec<(String, Comparison)>,
    fault: Option<StageError>,
    /// Why the When steps could not go on.
    interruption: Option<String>,
    /// Why a step cannot be taken as it is written.
    refusal: Option<String>,
}

#[derive(Debug)]
enum Part {
    Planning(Box<ScenarioPlan>),
    Acting(Box<Stage>),
    Judging(Arc<Trace>),
    /// Between two parts, or after a fault.
    Empty,
}

impl World {
    /// A world for a scenario under a protocol.
    pub fn new(protocol: Protocol, launch: Launch, recorder: Arc<Recorder>) -> Self {
        let part = Part::Planning(Box::new(ScenarioPlan::documents(protocol)));
        Self { part, launch: Some(launch), recorder, ..Self::unlaunched() }
    }

    /// What cucumber's own runner would begin with. The suite has an executor of its own.
    fn unlaunched() -> Self {
        Self {
            part: Part::Empty,
            launch: None,
            recorder: Arc::default(),
            step: 0,
            citing: None,
            findings: Vec::new(),
            exchanges: Vec::new(),
            fault: None,
            interruption: None,
            refusal: None,
        }
    }

    /// The plan, for a Given step.
    ///
    /// # Panics
    ///
    /// Where a Given step comes after a When step, which the catalog refuses.
    pub fn plan(&mut self) -> &mut ScenarioPlan {
        match &mut self.part {
            Part::Planning(plan) => plan,
            Part::Acting(_) | Part::Judging(_) | Part::Empty => {
                panic!("a Given step after the first When step")
            }
        }
    }

    /// Changes the plan as a Given step says; where the step cannot be taken as it is written, the
    /// scenario is at fault, not the router.
    pub fn given(&mut self, change: impl FnOnce(&mut ScenarioPlan) -> Result<(), String>) {
        if let Err(why) = change(self.plan()) {
            self.refuse(why);
        }
    }

    /// A step cannot be taken as it is written.
    pub fn refuse(&mut self, why: impl Into<String>) {
        self.refusal.get_or_insert(why.into());
    }

    /// Why a step could not be taken, if that happened.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// A When step could not go on, because of what the router did.
    pub fn interrupt(&mut self, why: impl Into<String>) {
        self.interruption.get_or_insert(why.into());
    }

    /// Why the When steps could not go on, if that happened.
    pub fn interruption(&self) -> Option<&str> {
        self.interruption.as_deref()
    }

    /// The stage, for a When step; it is set when the first one asks for it. Nothing where it could
    /// not be set: the scenario is then interrupted.
    pub async fn stage(&mut self) -> Option<&mut Stage> {
        if let Part::Planning(_) = self.part {
            let Part::Planning(plan) = std::mem::replace(&mut self.part, Part::Empty) else {
                return None;
            };
            let launch = self.launch.take()?;
            match Stage::set(*plan, launch, self.recorder.clone()).await {
                Ok(stage) => self.part = Part::Acting(Box::new(stage)),
                Err(fault) => {
                    self.interrupt(fault.to_string());
                    self.fault = Some(fault);
                }
            }
        }
        match &mut self.part {
            Part::Acting(stage) => Some(stage),
            Part::Planning(_) | Part::Judging(_) | Part::Empty => None,
        }
    }

    /// Number of the When step in progress.
    pub fn step(&self) -> usize {
        self.step
    }

    /// The trace, for a Then step.
    ///
    /// # Panics
    ///
    /// Where a Then step comes before the stage was cleared, which the executor does not do.
    pub fn trace(&self) -> &Trace {
        match &self.part {
            Part::Judging(trace) => trace,
            Part::Planning(_) | Part::Acting(_) | Part::Empty => {
                panic!("a Then step before the trace was made")
            }
        }
    }

    /// Enters what a Then step found: nothing where `proof` holds.
    pub fn prove(&mut self, proof: Result<(), String>) {
        if let Err(message) = proof {
            self.enter(None, message, None);
        }
    }

    /// Enters the outcome of a comparison of exchanges.
    pub fn prove_exchange(&mut self, comparison: Comparison) {
        let step = self.citing.as_ref().map(|(_, step)| step.clone()).unwrap_or_default();
        self.exchanges.push((step, comparison.clone()));
        for choice in &comparison.choices {
            let marked = Comparison { divergence: Some(choice.clone()), ..comparison.clone() };
            self.enter(choice.requirement.clone(), choice.why.clone(), Some(marked));
        }
        if let Some(divergence) = &comparison.divergence {
            let (requirement, message) = (divergence.requirement.clone(), divergence.why.clone());
            self.enter(requirement, message, Some(comparison));
        }
    }

    fn enter(
        &mut self,
        requirement: Option<RequirementId>,
        message: String,
        comparison: Option<Comparison>,
    ) {
        if let Some((cited, step)) = &self.citing {
            let requirement = requirement.unwrap_or_else(|| cited.clone());
            self.findings.push(Finding { requirement, step: step.clone(), message, comparison });
        }
    }

    pub(crate) fn begin_when(&mut self, number: usize) {
        self.step = number;
    }

    pub(crate) fn begin_then(&mut self, requirement: RequirementId, text: String) {
        self.citing = Some((requirement, text));
    }

    /// Ends the acting part: stops the router and the fleet and makes the trace, with the owners of
    /// the watched paths. Responses with the routers' logs.
    pub(crate) async fn judge(
        &mut self,
        watched: &[String],
    ) -> Result<Vec<(String, String)>, StageError> {
        // A scenario without a When step has an empty trace of a stage that was set all the same.
        let _ = self.stage().await;
        match std::mem::replace(&mut self.part, Part::Empty) {
            Part::Acting(stage) => {
                let (trace, logs) = stage.clear(watched).await.map_err(StageError::Suite)?;
                self.part = Part::Judging(Arc::new(trace));
                Ok(logs)
            }
            Part::Planning(_) | Part::Judging(_) | Part::Empty => Err(self
                .fault
                .take()
                .unwrap_or_else(|| StageError::Suite("the stage was never set".to_owned()))),
        }
    }

    /// A world in which everything has happened already: only Then steps can follow.
    pub(crate) fn judging(trace: Trace) -> Self {
        Self { part: Part::Judging(Arc::new(trace)), ..Self::unlaunched() }
    }

    /// What is left of the scenario.
    pub(crate) fn into_evidence(self) -> Evidence {
        let trace = match self.part {
            Part::Judging(trace) => Some(trace),
            Part::Planning(_) | Part::Acting(_) | Part::Empty => None,
        };
        Evidence { findings: self.findings, exchanges: self.exchanges, trace }
    }
}

/// What a scenario leaves for its verdict.
#[derive(Debug)]
pub(crate) struct Evidence {
    /// What Then steps found violated.
    pub(crate) findings: Vec<Finding>,
    /// The exchanges that were compared, with the steps that draw them.
    pub(crate) exchanges: Vec<(String, Comparison)>,
    /// What happened; nothing where it was never judged.
    pub(crate) trace: Option<Arc<Trace>>,
}
