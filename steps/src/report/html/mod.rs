//! The report as one page that opens offline.
//!
//! The page fetches no resource. Without script, summary, requirements, the names of all scenarios
//! and the first failures are there; the bodies of the others are packed ([`on_demand`]). maud
//! writes the markup and escapes every text; [`text::visible`] then shows hidden characters.

mod cost;
mod curl;
pub(super) mod drawing;
mod exploration;
mod messages;
mod on_demand;
pub(super) mod requirements;
mod scenario;
mod summary;
pub(super) mod text;

pub(super) use scenario::link_to;
pub(super) use summary::class_of;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::engine::record::{CaseRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// The style sheet of all pages.
const STYLE: &str = include_str!("page.css");
/// Filters, and links that open what they lead to.
const SCRIPT: &str = include_str!("page.js");

/// The outcomes, worst first: word, class and sign of each. Scenarios stand in this order.
const OUTCOMES: [(OutcomeWord, &str, &str); 8] = [
    (OutcomeWord::SuiteError, "error", "\u{2757}"),
    (OutcomeWord::Failed, "failed", "\u{2717}"),
    (OutcomeWord::CouldNotRun, "not-run", "?"),
    (OutcomeWord::NotRun, "not-run", "\u{25cb}"),
    (OutcomeWord::Warned, "warned", "!"),
    (OutcomeWord::KnownFailure, "known", "\u{2248}"),
    (OutcomeWord::Passed, "passed", "\u{2713}"),
    (OutcomeWord::NotApplicable, "none", "\u{2013}"),
];

/// Class and sign of an outcome.
pub(super) fn outcome_of(word: OutcomeWord) -> (&'static str, &'static str) {
    OUTCOMES
        .iter()
        .find(|(own, ..)| *own == word)
        .map_or(("error", "?"), |(_, class, sign)| (class, sign))
}

/// Renders the report as a page.
pub(super) fn render(report: &RunRecord) -> String {
    let title = format!("{}: {}", report.router.name, report.conclusion);
    let content = html! {
        (summary::render(report))
        (cost::render(report))
        (exploration::render(report))
        (requirements::render(report))
        @if !report.scenarios.is_empty() { (scenarios(report)) }
    };
    page(&title, Some(SCRIPT), &content)
}

/// A whole page around this content.
///
/// Its policy forbids everything that is not in the page itself, so that nothing a router wrote
/// could be fetched or run even if it were taken for markup.
pub(crate) fn page(title: &str, script: Option<&str>, content: &Markup) -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; \
         style-src {}; script-src {}",
        digest(STYLE),
        script.map_or("'none'".to_owned(), digest)
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            "\n"
            body {
                "\n"
                main { (content) }
                "\n"
                @if let Some(script) = script {
                    script { (PreEscaped(script)) }
                }
            }
        }
        "\n"
    };
    text::visible(&page.into_string())
}

/// This many scenarios that did not pass are not packed, so that what most readers look for is
/// there without script.
const NOT_PACKED: usize = 20;

/// All scenarios, worst first, below the filters.
fn scenarios(report: &RunRecord) -> Markup {
    let first_failed =
        report.scenarios.iter().position(|one| one.outcome.word == OutcomeWord::Failed);
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
        @for (word, class, sign) in OUTCOMES {
            @let of_word: Vec<(usize, &CaseRecord)> = report
                .scenarios
                .iter()
                .enumerate()
                .filter(|(_, scenario)| scenario.outcome.word == word)
                .collect();
            @if !of_word.is_empty() {
                section.g {
                    h3 class={ "t-" (class) } {
                        span aria-hidden="true" { (sign) } " " (capital(word.as_str()))
                        " (" (of_word.len()) ")"
                    }
                    @for of_feature in of_word.chunk_by(|one, other| one.1.file == other.1.file) {
                        @let (_, one) = of_feature[0];
                        section.g {
                            h4 { (one.feature) " " small { (one.file) } }
                            @for (index, scenario) in of_feature {
                                "\n" (body_of(*index, scenario))
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

/// The filters. They need script, and are hidden without it.
fn filters(report: &RunRecord) -> Markup {
    let count_of = |word: OutcomeWord| {
        report.scenarios.iter().filter(|scenario| scenario.outcome.word == word).count()
    };
    html! {
        form #filters hidden {
            fieldset {
                legend { "Outcome" }
                @for (word, class, sign) in OUTCOMES {
                    @let count = count_of(word);
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

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
