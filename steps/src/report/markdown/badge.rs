//! The badge: one line with the whole verdict, as SVG that fetches nothing, and as JSON for
//! shields.io.

use maud::html;

use super::super::journeys::count as journeys;
use super::super::protocols::protocols;
use super::super::text::of_outcome;
use crate::engine::record::{ExplorationRecord, ProfileVerdict, RunRecord};
use crate::engine::{Conclusion, counted};
use crate::ledger::Profile;
use crate::verdict::OutcomeWord;

const LABEL: &str = "cells conformance";
/// Blank space on both sides of a text, in pixels.
const PADDING: f64 = 6.0;

const GREEN: &str = "#2d7d46";
const OLIVE: &str = "#7a7a1f";
const ORANGE: &str = "#b35c00";
const RED: &str = "#b3261e";
const GREY: &str = "#6e6e6e";

/// The text about the whole run, and its color.
fn message(report: &RunRecord) -> (String, &'static str) {
    if let Some(exploration) = &report.exploration {
        return explored(report, exploration);
    }
    let mut parts = vec![verdicts(report)];
    let protocols: Vec<_> = protocols(report)
        .into_iter()
        .filter_map(|(name, protocol)| protocol.was_run().then_some(name.as_str()))
        .collect();
    if !protocols.is_empty() {
        parts.push(protocols.join(" + "));
    }
    (parts.join(" | "), colour(report))
}

/// The text about an exploration, which is never green: it proves no conformance.
fn explored(report: &RunRecord, exploration: &ExplorationRecord) -> (String, &'static str) {
    let journeys = journeys(exploration.all(), "journey");
    match (report.conclusion, exploration.found.len()) {
        (Conclusion::SuiteFault, _) => (format!("suite at fault | {journeys}"), ORANGE),
        (Conclusion::NoFailure, 0) => (format!("explored: no violation in {journeys}"), GREY),
        (conclusion, 0) => (format!("explored: {conclusion}, {journeys}"), GREY),
        (_, found) => (format!("explored: {} violated", counted(found, "requirement")), RED),
    }
}

/// The conclusion. It stands for the profiles where these say the same, or less; otherwise the
/// verdicts of the core and of hardening do. Fleet is about the suite's own cells.
fn verdicts(report: &RunRecord) -> String {
    let conclusion = report.conclusion;
    let says =
        |one: &&ProfileVerdict| one.profile != Profile::Fleet && one.verdict != Conclusion::NotRun;
    let said: Vec<_> = report.profiles.iter().filter(says).collect();
    let is_unsaid = said.iter().all(|one| one.verdict != conclusion);
    let is_bad = is_unsaid && !conclusion.is_good();
    let is_same = said.iter().all(|one| one.verdict == conclusion);
    let is_nothing = said.iter().all(|one| one.verdict.is_of_part());
    if is_bad || is_nothing || (is_same && said.len() > 1) {
        return conclusion.to_string();
    }
    let groups = said.chunk_by(|one, other| one.verdict == other.verdict).map(|of| {
        let profiles: Vec<_> = of.iter().map(|one| one.profile.as_str()).collect();
        format!("{}: {}", profiles.join(" + "), of[0].verdict)
    });
    groups.collect::<Vec<_>>().join("; ")
}

/// Whether the core or hardening was run in part.
fn is_part(report: &RunRecord) -> bool {
    let is = |one: &ProfileVerdict| one.profile != Profile::Fleet && one.verdict.is_of_part();
    report.profiles.iter().any(is)
}

fn count(report: &RunRecord, outcome: OutcomeWord) -> usize {
    of_outcome(report, outcome).count()
}

/// The worst of what the message says.
fn colour(report: &RunRecord) -> &'static str {
    let is = |conclusion: Conclusion| {
        report.conclusion == conclusion
            || report.profiles.iter().any(|one| one.verdict == conclusion)
    };
    // A run with a false claim proves nothing; a part of the suite neither.
    if is(Conclusion::NotConformant)
        || count(report, OutcomeWord::Failed) > 0
        || !report.complaints.is_empty()
    {
        RED
    } else if is(Conclusion::SuiteFault) {
        ORANGE
    } else if is(Conclusion::Incomplete)
        || count(report, OutcomeWord::NotRun) > 0
        || is_part(report)
        || report.profiles.iter().all(|profile| profile.verdict == Conclusion::NotRun)
    {
        GREY
    } else if [OutcomeWord::Warned, OutcomeWord::KnownFailure, OutcomeWord::NotAsked]
        .into_iter()
        .any(|word| count(report, word) > 0)
    {
        OLIVE
    } else {
        GREEN
    }
}

/// Renders the badge for shields.io: JSON by the schema of its endpoint badge.
pub(crate) fn endpoint(report: &RunRecord) -> String {
    let (message, colour) = message(report);
    let badge = serde_json::json!({
        "schemaVersion": 1,
        "label": LABEL,
        "message": message,
        "color": colour,
        // No parameter of the badge's address can paint an error green.
        "isError": colour != GREEN && colour != OLIVE,
    });
    format!("{badge}\n")
}

/// Renders the badge.
pub(crate) fn badge(report: &RunRecord) -> String {
    let (message, colour) = message(report);
    let (left, right) = (width(LABEL) + 2.0 * PADDING, width(&message) + 2.0 * PADDING);
    let (left, right) = (left.round(), right.round());
    let label = format!("{LABEL}: {message}");
    let text = |left: f64, text: &str| {
        // A stated length makes the text fit with any font.
        html! {
            text x=((left + PADDING).round()) y="14" textLength=(width(text).round())
                lengthAdjust="spacingAndGlyphs" { (text) }
        }
    };
    let badge = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(left + right) height="20" role="img"
            aria-label=(label) {
            title { (label) }
            rect width=(left) height="20" fill="#3a3a3a" {}
            rect x=(left) width=(right) height="20" fill=(colour) {}
            g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" {
                (text(0.0, LABEL))
                (text(left, &message))
            }
        }
    };
    badge.into_string() + "\n"
}

/// About the width of a text in Verdana at 11 pixels.
fn width(text: &str) -> f64 {
    text.chars()
        .map(|character| {
            if "fijlt:,. ".contains(character) {
                4.2
            } else if "mw".contains(character) {
                9.8
            } else {
                6.9
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::super::super::sample;
    use super::*;

    /// A report of a run in which everything passed.
    fn passed() -> RunRecord {
        let mut report = sample::report();
        report.complaints.clear();
        report.conclusion = Conclusion::Conformant;
        for profile in &mut report.profiles {
            profile.verdict = Conclusion::Conformant;
        }
        report.scenarios.retain(|one| {
            matches!(one.outcome.word, OutcomeWord::Passed | OutcomeWord::NotApplicable)
        });
        report
    }

    fn said(report: &RunRecord) -> (String, &'static str) {
        message(report)
    }

    #[test]
    fn the_conclusion_is_said_and_the_profiles_where_they_differ() {
        let mut report = passed();
        report.profiles[1].verdict = Conclusion::Conformant;
        assert_eq!(said(&report), ("conformant | buffering".to_owned(), GREEN));
        report.router.protocols.clear();
        report.scenarios.iter_mut().for_each(|one| one.outcome.word = OutcomeWord::Passed);
        assert_eq!(said(&report), ("conformant | buffering + learning".to_owned(), GREEN));
        // The fleet is no verdict about the router.
        let fleet = ProfileVerdict {
            profile: Profile::Fleet,
            verdict: Conclusion::Incomplete,
            outcomes: Default::default(),
        };
        report.profiles.push(fleet);
        assert_eq!(said(&report).0, "conformant | buffering + learning");

        let mut warned = RunRecord { scenarios: sample::report().scenarios, ..passed() };
        assert_eq!(said(&warned).1, RED);
        warned.scenarios.retain(|one| {
            matches!(one.outcome.word, OutcomeWord::Warned | OutcomeWord::KnownFailure)
        });
        assert_eq!(said(&warned).1, OLIVE);
        warned.profiles[1].verdict = Conclusion::ConformantBut(1);
        warned.conclusion = Conclusion::ConformantBut(1);
        let but = "core: conformant; hardening: conformant but for 1 known failure | buffering";
        assert_eq!(said(&warned), (but.to_owned(), OLIVE));

        let mut report = passed();
        report.profiles[1].verdict = Conclusion::NotConformant;
        report.conclusion = Conclusion::NotConformant;
        let apart = "core: conformant; hardening: not conformant | buffering".to_owned();
        assert_eq!(said(&report), (apart, RED));
    }

    #[test]
    fn an_exploration_is_never_green() {
        let mut report = sample::exploration();
        assert_eq!(said(&report), ("explored: 1 requirement violated".to_owned(), RED));
        report.exploration.as_mut().unwrap().found.clear();
        report.conclusion = Conclusion::NoFailure;
        let none = "explored: no violation in 1000 journeys".to_owned();
        assert_eq!(said(&report), (none, GREY));
        report.conclusion = Conclusion::Incomplete;
        assert_eq!(said(&report).0, "explored: incomplete, 1000 journeys");
    }

    #[test]
    fn a_run_that_shows_less_than_the_whole_is_never_green() {
        for (conclusion, colour) in
            [(Conclusion::Incomplete, GREY), (Conclusion::SuiteFault, ORANGE)]
        {
            let report = RunRecord { conclusion, ..passed() };
            let (text, own) = said(&report);
            assert!(text.starts_with(&conclusion.to_string()) && own == colour, "{text}");
        }
        let part = Conclusion::NoFailureIn { known: 0, ran: 595, of: Some(2_296) };
        let mut report = RunRecord { conclusion: part, ..passed() };
        report.profiles[1].verdict = Conclusion::NotRun;
        assert_eq!(said(&report), ("core: conformant | buffering".to_owned(), GREEN));
        report.profiles[0].verdict = Conclusion::NoFailure;
        let words = "no failure in 595 of 2,296 scenarios | buffering".to_owned();
        assert_eq!(said(&report), (words, GREY));
        let report = RunRecord { complaints: vec!["stale".to_owned()], ..passed() };
        assert_eq!(said(&report).1, RED);
        let report = RunRecord { conclusion: Conclusion::NotConformant, ..passed() };
        assert_eq!(said(&report), ("not conformant | buffering".to_owned(), RED));
        let mut report = passed();
        report.profiles.iter_mut().for_each(|one| one.verdict = Conclusion::NotRun);
        assert_eq!(said(&report).1, GREY);
    }

    #[test]
    fn a_hostile_report_gives_a_badge_that_is_xml() {
        let report = sample::hostile();
        roxmltree::Document::parse(&badge(&report)).unwrap();
        assert_eq!(message(&report).0.find(char::is_control), None);
    }
}
