//! The costs as a page: both proposals side by side for each flow, with the exchanges from which
//! the figures are counted.

use maud::{Markup, html};

use super::figures::NAMES;
use super::larger::Larger;
use super::record::{FlowRecord, FlowsRecord, RunRecord, StateRecord};
use super::state::State;
use super::words::{
    LOST, ended_early, ends, formula, line, milliseconds, number, owner, place, precise, state,
};
use conformance_suite::report::page::{SequenceDiagram, page as framed, prose};

/// The title of the page, and what a link to it says.
pub const TITLE: &str = "What each proposal costs, flow by flow";

/// The name of its file, next to those of the specification.
pub const FILE: &str = "flows.html";

/// The page. Next to the specification, it links to the sections of the documents.
pub fn page(record: &FlowsRecord, beside_specification: bool) -> String {
    let content = html! {
        @if beside_specification {
            nav {
                a href="findings.html" { "Findings" } " " a href="index.html" { "Contents" } " "
                a href="documents.html" { "Documents" } " " a href="review.html" { "Review" }
            }
        }
        header {
            p.over { "cells-conformance " (record.suite) }
            h1 { (TITLE) }
        }
        p {
            "Every figure is counted from an exchange that was run on the fleet, with this router: "
            (record.router) ". The exchanges of a state are drawn below the table, where its name \
             leads. A round trip between the regions takes " b { (milliseconds(record.rtt_ms)) } "."
        }
        @if let Some(why) = &record.ended_early { p { b { (ended_early(why)) } } }
        details.facts open {
            summary { "What is counted" }
            ul { @for sentence in &record.unit { li { (prose(sentence)) } } }
        }
        h2 { "Flows" }
        p {
            "In the order of the documents. Four flows are TODO there and have nothing to count: an \
             organization that moves (what follows for a router is the stale state of each flow), \
             GraphQL and other requests without a namespace, the suggestions of the search bar, \
             and global search. The last two are not in the documents: one is what Cons 9 says, the \
             other shows what the router keeps of a body."
        }
        ul.links {
            @for flow in &record.flows { li { a href={ "#" (anchor(&flow.id)) } { (flow.title) } } }
            li { a href="#larger" { "More cells in each region" } }
        }
        @for flow in &record.flows { "\n" (section(flow, record.rtt_ms, beside_specification)) }
        (larger(&record.larger, record.rtt_ms))
    };
    framed(TITLE, None, &content)
}

fn anchor(id: &str) -> String {
    id.replace('+', "-")
}

fn state_anchor(flow: &FlowRecord, of: State) -> String {
    format!("{}-{}-{}", anchor(&flow.id), of.cache, of.owner)
}

fn section(flow: &FlowRecord, rtt_ms: f64, beside_specification: bool) -> Markup {
    let shown: Vec<_> = flow.states.iter().filter(|one| one.never.is_none()).collect();
    let never = flow.states.iter().find_map(|one| one.never.as_ref());
    let mut states: Vec<_> = shown.iter().map(|one| one.state).collect();
    states.dedup();
    html! {
        h2 id=(anchor(&flow.id)) { (flow.title) }
        p.tags {
            @if beside_specification {
                "Section: "
                @for (document, name) in [("buffering", "buffering"), ("routes-learning", "learning")] {
                    a href={ "documents.html#" (document) "-" (flow.section) } { (name) } " "
                }
            } @else { "Section: " (flow.section) " " }
            (owner(flow.owner.as_deref()))
        }
        ol.links { @for step in &flow.steps { li { (prose(step)) } } }
        div.tw { (table(flow, &shown, rtt_ms)) }
        @if let Some(why) = never { p.say { "Never stale: " (why) "." } }
        @if flow.is_lost_when_stale() { p.say { (LOST) } }
        @for of in states { (exchanges(flow, of, &shown, rtt_ms)) }
    }
}

fn table(flow: &FlowRecord, shown: &[&StateRecord], rtt_ms: f64) -> Markup {
    let mut before = None;
    html! {
        table.fg {
            thead {
                tr {
                    th { "State" } th { "Proposal" }
                    @for name in NAMES { th { (name) } }
                    th { "added" } th { "N cells" } th { "ends" }
                }
            }
            tbody {
                @for one in shown {
                    @let is_first = before.replace(one.state) != Some(one.state);
                    @let rows = shown.iter().filter(|other| other.state == one.state).count();
                    tr {
                        @if is_first {
                            th scope="rowgroup" rowspan=(rows) {
                                a href={ "#" (state_anchor(flow, one.state)) } { (state(one)) }
                                @if one.drawn.is_some() { br; small { "as drawn" } }
                            }
                        }
                        td { (one.protocol) }
                        @for (mean, worst) in one.expected.values().into_iter().zip(one.worst.values()) {
                            td { (both(number(mean), number(worst))) }
                        }
                        @let added = |crossings| milliseconds(crossings * rtt_ms);
                        td { (both(added(one.expected.crossings), added(one.worst.crossings))) }
                        td { (formula(one.of_cells, |of| of.requests)) }
                        td { (ends(&one.ends())) }
                    }
                }
            }
        }
    }
}

/// A figure as the mean, with the worst in parentheses where that is another.
fn both(mean: String, worst: String) -> String {
    if mean == worst { mean } else { format!("{mean} ({worst})") }
}

/// The exchanges of a state, buffering at the left and learning at the right.
fn exchanges(flow: &FlowRecord, of: State, shown: &[&StateRecord], rtt_ms: f64) -> Markup {
    let ways: Vec<_> = shown.iter().filter(|one| one.state == of).collect();
    let is_drawn = ways.iter().any(|one| one.drawn.is_some());
    let kinds: Vec<_> = ways.iter().map(|one| kinds(one)).collect();
    let most = kinds.iter().map(Vec::len).max().unwrap_or_default();
    html! {
        details.scenario id=(state_anchor(flow, of)) open[is_drawn] {
            summary {
                span.title { @if let Some(one) = ways.first() { (state(one)) } }
                @if is_drawn { span.b { "as the documents draw it" } }
            }
            div.body {
                div.pair {
                    @for row in 0..most {
                        @for (one, kinds) in ways.iter().zip(&kinds) {
                            @match kinds.get(row) {
                                Some(runs) => { (drawing(flow, one, runs, rtt_ms)) }
                                None => { div {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The runs of a state, those of one exchange together.
fn kinds(one: &StateRecord) -> Vec<Vec<&RunRecord>> {
    let mut kinds: Vec<Vec<&RunRecord>> = Vec::new();
    for run in &one.runs {
        let same = |other: &&mut Vec<&RunRecord>| {
            other.first().is_some_and(|other| lines(other) == lines(run))
        };
        match kinds.iter_mut().find(same) {
            Some(kind) => kind.push(run),
            None => kinds.push(vec![run]),
        }
    }
    kinds
}

fn lines(run: &RunRecord) -> Vec<String> {
    run.requests.iter().flat_map(|request| request.exchange.iter().cloned()).collect()
}

fn drawing(flow: &FlowRecord, one: &StateRecord, runs: &[&RunRecord], rtt_ms: f64) -> Markup {
    let Some(first) = runs.first() else { return Markup::default() };
    let lines = lines(first);
    let title = format!("{}, {}, {} picked", flow.title, one.protocol, first.pick);
    let drawn =
        SequenceDiagram { title: &title, lines: &lines, mark: None, at_end: "", links: &[] };
    let picked = if runs.len() == one.runs.len() && runs.len() > 1 {
        "whichever cell is picked".to_owned()
    } else {
        let names: Vec<_> = runs.iter().map(|run| run.pick.as_str()).collect();
        format!("{} is picked", names.join(" or "))
    };
    html! {
        figure {
            figcaption {
                (one.protocol) ", " (picked)
                @if runs.iter().any(|run| one.drawn.as_ref() == Some(&run.pick)) { ", as drawn" }
            }
            (drawn.svg())
            p.say { (line(&first.total, &first.total, rtt_ms)) }
        }
    }
}

fn larger(larger: &Larger, rtt_ms: f64) -> Markup {
    let both = |of: [super::OfCells; 2]| of.map(|of| formula(of, |of| of.requests + of.preflights));
    html! {
        h2 id="larger" { "More cells in each region" }
        p {
            "A mean visit sends to cells: (1 \u{2212} unknown) \u{d7} ((1 \u{2212} misses) \u{d7} warm + misses \
             \u{d7} cold) + unknown \u{d7} ((1 \u{2212} misses) \u{d7} warm, latest + misses \u{d7} cold, \
             latest). Misses are the places that the router has never seen, here "
            b { (number(larger.size.misses * 100.0)) " %" } "; in learning, whose entries are \
             short-lived, so are "
            b { (number(larger.size.expired * 100.0)) " %" } " of the others, whose entry has expired. \
             Unknown is what Cons 9 sends to the \
             latest deployment, here " b { (number(larger.size.unknown * 100.0)) " %" } ". All three are \
             assumptions, which the options of `flows` change. The terms are \
             counted: " a href={ "#" (anchor("project-signed-in")) } { "a visit" } ", and "
            a href={ "#" (anchor(super::flow::UNKNOWN)) } { "one that only the latest deployment \
             knows" } ". Requests and pre-flights count alike, and N is the number of cells in each \
             region."
        }
        div.tw {
            table.fg {
                thead {
                    tr {
                        th { "Proposal" } th { "Owner" }
                        @for head in ["Cold", "Warm", "Cold, latest", "Warm, latest"] { th { (head) } }
                        @for (cells, _) in larger.ways.first().iter().flat_map(|way| &way.sizes) {
                            th { "N = " (cells) }
                        }
                    }
                }
                tbody {
                    @for way in &larger.ways {
                        tr {
                            th scope="row" { (way.protocol) }
                            td { (place(way.owner)) }
                            @for term in both(way.visit).iter().chain(&both(way.latest)) {
                                td { (term) }
                            }
                            @for (_, of) in &way.sizes {
                                td {
                                    (precise(of.requests + of.preflights)) br;
                                    small {
                                        "+ " (milliseconds(of.crossings * rtt_ms)) ", at US0 "
                                        (precise(of.at_us0))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
