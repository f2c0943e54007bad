//! The top of the page: the conclusion and what it means, then what was tested.

use maud::{Markup, html};

use super::super::facts::{Fact, facts};
use super::super::outcomes::{Counts, Look, OUTCOMES, capital};
use super::super::protocols::{HowFollowed, protocols};
use super::text::{link_to, prose};
use crate::engine::record::{CaseRecord, ProfileVerdict, RunRecord};
use crate::ledger::Profile;
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

pub(in super::super) fn about(profile: Profile) -> &'static str {
    match profile {
        Profile::Core => "what the documents ask of a router",
        Profile::Hardening => "what a router needs beyond the documents",
        Profile::Fleet => "what only the suite's own cells can break: no verdict about the router",
    }
}

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
            p class={ "verdict t-" (Look::conclusion(report.conclusion).class) } {
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
    let counted = |protocol| {
        let of_it = |one: &&CaseRecord| one.has_router && one.protocol == protocol;
        Counts::among(report.scenarios.iter().filter(of_it))
    };
    html! {
        ul.protocols {
            @for (protocol, how) in protocols(report) {
                @let counts = counted(protocol);
                @let class = counts.worst().map_or("none", |worst| worst.class);
                li {
                    b { (capital(protocol.as_str())) } ": "
                    @if how == HowFollowed::Claimed {
                        span class={ "t-" (class) } { (counts) }
                    } @else if how == HowFollowed::Tried {
                        span class={ "t-" (class) } { (counts) } " (" (how.words()) ")"
                    } @else {
                        span.t-none { (how.words()) }
                    }
                }
            }
        }
    }
}

/// The verdicts of the profiles; that of the suite's own cells is folded.
fn profiles(report: &RunRecord) -> Markup {
    let is_fleet = |one: &&ProfileVerdict| one.profile == Profile::Fleet;
    let (fleet, routers): (Vec<_>, Vec<_>) = report.profiles.iter().partition(is_fleet);
    html! {
        div.cards { @for profile in routers { (card(profile)) } }
        @for profile in fleet.into_iter().filter(|one| !one.outcomes.is_empty()) {
            details.facts {
                summary {
                    (capital(profile.profile.as_str())) ": " (profile.verdict) " "
                    small { "the suite's own cells" }
                }
                (card(profile))
            }
        }
    }
}

fn card(profile: &ProfileVerdict) -> Markup {
    let count = |look: &'static Look| Some((look, *profile.outcomes.get(&look.word)?));
    let counts: Vec<_> = OUTCOMES.iter().filter_map(count).collect();
    let words: Vec<_> = counts.iter().map(|(look, count)| look.counted(*count)).collect();
    let all: usize = profile.outcomes.values().sum();
    // A bar as wide as there are scenarios, drawn to the width of the card.
    let begins = counts.iter().scan(0_usize, |end, (_, count)| {
        let begin = *end;
        *end += count;
        Some(begin)
    });
    html! {
        section.card {
            h2 { (capital(profile.profile.as_str())) }
            p class={ "cv t-" (Look::conclusion(profile.verdict).class) } { (capital(&profile.verdict.to_string())) }
            p.ab { (about(profile.profile)) }
            svg.bar viewBox={ "0 0 " (all.max(1)) " 4" } preserveAspectRatio="none" role="img"
                aria-label=(words.join(", ")) {
                @for ((look, count), x) in counts.iter().zip(begins) {
                    rect class={ "p-" (look.class) } x=(x) y="0" width=(count) height="4" {}
                }
            }
            ul.counts {
                @for (look, count) in &counts {
                    li class={ "t-" (look.class) } { (look.sign) " " (look.counted(*count)) }
                }
            }
        }
    }
}

fn router_and_run(report: &RunRecord) -> Markup {
    let facts = facts(report);
    let (tested, how): (Vec<_>, Vec<_>) = facts.iter().partition(|fact| !fact.is_detail);
    let value = |Fact { value, is_code, .. }: &Fact| {
        html! { @if *is_code { code { (value) } } @else { (link_to(value)) } }
    };
    let list = |facts: &[&Fact]| {
        html! { dl { @for fact in facts { dt { (capital(fact.name)) } dd { (value(fact)) } } } }
    };
    html! {
        section.facts { (list(&tested)) }
        details.facts {
            summary { "Command, seed and digests" }
            (list(&how))
        }
    }
}
