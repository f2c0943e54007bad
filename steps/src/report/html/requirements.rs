//! What became of each requirement, by document and section.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::data::{Report, Requirement, Scenario};
use super::outcome_of;
use super::text::{Esc, Prose, anchor};

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
    requirement: &'a Requirement,
    scenarios: Vec<&'a Scenario>,
}

impl Row<'_> {
    /// Violated wherever that came to light. It holds where a scenario that cites it ended well;
    /// one that failed for another reason shows nothing of it.
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

/// Every scenario that would show it failed for another reason.
const UNSHOWN: &str = "not shown";

/// Writes it.
pub(super) fn write(page: &mut String, report: &Report) {
    let mut by_id: BTreeMap<&str, Vec<&Scenario>> = BTreeMap::new();
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
    page.push_str("<h2 id=\"requirements\">Requirements by document and section</h2>\n");
    for (document, title) in DOCUMENTS {
        sections(page, document, title, &rows);
    }
    page.push_str("<details class=\"all\"><summary>Every requirement in words, with its scenarios</summary>\n<div class=\"tw\"><table><thead><tr><th>Requirement</th><th>Outcome</th><th>In words</th></tr></thead><tbody>\n");
    for row in &rows {
        in_words(page, row);
    }
    page.push_str("</tbody></table></div></details>\n");
}

fn sections(page: &mut String, document: &str, title: &str, rows: &[Row<'_>]) {
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
        return;
    }
    let of_document: Vec<_> = rows.iter().filter(is_in).collect();
    let count = |word: &str| of_document.iter().filter(|row| row.outcome() == word).count();
    let (class, said) = match (count("failed"), count(UNSHOWN)) {
        (0, 0) => ("passed", "none violated".to_owned()),
        (0, unshown) => ("not-run", format!("{unshown} not shown")),
        (violated, 0) => ("failed", format!("{violated} violated")),
        (violated, unshown) => ("failed", format!("{violated} violated, {unshown} not shown")),
    };
    let _ = writeln!(
        page,
        "<details class=\"doc\"><summary>{title} <small>{} requirements,</small> <span class=\"t-{class}\">{said}</span></summary>\n<div class=\"tw\"><table><thead><tr><th>Section</th><th>Requirements</th></tr></thead><tbody>",
        of_document.len()
    );
    for (section, rows) in by_section {
        let _ = write!(page, "<tr><td>{}</td><td>", Prose(&section));
        for row in rows {
            let (outcome, class, sign) = row.shown();
            let (id, statement) = (Esc(row.id), plain(&row.requirement.statement));
            let _ = write!(
                page,
                "<a class=\"chip t-{class}\" href=\"#{id}\" title=\"{}: {}\">{sign} {id}<span class=\"vh\"> {outcome}</span></a> ",
                Esc(outcome),
                Esc(&statement)
            );
        }
        page.push_str("</td></tr>\n");
    }
    page.push_str("</tbody></table></div></details>\n");
}

fn in_words(page: &mut String, row: &Row<'_>) {
    let (outcome, class, sign) = row.shown();
    let id = Esc(row.id);
    let Requirement { profile, level, section, statement, documents } = row.requirement;
    let documents = if documents.is_empty() { "derived".to_owned() } else { documents.join(", ") };
    let _ = write!(
        page,
        "<tr id=\"{id}\"><th scope=\"row\">{id}<br><small>{level}, {profile}</small></th><td class=\"oc t-{class}\">{sign} {outcome}</td><td>{}<br><small>{}: {}</small><br><a class=\"only\" href=\"#requirement={id}\">show only its scenarios</a>",
        Prose(statement),
        Esc(&documents),
        Prose(section)
    );
    let _ = write!(
        page,
        "<details><summary>{} scenarios</summary><ul class=\"links\">",
        row.scenarios.len()
    );
    for scenario in &row.scenarios {
        let (class, sign) = outcome_of(&scenario.outcome.word);
        let _ = write!(
            page,
            "<li><span class=\"t-{class}\">{sign}</span> <a href=\"#{}\">{}</a></li>",
            anchor(&scenario.name),
            Esc(&scenario.name)
        );
    }
    page.push_str("</ul></details></td></tr>\n");
}

/// The sections that a row names.
pub(crate) fn sections_of(text: &str) -> Vec<String> {
    text.split(';').map(|section| section.trim().to_owned()).collect()
}

/// For a tooltip, which has no code.
fn plain(statement: &str) -> String {
    statement.replace('`', "")
}
