//! The top of the page: the conclusion, and what was tested.

use maud::{Markup, html};

use super::super::counts::in_words;
use super::super::journeys::took;
use super::super::protocols::protocols;
use super::shown::{OUTCOMES, capital, class_of};
use super::text::link_to;
use crate::engine::record::{ProfileVerdict, RunRecord};
use crate::report::notes::notes;

/// What a profile is about.
fn about(profile: &str) -> &'static str {
    match profile {
        "core" => "what the documents ask of a router",
        "hardening" => "what a router needs beyond the documents",
        "fleet" => "what only a cell can break: the suite's own cells, no verdict about the router",
        _ => "",
    }
}

/// Renders the summary.
pub(super) fn render(report: &RunRecord) -> Markup {
    let (router, conclusion) = (&report.router, report.conclusion.to_string());
    html! {
        header {
            p.over {
                @if report.exploration.is_some() {
                    "Exploration of a router for Cells"
                } @else {
                    "Conformance of a router for Cells"
                }
            }
            h1 {
                (router.name)
                @if let Some(version) = &router.version { " " small { (version) } }
            }
            p class={ "verdict t-" (class_of(&conclusion)) } {
                (capital(&conclusion))
            }
        }
        @for note in notes(report) { p.ab { (note) } }
        @if report.exploration.is_none() {
            (protocols_of(report))
            div.cards { @for profile in &report.profiles { (card(profile)) } }
        }
        @if !report.complaints.is_empty() {
            h2 { "Outside the scenarios" }
            ul.found { @for complaint in &report.complaints { li { (complaint) } } }
        }
        (router_and_run(report))
    }
}

/// What the verdict holds for: each protocol, by name.
fn protocols_of(report: &RunRecord) -> Markup {
    let unclaimed = |name: &str| {
        let scenarios = report.scenarios.iter();
        scenarios.filter(|one| one.has_router && one.protocol == name).count()
    };
    html! {
        ul.protocols {
            @for (name, protocol) in protocols(report) {
                @let class = if protocol.was_run() { "run" } else { "t-none" };
                li class=(class) {
                    b { (capital(name)) } ": " (protocol.words())
                    @match (protocol.was_run(), unclaimed(name)) {
                        (true, _) | (_, 0) => {}
                        (false, 1) => { ", so its scenario was not run" }
                        (false, count) => { ", so its " (count) " scenarios were not run" }
                    }
                }
            }
        }
    }
}

/// A segment of the bar of a profile.
struct Segment {
    class: &'static str,
    x: String,
    width: String,
}

fn card(profile: &ProfileVerdict) -> Markup {
    let counts: Vec<_> = OUTCOMES
        .iter()
        .filter_map(|(word, class, sign)| {
            Some((*word, *class, *sign, *profile.outcomes.get(word)?))
        })
        .collect();
    let words: Vec<_> = counts.iter().map(|(word, .., count)| in_words(*word, *count)).collect();
    let all: usize = profile.outcomes.values().sum();
    let mut x = 0.0;
    let segments: Vec<_> = counts
        .iter()
        .map(|(_, class, _, count)| {
            #[expect(clippy::cast_precision_loss, reason = "a bar of a few hundred pixels")]
            let width = 100.0 * *count as f64 / all.max(1) as f64;
            let segment = Segment { class, x: format!("{x:.2}"), width: format!("{width:.2}") };
            x += width;
            segment
        })
        .collect();
    html! {
        section.card {
            h2 { (capital(&profile.profile)) }
            p class={ "cv t-" (class_of(&profile.verdict)) } { (capital(&profile.verdict)) }
            p.ab { (about(&profile.profile)) }
            svg.bar viewBox="0 0 100 4" preserveAspectRatio="none" role="img"
                aria-label=(words.join(", ")) {
                @for Segment { class, x, width } in segments {
                    rect class={ "p-" (class) } x=(x) y="0" width=(width) height="4" {}
                }
            }
            ul.counts {
                @for (word, class, sign, count) in counts {
                    li class={ "t-" (class) } { (sign) " " (in_words(word, count)) }
                }
            }
        }
    }
}

fn router_and_run(report: &RunRecord) -> Markup {
    let (router, run, suite) = (&report.router, &report.run, &report.suite);
    let text = |text: &str| html! { (text) };
    let code = |text: &str| html! { code { (text) } };
    let words = |words: &[String], none: &str| {
        if words.is_empty() { text(none) } else { text(&words.join(", ")) }
    };
    let mut rows: Vec<(&str, Markup)> = Vec::new();
    if let Some(url) = &router.url {
        rows.push(("About the router", link_to(url)));
    }
    if let Some(contact) = &router.contact {
        rows.push(("Contact", text(contact)));
    }
    rows.push((
        "Started by",
        if router.command.is_empty() {
            text("not started by the suite: it was already running")
        } else {
            code(&router.command.join(" "))
        },
    ));
    rows.push(("Protocols claimed", words(&router.protocols, "none stated: both were tried")));
    rows.push(("Capabilities claimed", words(&router.capabilities, "none")));
    rows.push((
        "Run",
        html! {
            (run.began) ", " (run.took_ms / 1000) " s, " (run.jobs) " parallel jobs, "
            (run.platform)
        },
    ));
    rows.push(match &report.exploration {
        None => (
            "Scenarios",
            html! {
                (report.scenarios.len()) ", selected by: "
                (words(&run.selection, "nothing, so all of them"))
            },
        ),
        Some(exploration) => ("Journeys", text(&took(report, exploration))),
    });
    rows.push(("Seed", code(&run.seed.to_string())));
    rows.push(("Suite", html! { "cells-conformance " (suite.version) }));
    rows.push((
        "Digests",
        html! {
            "features " (code(&suite.features_digest)) ", ledger " (code(&suite.ledger_digest))
        },
    ));
    html! {
        details.facts open {
            summary { "Router and run" }
            dl { @for (name, value) in rows { dt { (name) } dd { (value) } } }
        }
    }
}
