//! A case whose steps are found and read, before anything starts.

use crate::action::Action;
use crate::catalog::Case;
use crate::ledger::RequirementId;
use crate::steps::{self, BoundStep, Check, NotFound, PlanChange, Role};

/// A case that is ready to run: its steps in the order in which they run, each with its position in
/// the case's steps.
#[derive(Default)]
pub(super) struct ReadyCase {
    /// What fills the plan.
    pub(super) conditions: Vec<(usize, Box<PlanChange>)>,
    /// What happens on the stage.
    pub(super) actions: Vec<(usize, Action)>,
    /// What judges the trace.
    pub(super) checks: Vec<ReadyCheck>,
    /// The requirement that a step about a router's process proves: a router that does not become
    /// ready violates it.
    pub(super) starts: Option<RequirementId>,
}

/// A Then step that is ready to judge.
pub(super) struct ReadyCheck {
    /// Its position in the case's steps.
    pub(super) step: usize,
    /// The requirement that it proves.
    pub(super) proves: RequirementId,
    pub(super) check: Box<Check>,
}

impl ReadyCase {
    /// Finds all steps of a case and reads their arguments.
    ///
    /// # Errors
    ///
    /// Names every step that is not defined or cannot be read.
    pub(super) fn of(case: &Case) -> Result<Self, String> {
        let mut ready = Self::default();
        let errors: Vec<_> =
            (0..case.steps.len()).filter_map(|step| ready.add(case, step).err()).collect();
        if errors.is_empty() { Ok(ready) } else { Err(errors.join("\n")) }
    }

    fn add(&mut self, case: &Case, step: usize) -> Result<(), String> {
        let found =
            steps::find(&case.steps[step]).map_err(|error| undefined(case, step, &error))?;
        let is_process_life = found.meaning.is(Role::ProcessLife);
        match found.meaning.bound().map_err(|why| case.at_step(step, &why))? {
            BoundStep::Condition(change) => self.conditions.push((step, change)),
            BoundStep::Action(action) => self.actions.push((step, action)),
            BoundStep::Check(check) => {
                let proves = found.cites.ok_or_else(|| {
                    case.at_step(step, "a Then step ends with what it proves, like ` (BF-03)`")
                })?;
                if is_process_life {
                    self.starts.get_or_insert_with(|| proves.clone());
                }
                self.checks.push(ReadyCheck { step, proves, check });
            }
        }
        Ok(())
    }
}

fn undefined(case: &Case, step: usize, error: &NotFound) -> String {
    let text = case.step_text(step);
    match error {
        NotFound::Undefined => format!("{}: no step is defined for `{text}`", case.location),
        NotFound::Ambiguous(expressions) => {
            format!("{}: `{text}` fits several steps: {}", case.location, expressions.join(" and "))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn every_step_of_every_feature_is_defined_once() {
        let catalog = Catalog::embedded();
        assert_eq!(catalog.errors, []);
        assert!(!catalog.cases.is_empty());
        let errors: BTreeSet<_> =
            catalog.cases.iter().filter_map(|case| ReadyCase::of(case).err()).collect();
        assert!(errors.is_empty(), "{}", errors.into_iter().collect::<Vec<_>>().join("\n"));
    }
}
