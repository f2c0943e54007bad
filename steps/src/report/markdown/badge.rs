//! The badge: one line with the whole verdict, as SVG that fetches nothing, and as JSON for
//! shields.io.

use maud::html;

use super::super::outcomes::{Counts, Look};
use super::super::protocols::protocols;
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
    (parts.join(" | "), color(report))
}

/// The text about an exploration, which is never green: it proves no conformance.
fn explored(report: &RunRecord, exploration: &ExplorationRecord) -> (String, &'static str) {
    let journeys = counted(exploration.all(), "journey");
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

/// The worst of what the message says.
fn color(report: &RunRecord) -> &'static str {
    let counts = Counts::among(&report.scenarios);
    let verdicts = || report.profiles.iter().map(|one| one.verdict);
    let is = |word: OutcomeWord| {
        let mut concluded = verdicts().chain([report.conclusion]);
        counts.with(word) > 0 || concluded.any(|one| Look::conclusion(one).word == word)
    };
    let is_part = |one: &ProfileVerdict| one.profile != Profile::Fleet && one.verdict.is_of_part();
    // A run with a false claim proves nothing; a part of the suite neither.
    if is(OutcomeWord::Failed) || !report.complaints.is_empty() {
        RED
    } else if is(OutcomeWord::SuiteError) {
        ORANGE
    } else if is(OutcomeWord::CouldNotRun)
        || is(OutcomeWord::NotRun)
        || report.profiles.iter().any(is_part)
        || verdicts().all(|verdict| verdict == Conclusion::NotRun)
    {
        GREY
    } else if is(OutcomeWord::Warned) || is(OutcomeWord::KnownFailure) || is(OutcomeWord::NotAsked)
    {
        OLIVE
    } else {
        GREEN
    }
}

/// Renders the badge for shields.io: JSON by the schema of its endpoint badge.
pub(crate) fn endpoint(report: &RunRecord) -> String {
    let (message, color) = message(report);
    let badge = serde_json::json!({
        "schemaVersion": 1,
        "label": LABEL,
        "message": message,
        "color": color,
        // No parameter of the badge's address can paint an error green.
        "isError": color != GREEN && color != OLIVE,
    });
    format!("{badge}\n")
}

pub(crate) fn badge(report: &RunRecord) -> String {
    let (message, color) = message(report);
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
            rect x=(left) width=(right) height="20" fill=(color) {}
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
