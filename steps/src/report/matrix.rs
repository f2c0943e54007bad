//! Many reports as pages: one with a matrix of routers by requirement, and each report as a
//! separate page, with its badges.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::compare::{Matrix, MatrixRow};
use super::html::frame::page;
use super::html::summary::about;
use super::html::text::{anchor, link_to, prose};
use super::notes::excluded;
use super::outcomes::Look;
use super::protocols::protocols;
use super::standing::Standing;
use super::text::identity;
use super::{html as report_page, markdown};
use crate::engine::record::RunRecord;
use crate::engine::{Conclusion, counted};
use crate::ledger::{Ledger, Profile, RequirementId};
use crate::verdict::OutcomeWord;

/// The files of the pages: name and content. The first is `index.html`, the matrix.
///
/// `spec` is where the pages of the specification are.
pub fn pages(
    reports: &[(String, RunRecord)],
    ledger: &Ledger,
    spec: Option<&str>,
) -> Vec<(String, String)> {
    let names = file_names(reports);
    let columns: Vec<_> = reports
        .iter()
        .zip(&names)
        .map(|((_, report), name)| Column { report, page: format!("{name}.html") })
        .collect();
    let mut files = vec![("index.html".to_owned(), index(&columns, reports, ledger, spec))];
    for ((_, report), name) in reports.iter().zip(&names) {
        files.push((format!("{name}.html"), report_page::render(report)));
        files.push((format!("{name}.svg"), markdown::badge(report)));
        files.push((format!("{name}.badge.json"), markdown::endpoint(report)));
    }
    files
}

struct Column<'a> {
    report: &'a RunRecord,
    page: String,
}

/// The longest name; file systems allow 255 bytes, and more is added to it.
const LONGEST: usize = 100;

/// A name of a file for each report, from the name and version of its router. A number tells it from
/// others that begin so.
fn file_names(reports: &[(String, RunRecord)]) -> Vec<String> {
    // The matrix has this name.
    let mut taken = BTreeSet::from(["index".to_owned()]);
    let mut names = Vec::new();
    for (_, report) in reports {
        let words: String = identity(&report.router)
            .to_lowercase()
            .chars()
            .map(|one| if one.is_ascii_alphanumeric() || one == '.' { one } else { '-' })
            .collect();
        let words: Vec<_> = words
            .split('-')
            .map(|word| word.trim_matches('.'))
            .filter(|word| !word.is_empty())
            .collect();
        let mut base = if words.is_empty() { "router".to_owned() } else { words.join("-") };
        // Every character is one byte.
        base.truncate(LONGEST);
        let numbered = (2..).map(|number| format!("{base}-{number}"));
        let name =
            std::iter::once(base.clone()).chain(numbered).find(|one| taken.insert(one.clone()));
        names.extend(name);
    }
    names
}

fn index(
    columns: &[Column<'_>],
    reports: &[(String, RunRecord)],
    ledger: &Ledger,
    spec: Option<&str>,
) -> String {
    const TITLE: &str = "Routers for Cells: who does what";
    let matrix = Matrix::new(reports, ledger);
    let content = html! {
        @if let Some(spec) = spec {
            nav { a href={ (spec) "/index.html" } { "The specification" } }
        }
        h1 { (TITLE) }
        p {
            "Each column is a run of the conformance suite against one router, each row a \
             requirement. A cell leads to the requirement in the report of that router."
        }
        h2 #routers { "Routers" }
        div.cards {
            @for (column, name) in columns.iter().zip(&matrix.routers) { (card(column, name)) }
        }
        h2 #requirements { "Requirements" }
        (legend())
        @for profile in Profile::ALL {
            (profile_table(profile, &matrix, columns, ledger, spec))
        }
        (apart(columns, &matrix))
    };
    page(TITLE, None, &content)
}

fn legend() -> Markup {
    html! {
        ul.counts.legend {
            @for standing in Standing::ALL {
                @let Look { class, sign, .. } = standing.look();
                li class={ "t-" (class) } { (sign) " " (standing) }
            }
        }
    }
}

/// A router: its verdicts, its protocols, and the links to its page.
fn card(column: &Column<'_>, name: &str) -> Markup {
    let Column { report, page } = column;
    html! {
        section.card {
            h3 { a href=(page) { (name) } }
            p class={ "cv t-" (Look::conclusion(report.conclusion).class) } { (report.conclusion) }
            ul.facts-of {
                @for (name, protocol) in protocols(report) {
                    li class=[(!protocol.was_run()).then_some("t-none")] {
                        (name) ": " (protocol.words())
                    }
                }
                @for profile in report.profiles.iter().filter(|one| one.verdict != Conclusion::NotRun) {
                    li {
                        (profile.profile) ": "
                        span class={ "t-" (Look::conclusion(profile.verdict).class) } {
                            (profile.verdict)
                        }
                    }
                }
                @if let Some(excluded) = excluded(&report.run.selection, report.run.excluded.len()) {
                    li { (excluded) }
                }
                @let day = report.run.began.get(..10).unwrap_or_default();
                li { (counted(report.scenarios.len(), "scenario")) ", " (day) }
                @if let Some(url) = &report.router.url { li { (link_to(url)) } }
            }
        }
    }
}

/// The head of a table: a column for each router.
fn head(first: &str, columns: &[Column<'_>], matrix: &Matrix) -> Markup {
    html! {
        thead {
            tr {
                th scope="col" { (first) }
                @for (column, name) in columns.iter().zip(&matrix.routers) {
                    th scope="col" {
                        a href=(column.page) { (name) }
                        small {
                            @for (name, protocol) in protocols(column.report) {
                                @if protocol.was_run() { br; (name) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn profile_table(
    profile: Profile,
    matrix: &Matrix,
    columns: &[Column<'_>],
    ledger: &Ledger,
    spec: Option<&str>,
) -> Markup {
    let rows: Vec<_> = matrix.rows.iter().filter(|row| row.profile == profile).collect();
    // A requirement that no router claims says nothing.
    let is_claimed =
        |row: &&&MatrixRow| row.standings.iter().any(|one| *one != Standing::NotApplicable);
    let unclaimed = rows.len() - rows.iter().filter(is_claimed).count();
    if rows.is_empty() {
        return html! {};
    }
    html! {
        h3 #(profile) { (profile) " " small { (about(profile)) } }
        div.mx {
            table {
                (head("Requirement", columns, matrix))
                tbody {
                    (counts(&rows, columns))
                    @for row in rows.iter().filter(is_claimed) {
                        "\n"
                        (requirement(row, columns, ledger, spec))
                    }
                }
            }
        }
        @if unclaimed > 0 { p.over { (unclaimed) " more apply to none of these routers." } }
    }
}

/// How many requirements of each standing every router has.
fn counts(rows: &[&MatrixRow], columns: &[Column<'_>]) -> Markup {
    html! {
        tr.sum {
            th scope="row" { (rows.len()) " requirements" }
            @for place in 0..columns.len() {
                td {
                    @for standing in Standing::ALL {
                        @let Look { class, sign, .. } = standing.look();
                        @let count = rows
                            .iter()
                            .filter(|row| row.standings.get(place) == Some(&standing))
                            .count();
                        @if count > 0 {
                            span class={ "t-" (class) } title=(standing) { (sign) " " (count) } " "
                        }
                    }
                }
            }
        }
    }
}

fn requirement(
    row: &MatrixRow,
    columns: &[Column<'_>],
    ledger: &Ledger,
    spec: Option<&str>,
) -> Markup {
    let own = ledger.row(&row.id);
    let recorded = || columns.iter().find_map(|column| column.report.requirements.get(&row.id));
    let statement = own
        .map(|own| own.statement.as_str())
        .or_else(|| recorded().map(|recorded| recorded.statement.as_str()))
        .unwrap_or_default();
    html! {
        tr id=(row.id) {
            th scope="row" {
                @match spec {
                    Some(spec) => {
                        a href={ (spec) "/requirements.html#" (row.id) } { (row.id) }
                    }
                    None => { (row.id) }
                }
                " " span.lv { (row.level) }
                div.say { (prose(statement)) }
            }
            @for (column, standing) in columns.iter().zip(&row.standings) {
                (cell(column, &row.id, *standing))
            }
        }
    }
}

fn cell(column: &Column<'_>, id: &RequirementId, standing: Standing) -> Markup {
    let Look { class, sign, .. } = standing.look();
    html! {
        td class={ "t-" (class) } {
            @if column.report.requirements.contains_key(id) {
                a href={ (column.page) "#" (id) } { (sign) " " (standing) }
            } @else {
                (sign) " " (standing)
            }
        }
    }
}

/// The scenarios in which some router did otherwise than pass.
fn apart(columns: &[Column<'_>], matrix: &Matrix) -> Markup {
    let mut outcomes: BTreeMap<&str, BTreeMap<usize, OutcomeWord>> = BTreeMap::new();
    for (place, column) in columns.iter().enumerate() {
        for scenario in &column.report.scenarios {
            outcomes.entry(&scenario.name).or_default().insert(place, scenario.outcome.word);
        }
    }
    outcomes.retain(|_, words| {
        words.values().any(|word| word.was_run() && *word != OutcomeWord::Passed)
    });
    // A feature is an area and a file: the first two parts of a name.
    let feature = |name: &str| name.split("::").take(2).collect::<Vec<_>>().join("::");
    let rows: Vec<_> = outcomes.iter().collect();
    if rows.is_empty() {
        return html! {};
    }
    html! {
        h2 #scenarios { "Scenarios that some router does not pass" }
        @for group in rows.chunk_by(|one, other| feature(one.0) == feature(other.0)) {
            @let title = feature(group[0].0);
            details.doc {
                summary { (title) " " small { (group.len()) } }
                div.mx {
                    table {
                        (head("Scenario", columns, matrix))
                        tbody {
                            @for (name, words) in group {
                                "\n"
                                tr {
                                    @let rest = name.strip_prefix(&title).unwrap_or(name);
                                    th scope="row" { (rest.trim_start_matches("::")) }
                                    @for (place, column) in columns.iter().enumerate() {
                                        (outcome(column, name, words.get(&place).copied()))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn outcome(column: &Column<'_>, name: &str, word: Option<OutcomeWord>) -> Markup {
    let Some(word) = word else { return html! { td.t-none { "not run" } } };
    let Look { class, sign, .. } = Look::outcome(word);
    html! {
        td class={ "t-" (class) } {
            a href={ (column.page) "#" (anchor(name)) } { (sign) " " (word.as_str()) }
        }
    }
}

#[cfg(test)]
mod tests;
