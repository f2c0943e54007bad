//! The outcome of each requirement, by document and section.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::super::outcomes::Look;
use super::super::standing::Standing;
use super::frame::table;
use super::text::{anchor, documents_of, prose};
use crate::engine::counted;
use crate::engine::record::{CaseRecord, RequirementRecord, RunRecord};
use crate::ledger::RequirementId;

/// A document, as reports name it: its id and its title. Derived rows have none.
pub(crate) const DOCUMENTS: [(&str, &str); 4] = [
    ("buffering", "The buffering proposal"),
    ("routes-learning", "The routes-learning proposal"),
    ("database-sequences", "Cells: Database Sequences"),
    ("", "Derived: in no document"),
];

/// A requirement with the scenarios that cite it, or violate it.
struct Row<'a> {
    id: &'a RequirementId,
    requirement: &'a RequirementRecord,
    scenarios: Vec<&'a CaseRecord>,
    standing: Standing,
}

/// Renders the requirements, first by document and section, then each in words.
pub(super) fn render(report: &RunRecord) -> Markup {
    let mut by_id: BTreeMap<&RequirementId, Vec<&CaseRecord>> = BTreeMap::new();
    for scenario in &report.scenarios {
        for id in scenario.about() {
            by_id.entry(id).or_default().push(scenario);
        }
    }
    let row = |(id, requirement)| {
        let scenarios = by_id.get(id).cloned().unwrap_or_default();
        let standing = Standing::by_all(id, scenarios.iter().copied());
        Row { id, requirement, scenarios, standing }
    };
    let rows: Vec<Row<'_>> = report.requirements.iter().map(row).collect();
    html! {
        h2 #requirements { "Requirements by document and section" }
        @for (document, title) in DOCUMENTS { (sections(document, title, &rows)) }
        details.all {
            summary { "Every requirement in words, with its scenarios" }
            (table("tw", &["Requirement", "Outcome", "In words"], &html! {
                @for row in &rows { "\n" (in_words(row)) }
            }))
        }
    }
}

fn sections(document: &str, title: &str, rows: &[Row<'_>]) -> Markup {
    let is_in = |row: &&Row<'_>| is_from(&row.requirement.documents, document);
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
    let all = of_document.len();
    let count = |is: Standing| of_document.iter().filter(|row| row.standing == is).count();
    let worst = of_document.iter().map(|row| row.standing).max();
    let class = worst.map_or("none", |worst| worst.look().class);
    let others = Standing::ALL.into_iter().filter(|standing| *standing != Standing::Holds);
    let others = others.filter(|standing| count(*standing) > 0);
    let mut said: Vec<_> =
        others.map(|standing| format!("{} {standing}", count(standing))).collect();
    if worst < Some(Standing::Must)
        && count(Standing::NotShown) == 0
        && worst > Some(Standing::NotAsked)
    {
        said.insert(0, "none violated".to_owned());
    }
    let said = said.join(", ");
    html! {
        details.doc {
            summary {
                (title) " " small { (counted(all, "requirement")) "," } " "
                span class={ "t-" (class) } { (said) }
            }
            (table("tw", &["Section", "Requirements"], &html! {
                @for (section, rows) in &by_section {
                    "\n"
                    tr {
                        td { (prose(section)) }
                        td { @for row in rows { (chip(row)) } }
                    }
                }
            }))
        }
    }
}

/// A link to the row of a requirement, with its statement as tooltip.
fn chip(row: &Row<'_>) -> Markup {
    let Look { class, sign, .. } = row.standing.look();
    let standing = row.standing;
    // A tooltip has no code.
    let statement = row.requirement.statement.replace('`', "");
    html! {
        a class={ "chip t-" (class) } href={ "#" (row.id) } title={ (standing) ": " (statement) } {
            (sign) " " (row.id) span.vh { " " (standing) }
        }
        " "
    }
}

fn in_words(row: &Row<'_>) -> Markup {
    let Look { class, sign, .. } = row.standing.look();
    let id = row.id;
    let RequirementRecord { profile, level, section, statement, documents } = row.requirement;
    html! {
        tr id=(id) {
            th scope="row" { (id) br; small { (level) ", " (profile) } }
            td class={ "oc t-" (class) } { (sign) " " (row.standing) }
            td {
                (prose(statement)) br;
                small { (documents_of(documents)) ": " (prose(section)) } br;
                a.only href={ "#requirement=" (id) } { "show only its scenarios" }
                details {
                    summary { (counted(row.scenarios.len(), "scenario")) }
                    ul.links {
                        @for scenario in &row.scenarios {
                            @let Look { class, sign, .. } = Look::outcome(scenario.outcome.word);
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

/// Whether a row that comes from these documents stands under this one of [`DOCUMENTS`].
pub(crate) fn is_from(documents: &[String], document: &str) -> bool {
    match document {
        "" => documents.is_empty(),
        document => documents.iter().any(|own| own == document),
    }
}

pub(crate) fn sections_of(text: &str) -> Vec<String> {
    text.split(';').map(|section| section.trim().to_owned()).collect()
}
