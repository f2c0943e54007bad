//! The page of the requirements, with their coverage.

use std::fmt::Write as _;

use super::book::Book;
use super::{Decisions, Esc, Prose, begin, decision_link, end, requirement_link};
use crate::ledger::{Ledger, Requirement};
use crate::report::page::{DOCUMENTS, sections_of};

pub(super) fn page(book: &Book, ledger: &Ledger, decisions: &Decisions) -> String {
    let mut page = begin("Requirements and their coverage");
    page.push_str("<header><h1>Requirements and their coverage</h1></header>\n<h2>By document and section</h2>\n");
    for (document, title) in DOCUMENTS {
        by_section(&mut page, document, title, book, ledger);
    }
    page.push_str("<h2>In words</h2>\n<div class=\"tw all\"><table><thead><tr><th>Requirement</th><th>In words</th><th>Proved by</th></tr></thead><tbody>\n");
    for row in ledger.rows() {
        in_words(&mut page, row, book, decisions);
    }
    page.push_str("</tbody></table></div>\n");
    end(&mut page);
    page
}

fn by_section(page: &mut String, document: &str, title: &str, book: &Book, ledger: &Ledger) {
    let is_in = |row: &&Requirement| {
        if document.is_empty() {
            row.documents.is_empty()
        } else {
            row.documents.iter().any(|own| own == document)
        }
    };
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
    let proved =
        |rows: &[&Requirement]| rows.iter().filter(|row| !book.places(&row.id).is_empty()).count();
    let _ = writeln!(
        page,
        "<details class=\"doc\"><summary>{title} <small>{} of {} requirements have scenarios</small></summary>\n<div class=\"tw\"><table><thead><tr><th>Section</th><th>Proved</th><th>Requirements</th></tr></thead><tbody>",
        proved(&all),
        all.len()
    );
    for (section, rows) in &sections {
        let links: String =
            rows.iter().map(|row| requirement_link(row.id.as_str(), &row.statement)).collect();
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{} of {}</td><td>{links}</td></tr>",
            Prose(section),
            proved(rows),
            rows.len()
        );
    }
    page.push_str("</tbody></table></div></details>\n");
}

fn in_words(page: &mut String, row: &Requirement, book: &Book, decisions: &Decisions) {
    let documents =
        if row.documents.is_empty() { "derived".to_owned() } else { row.documents.join(", ") };
    let _ = write!(
        page,
        "<tr id=\"{0}\"><th scope=\"row\">{0}<br><small>{1}, {2}</small></th><td>{3}<br><small>{documents}: {4}</small>",
        row.id,
        row.level,
        row.profile,
        Prose(&row.statement),
        Prose(&row.section)
    );
    let taken: String = decisions
        .all()
        .iter()
        .filter(|decision| decision.requirements.contains(&row.id))
        .map(decision_link)
        .collect();
    if !taken.is_empty() {
        let _ = write!(page, "<br><small>Decisions:</small> {taken}");
    }
    page.push_str("</td><td>");
    let places = book.places(&row.id);
    match (places, row.untested) {
        ([], Some(reason)) => {
            let _ = write!(page, "<span class=\"t-none\">\u{2013} untested: {reason}</span>");
        }
        ([], None) => page.push_str("<span class=\"t-warned\">! no scenario</span>"),
        (places, _) => {
            let links: String = places
                .iter()
                .map(|place| {
                    format!(
                        "<li><a href=\"{}\">{}</a> <small>{}</small></li>",
                        place.link,
                        Esc(&place.title),
                        Esc(&place.feature)
                    )
                })
                .collect();
            let count = if places.len() == 1 {
                "1 scenario".to_owned()
            } else {
                format!("{} scenarios", places.len())
            };
            let _ = write!(
                page,
                "<details><summary><span class=\"t-passed\">\u{2713}</span> {count}</summary><ul class=\"links\">{links}</ul></details>"
            );
        }
    }
    page.push_str("</td></tr>\n");
}
