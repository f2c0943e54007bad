//! The conclusion of a run, and how outcomes weigh in it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ExitCode, counted};
use crate::verdict::OutcomeWord;

/// How a run as a whole ended, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Conclusion {
    /// No requirement of level MUST is violated.
    Conformant,
    /// Requirements of level MUST are violated in this many scenarios, and the router file lists
    /// all of these as known failures.
    ConformantBut(usize),
    /// Routers that run already are conformant, or but for known failures, as far as they could be
    /// asked. The suite had no way to ask them the other scenarios.
    AsFarAsAsked {
        /// Scenarios in which MUSTs are violated, and that the router file lists.
        known: usize,
        /// Scenarios that the routers were not asked.
        not_asked: usize,
    },
    /// Nothing failed in an exploration, in a single test, or in the part of a profile that was run:
    /// that proves no conformance.
    NoFailure,
    /// Nothing failed in a part of what a router claims: a selection, a shard, or custom features.
    NoFailureIn {
        /// Scenarios in which MUSTs are violated, and that the router file lists.
        known: usize,
        /// Scenarios that were run.
        ran: usize,
        /// Scenarios of the suite; `None` where custom features were run.
        of: Option<usize>,
    },
    /// A profile: nothing but known failures is wrong in the part of it that was run.
    NoFailureButKnown,
    /// A profile: the running router could not be brought to any of its scenarios.
    NotAsked,
    /// A profile: nothing of it was run.
    NotRun,
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
    #[default]
    Incomplete,
    /// The suite itself is at fault.
    SuiteFault,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let but = |known| match known {
            0 => String::new(),
            _ => format!(" but for {}", counted(known, "known failure")),
        };
        match *self {
            Self::Conformant => f.write_str("conformant"),
            Self::ConformantBut(known) => write!(f, "conformant{}", but(known)),
            Self::AsFarAsAsked { known, not_asked } => {
                write!(f, "conformant{} as far as asked, {not_asked} not asked", but(known))
            }
            Self::NoFailure => f.write_str("no failure"),
            Self::NoFailureButKnown => f.write_str("no failure but known ones"),
            Self::NoFailureIn { known, ran, of: Some(all) } => {
                let (ran, all) = (grouped(ran), grouped(all));
                write!(f, "no failure{} in {ran} of {all} scenarios", but(known))
            }
            Self::NoFailureIn { known, ran, of: None } => {
                write!(f, "no failure{} in {}", but(known), counted(ran, "custom scenario"))
            }
            Self::NotAsked => f.write_str("not asked"),
            Self::NotRun => f.write_str("not run"),
            Self::OutOfProportion => f.write_str("out of proportion"),
            Self::NotAsClaimed => f.write_str("not as claimed"),
            Self::NotConformant => f.write_str("not conformant"),
            Self::Incomplete => f.write_str("incomplete"),
            Self::SuiteFault => f.write_str("suite at fault"),
        }
    }
}

/// A number with a comma before each group of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
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

impl Conclusion {
    pub fn exit_code(self) -> ExitCode {
        match self {
            Self::Conformant
            | Self::ConformantBut(_)
            | Self::AsFarAsAsked { .. }
            | Self::NoFailure
            | Self::NoFailureButKnown
            | Self::NoFailureIn { .. } => ExitCode::Success,
            Self::OutOfProportion => ExitCode::OutOfProportion,
            Self::NotAsClaimed | Self::NotConformant => ExitCode::Failure,
            Self::NotAsked | Self::NotRun | Self::Incomplete => ExitCode::Incomplete,
            Self::SuiteFault => ExitCode::SuiteFault,
        }
    }

    /// The conclusion with these words, as a record has them.
    fn named(words: &str) -> Option<Self> {
        let numbers = words.split(' ').filter_map(|word| word.replace(',', "").parse().ok());
        let numbers: Vec<usize> = numbers.chain([0; 3]).collect();
        let (one, two, three) = (numbers[0], numbers[1], numbers[2]);
        let part = |known, ran, of| Self::NoFailureIn { known, ran, of };
        let all = [
            Self::good(one, 0),
            Self::good(0, one),
            Self::good(one, two),
            Self::NoFailure,
            Self::NoFailureButKnown,
            part(0, one, None),
            part(0, one, Some(two)),
            part(one, two, None),
            part(one, two, Some(three)),
            Self::NotAsked,
            Self::NotRun,
            Self::NotAsClaimed,
            Self::NotConformant,
            Self::Incomplete,
            Self::SuiteFault,
        ];
        all.into_iter().find(|conclusion| conclusion.to_string() == words)
    }

    /// Nothing is wrong but `known` failures, and `not_asked` scenarios were not run.
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

    /// Whether it is about a part, and says nothing of the rest.
    pub(crate) fn is_of_part(self) -> bool {
        matches!(self, Self::NoFailure | Self::NoFailureButKnown | Self::NoFailureIn { .. })
    }

    /// Weighs outcomes: the worst decides. A run in which no case applied is incomplete. So is one
    /// that ended early, unless a case failed before: that stays true, whatever was not run.
    pub fn of(outcomes: impl IntoIterator<Item = OutcomeWord>) -> Self {
        Self::worst(outcomes).unwrap_or(Self::Incomplete)
    }

    /// Weighs the outcomes of a shard. One in which no case applied, or which is empty, has no
    /// failure.
    pub(super) fn weigh_shard(outcomes: impl IntoIterator<Item = OutcomeWord>) -> Self {
        Self::worst(outcomes).unwrap_or(Self::Conformant)
    }

    /// This conclusion about a part of the scenarios, of which `ran` were run. It never says
    /// that the router is conformant.
    pub(super) fn in_part(self, ran: usize, of: Option<usize>) -> Self {
        match self {
            Self::Conformant => Self::NoFailureIn { known: 0, ran, of },
            Self::ConformantBut(known) | Self::AsFarAsAsked { known, .. } => {
                Self::NoFailureIn { known, ran, of }
            }
            other => other,
        }
    }

    /// This verdict on a profile that was run in part, which proves nothing about the rest.
    pub(super) fn on_profile_in_part(self) -> Self {
        match self {
            Self::Conformant | Self::AsFarAsAsked { known: 0, .. } => Self::NoFailure,
            Self::ConformantBut(_) | Self::AsFarAsAsked { .. } => Self::NoFailureButKnown,
            other => other,
        }
    }

    /// The worst of all; `None` if no case applied.
    pub(super) fn worst(outcomes: impl IntoIterator<Item = OutcomeWord>) -> Option<Self> {
        let outcomes: Vec<_> = outcomes.into_iter().collect();
        let ended_early = outcomes.contains(&OutcomeWord::NotRun);
        // A failure stays true, whatever could not run.
        let has_failed = outcomes.contains(&OutcomeWord::Failed);
        let weight = |outcome: &OutcomeWord| match outcome {
            OutcomeWord::Passed | OutcomeWord::Warned | OutcomeWord::KnownFailure => {
                Some(Self::Conformant)
            }
            OutcomeWord::NotApplicable | OutcomeWord::NotAsked | OutcomeWord::NotRun => None,
            OutcomeWord::Failed => Some(Self::NotConformant),
            OutcomeWord::CouldNotRun if ended_early || has_failed => None,
            OutcomeWord::CouldNotRun => Some(Self::Incomplete),
            OutcomeWord::SuiteError => Some(Self::SuiteFault),
        };
        let count = |word| outcomes.iter().filter(|one| **one == word).count();
        match outcomes.iter().filter_map(weight).max() {
            None | Some(Self::Conformant) if ended_early => Some(Self::Incomplete),
            Some(Self::Conformant) => {
                Some(Self::good(count(OutcomeWord::KnownFailure), count(OutcomeWord::NotAsked)))
            }
            worst => worst,
        }
    }
}

#[cfg(test)]
mod tests;
