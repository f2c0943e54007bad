//! The top of the page: the conclusion and what it means, then what was tested.

use maud::{Markup, html};

use super::super::counts::{Counts, in_words};
use super::super::journeys::took;
use super::super::protocols::{Protocol, protocols};
use super::shown::{OUTCOMES, capital, class_of, outcome_of};
use super::text::{link_to, prose};
use crate::engine::record::{CaseRecord, ProfileVerdict, RunRecord};
use crate::report::notes::notes;

/// What a router is, for readers who never heard of Cells.
const CELLS: &str = "GitLab Cells split one GitLab over many installations, called cells. A router \
    in front of them sends each request to the cell that owns its target. Each scenario sent \
    requests through this router to cells of the test suite, and judged what reached them and what \
    came back.";

/// What a good verdict leaves open.
const NOT_PROVEN: &str = "Conformant means that no scenario saw a MUST requirement violated. It \
    does not prove that the router has no fault that no scenario asks for, that it bears the load of \
    an installation, or that cells of GitLab respond like those of the suite. Whoever wrote this \
    report could have changed it: `report verify` says what follows from the recorded exchanges, and \
    what it does not prove.";

/// What a profile is about.
fn about(profile: &str) -> &'static str {
    match profile {
        "core" => "what the documents ask of a router",
        "hardening" => "what a router needs beyond the documents",
        "fleet" => "what only the suite's own cells can break: no verdict about the router",
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
            p.ab { (CELLS) }
            (profiles(report))
            p.ab { (prose(NOT_PROVEN)) }
        }
        @if !report.complaints.is_empty() {
            h2 { "Outside the scenarios" }
            ul.found { @for complaint in &report.complaints { li { (complaint) } } }
        }
        (router_and_run(report))
    }
}

/// The result of each protocol, or why there is none.
fn protocols_of(report: &RunRecord) -> Markup {
    let counted = |name: &str| {
        let mut counts = Counts::default();
        let of_it = |one: &&CaseRecord| one.has_router && one.protocol == name;
        report.scenarios.iter().filter(of_it).for_each(|one| counts.add(one.outcome.word));
        counts
    };
    html! {
        ul.protocols {
            @for (name, protocol) in protocols(report) {
                @let counts = counted(name);
                @let class = match counts.worst() {
                    Some(_) if counts.has_passed() => "passed",
                    Some(worst) => outcome_of(worst).0,
                    None => "none",
                };
                li {
                    b { (capital(name)) } ": "
                    @if protocol == Protocol::Claimed {
                        span class={ "t-" (class) } { (counts) }
                    } @else if protocol == Protocol::Tried {
                        span class={ "t-" (class) } { (counts) } " (" (protocol.words()) ")"
                    } @else {
                        span.t-none { (protocol.words()) }
                    }
                }
            }
        }
    }
}

/// The verdicts of the profiles; that of the suite's own cells is folded.
fn profiles(report: &RunRecord) -> Markup {
    let is_fleet = |one: &&ProfileVerdict| one.profile == "fleet";
    let (fleet, routers): (Vec<_>, Vec<_>) = report.profiles.iter().partition(is_fleet);
    html! {
        div.cards { @for profile in routers { (card(profile)) } }
        @for profile in fleet.into_iter().filter(|one| !one.outcomes.is_empty()) {
            details.facts {
                summary {
                    (capital(&profile.profile)) ": " (profile.verdict) " "
                    small { "the suite's own cells" }
                }
                (card(profile))
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
    rows.push(("Protocols claimed", words(&router.protocols, "none stated: both were tried")));
    rows.push(("Capabilities claimed", words(&router.capabilities, "none")));
    rows.push(("Run", html! { (run.began) ", " (run.took_ms / 1000) " s" }));
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
    let command = match router.command.as_slice() {
        [] => text("not started by the suite: it was already running"),
        command => code(&command.join(" ")),
    };
    let folded = [
        ("Started by", command),
        ("Seed", code(&run.seed.to_string())),
        ("Machine", html! { (run.jobs) " parallel jobs, " (run.platform) }),
        ("Suite", html! { "cells-conformance " (suite.version) }),
        ("Features", code(&suite.features_digest)),
        ("Ledger", code(&suite.ledger_digest)),
    ];
    let list = |rows: &[(&str, Markup)]| {
        html! { dl { @for (name, value) in rows { dt { (name) } dd { (value) } } } }
    };
    html! {
        section.facts { (list(&rows)) }
        details.facts {
            summary { "Command, seed and digests" }
            (list(&folded))
        }
    }
}
