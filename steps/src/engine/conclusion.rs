//! The conclusion of a run, drawn from what its cases came to.

use std::fmt;

use super::ExitCode;
use crate::verdict::Outcome;

/// How a run as a whole ended, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Conclusion {
    /// No requirement of level MUST is violated.
    Conformant,
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
            Self::NotConformant => "not conformant",
            Self::Incomplete => "incomplete",
            Self::SuiteFault => "suite at fault",
        })
    }
}

impl From<Conclusion> for ExitCode {
    fn from(conclusion: Conclusion) -> Self {
        match conclusion {
            Conclusion::Conformant => Self::Success,
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

    /// Weighs outcomes: the worst decides. A run in which no case applied is incomplete.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let weight = |outcome: &Outcome| match outcome {
            Outcome::Passed | Outcome::Warned | Outcome::KnownFailure { .. } => {
                Some(Self::Conformant)
            }
            Outcome::NotApplicable(_) => None,
            Outcome::Failed => Some(Self::NotConformant),
            Outcome::CouldNotRun(_) => Some(Self::Incomplete),
            Outcome::SuiteError(_) => Some(Self::SuiteFault),
        };
        outcomes.into_iter().filter_map(weight).max().unwrap_or(Self::Incomplete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
