//! How outcomes and verdicts look on a page: a class, and a sign in addition to its color.

use crate::engine::{NO_FAILURE, is_conformant_but};
use crate::verdict::OutcomeWord;

/// The outcomes, worst first: word, class and sign of each. Scenarios stand in this order.
pub(super) const OUTCOMES: [(OutcomeWord, &str, &str); 9] = [
    (OutcomeWord::SuiteError, "error", "\u{2757}"),
    (OutcomeWord::Failed, "failed", "\u{2717}"),
    (OutcomeWord::CouldNotRun, "not-run", "?"),
    (OutcomeWord::NotRun, "not-run", "\u{25cb}"),
    (OutcomeWord::Warned, "warned", "!"),
    (OutcomeWord::KnownFailure, "known", "\u{2248}"),
    (OutcomeWord::Passed, "passed", "\u{2713}"),
    (OutcomeWord::NotAsked, "none", "\u{25cc}"),
    (OutcomeWord::NotApplicable, "none", "\u{2013}"),
];

/// Class and sign of an outcome.
pub(in super::super) fn outcome_of(word: OutcomeWord) -> (&'static str, &'static str) {
    OUTCOMES
        .iter()
        .find(|(own, ..)| *own == word)
        .map_or(("error", "?"), |(_, class, sign)| (class, sign))
}

/// The class of a verdict, or of a conclusion.
pub(in super::super) fn class_of(verdict: &str) -> &'static str {
    match verdict {
        "conformant" => "passed",
        but if is_conformant_but(but) => "known",
        "not conformant" | "not as claimed" => "failed",
        "incomplete" => "not-run",
        // A part alone has no verdict.
        "not run" | "not asked" => "none",
        part if part.starts_with(NO_FAILURE) => "none",
        _ => "error",
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
