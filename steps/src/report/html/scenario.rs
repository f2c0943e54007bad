//! One scenario: its text, the expected and the observed exchange, and how to repeat it.

use maud::{Markup, html};

use super::super::lines::parts;
use super::super::outcomes::Look;
use super::super::pair;
use super::super::rerun::rerun_words;
use super::super::screen::Screen;
use super::super::text::{observed_line, played_by};
use super::drawing::{Mark, SequenceDiagram};
use super::on_demand::Packer;
use super::text::{anchor, documents_of, link_to, prose};
use super::{curl, found, messages};
use crate::catalog::{shown_file, slug, without_protocol};
use crate::engine::record::{CaseRecord, ExchangeRecord, RunRecord, StepRecord};
use crate::ledger::{Level, RequirementId};
use crate::verdict::{Finding, OutcomeWord};

/// Where the body of a scenario is: in its place on the page, or packed.
pub(super) enum Body<'a> {
    InPlace {
        /// Whether the scenario is open at first.
        open: bool,
    },
    Packed(&'a mut Packer),
}

/// Renders a scenario.
///
/// `index` is its position in the report, for short anchors of its messages.
pub(super) fn render(
    scenario: &CaseRecord,
    index: usize,
    report: &RunRecord,
    body: Body<'_>,
) -> Markup {
    let Look { class, sign, .. } = Look::outcome(scenario.outcome.word);
    let ids = scenario.about();
    let ids = ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" ");
    let opened = body_of(scenario, index, report);
    let (open, place, opened) = match body {
        Body::InPlace { open } => (open, None, opened),
        Body::Packed(packer) => (false, Some(packer.add(opened)), later()),
    };
    html! {
        details.scenario id={ "s" (index) } data-outcome=(scenario.outcome.word.as_str())
            data-requirements=(ids) data-packed=[place] open[open] {
            summary {
                span class={ "b t-" (class) } {
                    span aria-hidden="true" { (sign) } " " (scenario.outcome.word.as_str())
                }
                " " span.title { (scenario.title) }
                @if let Some(example) = example_of(scenario, report) {
                    " " span.ex { (example) }
                }
                " " span.ids { (ids) }
                " " code.name { (breakable(&scenario.name)) }
            }
            div.body id=(anchor(&scenario.name)) { (opened) }
        }
    }
}

/// What tells a case from the others of its outline, in words: the end of its name. `None` where no
/// other case has its title.
fn example_of(scenario: &CaseRecord, report: &RunRecord) -> Option<String> {
    let is_beside = |other: &&CaseRecord| {
        (&other.file, &other.rule, &other.title, &other.protocol)
            == (&scenario.file, &scenario.rule, &scenario.title, &scenario.protocol)
            && other.name != scenario.name
    };
    report.scenarios.iter().find(is_beside)?;
    let last = without_protocol(&scenario.name).rsplit("::").next()?;
    let title = slug(&scenario.title);
    let example = last.strip_prefix(title.as_str())?.trim_start_matches('_').replace('_', " ");
    (!example.is_empty()).then_some(example)
}

/// What stands in place of a packed body until a script unpacks it.
pub(super) fn later() -> Markup {
    html! {
        p.later { "A script shows this part. Without one, the JSON report has it." }
    }
}

fn body_of(scenario: &CaseRecord, index: usize, report: &RunRecord) -> Markup {
    let played = scenario.trace.as_deref().map(played_by).unwrap_or_default();
    let logs = scenario.logs.iter().filter(|log| !log.end.trim().is_empty());
    html! {
        @if let Some(reason) = &scenario.outcome.reason {
            p.why {
                (reason)
                @if let Some(link) = &scenario.outcome.link { " (" (link_to(link)) ")" }
            }
        }
        @for stalled in scenario.earlier.iter().chain(&scenario.stalled) {
            p.why { "Left out: " (stalled) }
        }
        (findings(&scenario.findings))
        (requirements(&scenario.about(), report))
        (text(scenario))
        @if !played.is_empty() {
            p { b { "Played by, as the router names cells:" } " " (played.join(", ")) }
        }
        @for exchange in &scenario.exchanges { (drawings(scenario, exchange, index)) }
        (messages::render(scenario, report, index))
        @for log in logs {
            details open[scenario.outcome.word == OutcomeWord::Failed] {
                summary { "The end of the log of " (log.router) }
                pre { (log.end.trim_end()) }
            }
        }
        (found(scenario, report))
        (again(scenario, report))
    }
}

/// A name that a browser may break between its parts.
fn breakable(name: &str) -> Markup {
    html! {
        @for part in parts(name) {
            (part)
            @if part.ends_with("::") || part.ends_with('_') { wbr; }
        }
    }
}

fn findings(findings: &[Finding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            h5 { "Found" }
            ul.found {
                @for finding in findings {
                    @let class = if finding.level == Level::Must { "failed" } else { "warned" };
                    li {
                        span class={ "b t-" (class) } { (finding.level) " " (finding.requirement) }
                        " " (prose(&finding.message)) br;
                        span.step { (finding.step) }
                    }
                }
            }
        }
    }
}

/// The requirements that the scenario proves or violates.
fn requirements(ids: &[&RequirementId], report: &RunRecord) -> Markup {
    let rows = ids.iter().filter_map(|id| Some((id, report.requirements.get(id)?)));
    html! {
        @if !ids.is_empty() {
            dl.req {
                @for (id, row) in rows {
                    dt { a href={ "#" (id) } { (id) } " " span.lv { (row.level) } }
                    dd {
                        (prose(&row.statement))
                        " " small { (documents_of(&row.documents)) ": " (prose(&row.section)) }
                    }
                }
            }
        }
    }
}

fn text(scenario: &CaseRecord) -> Markup {
    let tags: Vec<_> = scenario.tags.iter().map(|tag| format!("@{tag}")).collect();
    html! {
        div.gh {
            p.tags { (tags.join(" ")) }
            @if let Some(rule) = &scenario.rule { p { b { "Rule:" } " " (rule) } }
            p {
                b { "Scenario:" } " " (scenario.title)
                " " small { (shown_file(&scenario.name, &scenario.file)) ":" (scenario.line) }
            }
            ol {
                @for (index, step) in scenario.steps.iter().enumerate() {
                    @let broke = scenario.findings.iter().any(|one| one.step_index == Some(index));
                    (step_of(step, broke))
                }
            }
        }
    }
}

/// A step, marked if it did not hold.
fn step_of(step: &StepRecord, broke: bool) -> Markup {
    html! {
        li class=[broke.then_some("broke")] {
            @if broke { span.t-failed { "\u{2717}" } " " }
            b { (step.keyword) } " " (step.text)
            @if let Some(doc) = &step.doc { pre { (doc.trim_matches('\n')) } }
        }
    }
}

/// The expected and the observed exchange, drawn side by side.
fn drawings(scenario: &CaseRecord, exchange: &ExchangeRecord, index: usize) -> Markup {
    let divergence = exchange.divergence.as_ref();
    let mark = |line: Option<usize>| line.map_or(Mark::End, Mark::Line);
    let links: Vec<_> =
        exchange.hops.iter().map(|hop| hop.map(|hop| format!("m{index}.{hop}"))).collect();
    let expected = SequenceDiagram {
        title: "The exchange that the scenario expects",
        lines: &exchange.expected,
        mark: divergence.map(|found| mark(found.expected)),
        at_end: "nothing more was expected",
        links: &[],
    };
    let shown: Vec<_> = exchange.observed.iter().map(|line| observed_line(line)).collect();
    let observed = SequenceDiagram {
        title: "The exchange that was observed",
        lines: &shown,
        mark: divergence.map(|found| mark(found.observed)),
        at_end: "nothing more was observed",
        links: &links,
    };
    let heading = if exchange.step.is_empty() { "The exchange" } else { &exchange.step };
    html! {
        h5 { (heading) }
        @if let Some(found) = divergence {
            p.why {
                span.t-failed { "\u{2717} First difference:" } " " (prose(&found.why))
            }
        }
        div.pair {
            @if exchange.expected.is_empty() {
                figure.one {
                    figcaption {
                        "Observed "
                        @let drawn = |other: &ExchangeRecord| !other.expected.is_empty();
                        small {
                            @if scenario.exchanges.iter().any(drawn) {
                                "(this step draws nothing: it judges what was observed)"
                            } @else {
                                "(no step draws an exchange: they judge what was observed)"
                            }
                        }
                    }
                    (observed.svg())
                }
            } @else {
                figure { figcaption { "Expected" } (expected.svg()) }
                figure { figcaption { "Observed" } (observed.svg()) }
            }
        }
        @if scenario.outcome.word == OutcomeWord::Failed && !exchange.expected.is_empty() {
            details {
                summary { "Both as text" }
                pre { (pair::drawn(exchange, &Screen::default())) }
            }
        }
    }
}

fn again(scenario: &CaseRecord, report: &RunRecord) -> Markup {
    let trace = scenario.trace.as_ref().filter(|trace| !trace.users.is_empty());
    html! {
        h5 { "Run it again" }
        pre.cmd { (rerun_words(report, scenario).join(" ")) }
        @if let Some(trace) = trace {
            details {
                summary { "Send its requests by hand: a script with curl" }
                pre { (curl::script(scenario, trace, report)) }
            }
        }
    }
}
