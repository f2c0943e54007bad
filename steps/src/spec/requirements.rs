//! The page of the requirements, with their coverage.

use maud::{Markup, html};

use super::book::Book;
use super::decisions::{Decisions, decision_link};
use super::{requirement_link, sentence, spec_page};
use crate::engine::counted;
use crate::ledger::{Ledger, Requirement};
use crate::report::page::{DOCUMENTS, documents_of, is_from, prose, sections_of, table};

pub(super) fn page(book: &Book, ledger: &Ledger, decisions: &Decisions) -> String {
    let content = html! {
        header { h1 { "Requirements and their coverage" } }
        h2 { "By document and section" }
        @for (document, title) in DOCUMENTS { (by_section(document, title, book, ledger)) }
        h2 { "In words" }
        (table("tw all", &["Requirement", "In words", "Proved by"], &html! {
            @for row in ledger.rows() { "\n" (in_words(row, book, decisions)) }
        }))
    };
    spec_page("Requirements and their coverage", &content)
}

fn by_section(document: &str, title: &str, book: &Book, ledger: &Ledger) -> Markup {
    let is_in = |row: &&Requirement| is_from(&row.documents, document);
    // Sections in the order in which the ledger first names them, which is that of its areas.
    let mut sections: Vec<(String, Vec<&Requirement>)> = Vec::new();
    for row in ledger.rows().filter(is_in) {
        for section in sections_of(&row.section) {
            match sections.iter_mut().find(|(own, _)| *own == section) {
                Some((_, rows)) => rows.push(row),
                None => sections.push((section, vec![row])),
            }
        }
    }
    let all: Vec<_> = ledger.rows().filter(is_in).collect();
    let proved = |rows: &[&Requirement]| {
        rows.iter().filter(|row| !book.locations(&row.id).is_empty()).count()
    };
    html! {
        details.doc {
            summary {
                (title) " "
                small { (proved(&all)) " of " (all.len()) " requirements have scenarios" }
            }
            (table("tw", &["Section", "Proved", "Requirements"], &html! {
                @for (section, rows) in &sections {
                    "\n"
                    tr {
                        td { (prose(section)) }
                        td { (proved(rows)) " of " (rows.len()) }
                        td {
                            @for row in rows {
                                (requirement_link(row.id.as_str(), &row.statement))
                            }
                        }
                    }
                }
            }))
        }
    }
}

fn in_words(row: &Requirement, book: &Book, decisions: &Decisions) -> Markup {
    let taken: Vec<_> =
        decisions.all().iter().filter(|decision| decision.requirements.contains(&row.id)).collect();
    html! {
        tr id=(row.id) {
            th scope="row" { (row.id) br; small { (row.level) ", " (row.profile) } }
            td {
                (prose(&row.statement)) (sentence(row)) br;
                small { (documents_of(&row.documents)) ": " (prose(&row.section)) }
                @if !taken.is_empty() {
                    br; small { "Decisions:" } " "
                    @for decision in taken { (decision_link(decision)) }
                }
            }
            td { (proof(row, book)) }
        }
    }
}

/// The scenarios that prove a row, or why there are none.
fn proof(row: &Requirement, book: &Book) -> Markup {
    html! {
        @match (book.locations(&row.id), row.without_scenarios()) {
            ([], Some(reason)) => { span.t-none { "\u{2013} " (reason) } }
            ([], None) => { span.t-warned { "! no scenario" } }
            (locations, _) => {
                details {
                    summary {
                        span.t-passed { "\u{2713}" } " " (counted(locations.len(), "scenario"))
                    }
                    ul.links {
                        @for location in locations { li { (location.shown()) } }
                    }
                }
            }
        }
    }
}
