//! Scenarios by outcome.

use std::collections::BTreeMap;
use std::fmt;

use super::lines::NO_BREAK;
use crate::engine::counted;
use crate::verdict::OutcomeWord;

/// The outcomes with their words in a count, in the order of reports: the worst comes last.
const ORDER: [(OutcomeWord, &str, bool); 9] = [
    (OutcomeWord::Passed, "passed", false),
    (OutcomeWord::NotApplicable, "not applicable", false),
    (OutcomeWord::NotAsked, "not asked", false),
    (OutcomeWord::KnownFailure, "known failure", true),
    (OutcomeWord::Warned, "warning", true),
    (OutcomeWord::NotRun, "not run", false),
    (OutcomeWord::CouldNotRun, "could not run", false),
    (OutcomeWord::Failed, "failed", false),
    (OutcomeWord::SuiteError, "suite error", true),
];

/// The number of scenarios with an outcome in words, the same in every form of the report.
pub(super) fn in_words(outcome: OutcomeWord, count: usize) -> String {
    let row = ORDER.iter().find(|(own, ..)| *own == outcome);
    match row {
        Some((_, word, true)) => counted(count, word),
        Some((_, word, false)) => format!("{count} {word}"),
        None => format!("{count} {outcome}"),
    }
}

/// The number of scenarios of each outcome.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(BTreeMap<OutcomeWord, usize>);

impl Counts {
    /// Adds a scenario with this outcome.
    pub(super) fn add(&mut self, outcome: OutcomeWord) {
        *self.0.entry(outcome).or_default() += 1;
    }

    /// Adds the scenarios of others.
    pub(super) fn add_all(&mut self, others: &Self) {
        for (outcome, count) in &others.0 {
            *self.0.entry(*outcome).or_default() += count;
        }
    }

    fn of(&self, outcome: OutcomeWord) -> usize {
        self.0.get(&outcome).copied().unwrap_or_default()
    }

    /// The scenarios that passed.
    pub(super) fn passed(&self) -> usize {
        self.of(OutcomeWord::Passed)
    }

    /// The scenarios that apply to the router, and that it was or should have been asked.
    pub(super) fn applicable(&self) -> usize {
        self.0.values().sum::<usize>() - self.of(OutcomeWord::NotApplicable) - self.not_asked()
    }

    /// The scenarios that a running router could not be brought to.
    pub(super) fn not_asked(&self) -> usize {
        self.of(OutcomeWord::NotAsked)
    }

    /// Whether the run ended before any scenario that applies.
    pub(super) fn is_not_run(&self) -> bool {
        self.applicable() > 0 && self.of(OutcomeWord::NotRun) == self.applicable()
    }

    /// Whether every scenario that applies passed.
    pub(super) fn has_passed(&self) -> bool {
        self.passed() == self.applicable()
    }

    /// All in words, each of which stays on one line where [`Lines`](super::lines::Lines) folds
    /// them.
    pub(super) fn unbroken(&self) -> String {
        self.to_string().replace(' ', NO_BREAK).replace(&format!(",{NO_BREAK}"), ", ")
    }

    /// The worst outcome; none without a scenario.
    pub(super) fn worst(&self) -> Option<OutcomeWord> {
        let has = |(outcome, ..): &&(OutcomeWord, _, _)| self.of(*outcome) > 0;
        ORDER.iter().rev().find(has).map(|(outcome, ..)| *outcome)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed", self.passed())?;
        let others = ORDER.iter().rev().filter(|(outcome, ..)| *outcome != OutcomeWord::Passed);
        for (outcome, word, is_noun) in others {
            match self.of(*outcome) {
                0 => {}
                count if *is_noun => write!(f, ", {}", counted(count, word))?,
                count => write!(f, ", {count} {word}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_well_and_know_what_applies() {
        let mut counts = Counts::default();
        for (outcome, count) in [
            (OutcomeWord::Passed, 2),
            (OutcomeWord::Warned, 1),
            (OutcomeWord::KnownFailure, 2),
            (OutcomeWord::NotApplicable, 4),
        ] {
            (0..count).for_each(|_| counts.add(outcome));
        }
        assert_eq!(counts.to_string(), "2 passed, 1 warning, 2 known failures, 4 not applicable");
        assert_eq!(
            (counts.applicable(), counts.has_passed(), counts.worst()),
            (5, false, Some(OutcomeWord::Warned))
        );
        let mut more = Counts::default();
        more.add(OutcomeWord::Failed);
        more.add_all(&counts);
        assert_eq!((more.worst(), more.applicable()), (Some(OutcomeWord::Failed), 6));
        assert_eq!(
            counts.unbroken(),
            "2\u{a0}passed, 1\u{a0}warning, 2\u{a0}known\u{a0}failures, 4\u{a0}not\u{a0}applicable"
        );
        assert_eq!(Counts::default().to_string(), "0 passed");
    }
}
