//! The conclusion of a run, and how outcomes weigh in it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ExitCode, counted};
use crate::verdict::Outcome;

/// How a run as a whole ended, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Conclusion {
    /// No requirement of level MUST is violated.
    Conformant,
    /// Requirements of level MUST are violated in this many scenarios, and the router file lists
    /// all of these as known failures.
    ConformantBut(usize),
    /// The same of routers that run already, as far as they could be asked: nothing could bring
    /// them to the others.
    AsFarAsAsked {
        /// Scenarios in which MUSTs are violated, and that the router file lists.
        known: usize,
        /// Scenarios that the routers were not asked.
        not_asked: usize,
    },
    /// Nothing failed, but that proves no conformance. It is a shard, and the other shards decide
    /// whether the router is conformant; or a run of scenarios of one's own; or an exploration that
    /// found no violation.
    NoFailure,
    /// A measurement shows that what the router holds grows in proportion to what it did. No MUST
    /// says how much it may hold.
    OutOfProportion,
    /// No MUST is violated, but the router lacks a capability that it claims.
    NotAsClaimed,
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
            Self::ConformantBut(known) => return f.write_str(&good(*known, 0)),
            Self::AsFarAsAsked { known, not_asked } => {
                return f.write_str(&good(*known, *not_asked));
            }
            Self::NoFailure => "no failure",
            Self::OutOfProportion => "out of proportion",
            Self::NotAsClaimed => "not as claimed",
            Self::NotConformant => "not conformant",
            Self::Incomplete => "incomplete",
            Self::SuiteFault => "suite at fault",
        })
    }
}

/// The beginning of the words for a router that is conformant but for known failures.
const BUT: &str = "conformant but for ";

/// What the words hold for, where a running router was not asked everything.
const AS_FAR: &str = " as far as asked, ";
/// The end of these words.
const NOT_ASKED: &str = " not asked";

/// The words for a router, or one of its profiles, with so many known failures, and so many
/// scenarios that it was not asked.
pub(super) fn good(known: usize, not_asked: usize) -> String {
    let words = match known {
        0 => "conformant".to_owned(),
        _ => format!("{BUT}{}", counted(known, "known failure")),
    };
    match not_asked {
        0 => words,
        _ => format!("{words}{AS_FAR}{not_asked}{NOT_ASKED}"),
    }
}

/// Whether words say that nothing but known failures is wrong, also those of earlier reports, which
/// gave no number; or that a running router was not asked everything.
pub(crate) fn is_conformant_but(words: &str) -> bool {
    words.starts_with(BUT) || (words.starts_with("conformant") && words.ends_with(NOT_ASKED))
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
            Conclusion::Conformant
            | Conclusion::ConformantBut(_)
            | Conclusion::AsFarAsAsked { .. }
            | Conclusion::NoFailure => Self::Success,
            Conclusion::OutOfProportion => Self::OutOfProportion,
            Conclusion::NotAsClaimed | Conclusion::NotConformant => Self::Failure,
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
            Self::NotAsClaimed,
            Self::NotConformant,
            Self::Incomplete,
            Self::SuiteFault,
        ];
        let known = name.strip_prefix(BUT).and_then(|rest| rest.split(' ').next()?.parse().ok());
        let not_asked = name
            .split_once(AS_FAR)
            .and_then(|(_, rest)| rest.strip_suffix(NOT_ASKED)?.parse().ok());
        let counted = Self::good(known.unwrap_or_default(), not_asked.unwrap_or_default());
        all.into_iter().chain([counted]).find(|conclusion| conclusion.to_string() == name)
    }

    /// Nothing is wrong but so many known failures, and so many scenarios were not asked.
    fn good(known: usize, not_asked: usize) -> Self {
        match (known, not_asked) {
            (0, 0) => Self::Conformant,
            (known, 0) => Self::ConformantBut(known),
            (known, not_asked) => Self::AsFarAsAsked { known, not_asked },
        }
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
    pub(super) fn of_shard<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
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
            Outcome::NotApplicable(_) | Outcome::NotAsked(_) | Outcome::NotRun(_) => None,
            Outcome::Failed => Some(Self::NotConformant),
            Outcome::CouldNotRun(_) if ended_early => None,
            Outcome::CouldNotRun(_) => Some(Self::Incomplete),
            Outcome::SuiteError(_) => Some(Self::SuiteFault),
        };
        let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|one| is(one)).count();
        let known = count(|outcome| matches!(outcome, Outcome::KnownFailure { .. }));
        let not_asked = count(|outcome| matches!(outcome, Outcome::NotAsked(_)));
        match outcomes.into_iter().filter_map(weight).max() {
            None | Some(Self::Conformant) if ended_early => Some(Self::Incomplete),
            Some(Self::Conformant) => Some(Self::good(known, not_asked)),
            worst => worst,
        }
    }
}

#[cfg(test)]
mod tests;
