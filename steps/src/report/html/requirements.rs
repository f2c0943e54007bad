//! The outcome of each requirement, by document and section.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::super::outcomes::Look;
use super::text::{anchor, documents_of, prose};
use crate::engine::counted;
use crate::engine::record::{CaseRecord, RequirementRecord, RunRecord};
use crate::verdict::OutcomeWord;

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
    /// A finding in any scenario violates the requirement. It holds if a scenario that cites it
    /// ended well. A scenario that failed for another reason shows nothing about it; `None` if all
    /// of them did.
    fn outcome(&self) -> Option<OutcomeWord> {
        let violated = |word| {
            self.scenarios.iter().any(|scenario| {
                scenario.outcome.word == word
                    && scenario.findings.iter().any(|found| found.requirement == self.id)
            })
        };
        let ended = |words: &[OutcomeWord]| {
            self.scenarios.iter().any(|scenario| words.contains(&scenario.outcome.word))
        };
        let bad = if self.requirement.level == "MUST" {
            OutcomeWord::Failed
        } else {
            OutcomeWord::Warned
        };
        Some(if violated(OutcomeWord::Failed) || violated(OutcomeWord::Warned) {
            bad
        } else if violated(OutcomeWord::KnownFailure) {
            OutcomeWord::KnownFailure
        } else if ended(&[OutcomeWord::SuiteError]) {
            OutcomeWord::SuiteError
        } else if ended(&[OutcomeWord::CouldNotRun]) {
            OutcomeWord::CouldNotRun
        } else if ended(&[OutcomeWord::NotRun]) {
            OutcomeWord::NotRun
        } else if ended(&[OutcomeWord::Passed, OutcomeWord::Warned, OutcomeWord::KnownFailure]) {
            OutcomeWord::Passed
        } else if ended(&[OutcomeWord::Failed]) {
            return None;
        } else if ended(&[OutcomeWord::NotAsked]) {
            OutcomeWord::NotAsked
        } else {
            OutcomeWord::NotApplicable
        })
    }

    /// Outcome, class and sign.
    fn shown(&self) -> (&'static str, &'static str, &'static str) {
        match self.outcome() {
            Some(outcome) => {
                let look = Look::of(outcome);
                (outcome.as_str(), look.class, look.sign)
            }
            None => (UNSHOWN, "not-run", "?"),
        }
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
    let count =
        |word: OutcomeWord| of_document.iter().filter(|row| row.outcome() == Some(word)).count();
    let unshown = of_document.iter().filter(|row| row.outcome().is_none()).count();
    let all = of_document.len();
    let deviates = |level: &str| {
        let is_weak = |row: &&&Row<'_>| {
            row.requirement.level == level && row.outcome() == Some(OutcomeWord::Warned)
        };
        of_document.iter().filter(is_weak).count()
    };
    let class = match () {
        () if count(OutcomeWord::Failed) > 0 => "failed",
        () if count(OutcomeWord::SuiteError) > 0 => "error",
        () if count(OutcomeWord::CouldNotRun) + count(OutcomeWord::NotRun) + unshown > 0 => {
            "not-run"
        }
        () if count(OutcomeWord::Warned) > 0 => "warned",
        () if count(OutcomeWord::KnownFailure) > 0 => "known",
        () if count(OutcomeWord::NotApplicable) + count(OutcomeWord::NotAsked) == all => "none",
        () => "passed",
    };
    let counts = [
        (count(OutcomeWord::Failed), "violated"),
        (deviates("SHOULD"), "not followed"),
        (deviates("MAY"), "different"),
        (count(OutcomeWord::KnownFailure), "known to fail"),
        (unshown, "not shown"),
        (count(OutcomeWord::CouldNotRun), "could not run"),
        (count(OutcomeWord::NotRun), "not run"),
        (count(OutcomeWord::SuiteError), "with errors of the suite"),
        (count(OutcomeWord::NotAsked), "not asked"),
        (count(OutcomeWord::NotApplicable), "not applicable"),
    ];
    let mut said: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if count(OutcomeWord::Failed) + unshown == 0
        && count(OutcomeWord::NotApplicable) + count(OutcomeWord::NotAsked) < all
    {
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
    html! {
        tr id=(id) {
            th scope="row" { (id) br; small { (level) ", " (profile) } }
            td class={ "oc t-" (class) } { (sign) " " (outcome) }
            td {
                (prose(statement)) br;
                small { (documents_of(documents)) ": " (prose(section)) } br;
                a.only href={ "#requirement=" (id) } { "show only its scenarios" }
                details {
                    summary { (counted(row.scenarios.len(), "scenario")) }
                    ul.links {
                        @for scenario in &row.scenarios {
                            @let Look { class, sign, .. } = Look::of(scenario.outcome.word);
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
