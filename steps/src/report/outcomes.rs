//! How each outcome looks and is counted, the same in every form of the report.

use std::collections::BTreeMap;
use std::fmt;

use anstyle::Style;

use super::lines::NO_BREAK;
use super::screen::Styles;
use crate::engine::record::CaseRecord;
use crate::engine::{Conclusion, counted};
use crate::verdict::OutcomeWord;

#[derive(Debug)]
pub(super) struct Look {
    pub(super) word: OutcomeWord,
    /// Its words in a count, and whether they are a noun, which has a plural.
    in_count: (&'static str, bool),
    pub(super) class: &'static str,
    /// Its sign on a page: a color alone says nothing to some readers.
    pub(super) sign: &'static str,
    pub(super) style: fn(&Styles) -> Style,
}

/// The outcomes, worst first: the order of every form.
pub(super) const OUTCOMES: [Look; 9] = [
    look(OutcomeWord::SuiteError, ("suite error", true), "error", "\u{2757}", |to| to.failed),
    look(OutcomeWord::Failed, ("failed", false), "failed", "\u{2717}", |to| to.failed),
    look(OutcomeWord::CouldNotRun, ("could not run", false), "not-run", "?", |to| to.warned),
    look(OutcomeWord::NotRun, ("not run", false), "not-run", "\u{25cb}", plain),
    look(OutcomeWord::Warned, ("warning", true), "warned", "!", |to| to.warned),
    look(OutcomeWord::KnownFailure, ("known failure", true), "known", "\u{2248}", |to| to.warned),
    look(OutcomeWord::Passed, ("passed", false), "passed", "\u{2713}", |to| to.passed),
    look(OutcomeWord::NotAsked, ("not asked", false), "none", "\u{25cc}", plain),
    look(OutcomeWord::NotApplicable, ("not applicable", false), "none", "\u{2013}", plain),
];

const fn look(
    word: OutcomeWord,
    in_count: (&'static str, bool),
    class: &'static str,
    sign: &'static str,
    style: fn(&Styles) -> Style,
) -> Look {
    Look { word, in_count, class, sign, style }
}

fn plain(_: &Styles) -> Style {
    Style::new()
}

impl Look {
    pub(super) fn outcome(outcome: OutcomeWord) -> &'static Self {
        // The table has every outcome.
        OUTCOMES.iter().find(|look| look.word == outcome).unwrap_or(&OUTCOMES[0])
    }

    /// How a verdict or a conclusion looks: like the outcome that it stands for.
    pub(super) fn conclusion(verdict: Conclusion) -> &'static Self {
        Self::outcome(match verdict {
            Conclusion::Conformant => OutcomeWord::Passed,
            Conclusion::ConformantBut(_) | Conclusion::AsFarAsAsked { .. } => {
                OutcomeWord::KnownFailure
            }
            Conclusion::NotConformant | Conclusion::NotAsClaimed => OutcomeWord::Failed,
            Conclusion::Incomplete => OutcomeWord::CouldNotRun,
            // A part alone has no verdict.
            Conclusion::NotRun
            | Conclusion::NotAsked
            | Conclusion::NoFailure
            | Conclusion::NoFailureButKnown
            | Conclusion::NoFailureIn { .. } => OutcomeWord::NotApplicable,
            Conclusion::SuiteFault | Conclusion::OutOfProportion => OutcomeWord::SuiteError,
        })
    }

    /// The number of scenarios with the outcome, in words.
    pub(super) fn counted(&self, count: usize) -> String {
        match self.in_count {
            (noun, true) => counted(count, noun),
            (word, false) => format!("{count} {word}"),
        }
    }
}

/// A word with a capital letter.
pub(super) fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

/// The number of scenarios of each outcome.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(pub(super) BTreeMap<OutcomeWord, usize>);

impl Counts {
    pub(super) fn among<'a>(scenarios: impl IntoIterator<Item = &'a CaseRecord>) -> Self {
        let mut counts = Self::default();
        scenarios.into_iter().for_each(|one| counts.add(one.outcome.word));
        counts
    }

    /// The outcomes of each feature among these scenarios, by its file and title.
    pub(super) fn by_feature<'a>(
        scenarios: impl IntoIterator<Item = &'a CaseRecord>,
    ) -> BTreeMap<(&'a str, &'a str), Self> {
        let mut features: BTreeMap<_, Self> = BTreeMap::new();
        for one in scenarios {
            features.entry((&*one.file, &*one.feature)).or_default().add(one.outcome.word);
        }
        features
    }

    fn add(&mut self, outcome: OutcomeWord) {
        *self.0.entry(outcome).or_default() += 1;
    }

    pub(super) fn with(&self, outcome: OutcomeWord) -> usize {
        self.0.get(&outcome).copied().unwrap_or_default()
    }

    pub(super) fn passed(&self) -> usize {
        self.with(OutcomeWord::Passed)
    }

    /// The scenarios that apply to the router, and that it was or should have been asked.
    pub(super) fn applicable(&self) -> usize {
        self.0.values().sum::<usize>() - self.with(OutcomeWord::NotApplicable) - self.not_asked()
    }

    /// The scenarios that a running router could not be brought to.
    pub(super) fn not_asked(&self) -> usize {
        self.with(OutcomeWord::NotAsked)
    }

    /// Whether the run ended before any scenario that applies.
    pub(super) fn is_not_run(&self) -> bool {
        self.applicable() > 0 && self.with(OutcomeWord::NotRun) == self.applicable()
    }

    pub(super) fn has_passed(&self) -> bool {
        self.passed() == self.applicable()
    }

    /// All in words, each of which stays on one line where [`Lines`](super::lines::Lines) folds
    /// them.
    pub(super) fn unbroken(&self) -> String {
        self.to_string().replace(' ', NO_BREAK).replace(&format!(",{NO_BREAK}"), ", ")
    }

    /// The worst outcome; none without a scenario.
    pub(super) fn worst(&self) -> Option<&'static Look> {
        OUTCOMES.iter().find(|look| self.with(look.word) > 0)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed", self.passed())?;
        for look in OUTCOMES.iter().filter(|look| look.word != OutcomeWord::Passed) {
            match self.with(look.word) {
                0 => {}
                count => write!(f, ", {}", look.counted(count))?,
            }
        }
        Ok(())
    }
}
