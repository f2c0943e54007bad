//! What the When steps of a scenario share.

use crate::stage::Stage;

/// The stage on which When steps act, and why they could not go on.
#[derive(Debug)]
pub struct World {
    stage: Stage,
    /// Number of the When step in progress, counted from 0.
    step: usize,
    interruption: Option<String>,
    refusal: Option<String>,
}

impl World {
    /// A world on a stage that has been started.
    pub(crate) fn new(stage: Stage) -> Self {
        Self { stage, step: 0, interruption: None, refusal: None }
    }

    /// Begins the When step with this number, counted from 0.
    pub(crate) fn begin(&mut self, number: usize) {
        self.step = number;
    }

    /// The step does not fit the scenario, which is at fault, not the router.
    pub fn refuse(&mut self, why: impl Into<String>) {
        self.refusal.get_or_insert(why.into());
    }

    /// Why a step does not fit the scenario.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// The When steps cannot go on, because of what the router did.
    pub fn interrupt(&mut self, why: impl Into<String>) {
        self.interruption.get_or_insert(why.into());
    }

    /// Why the When steps could not go on.
    pub fn interruption(&self) -> Option<&str> {
        self.interruption.as_deref()
    }

    /// The stage.
    pub fn stage(&mut self) -> &mut Stage {
        &mut self.stage
    }

    /// Number of the When step in progress.
    pub fn step(&self) -> usize {
        self.step
    }

    /// The stage, and why the When steps could not go on.
    pub(crate) fn end(self) -> (Stage, Option<String>) {
        (self.stage, self.interruption)
    }
}
