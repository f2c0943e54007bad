//! What an exploration met, and what is shown with each failure that it found.

use maud::{Markup, html};

use super::super::journeys::{count, of_found, pairs_line, scenario_text};
use super::super::rerun::replay_words;
use crate::engine::record::{CaseRecord, RunRecord};

/// Renders the table of pairs and what could not be judged; nothing for a report of a run.
pub(super) fn render(report: &RunRecord) -> Markup {
    let Some(exploration) = report.explored() else { return html! {} };
    let pairs = &exploration.pairs;
    html! {
        @if !exploration.not_judged.is_empty() {
            h2 { "Not judged" }
            ul.found {
                @for some in &exploration.not_judged {
                    li {
                        b { (some.outcome.as_str()) } ", " (count(some.journeys, "journey")) ": "
                        (some.reason)
                    }
                }
            }
        }
        h2 #met { "What was met" }
        p { (pairs_line(pairs)) }
        div.tw {
            table {
                thead {
                    tr {
                        th scope="col" { "Request" }
                        @for state in &pairs.states { th scope="col" { (state.as_str()) } }
                    }
                }
                tbody {
                    @for row in &pairs.kinds {
                        tr {
                            th scope="row" { (row.kind.as_str()) }
                            @for met in &row.met {
                                td { @if *met > 0 { (met) } @else { "\u{b7}" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The file of a failure, how often it fails, and how to draw it again; nothing for a scenario of a
/// run.
pub(super) fn of_scenario(scenario: &CaseRecord, report: &RunRecord) -> Markup {
    let found = report.found_as(&scenario.name);
    let Some(found) = found else { return html! {} };
    html! {
        p.why { (of_found(found)) }
        @if let Some(text) = scenario_text(report, scenario) {
            details {
                summary { "The scenario as a feature file" }
                pre { (text) }
            }
        }
        h5 { "Draw the journey again" }
        pre.cmd { (replay_words(report, scenario).join(" ")) }
    }
}
