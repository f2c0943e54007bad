//! What an exploration met, and what is shown with each failure that it found.

use maud::{Markup, html};

use super::super::journeys::{how_it_fails, not_judged, pairs_line, pairs_table, scenario_text};
use super::super::rerun::replay_words;
use super::frame::table;
use crate::engine::record::{CaseRecord, RunRecord};

/// Renders the table of pairs and what could not be judged; nothing for a report of a run.
pub(super) fn render(report: &RunRecord) -> Markup {
    let Some(exploration) = report.explored() else { return html! {} };
    let pairs = &exploration.pairs;
    let rows = pairs_table(pairs);
    html! {
        @if !exploration.not_judged.is_empty() {
            h2 { "Not judged" }
            ul.found {
                @for (which, reason) in exploration.not_judged.iter().map(not_judged) {
                    li { b { (which) } (reason) }
                }
            }
        }
        h2 #met { "What was met" }
        p { (pairs_line(pairs)) }
        (table("tw", &rows[0], &html! {
            @for row in &rows[1..] {
                tr {
                    th scope="row" { (row[0]) }
                    @for cell in &row[1..] { td { (cell) } }
                }
            }
        }))
    }
}

/// The file of a failure, how often it fails, and how to draw it again; nothing for a scenario of a
/// run.
pub(super) fn failure(scenario: &CaseRecord, report: &RunRecord) -> Markup {
    let found = report.found_as(&scenario.name);
    let Some(found) = found else { return html! {} };
    html! {
        p.why { (how_it_fails(found)) }
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
