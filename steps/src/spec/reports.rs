//! What happened to others: public reports of what proxies did wrong, from `fixtures/reports.toml`,
//! and the scenario that shows each.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use maud::{Markup, html};
use serde::Deserialize;

use super::book::Book;
use super::{requirement_link, spec_page};
use crate::catalog::Catalog;
use crate::ledger::Ledger;
use crate::report::page::table;

const FILE: &str = include_str!("../../fixtures/reports.toml");

const TITLE: &str = "What happened to others";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reports {
    /// How many of them a scenario showed before they were looked for.
    shown_before: usize,
    report: Vec<Report>,
}

/// One public report.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    /// Owner and name of the project, as its tracker has them.
    project: String,
    /// The number on the tracker; one without a number has a title.
    number: Option<String>,
    title: Option<String>,
    year: u16,
    kind: String,
    /// What was sent, and what went wrong.
    sent: String,
    /// What a router for Cells would do wrong in this way.
    wrong: String,
    /// The requirement that forbids it; `new` where there is none.
    row: String,
    /// A part of the name of a scenario that fails with such a router.
    shown_by: Option<String>,
    /// Why it cannot happen to a router that this suite judges.
    cannot: Option<String>,
    /// What is missing to show it.
    open: Option<String>,
}

static ALL: LazyLock<Reports> = LazyLock::new(|| {
    toml::from_str(FILE).unwrap_or_else(|error| panic!("fixtures/reports.toml: {error}"))
});

/// The page for reviewers.
pub(super) fn page(book: &Book, catalog: &Catalog, ledger: &Ledger) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
    for report in &ALL.report {
        kinds.entry(&report.kind).or_default().push(report);
    }
    let count = |reports: &[&Report], counts: fn(&Report) -> bool| {
        reports.iter().filter(|report| counts(report)).count()
    };
    let all: Vec<_> = ALL.report.iter().collect();
    let content = html! {
        header { h1 { (TITLE) } }
        p {
            "Public reports of people whose proxy, gateway, server or library did something wrong, \
             what a router for Cells would do wrong in the same way, and the scenario that fails \
             with such a router. Of " (all.len()) " reports a scenario shows "
            (count(&all, |report| report.shown_by.is_some())) "; "
            (ALL.shown_before) " were shown before anybody had looked for them. "
            (count(&all, |report| report.cannot.is_some()))
            " cannot happen here, and " (count(&all, |report| report.open.is_some()))
            " nothing shows yet."
        }
        (table("tw", &["Kind", "Reports", "Shown", "Cannot happen", "Not shown"], &html! {
            @for (kind, reports) in &kinds {
                "\n"
                tr {
                    th scope="row" { a href={ "#" (anchor(kind)) } { (kind) } }
                    td { (reports.len()) }
                    td { (count(reports, |report| report.shown_by.is_some())) }
                    td { (count(reports, |report| report.cannot.is_some())) }
                    td { (count(reports, |report| report.open.is_some())) }
                }
            }
        }))
        @for (kind, reports) in &kinds {
            h2 id=(anchor(kind)) { (kind) }
            (table("tw", &["Report", "What happened", "In a router for Cells", "Shown by"], &html! {
                @for report in reports {
                    "\n"
                    tr {
                        th scope="row" {
                            (report.project) " "
                            (report.number.as_ref().or(report.title.as_ref()).map_or("", |it| it))
                            br; small { (report.year) }
                        }
                        td { (report.sent) }
                        td { (report.wrong) }
                        td { (shown(report, book, catalog, ledger)) }
                    }
                }
            }))
        }
    };
    spec_page(TITLE, &content)
}

/// The scenario, or why there is none.
fn shown(report: &Report, book: &Book, catalog: &Catalog, ledger: &Ledger) -> Markup {
    let id = report.row.parse().ok();
    let case = report
        .shown_by
        .as_ref()
        .and_then(|part| catalog.cases.iter().find(|case| case.name.contains(part)));
    html! {
        @if let Some(row) = id.and_then(|id| ledger.row(&id)) {
            (requirement_link(&report.row, &row.statement))
        }
        @if let Some(at) = case.and_then(|case| book.find(&case.file, case.line())) { (at.shown()) }
        @for why in [&report.cannot, &report.open].into_iter().flatten() { (why) }
    }
}

fn anchor(kind: &str) -> String {
    kind.replace(|character: char| !character.is_ascii_alphanumeric(), "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough of them, from enough places, and each says what became of it.
    #[test]
    fn reports_are_public_many_and_shown() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let mut projects: BTreeMap<&str, usize> = BTreeMap::new();
        let mut seen = BTreeMap::new();
        for report in &ALL.report {
            let name = report.number.as_ref().xor(report.title.as_ref());
            let name = name.expect("a report has a number or a title");
            let at = format!("{} {name}", report.project);
            *projects.entry(&report.project).or_default() += 1;
            assert!(seen.insert(at.clone(), &report.wrong).is_none(), "{at} stands there twice");
            let ends = [&report.shown_by, &report.cannot, &report.open];
            assert_eq!(ends.into_iter().flatten().count(), 1, "{at}: shown, impossible or open");
            let is_row = report.row.parse().is_ok_and(|id| ledger.row(&id).is_some());
            assert!(report.row == "new" && report.shown_by.is_none() || is_row, "{at}");
            if let Some(part) = &report.shown_by {
                let is_case = catalog.cases.iter().any(|case| case.name.contains(part));
                assert!(is_case, "{at}: no scenario has {part} in its name");
            }
        }
        let all = ALL.report.len();
        let count =
            |counts: fn(&Report) -> bool| ALL.report.iter().filter(|report| counts(report)).count();
        assert!(all >= 200 && projects.len() >= 20 && projects.values().all(|many| *many <= 25));
        assert!(2 * count(|report| report.year >= 2022) >= all);
        assert!(5 * count(|report| report.cannot.is_some()) <= all);
        assert!(ALL.shown_before <= count(|report| report.shown_by.is_some()));
    }
}
