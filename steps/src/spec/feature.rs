//! The page of one feature.

use cell_fleet::Protocol;
use cucumber::gherkin::{Background, Scenario, Step, Table};
use maud::{Markup, html};

use super::book::{Chapter, anchor, cited};
use super::decisions::{Decisions, decision_link};
use super::documents::links;
use super::{sentence, spec_page};
use crate::catalog::LATE;
use crate::catalog::documents::{Citation, Documents};
use crate::ledger::Ledger;
use crate::report::page::{SequenceDiagram, prose};
use crate::steps::{self, Role};

pub(super) fn page(
    chapter: &Chapter,
    before: Option<&Chapter>,
    after: Option<&Chapter>,
    ledger: &Ledger,
    decisions: &Decisions,
) -> String {
    let feature = &chapter.feature;
    let mut scenarios = Vec::new();
    let mut line_before = None;
    for (rule, scenario) in chapter.scenarios() {
        let line = rule.map(|rule| rule.position.line);
        if let Some(rule) = rule.filter(|_| line != line_before) {
            scenarios.push(html! {
                h2 { (rule.name) }
                (description(rule.description.as_deref()))
                (background(rule.background.as_ref()))
            });
        }
        line_before = line;
        let rule_tags = rule.map_or(&[][..], |rule| &rule.tags);
        let protocols = chapter.protocols_of(rule, scenario);
        let protocols: Vec<_> = protocols.into_iter().map(Protocol::as_str).collect();
        let citations = Citation::of_scenario(scenario, rule_tags, &feature.tags);
        scenarios.push(article(scenario, &protocols, &citations, ledger, decisions));
    }
    let neighbors = [(before, "Before:"), (after, "Next:")];
    let content = html! {
        header {
            p.over {
                "features/" (chapter.path) " \u{b7} " (chapter.protocols().join(" and "))
            }
            h1 { (feature.name) }
        }
        (description(feature.description.as_deref()))
        (background(feature.background.as_ref()))
        @for scenario in scenarios { "\n" (scenario) }
        nav.foot {
            @for (neighbor, word) in neighbors {
                @if let Some(chapter) = neighbor {
                    a href=(chapter.page) { (word) " " (chapter.feature.name) } " "
                }
            }
        }
    };
    spec_page(&feature.name, &content)
}

/// A description, a paragraph for each block of its lines.
fn description(text: Option<&str>) -> Markup {
    let paragraphs = text.unwrap_or_default().split("\n\n").map(str::trim);
    html! {
        @for paragraph in paragraphs.filter(|paragraph| !paragraph.is_empty()) {
            p { (prose(paragraph)) }
        }
    }
}

fn background(background: Option<&Background>) -> Markup {
    html! {
        @if let Some(background) = background {
            div.gh {
                p { b { "Background" } }
                (step_list(&background.steps))
            }
        }
    }
}

fn article(
    scenario: &Scenario,
    protocols: &[&str],
    citations: &[Citation],
    ledger: &Ledger,
    decisions: &Decisions,
) -> Markup {
    let ids = cited(scenario);
    let taken: Vec<_> = decisions
        .all()
        .iter()
        .filter(|decision| ids.iter().any(|id| decision.requirements.contains(id)))
        .collect();
    html! {
        article class="card sc" id=(anchor(scenario)) {
            h3 { (scenario.name) " " small { (protocols.join(", ")) } }
            (description(scenario.description.as_deref()))
            @if scenario.tags.iter().any(|tag| tag == LATE) {
                p { "Played a second time on a router that has lived through " code { "features/late.feature" } "." }
            }
            dl.req {
                @for row in ids.iter().filter_map(|id| ledger.row(id)) {
                    dt {
                        a href={ "requirements.html#" (row.id) } { (row.id) }
                        " " span.lv {
                            (row.level)
                            @if let Some(inference) = row.inference() { ", " (inference) }
                        }
                    }
                    dd { (prose(&row.statement)) (sentence(row)) }
                }
            }
            @if !citations.is_empty() {
                ul.links { (links(citations, Documents::embedded())) }
            }
            @if !taken.is_empty() {
                p.tags {
                    "Decisions: "
                    @for decision in taken { (decision_link(decision)) }
                }
            }
            div.gh { (step_list(&scenario.steps)) }
            @for examples in &scenario.examples {
                h5 { "Examples " (examples.name.as_deref().unwrap_or_default()) }
                @if let Some(examples) = &examples.table { (table(examples)) }
            }
        }
    }
}

fn step_list(steps: &[Step]) -> Markup {
    html! { ol { @for one in steps { (step(one)) } } }
}

fn step(step: &Step) -> Markup {
    let is_exchange = steps::find(step).is_ok_and(|found| found.meaning.is(Role::Exchange));
    let doc = step.docstring.as_deref().map(|doc| doc.trim_matches('\n'));
    html! {
        li {
            b { (step.keyword.trim()) } " " (step.value)
            @match doc {
                Some(doc) if is_exchange => { (exchange(doc)) }
                Some(doc) => { pre { (doc) } }
                None => {}
            }
            @if let Some(rows) = &step.table { (table(rows)) }
        }
    }
}

/// The expected exchange as a drawing, and as text.
fn exchange(notation: &str) -> Markup {
    let lines: Vec<_> = notation.lines().map(str::to_owned).collect();
    let drawing = SequenceDiagram {
        title: "The expected exchange",
        lines: &lines,
        mark: None,
        at_end: "",
        links: &[],
    };
    html! {
        figure { (drawing.svg()) }
        details {
            summary { "As text" }
            pre { (notation) }
        }
    }
}

fn table(table: &Table) -> Markup {
    html! {
        div.tw {
            table {
                @for (number, row) in table.rows.iter().enumerate() {
                    tr {
                        @for cell in row {
                            @if number == 0 { th { (cell) } } @else { td { (cell) } }
                        }
                    }
                }
            }
        }
    }
}
