//! The report as one page that opens offline.
//!
//! The page fetches no resource. Without script, summary, requirements, the names of all scenarios
//! and the first failures are there; the bodies of the others are packed ([`on_demand`]). maud
//! writes the markup and escapes every text; [`text::visible`] then shows hidden characters.

mod curl;
pub(super) mod drawing;
pub(super) mod frame;
mod messages;
mod on_demand;
pub(super) mod requirements;
mod scenario;
pub(super) mod summary;
pub(super) mod text;

use maud::{Markup, html};

use super::journeys::{how_it_fails, not_judged, pairs_line, pairs_table, scenario_text};
use super::outcomes::{Look, OUTCOMES, capital};
use super::rerun::replay_words;
use super::text::with_outcome;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::ledger::Profile;
use crate::verdict::OutcomeWord;
use frame::{page, table};

/// Filters, and links that open what they lead to.
const SCRIPT: &str = include_str!("page.js");

pub(super) fn render(report: &RunRecord) -> String {
    let title = format!("{}: {}", report.router.name, report.conclusion);
    let content = html! {
        (summary::render(report))
        (explored(report))
        (requirements::render(report))
        @if !report.scenarios.is_empty() { (scenarios(report)) }
    };
    page(&title, Some(SCRIPT), &content)
}

/// This many scenarios that did not pass are not packed, so that what most readers look for is
/// there without script.
const NOT_PACKED: usize = 20;

/// All scenarios, worst first, below the filters.
fn scenarios(report: &RunRecord) -> Markup {
    let first_failed = in_order(report, OutcomeWord::Failed).first().map(|(index, _)| *index);
    let mut packer = on_demand::Packer::default();
    let mut in_place = 0;
    let mut body_of = |index: usize, scenario: &CaseRecord| {
        // A scenario that was not run has little to show.
        let good = matches!(
            scenario.outcome.word,
            OutcomeWord::Passed | OutcomeWord::NotApplicable | OutcomeWord::NotRun
        );
        // The first failure is open: it is what a reader came for.
        let open = first_failed == Some(index);
        let is_in_place = open || !good && in_place < NOT_PACKED;
        in_place += usize::from(is_in_place);
        let body = if is_in_place {
            scenario::Body::InPlace { open }
        } else {
            scenario::Body::Packed(&mut packer)
        };
        scenario::render(scenario, index, report, body)
    };
    html! {
        h2 #scenarios { "Scenarios" }
        (filters(report))
        @for Look { word, class, sign, .. } in &OUTCOMES {
            @let of_word = in_order(report, *word);
            @if !of_word.is_empty() {
                section.g {
                    h3 class={ "t-" (class) } {
                        span aria-hidden="true" { (sign) } " " (capital(word.as_str()))
                        " (" span.n { (of_word.len()) } ")"
                    }
                    @for of_feature in of_word.chunk_by(|one, other| place(one.1) == place(other.1)) {
                        @let (_, one) = of_feature[0];
                        @let head = html! {
                            h4 {
                                (one.feature) " " small { (one.file) " (" (of_feature.len()) ")" }
                            }
                        };
                        @let rows = html! {
                            @for (index, scenario) in of_feature {
                                "\n" (body_of(*index, scenario))
                            }
                        };
                        section.g {
                            @if is_folded(one) {
                                details.f { summary { (head) } (rows) }
                            } @else {
                                (head) (rows)
                            }
                        }
                    }
                }
            }
        }
        p #nothing hidden { "No scenario fits these filters." }
        (packer.blocks())
    }
}

/// The scenarios of an outcome with their positions in the report: those of journeys first, those of
/// the suite's own cells last.
fn in_order(report: &RunRecord, word: OutcomeWord) -> Vec<(usize, &CaseRecord)> {
    let scenarios = report.scenarios.iter().enumerate();
    let mut of_word: Vec<_> = scenarios.filter(|(_, one)| one.outcome.word == word).collect();
    of_word.sort_by_key(|(_, one)| place(one).0);
    of_word
}

/// Where a scenario stands: the part of the page, and its feature.
fn place(scenario: &CaseRecord) -> (u8, &str) {
    let part = match scenario.profile {
        Profile::Fleet => 2,
        _ if scenario.file.starts_with("journeys/") => 0,
        _ => 1,
    };
    (part, &scenario.file)
}

/// Whether a feature's scenarios are folded: nothing is wrong with them, or not with the router.
fn is_folded(scenario: &CaseRecord) -> bool {
    let word = scenario.outcome.word;
    scenario.profile == Profile::Fleet
        || matches!(word, OutcomeWord::Passed | OutcomeWord::NotAsked | OutcomeWord::NotApplicable)
}

/// The filters. They need script, and are hidden without it.
fn filters(report: &RunRecord) -> Markup {
    html! {
        form #filters hidden {
            fieldset {
                legend { "Outcome" }
                @for Look { word, class, sign, .. } in &OUTCOMES {
                    @let count = with_outcome(report, *word).count();
                    @if count > 0 {
                        label.pick {
                            input type="checkbox" name="outcome" value=(word.as_str());
                            span class={ "t-" (class) } { (sign) " " (word.as_str()) " " (count) }
                        }
                    }
                }
            }
            label {
                "Requirement "
                input name="requirement" list="ids" autocomplete="off" placeholder="BF-03" size="8";
            }
            datalist #ids {
                @for id in report.requirements.keys() { option value=(id); }
            }
            " "
            label {
                "Text "
                input name="text" type="search" autocomplete="off"
                    placeholder="part of a name or title";
            }
            " "
            button type="reset" { "Show all" } " " output #shown {}
        }
    }
}

/// The table of pairs that an exploration met, and what could not be judged; nothing for a report of a
/// run.
fn explored(report: &RunRecord) -> Markup {
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
pub(super) fn found(scenario: &CaseRecord, report: &RunRecord) -> Markup {
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

#[cfg(test)]
mod tests;
