//! A case whose steps are found and read. Whatever runs, judges or describes a case reads this.

use std::fmt;

use super::Case;
use crate::action::{Action, Needs};
use crate::ledger::RequirementId;
use crate::plan::ScenarioPlan;
use crate::steps::{self, BoundStep, Check, NotFound, Role};

/// A case that is ready to run: its steps in the order in which they run, each with its position in
/// the case's steps.
pub(crate) struct BoundCase {
    pub(crate) plan: ScenarioPlan,
    pub(crate) actions: Vec<(usize, Action)>,
    pub(crate) checks: Vec<BoundCheck>,
    /// The requirement that a step about a router's process proves: a router that does not become
    /// ready violates it.
    pub(crate) starts: Option<RequirementId>,
    pub(super) needs: Needs,
    /// The paths whose owners, at the end of the scenario, the trace has to name.
    pub(crate) watched_paths: Vec<String>,
}

/// A Then step that is ready to judge.
pub(crate) struct BoundCheck {
    pub(crate) step: usize,
    pub(crate) proves: RequirementId,
    pub(crate) check: Box<Check>,
}

impl BoundCase {
    /// Finds all steps of a case, reads their arguments and fills the plan. The error names every
    /// step that is not defined or cannot be read, or else the first one that does not fit the
    /// plan.
    pub(super) fn of(case: &Case) -> Result<Self, String> {
        let mut bound = Self {
            plan: ScenarioPlan::documents(case.protocol),
            actions: Vec::new(),
            checks: Vec::new(),
            starts: None,
            needs: Needs::NONE,
            watched_paths: Vec::new(),
        };
        let (mut errors, mut misfit) = (Vec::new(), None);
        for step in 0..case.steps.len() {
            match bound.add(case, step) {
                Ok(Ok(())) => {}
                Ok(Err(why)) => misfit = misfit.or_else(|| Some(case.at_step(step, &why))),
                Err(why) => errors.push(why),
            }
        }
        match misfit {
            _ if !errors.is_empty() => Err(errors.join("\n")),
            Some(why) => Err(why),
            None => Ok(bound),
        }
    }

    /// Adds a step. The inner error says why it does not fit the plan.
    fn add(&mut self, case: &Case, step: usize) -> Result<Result<(), String>, String> {
        let found =
            steps::find(&case.steps[step]).map_err(|error| undefined(case, step, &error))?;
        let (needs, is_process_life) =
            (found.meaning.needed(), found.meaning.is(Role::ProcessLife));
        self.needs = self.needs | needs;
        if found.meaning.is(Role::Ownership) {
            self.watched_paths.extend(found.quoted);
        }
        match found.meaning.bound().map_err(|why| case.at_step(step, &why))? {
            BoundStep::Condition(change) => return Ok(change(&mut self.plan)),
            BoundStep::Action(action) => self.actions.push((step, action)),
            BoundStep::Check(check) => {
                let proves = found.cites.ok_or_else(|| {
                    case.at_step(step, "a Then step ends with what it proves, like ` (BF-03)`")
                })?;
                if is_process_life {
                    self.starts.get_or_insert_with(|| proves.clone());
                }
                self.checks.push(BoundCheck { step, proves, check });
            }
        }
        Ok(Ok(()))
    }
}

impl fmt::Debug for BoundCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundCase").field("actions", &self.actions).finish_non_exhaustive()
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

    use crate::catalog::Catalog;

    #[test]
    fn every_step_of_every_feature_is_defined_once() {
        let catalog = Catalog::embedded();
        assert_eq!(catalog.errors, []);
        assert!(!catalog.cases.is_empty());
        let errors: BTreeSet<_> =
            catalog.cases.iter().filter_map(|case| case.bound().err()).collect();
        assert!(errors.is_empty(), "{}", errors.into_iter().collect::<Vec<_>>().join("\n"));
    }
}
