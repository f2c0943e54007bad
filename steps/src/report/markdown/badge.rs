//! The badge: one line about the core profile, as SVG that fetches nothing.

use maud::html;

use crate::engine::record::RunRecord;

const LABEL: &str = "cells conformance";
/// Blank space on both sides of a text, in pixels.
const PADDING: f64 = 6.0;

const GREEN: &str = "#2d7d46";
const OLIVE: &str = "#7a7a1f";
const ORANGE: &str = "#b35c00";
const RED: &str = "#b3261e";
const GREY: &str = "#6e6e6e";

/// The text about the core profile, and its colour.
fn message(report: &RunRecord) -> (String, &'static str) {
    let core = report.profiles.iter().find(|profile| profile.profile == "core");
    let verdict = core.map_or("not run", |core| core.verdict.as_str());
    // A part of the suite proves nothing about the core; neither does a run with a false claim.
    let is_part = report.run.selection.iter().any(|word| !word.starts_with("--profile "));
    let is_conformant = verdict.starts_with("conformant");
    if is_conformant && report.conclusion == "suite at fault" {
        return ("core: suite at fault".to_owned(), ORANGE);
    }
    if is_conformant && !report.complaints.is_empty() {
        return ("core: claims contradicted".to_owned(), RED);
    }
    if is_conformant && is_part {
        return ("core: run in part".to_owned(), GREY);
    }
    let colour = match verdict {
        "conformant" => GREEN,
        "conformant but for known failures" => OLIVE,
        "not conformant" => RED,
        "suite at fault" => ORANGE,
        _ => GREY,
    };
    (format!("core: {verdict}"), colour)
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

    #[test]
    fn the_core_decides_colour_and_text() {
        let mut report = sample::report();
        report.complaints.clear();
        report.conclusion = "conformant".to_owned();
        for (verdict, colour) in [
            ("conformant", GREEN),
            ("conformant but for known failures", OLIVE),
            ("not conformant", RED),
            ("not run", GREY),
        ] {
            report.profiles[0].verdict = verdict.to_owned();
            assert_eq!(message(&report), (format!("core: {verdict}"), colour));
        }
        report.profiles.clear();
        assert_eq!(message(&report).1, GREY);
    }

    #[test]
    fn a_partial_or_contradicted_run_is_never_green() {
        let mut report = sample::report();
        report.profiles[0].verdict = "conformant".to_owned();
        report.conclusion = "conformant".to_owned();
        assert_eq!(message(&report).1, RED);
        report.complaints.clear();
        report.run.selection = vec!["--profile core".to_owned()];
        assert_eq!(message(&report).1, GREEN);
        report.run.selection = vec!["journeys".to_owned()];
        assert_eq!(message(&report).1, GREY);
    }

    #[test]
    fn the_badge_is_as_wide_as_its_parts() {
        let text = badge(&sample::report());
        let document = roxmltree::Document::parse(&text).unwrap();
        let number = |node: roxmltree::Node<'_, '_>| {
            node.attribute("width").and_then(|width| width.parse::<f64>().ok())
        };
        let parts: f64 = document
            .descendants()
            .filter(|node| node.has_tag_name("rect"))
            .filter_map(number)
            .sum();
        assert_eq!(number(document.root_element()), Some(parts));
    }
}
