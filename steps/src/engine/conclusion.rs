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
    /// Routers that run already are conformant, or but for known failures, as far as they could be
    /// asked. The suite had no way to ask them the other scenarios.
    AsFarAsAsked {
        /// Scenarios in which MUSTs are violated, and that the router file lists.
        known: usize,
        /// Scenarios that the routers were not asked.
        not_asked: usize,
    },
    /// Nothing failed in an exploration, or in a single test, which proves no conformance.
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
            Self::NoFailure => NO_FAILURE,
            Self::NoFailureIn { known, ran, of } => {
                f.write_str(NO_FAILURE)?;
                if *known > 0 {
                    write!(f, "{BUT_FOR}{}", counted(*known, "known failure"))?;
                }
                return match of {
                    Some(all) => write!(f, "{IN}{} of {} scenarios", grouped(*ran), grouped(*all)),
                    None => write!(f, "{IN}{}", counted(*ran, "custom scenario")),
                };
            }
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

/// The beginning of the words where nothing failed, and nothing says that the router is conformant.
pub(crate) const NO_FAILURE: &str = "no failure";
/// What stands between these words and the number of known failures.
const BUT_FOR: &str = " but for ";
/// What stands between these words and what was run.
const IN: &str = " in ";

/// A number with a comma before each group of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// What the words hold for, where a running router was not asked everything.
const AS_FAR: &str = " as far as asked, ";
/// The end of these words.
const NOT_ASKED: &str = " not asked";

/// The text of a good conclusion about a router or one of its profiles, with the number of known
/// failures and of scenarios that the router was not asked.
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
            | Conclusion::NoFailure
            | Conclusion::NoFailureIn { .. } => Self::Success,
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
        let all = all.into_iter().chain([counted]).chain(Self::part_named(name));
        all.into_iter().find(|conclusion| conclusion.to_string() == name)
    }

    /// The conclusion of a part that has the numbers of this name.
    fn part_named(name: &str) -> Option<Self> {
        let (head, rest) = name.strip_prefix(NO_FAILURE)?.split_once(IN)?;
        let number = |word: &str| word.replace(',', "").parse().ok();
        let known = head.strip_prefix(BUT_FOR).and_then(|known| number(known.split(' ').next()?));
        let mut numbers = rest.split(' ').filter_map(number);
        let (ran, of) = (numbers.next()?, numbers.next());
        Some(Self::NoFailureIn { known: known.unwrap_or_default(), ran, of })
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

    /// Weighs outcomes: the worst decides. A run in which no case applied is incomplete. So is one
    /// that ended early, unless a case failed before: that stays true, whatever was not run.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        Self::worst(outcomes).unwrap_or(Self::Incomplete)
    }

    /// Weighs the outcomes of a shard. One in which no case applied, or which is empty, has no
    /// failure.
    pub(super) fn of_shard<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        Self::worst(outcomes).unwrap_or(Self::Conformant)
    }

    /// This conclusion about a part of the scenarios, of which `ran` were run. It never says
    /// that the router is conformant.
    pub(super) fn of_part(self, ran: usize, of: Option<usize>) -> Self {
        match self {
            Self::Conformant => Self::NoFailureIn { known: 0, ran, of },
            Self::ConformantBut(known) | Self::AsFarAsAsked { known, .. } => {
                Self::NoFailureIn { known, ran, of }
            }
            other => other,
        }
    }

    /// The worst of all; `None` if no case applied.
    fn worst<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Option<Self> {
        let outcomes: Vec<_> = outcomes.into_iter().collect();
        let ended_early = outcomes.iter().any(|outcome| matches!(outcome, Outcome::NotRun(_)));
        // A failure stays true, whatever could not run.
        let has_failed = outcomes.iter().any(|outcome| matches!(outcome, Outcome::Failed));
        let weight = |outcome: &Outcome| match outcome {
            Outcome::Passed | Outcome::Warned | Outcome::KnownFailure { .. } => {
                Some(Self::Conformant)
            }
            Outcome::NotApplicable(_) | Outcome::NotAsked(_) | Outcome::NotRun(_) => None,
            Outcome::Failed => Some(Self::NotConformant),
            Outcome::CouldNotRun(_) if ended_early || has_failed => None,
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
