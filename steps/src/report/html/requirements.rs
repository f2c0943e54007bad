//! The outcome of each requirement, by document and section.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::outcome_of;
use super::text::{anchor, prose};
use crate::counted::counted;
use crate::engine::record::{CaseRecord, RequirementRecord, RunRecord};

/// A document, as reports name it: its id and its title. Derived rows have none.
pub(crate) const DOCUMENTS: [(&str, &str); 4] = [
    ("buffering", "The buffering proposal"),
    ("routes-learning", "The routes-learning proposal"),
    ("database-sequences", "Cells: Database Sequences"),
    ("", "Derived: in no document"),
];

/// A requirement with the scenarios that cite it, or violate it.
struct Row<'a> {
    id: &'a str,
    requirement: &'a RequirementRecord,
    scenarios: Vec<&'a CaseRecord>,
}

impl Row<'_> {
    /// A finding anywhere violates the requirement. It holds where a scenario that cites it ended
    /// well; a scenario that failed for another reason shows nothing about it.
    fn outcome(&self) -> &'static str {
        let violated = |word: &str| {
            self.scenarios.iter().any(|scenario| {
                scenario.outcome.word == word
                    && scenario.findings.iter().any(|found| found.requirement == self.id)
            })
        };
        let ended = |words: &[&str]| {
            self.scenarios.iter().any(|scenario| words.contains(&scenario.outcome.word.as_str()))
        };
        let bad = if self.requirement.level == "MUST" { "failed" } else { "warned" };
        if violated("failed") || violated("warned") {
            bad
        } else if violated("known failure") {
            "known failure"
        } else if ended(&["suite error"]) {
            "suite error"
        } else if ended(&["could not run"]) {
            "could not run"
        } else if ended(&["not run"]) {
            "not run"
        } else if ended(&["passed", "warned", "known failure"]) {
            "passed"
        } else if ended(&["failed"]) {
            UNSHOWN
        } else {
            "not applicable"
        }
    }

    /// Outcome, class and sign.
    fn shown(&self) -> (&'static str, &'static str, &'static str) {
        let outcome = self.outcome();
        let (class, sign) = if outcome == UNSHOWN { ("not-run", "?") } else { outcome_of(outcome) };
        (outcome, class, sign)
    }
}

/// Outcome of a requirement whose scenarios all failed for another reason.
const UNSHOWN: &str = "not shown";

/// Renders the requirements, first by document and section, then each in words.
pub(super) fn render(report: &RunRecord) -> Markup {
    let mut by_id: BTreeMap<&str, Vec<&CaseRecord>> = BTreeMap::new();
    for scenario in &report.scenarios {
        let violated = scenario
            .findings
            .iter()
            .map(|found| &found.requirement)
            .filter(|id| !scenario.requirements.contains(id));
        for id in scenario.requirements.iter().chain(violated) {
            let scenarios = by_id.entry(id).or_default();
            if scenarios.last().is_none_or(|last| last.name != scenario.name) {
                scenarios.push(scenario);
            }
        }
    }
    let row = |(id, requirement)| Row {
        id,
        requirement,
        scenarios: by_id.get(id).cloned().unwrap_or_default(),
    };
    let rows: Vec<Row<'_>> = report
        .requirements
        .iter()
        .map(|(id, requirement)| row((id.as_str(), requirement)))
        .collect();
    html! {
        h2 #requirements { "Requirements by document and section" }
        @for (document, title) in DOCUMENTS { (sections(document, title, &rows)) }
        details.all {
            summary { "Every requirement in words, with its scenarios" }
            div.tw {
                table {
                    thead { tr { th { "Requirement" } th { "Outcome" } th { "In words" } } }
                    tbody { @for row in &rows { "\n" (in_words(row)) } }
                }
            }
        }
    }
}

fn sections(document: &str, title: &str, rows: &[Row<'_>]) -> Markup {
    let is_in = |row: &&Row<'_>| {
        if document.is_empty() {
            row.requirement.documents.is_empty()
        } else {
            row.requirement.documents.iter().any(|own| own == document)
        }
    };
    let mut by_section: BTreeMap<String, Vec<&Row<'_>>> = BTreeMap::new();
    for row in rows.iter().filter(is_in) {
        for section in sections_of(&row.requirement.section) {
            by_section.entry(section).or_default().push(row);
        }
    }
    if by_section.is_empty() {
        return html! {};
    }
    let of_document: Vec<_> = rows.iter().filter(is_in).collect();
    let count = |word: &str| of_document.iter().filter(|row| row.outcome() == word).count();
    let all = of_document.len();
    let deviates = |level: &str| {
        let is_weak = |row: &&&Row<'_>| row.requirement.level == level && row.outcome() == "warned";
        of_document.iter().filter(is_weak).count()
    };
    let class = match () {
        () if count("failed") > 0 => "failed",
        () if count("suite error") > 0 => "error",
        () if count("could not run") + count("not run") + count(UNSHOWN) > 0 => "not-run",
        () if count("warned") > 0 => "warned",
        () if count("known failure") > 0 => "known",
        () if count("not applicable") == all => "none",
        () => "passed",
    };
    let counts = [
        (count("failed"), "violated"),
        (deviates("SHOULD"), "not followed"),
        (deviates("MAY"), "different"),
        (count("known failure"), "known"),
        (count(UNSHOWN), "not shown"),
        (count("could not run"), "could not run"),
        (count("not run"), "not run"),
        (count("suite error"), "with errors of the suite"),
        (count("not applicable"), "not applicable"),
    ];
    let mut said: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if count("failed") + count(UNSHOWN) == 0 && count("not applicable") < all {
        said.insert(0, "none violated".to_owned());
    }
    let said = said.join(", ");
    html! {
        details.doc {
            summary {
                (title) " " small { (counted(of_document.len(), "requirement")) "," } " "
                span class={ "t-" (class) } { (said) }
            }
            div.tw {
                table {
                    thead { tr { th { "Section" } th { "Requirements" } } }
                    tbody {
                        @for (section, rows) in &by_section {
                            "\n"
                            tr {
                                td { (prose(section)) }
                                td { @for row in rows { (chip(row)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A link to the row of a requirement, with its statement as tooltip.
fn chip(row: &Row<'_>) -> Markup {
    let (outcome, class, sign) = row.shown();
    // A tooltip has no code.
    let statement = row.requirement.statement.replace('`', "");
    html! {
        a class={ "chip t-" (class) } href={ "#" (row.id) } title={ (outcome) ": " (statement) } {
            (sign) " " (row.id) span.vh { " " (outcome) }
        }
        " "
    }
}

fn in_words(row: &Row<'_>) -> Markup {
    let (outcome, class, sign) = row.shown();
    let id = row.id;
    let RequirementRecord { profile, level, section, statement, documents } = row.requirement;
    let documents = if documents.is_empty() { "derived".to_owned() } else { documents.join(", ") };
    html! {
        tr id=(id) {
            th scope="row" { (id) br; small { (level) ", " (profile) } }
            td class={ "oc t-" (class) } { (sign) " " (outcome) }
            td {
                (prose(statement)) br;
                small { (documents) ": " (prose(section)) } br;
                a.only href={ "#requirement=" (id) } { "show only its scenarios" }
                details {
                    summary { (counted(row.scenarios.len(), "scenario")) }
                    ul.links {
                        @for scenario in &row.scenarios {
                            @let (class, sign) = outcome_of(&scenario.outcome.word);
                            li {
                                span class={ "t-" (class) } { (sign) } " "
                                a href={ "#" (anchor(&scenario.name)) } { (scenario.name) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The sections that a row names.
pub(crate) fn sections_of(text: &str) -> Vec<String> {
    text.split(';').map(|section| section.trim().to_owned()).collect()
}
