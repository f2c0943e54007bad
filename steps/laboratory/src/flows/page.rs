//! The costs as a page: both proposals side by side for each flow, with the exchanges from which
//! the figures are counted.

use maud::{Markup, html};

use super::figures::{Figures, NAMES};
use super::flow::State;
use super::record::{FlowRecord, FlowsRecord, OfCells, RunRecord, StateRecord};
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
        @if let Some(why) = &record.ended_early {
            p { b { "Ended early: " (why) ". Only the flows below were counted in full." } }
        }
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
        }
        @for flow in &record.flows { "\n" (section(flow, record.rtt_ms, beside_specification)) }
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
            @match &flow.owner {
                Some(region) => { "Owner: a cell in the " (region) " region" }
                None => "No cell owns it: any may serve it, or the one to which learn fixes it",
            }
        }
        ol.links { @for step in &flow.steps { li { (prose(step)) } } }
        div.tw { (table(flow, &shown, rtt_ms)) }
        @if let Some(why) = never { p.say { "Never stale: " (why) "." } }
        @if flow.is_lost_when_stale() {
            p.say { "Stale under learning, the user gets 404 until the entry has expired." }
        }
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
                        td { (formula(&one.of_cells)) }
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
            p.say { (line(&first.total, rtt_ms)) }
        }
    }
}

fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    // Thousands are grouped: bodies are long.
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if rest.is_empty() { grouped } else { format!("{grouped}.{rest}") }
}

fn milliseconds(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{} ms", number(value)) }
}

/// The figures that are not zero, in one line.
fn line(figures: &Figures, rtt_ms: f64) -> String {
    let values = NAMES.iter().zip(figures.values()).filter(|(_, value)| *value != 0.0);
    let mut parts: Vec<_> =
        values.map(|(name, value)| format!("{name} {}", number(value))).collect();
    if figures.crossings != 0.0 {
        parts.push(format!("added {}", milliseconds(figures.crossings * rtt_ms)));
    }
    parts.join(", ")
}

/// `2 − 1/N`: the requests with N cells in each region.
fn formula(of: &OfCells) -> String {
    let most = number(of.most.requests);
    match of.less.requests {
        0.0 => most,
        less if less < 0.0 => format!("{most} + {}/N", number(-less)),
        less => format!("{most} \u{2212} {}/N", number(less)),
    }
}

/// `cold, EU router`.
fn state(one: &StateRecord) -> String {
    format!("{}, {} router", one.state.cache, one.region.to_uppercase())
}

/// The statuses in which a flow ends: `200`, or `200 or 404`.
fn ends(statuses: &[u16]) -> String {
    statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(" or ")
}
