//! The conclusion of a run, drawn from the outcomes of its cases.

use std::fmt;

use super::ExitCode;
use super::claims::{self, Claims, Scope};
use super::profiles::{self, verdict_of};
use super::record::{CaseRecord, ExplorationRecord, RunRecord};
use crate::catalog::Catalog;
use crate::ledger::Profile;
use crate::verdict::Outcome;

/// How a run as a whole ended, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Conclusion {
    /// No requirement of level MUST is violated.
    Conformant,
    /// A shard in which nothing failed: the other shards decide whether the router is conformant.
    /// Or scenarios of one's own of which none failed, or an exploration that found no violation:
    /// they prove no conformance.
    NoFailure,
    /// A requirement of level MUST is violated, or a claim of the router is contradicted.
    NotConformant,
    /// A condition outside the router kept a case from running, or nothing applied to the router.
    Incomplete,
    /// The suite itself is at fault.
    SuiteFault,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conformant => "conformant",
            Self::NoFailure => "no failure",
            Self::NotConformant => "not conformant",
            Self::Incomplete => "incomplete",
            Self::SuiteFault => "suite at fault",
        })
    }
}

impl From<Conclusion> for ExitCode {
    fn from(conclusion: Conclusion) -> Self {
        match conclusion {
            Conclusion::Conformant | Conclusion::NoFailure => Self::Success,
            Conclusion::NotConformant => Self::Failure,
            Conclusion::Incomplete => Self::Incomplete,
            Conclusion::SuiteFault => Self::SuiteFault,
        }
    }
}

impl Conclusion {
    /// Its exit code.
    pub(crate) fn exit_code(self) -> ExitCode {
        self.into()
    }

    /// The conclusion of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Conformant,
            Self::NoFailure,
            Self::NotConformant,
            Self::Incomplete,
            Self::SuiteFault,
        ];
        all.into_iter().find(|conclusion| conclusion.to_string() == name)
    }

    /// Weighs outcomes: the worst decides. A run in which no case applied is incomplete. So is one
    /// that ended early, unless a case failed before: that stays true, whatever was not run.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        Self::worst(outcomes).unwrap_or(Self::Incomplete)
    }

    /// The same for a shard, which never says that the router is conformant. One in which no case
    /// applied, or which is empty, has no failure.
    fn of_shard<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        Self::worst(outcomes).unwrap_or(Self::NoFailure).max(Self::NoFailure)
    }

    /// The worst of all; `None` if no case applied.
    fn worst<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Option<Self> {
        let outcomes: Vec<_> = outcomes.into_iter().collect();
        let ended_early = outcomes.iter().any(|outcome| matches!(outcome, Outcome::NotRun(_)));
        let weight = |outcome: &Outcome| match outcome {
            Outcome::Passed | Outcome::Warned | Outcome::KnownFailure { .. } => {
                Some(Self::Conformant)
            }
            Outcome::NotApplicable(_) | Outcome::NotRun(_) => None,
            Outcome::Failed => Some(Self::NotConformant),
            Outcome::CouldNotRun(_) if ended_early => None,
            Outcome::CouldNotRun(_) => Some(Self::Incomplete),
            Outcome::SuiteError(_) => Some(Self::SuiteFault),
        };
        match outcomes.into_iter().filter_map(weight).max() {
            None | Some(Self::Conformant) if ended_early => Some(Self::Incomplete),
            worst => worst,
        }
    }
}

/// Settles the claims on cases: marks known failures, and returns contradictions of the claims with
/// the conclusion.
fn settle(
    cases: &mut [CaseRecord],
    claims: &Claims,
    scope: Scope<'_>,
) -> (Vec<String>, Conclusion) {
    let complaints = claims::settle(cases, claims, scope);
    // An unreadable outcome is a suite error, not a pass.
    let outcomes: Vec<_> = cases
        .iter()
        .map(|case| Outcome::try_from(&case.outcome).unwrap_or_else(Outcome::SuiteError))
        .collect();
    let conclusion = match scope {
        Scope::Shard => Conclusion::of_shard(&outcomes),
        Scope::Among(_) | Scope::One => Conclusion::of(&outcomes),
    };
    let contradicted = !complaints.is_empty();
    let conclusion =
        if contradicted { conclusion.max(Conclusion::NotConformant) } else { conclusion };
    (complaints, conclusion)
}

impl RunRecord {
    /// Settles the claims of the router and draws the conclusion. No other function concludes a
    /// run. `catalog` is the one that the cases were selected from.
    ///
    /// # Errors
    ///
    /// If the router's claims cannot be read, which happens only to a record that was changed.
    pub(crate) fn conclude(&mut self, catalog: &Catalog) -> Result<(), String> {
        let claims = Claims::recorded(&self.router)?;
        let is_shard = self.run.part.as_ref().is_some_and(|part| part.shard().is_some());
        let scope = match (is_shard, &self.exploration) {
            (true, _) => Scope::Shard,
            // Entries of the router file are about scenarios that an exploration does not run.
            (false, Some(_)) => Scope::One,
            (false, None) => Scope::Among(&catalog.cases),
        };
        self.settle(&claims, scope);
        if !catalog.errors.is_empty() {
            self.set(Conclusion::SuiteFault);
            self.complaints.extend(catalog.errors.iter().map(|fault| fault.message.clone()));
        }
        Ok(())
    }

    /// The same for a case that a test program runs by itself.
    pub(crate) fn conclude_trial(&mut self, claims: &Claims) {
        self.settle(claims, Scope::One);
    }

    fn settle(&mut self, claims: &Claims, scope: Scope<'_>) {
        let (complaints, conclusion) = settle(&mut self.scenarios, claims, scope);
        self.complaints = complaints;
        self.flaky = claims::flaky(&self.scenarios, claims);
        let is_own = self.features.is_some();
        let conclusion = match &self.exploration {
            Some(exploration) if self.complaints.is_empty() => self.explored(exploration),
            _ => conclusion,
        };
        self.set(if is_own { conclusion.max(Conclusion::NoFailure) } else { conclusion });
        let verdict = |profile| {
            let verdict = verdict_of(profile, &self.scenarios, &self.requirements);
            match scope {
                Scope::Shard => profiles::of_part(verdict),
                Scope::Among(_) | Scope::One if is_own => profiles::of_part(verdict),
                Scope::Among(_) | Scope::One => verdict,
            }
        };
        self.profiles = Profile::ALL.into_iter().map(verdict).collect();
    }

    /// The conclusion of an exploration: by the failures that it found, the journeys that passed, and
    /// those that could not be judged. One that was ended early has no conclusion without a failure.
    fn explored(&self, exploration: &ExplorationRecord) -> Conclusion {
        let reason = String::new;
        let outcome = |record| Outcome::try_from(record).unwrap_or_else(Outcome::SuiteError);
        let mut outcomes: Vec<_> =
            self.scenarios.iter().map(|case| outcome(&case.outcome)).collect();
        if exploration.all() > 0 {
            outcomes.push(Outcome::Passed);
        }
        outcomes.extend(exploration.not_judged.iter().map(|some| match some.outcome.as_str() {
            "not applicable" => Outcome::NotApplicable(reason()),
            "could not run" => Outcome::CouldNotRun(reason()),
            _ => Outcome::SuiteError(reason()),
        }));
        if self.incomplete.is_some() {
            outcomes.push(Outcome::NotRun(reason()));
        }
        Conclusion::of(&outcomes)
    }

    fn set(&mut self, conclusion: Conclusion) {
        self.conclusion = conclusion.to_string();
        self.exit_code = conclusion.exit_code().code();
    }

    /// The conclusion. A record with an unknown conclusion was changed, and proves nothing.
    pub(crate) fn concluded(&self) -> Conclusion {
        Conclusion::named(&self.conclusion).unwrap_or(Conclusion::SuiteFault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::record::{EndedBy, IncompleteRecord, NotJudgedRecord};

    #[test]
    fn the_worst_outcome_decides_and_a_run_of_nothing_is_incomplete() {
        let of = |outcomes: &[Outcome]| Conclusion::of(outcomes);
        let not_applicable = || Outcome::NotApplicable(String::new());
        assert_eq!(of(&[]), Conclusion::Incomplete);
        assert_eq!(of(&[not_applicable()]), Conclusion::Incomplete);
        assert_eq!(
            of(&[Outcome::Passed, not_applicable(), Outcome::Warned]),
            Conclusion::Conformant
        );
        assert_eq!(of(&[Outcome::Failed, Outcome::Passed]), Conclusion::NotConformant);
        assert_eq!(
            of(&[
                Outcome::SuiteError(String::new()),
                Outcome::CouldNotRun(String::new()),
                Outcome::Failed
            ]),
            Conclusion::SuiteFault
        );
    }

    #[test]
    fn a_run_that_ended_early_is_never_conformant_and_keeps_its_failures() {
        let not_run = || Outcome::NotRun(String::new());
        let of = |outcome: Outcome| Conclusion::of(&[not_run(), outcome]);
        assert_eq!(Conclusion::of(&[not_run()]), Conclusion::Incomplete);
        assert_eq!(of(Outcome::Passed), Conclusion::Incomplete);
        assert_eq!(of(Outcome::Failed), Conclusion::NotConformant);
        assert_eq!(of(Outcome::SuiteError(String::new())), Conclusion::SuiteFault);
        let could_not = Outcome::CouldNotRun(String::new());
        assert_eq!(of(could_not.clone()), Conclusion::Incomplete);
        assert_eq!(
            Conclusion::of(&[not_run(), could_not, Outcome::Failed]),
            Conclusion::NotConformant
        );
    }

    #[test]
    fn an_exploration_is_never_conformant() {
        let failed = crate::report::sample::report().scenarios.swap_remove(2);
        let with = |journeys: u64, found: bool, not_judged: &[&str], is_ended: bool| {
            let mut record = crate::report::sample::report();
            record.scenarios = if found { vec![failed.clone()] } else { Vec::new() };
            let not_judged = not_judged.iter().map(|outcome| NotJudgedRecord {
                outcome: (*outcome).to_owned(),
                reason: String::new(),
                first: String::new(),
                journeys: 1,
            });
            record.exploration = Some(ExplorationRecord {
                journeys: [("buffering".to_owned(), journeys)].into(),
                not_judged: not_judged.collect(),
                ..ExplorationRecord::default()
            });
            record.features = Some(Default::default());
            record.incomplete = is_ended.then(|| IncompleteRecord {
                ended_by: EndedBy::Interrupt,
                reason: String::new(),
                not_run: 0,
            });
            record.conclude(&Catalog::default()).unwrap();
            record.concluded()
        };
        assert_eq!(with(5, false, &[], false), Conclusion::NoFailure);
        assert_eq!(with(0, false, &[], false), Conclusion::Incomplete);
        assert_eq!(with(5, true, &[], false), Conclusion::NotConformant);
        assert_eq!(with(5, false, &[], true), Conclusion::Incomplete);
        assert_eq!(with(5, true, &[], true), Conclusion::NotConformant);
        assert_eq!(with(5, true, &["could not run"], true), Conclusion::NotConformant);
        assert_eq!(with(5, false, &["could not run"], false), Conclusion::Incomplete);
        assert_eq!(with(5, false, &["not applicable"], false), Conclusion::NoFailure);
        assert_eq!(with(0, false, &["not applicable"], false), Conclusion::Incomplete);
        assert_eq!(with(5, true, &["suite error"], false), Conclusion::SuiteFault);
    }

    #[test]
    fn a_shard_is_never_conformant_by_itself() {
        let of = |outcomes: &[Outcome]| Conclusion::of_shard(outcomes);
        assert_eq!(of(&[]), Conclusion::NoFailure);
        assert_eq!(of(&[Outcome::NotApplicable(String::new())]), Conclusion::NoFailure);
        assert_eq!(of(&[Outcome::Passed, Outcome::Warned]), Conclusion::NoFailure);
        assert_eq!(of(&[Outcome::Passed, Outcome::Failed]), Conclusion::NotConformant);
        assert_eq!(of(&[Outcome::CouldNotRun(String::new())]), Conclusion::Incomplete);
        assert_eq!(Conclusion::NoFailure.exit_code(), ExitCode::Success);
        assert_eq!(Conclusion::named("no failure"), Some(Conclusion::NoFailure));
    }
}
