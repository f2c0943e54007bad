//! The pages of the decisions: what the proposals leave wrong or open, for those who decide about
//! them; and what is a choice of this suite.

mod cross_links;
mod scenarios;

use maud::{Markup, html};
use strum::VariantArray;

use super::decisions::{Decision, Decisions, Kind, Place, Recommendation, Severity, decision_link};
use super::documents;
use super::proofs::{self, Proofs};
use super::{Beside, links, requirement_link, spec_page};
use crate::catalog::documents::{Citation, DocumentPlace, Documents};
use crate::ledger::Ledger;
use crate::report::page::{prose, table};
pub(super) use cross_links::linked;

pub(super) use scenarios::Scenarios;

const TITLE: &str = "What the proposals leave wrong or open";
const CHOICES: &str = "Choices of this suite and its fleet";

/// The kinds of the review, in its order, with anchor, title and description.
const CHAPTERS: [(Kind, &str, &str, &str); 4] = [
    (
        Kind::DesignFault,
        "design-faults",
        "Design faults",
        "The design does not do what it promises, however good the router is.",
    ),
    (
        Kind::Contradiction,
        "contradictions",
        "Contradictions",
        "Two places cannot both hold. Each reading is named, and what follows from either.",
    ),
    (Kind::Gap, "gaps", "Gaps", "Something that has to be known is not said."),
    (Kind::Slip, "slips", "Slips", "What is meant is clear, and it is written otherwise."),
];

/// The page for those who decide about the proposals.
pub(super) fn review(
    decisions: &Decisions,
    ledger: &Ledger,
    scenarios: &Scenarios,
    beside: &[Beside],
) -> String {
    let content = html! {
        header { h1 { (TITLE) } }
        p {
            "All that a suite found which executes the two router proposals and Cells: Database \
             Sequences; the " a href="findings.html" { "findings" } " have what matters most, and \
             what became of the proposals. Each entry names its places in the documents, how \
             the suite reads them, what follows, and what the document should say; where a \
             scenario shows it, the link leads to its steps and its drawing. What an entry calls \
             an inference stands in no document. At the end are "
            a href="#proofs" { "what is proven" } " and the "
            a href="#recommendations" { "recommendations" } ". What is only this suite's own "
            "choice is on " a href="choices.html" { "another page" } "."
        }
        (links(beside))
        (overview(decisions))
        p.legend {
            "Serious: right responses, the isolation of organizations, private places, saved data \
             or a whole region depend on it, or nothing can be built before it is settled. \
             Moderate: two careful readers build different things, or somebody pays for what no \
             text names. Minor: a reader mends it alone."
        }
        @for (kind, anchor, title, about) in CHAPTERS {
            h2 id=(anchor) { (title) }
            p { (about) }
            @for decision in decisions.of_kind(kind) { (entry(decision, ledger, scenarios)) }
        }
        h2 id="proofs" { "What is proven, and what breaks" }
        p {
            "Small models of what the documents say, checked in every interleaving within their \
             bounds: a property holds in each of the states, or here is the shortest way to break \
             it. Each crash, expiry and pick is one that the fleet can do; where it can, the \
             counterexample is a scenario, which shows what the proposal itself permits. "
            code { "cells-lab proofs" } " checks them."
        }
        (proofs::properties(Proofs::embedded(), scenarios))
        h2 id="recommendations" { "Recommendations" }
        p { "Drawn from the entries that each of them names." }
        @for one in &decisions.recommendations { (recommendation(one, decisions)) }
    };
    spec_page(TITLE, &content)
}

/// The page of this suite's own choices.
pub(super) fn choices(decisions: &Decisions, ledger: &Ledger, scenarios: &Scenarios) -> String {
    let content = html! {
        header { h1 { (CHOICES) } }
        p {
            "What the documents need not speak of, and what this suite or its fleet of fake cells \
             had to choose. Nothing here is a finding about the proposals: those are in the "
            a href="review.html" { "review" } ". The router contract takes precedence over both."
        }
        @for decision in decisions.of_kind(Kind::Choice) { (entry(decision, ledger, scenarios)) }
    };
    spec_page(CHOICES, &content)
}

/// How many entries there are of each kind and severity.
fn overview(decisions: &Decisions) -> Markup {
    let count = |kind, severity| {
        decisions.of_kind(kind).iter().filter(|one| one.severity == severity).count()
    };
    let severities = Severity::VARIANTS.iter().map(Severity::to_string);
    let heads: Vec<_> = std::iter::once("Kind".to_owned()).chain(severities).collect();
    html! {
        (table("tw", &heads, &html! {
            @for (kind, anchor, title, _) in CHAPTERS {
                tr {
                    th scope="row" { a href={ "#" (anchor) } { (title) } }
                    @for severity in Severity::VARIANTS { td { (count(kind, *severity)) } }
                }
            }
        }))
    }
}

fn entry(decision: &Decision, ledger: &Ledger, scenarios: &Scenarios) -> Markup {
    let mark = match decision.severity {
        Severity::Serious => "t-failed",
        Severity::Moderate => "t-warned",
        Severity::Minor => "t-none",
    };
    html! {
        article class="card sc" id=(decision.id) {
            h3 {
                (decision.id) " "
                small {
                    span class=(mark) { (decision.severity) }
                    ", " (decision.cause)
                }
            }
            p.why { (linked(&decision.unclear)) }
            dl.req {
                @if !decision.places.is_empty() { (name("Where")) dd { (places(&decision.places)) } }
                (row("Read here", Some(&decision.reading)))
                (row("Otherwise", decision.otherwise.as_deref()))
                (row("Leads to", Some(&decision.leads_to)))
                @if !decision.shown_by.is_empty() {
                    (name("Shown by")) dd { (scenarios.links(decision)) }
                }
                (row("Blocks", decision.blocks.as_deref()))
                (row("Should say", decision.should_say.as_deref()))
            }
            p.tags {
                "Suite: " (decision.suite)
                @if let Some(why) = &decision.why { ": " (linked(why)) }
                " "
                @for row in decision.requirements.iter().filter_map(|id| ledger.row(id)) {
                    (requirement_link(row.id.as_str(), &row.statement))
                }
            }
        }
    }
}

fn row(title: &str, text: Option<&str>) -> Markup {
    html! { @if let Some(text) = text { (name(title)) dd { (linked(text)) } } }
}

fn name(title: &str) -> Markup {
    html! { dt { small { (title) } } }
}

/// The places, by section; those that both proposals have stand together.
fn places(places: &[Place]) -> Markup {
    let mut shared: Vec<(&str, DocumentPlace, Vec<&Citation>)> = Vec::new();
    for Place(place) in places {
        match shared.iter_mut().find(|(own, at, _)| (*own, *at) == (&place.section, place.place)) {
            Some((_, _, together)) => together.push(place),
            None => shared.push((&place.section, place.place, vec![place])),
        }
    }
    let names = |cited: &[&Citation]| -> Vec<String> {
        cited.iter().map(|one| one.document.clone()).collect()
    };
    let sections = shared.chunk_by(|(section, _, cited), (next, _, others)| {
        section == next && names(cited) == names(others)
    });
    html! {
        @for (number, section) in sections.enumerate() {
            @if number > 0 { "; " }
            @let cited = section.first().map_or(&[][..], |(_, _, cited)| cited);
            (heading(cited))
            @for within in section.iter().filter_map(|(_, within, _)| within.in_words()) {
                ", " (within)
            }
            " ("
            @for (number, place) in cited.iter().enumerate() {
                @if number > 0 { ", " }
                a href={ "documents.html#" (documents::name(&place.document, &place.section)) } {
                    (place.document)
                }
            }
            ")"
        }
    }
}

fn heading(cited: &[&Citation]) -> Markup {
    let section = cited.first().and_then(|one| Documents::embedded().section(one));
    html! {
        @if let Some(section) = section {
            @if section.level == 1 { "Introduction" } @else { (prose(&section.heading)) }
        }
    }
}

fn recommendation(one: &Recommendation, decisions: &Decisions) -> Markup {
    html! {
        article class="card sc" {
            h3 { (one.title) }
            p.why { (linked(&one.says)) }
            p.tags {
                "Because of " @for id in &one.rests_on {
                    @if let Some(decision) = decisions.find(id) { (decision_link(decision)) }
                }
            }
        }
    }
}
