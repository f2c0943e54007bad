//! The conclusion of a run, drawn from the outcomes of its cases.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::claims::{self, Claims, Scope};
use super::profiles::{self, verdict_of};
use super::record::{CaseRecord, ExplorationRecord, RunRecord};
use super::{ExitCode, known};
use crate::catalog::Catalog;
use crate::engine::counted;
use crate::ledger::Profile;
use crate::verdict::{Outcome, OutcomeWord};

/// How a run as a whole ended, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Conclusion {
    /// No requirement of level MUST is violated.
    Conformant,
    /// Requirements of level MUST are violated in this many scenarios, and the router file lists
    /// all of these as known failures.
    ConformantBut(usize),
    /// Nothing failed, but that proves no conformance. It is a shard, and the other shards decide
    /// whether the router is conformant; or a run of scenarios of one's own; or an exploration that
    /// found no violation.
    NoFailure,
    /// A measurement shows that what the router holds grows in proportion to what it did. No MUST
    /// says how much it may hold.
    OutOfProportion,
    /// A requirement of level MUST is violated, a claim of the router is contradicted, or its known
    /// failures are too much.
    NotConformant,
    /// A condition outside the router kept a case from running, nothing applied to the router, or
    /// no case asked it anything.
    Incomplete,
    /// The suite itself is at fault.
    SuiteFault,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conformant => "conformant",
            Self::ConformantBut(known) => return write!(f, "{}", conformant_but(*known)),
            Self::NoFailure => "no failure",
            Self::OutOfProportion => "out of proportion",
            Self::NotConformant => "not conformant",
            Self::Incomplete => "incomplete",
            Self::SuiteFault => "suite at fault",
        })
    }
}

/// The beginning of the words for a router that is conformant but for known failures.
const BUT: &str = "conformant but for ";

/// The words for a router, or one of its profiles, with so many known failures.
pub(super) fn conformant_but(known: usize) -> String {
    format!("{BUT}{}", counted(known, "known failure"))
}

/// Whether words say that nothing but known failures is wrong, also those of earlier reports, which
/// gave no number.
pub(crate) fn is_conformant_but(words: &str) -> bool {
    words.starts_with(BUT)
}

impl From<Conclusion> for String {
    fn from(conclusion: Conclusion) -> Self {
        conclusion.to_string()
    }
}

impl TryFrom<String> for Conclusion {
    type Error = String;

    fn try_from(words: String) -> Result<Self, String> {
        Self::named(&words).ok_or_else(|| format!("`{words}` is not a conclusion"))
    }
}

impl From<Conclusion> for ExitCode {
    fn from(conclusion: Conclusion) -> Self {
        match conclusion {
            Conclusion::Conformant | Conclusion::ConformantBut(_) | Conclusion::NoFailure => {
                Self::Success
            }
            Conclusion::OutOfProportion => Self::OutOfProportion,
            Conclusion::NotConformant => Self::Failure,
            Conclusion::Incomplete => Self::Incomplete,
            Conclusion::SuiteFault => Self::SuiteFault,
        }
    }
}

impl Conclusion {
    /// Its exit code.
    pub fn exit_code(self) -> ExitCode {
        self.into()
    }

    /// The conclusion of this name.
    fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Conformant,
            Self::NoFailure,
            Self::NotConformant,
            Self::Incomplete,
            Self::SuiteFault,
        ];
        let number = || name.strip_prefix(BUT)?.split(' ').next()?.parse().ok();
        let known = number().map(Self::ConformantBut);
        all.into_iter().chain(known).find(|conclusion| conclusion.to_string() == name)
    }

    /// Whether nothing is wrong that is not known.
    pub fn is_good(self) -> bool {
        self.exit_code() == ExitCode::Success
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
        let is_known = |outcome: &&&Outcome| matches!(outcome, Outcome::KnownFailure { .. });
        let known = outcomes.iter().filter(is_known).count();
        match outcomes.into_iter().filter_map(weight).max() {
            None | Some(Self::Conformant) if ended_early => Some(Self::Incomplete),
            Some(Self::Conformant) if known > 0 => Some(Self::ConformantBut(known)),
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
    let outcomes: Vec<_> = cases.iter().map(|case| Outcome::from(&case.outcome)).collect();
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
    pub fn conclude(&mut self, catalog: &Catalog) -> Result<(), String> {
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
        // A part, a single case and scenarios of one's own say nothing of the whole router.
        let (conclusion, too_much) = match scope {
            Scope::Among(all) if !is_own => {
                let too_much = known::too_much(&self.scenarios, claims, all);
                let conclusion = match conclusion.is_good() {
                    true if !too_much.is_empty() => Conclusion::NotConformant,
                    true if !self.asks_the_router() => Conclusion::Incomplete,
                    _ => conclusion,
                };
                (conclusion, too_much)
            }
            _ if is_own => (conclusion.max(Conclusion::NoFailure), Vec::new()),
            _ => (conclusion, Vec::new()),
        };
        self.set(conclusion);
        let is_part = is_own || matches!(scope, Scope::Shard);
        let verdict = |profile| {
            let verdict = verdict_of(profile, &self.scenarios, &self.requirements);
            match profile {
                _ if is_part => profiles::of_part(verdict),
                Profile::Core if !too_much.is_empty() => profiles::of_too_much(verdict),
                _ => verdict,
            }
        };
        self.profiles = Profile::ALL.into_iter().map(verdict).collect();
        self.complaints.extend(too_much);
    }

    /// Whether a case was run in which the router has a place. A run of the fleet alone says
    /// nothing of the router.
    pub(crate) fn asks_the_router(&self) -> bool {
        let is_left_out = |word| matches!(word, OutcomeWord::NotApplicable | OutcomeWord::NotRun);
        self.scenarios.iter().any(|case| case.has_router && !is_left_out(case.outcome.word))
    }

    /// The conclusion of an exploration: by the failures that it found, the journeys that passed, and
    /// those that could not be judged. One that was ended early has no conclusion without a failure.
    fn explored(&self, exploration: &ExplorationRecord) -> Conclusion {
        let reason = String::new;
        let mut outcomes: Vec<_> =
            self.scenarios.iter().map(|case| Outcome::from(&case.outcome)).collect();
        if exploration.all() > 0 {
            outcomes.push(Outcome::Passed);
        }
        outcomes.extend(exploration.not_judged.iter().map(|some| match some.outcome {
            OutcomeWord::NotApplicable => Outcome::NotApplicable(reason()),
            OutcomeWord::CouldNotRun => Outcome::CouldNotRun(reason()),
            _ => Outcome::SuiteError(reason()),
        }));
        if self.incomplete.is_some() {
            outcomes.push(Outcome::NotRun(reason()));
        }
        Conclusion::of(&outcomes)
    }

    fn set(&mut self, conclusion: Conclusion) {
        self.conclusion = conclusion;
        self.exit_code = conclusion.exit_code().code();
    }
}

#[cfg(test)]
mod tests;
