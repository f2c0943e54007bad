//! The page of one feature.

use std::fmt::Write as _;

use gherkin::{Background, Scenario, Step, Table};

use super::book::{Chapter, anchor, cited};
use super::documents::links;
use super::{Decisions, Esc, Prose, begin, decision_link, end};
use crate::documents::{Citation, Documents};
use crate::ledger::Ledger;
use crate::report::page::Drawing;
use crate::steps::{self, Role};

pub(super) fn page(
    chapter: &Chapter,
    before: Option<&Chapter>,
    after: Option<&Chapter>,
    ledger: &Ledger,
    decisions: &Decisions,
) -> String {
    let feature = &chapter.feature;
    let mut page = begin(&feature.name);
    let _ = writeln!(
        page,
        "<header><p class=\"over\">features/{} \u{b7} {}</p><h1>{}</h1></header>",
        Esc(&chapter.path),
        chapter.protocols().join(" and "),
        Esc(&feature.name)
    );
    described(&mut page, feature.description.as_deref());
    background(&mut page, feature.background.as_ref());
    let mut rule_before = None;
    for (rule, scenario) in chapter.scenarios() {
        let line = rule.map(|rule| rule.position.line);
        if let Some(rule) = rule.filter(|_| line != rule_before) {
            let _ = writeln!(page, "<h2>{}</h2>", Esc(&rule.name));
            described(&mut page, rule.description.as_deref());
            background(&mut page, rule.background.as_ref());
        }
        rule_before = line;
        let mut protocols: Vec<&str> = Vec::new();
        for protocol in ["buffering", "learning"] {
            let tagged = |tags: &[String]| tags.iter().any(|tag| tag == protocol);
            if tagged(&scenario.tags)
                || tagged(&feature.tags)
                || rule.is_some_and(|rule| tagged(&rule.tags))
            {
                protocols.push(protocol);
            }
        }
        let citations =
            Citation::of_scenario(scenario, rule.map_or(&[], |rule| &rule.tags), &feature.tags);
        written(&mut page, scenario, &protocols, &citations, ledger, decisions);
    }
    let link = |chapter: Option<&Chapter>, sign: &str| {
        chapter.map(|chapter| {
            format!("<a href=\"{}\">{sign} {}</a>", chapter.page, Esc(&chapter.feature.name))
        })
    };
    let links: Vec<_> =
        [link(before, "Before:"), link(after, "Next:")].into_iter().flatten().collect();
    let _ = writeln!(page, "<nav class=\"foot\">{}</nav>", links.join(" "));
    end(&mut page);
    page
}

fn described(page: &mut String, text: Option<&str>) {
    for paragraph in text
        .unwrap_or_default()
        .split("\n\n")
        .map(str::trim)
        .filter(|paragraph| !paragraph.is_empty())
    {
        let _ = writeln!(page, "<p>{}</p>", Prose(paragraph));
    }
}

fn background(page: &mut String, background: Option<&Background>) {
    if let Some(background) = background {
        page.push_str("<div class=\"gh\"><p><b>Background</b></p>\n<ol>\n");
        background.steps.iter().for_each(|one| step(page, one));
        page.push_str("</ol></div>\n");
    }
}

fn written(
    page: &mut String,
    scenario: &Scenario,
    protocols: &[&str],
    citations: &[Citation],
    ledger: &Ledger,
    decisions: &Decisions,
) {
    let _ = writeln!(
        page,
        "<article class=\"card sc\" id=\"{}\"><h3>{} <small>{}</small></h3>",
        anchor(scenario),
        Esc(&scenario.name),
        protocols.join(", ")
    );
    described(page, scenario.description.as_deref());
    let ids = cited(scenario);
    page.push_str("<dl class=\"req\">\n");
    for row in ids.iter().filter_map(|id| ledger.row(id)) {
        let _ = writeln!(
            page,
            "<dt><a href=\"requirements.html#{0}\">{0}</a> <span class=\"lv\">{1}</span></dt><dd>{2}</dd>",
            row.id,
            row.level,
            Prose(&row.statement)
        );
    }
    page.push_str("</dl>\n");
    if !citations.is_empty() {
        let _ =
            writeln!(page, "<ul class=\"links\">{}</ul>", links(citations, Documents::embedded()));
    }
    let taken: Vec<_> = decisions
        .all()
        .iter()
        .filter(|decision| ids.iter().any(|id| decision.requirements.contains(id)))
        .map(decision_link)
        .collect();
    if !taken.is_empty() {
        let _ = writeln!(page, "<p class=\"tags\">Decisions: {}</p>", taken.concat());
    }
    page.push_str("<div class=\"gh\"><ol>\n");
    scenario.steps.iter().for_each(|one| step(page, one));
    page.push_str("</ol></div>\n");
    for examples in &scenario.examples {
        let name = examples.name.as_deref().unwrap_or_default();
        let _ = writeln!(page, "<h5>Examples {}</h5>", Esc(name));
        if let Some(examples) = &examples.table {
            table(page, examples);
        }
    }
    page.push_str("</article>\n");
}

fn step(page: &mut String, step: &Step) {
    let _ = write!(page, "<li><b>{}</b> {}", Esc(step.keyword.trim()), Esc(&step.value));
    let is_exchange = steps::find(step).is_ok_and(|found| found.definition.role == Role::Exchange);
    match step.docstring.as_deref().map(|doc| doc.trim_matches('\n')) {
        Some(doc) if is_exchange => {
            let lines: Vec<_> = doc.lines().map(str::to_owned).collect();
            let drawing = Drawing {
                title: "The expected exchange",
                lines: &lines,
                mark: None,
                at_end: "",
                links: &[],
            };
            let _ = write!(
                page,
                "<figure>{}</figure><details><summary>As text</summary><pre>{}</pre></details>",
                drawing.svg(),
                Esc(doc)
            );
        }
        Some(doc) => {
            let _ = write!(page, "<pre>{}</pre>", Esc(doc));
        }
        None => {}
    }
    if let Some(rows) = &step.table {
        table(page, rows);
    }
    page.push_str("</li>\n");
}

fn table(page: &mut String, table: &Table) {
    page.push_str("<div class=\"tw\"><table>\n");
    for (number, row) in table.rows.iter().enumerate() {
        let name = if number == 0 { "th" } else { "td" };
        let cells: String =
            row.iter().map(|cell| format!("<{name}>{}</{name}>", Esc(cell))).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    page.push_str("</table></div>\n");
}
