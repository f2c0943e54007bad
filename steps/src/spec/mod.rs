//! The features as an executable specification to read: static pages that open offline.

mod book;
mod decisions;
mod documents;
mod feature;
mod findings;
mod freedom;
pub mod proofs;
mod reading;
mod reports;
mod requirements;
mod review;

use maud::{Markup, html};

pub use decisions::{
    Cause, Decision, Decisions, Finding, Kind, Place, Reason, Recommendation, Severity, Source,
};
pub use freedom::Freedom;

use crate::catalog::Catalog;
use crate::catalog::documents::Documents;
use crate::ledger::{Ledger, Requirement};
use crate::report::page::{page, prose, table};
use book::{Book, PARTS};
use reading::how_to_read;
use review::Scenarios;

/// A page that is made elsewhere and stands next to the specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beside {
    /// The name of its file.
    pub file: String,
    pub title: String,
    pub text: String,
}

/// The pages, each with the name of its file. The first is `index.html`; it and the review link to
/// the pages that stand next to them.
pub fn pages(beside: &[Beside]) -> Result<Vec<(String, String)>, String> {
    let (ledger, decisions) = (Ledger::embedded(), Decisions::embedded());
    let book = Book::embedded()?;
    let catalog = Catalog::embedded();
    let scenarios = Scenarios::named_by(decisions, &catalog, &book);
    let mut pages = vec![
        ("index.html".to_owned(), index(&book, ledger, beside)),
        ("findings.html".to_owned(), findings::page(decisions, &scenarios)),
        ("documents.html".to_owned(), documents::page(&book, Documents::embedded(), ledger)),
        ("requirements.html".to_owned(), requirements::page(&book, ledger, decisions)),
        ("review.html".to_owned(), review::review(decisions, ledger, &scenarios, beside)),
        ("choices.html".to_owned(), review::choices(decisions, ledger, &scenarios)),
        ("freedom.html".to_owned(), freedom::page()),
        ("reports.html".to_owned(), reports::page(&book, &catalog, ledger)),
    ];
    for (place, chapter) in book.chapters.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| book.chapters.get(before));
        let after = book.chapters.get(place + 1);
        pages
            .push((chapter.page.clone(), feature::page(chapter, before, after, ledger, decisions)));
    }
    pages.extend(beside.iter().map(|page| (page.file.clone(), page.text.clone())));
    Ok(pages)
}

/// Links to the pages that stand next to the specification.
fn links(beside: &[Beside]) -> Markup {
    html! {
        @if !beside.is_empty() {
            p { "See also: " @for page in beside { a href=(page.file) { (page.title) } " " } }
        }
    }
}

fn index(book: &Book, ledger: &Ledger, beside: &[Beside]) -> String {
    const TITLE: &str = "Routers for Cells: an executable specification";
    let proved = ledger.rows().filter(|row| !book.locations(&row.id).is_empty()).count();
    let judging = || book.chapters.iter().filter(|chapter| chapter.judges());
    let scenarios: usize = judging().map(|chapter| chapter.scenarios().count()).sum();
    let content = html! {
        header {
            p.over { "cells-conformance " (env!("CARGO_PKG_VERSION")) }
            h1 { (TITLE) }
        }
        p {
            "Every page is a feature file that the suite runs against a router. The scenarios are \
             what is checked, word by word, and the drawings are the exchanges that must be \
             observed. " (scenarios) " scenarios in " (judging().count()) " features exercise "
            (proved) " of " (ledger.rows().count()) " "
            a href="requirements.html" { "requirements" } "; the others say why none does. "
            "What matters most about the proposals, and what became of them, are the "
            a href="findings.html" { "findings" } ". "
            a href="documents.html" { "Sentence by sentence" }
            ", the documents stand next to the scenarios that show them. Where they are wrong, \
             silent or contradict themselves, the " a href="review.html" { "review" }
            " says how the suite reads them, what follows, and what they should say; what is the \
             suite's own is among its " a href="choices.html" { "choices" } ". "
            a href="freedom.html" { "Another page" } " lists what a router may decide itself, and "
            a href="reports.html" { "the last" } " what happened to others."
        }
        (links(beside))
        (how_to_read())
        @for (folder, title, about) in PARTS {
            @let chapters = book.chapters.iter().filter(|one| one.path.starts_with(folder));
            h2 { (title) }
            p { (about) }
            (table("tw", &["Feature", "Scenarios", "Protocols"], &html! {
                @for chapter in chapters {
                    "\n"
                    tr {
                        td {
                            a href=(chapter.page) { (chapter.feature.name) } br;
                            small { (chapter.path) }
                        }
                        td { (chapter.scenarios().count()) }
                        td { (chapter.protocols().join(", ")) }
                    }
                }
            }))
        }
    };
    spec_page(TITLE, &content)
}

/// A page of the specification, with links to the main pages above its content.
fn spec_page(title: &str, content: &Markup) -> String {
    let links = [
        ("findings.html", "Findings"),
        ("index.html", "Contents"),
        ("documents.html", "Documents"),
        ("requirements.html", "Requirements"),
        ("review.html", "Review"),
        ("choices.html", "Choices"),
        ("freedom.html", "Freedom"),
        ("reports.html", "Reports"),
    ];
    let content = html! {
        nav { @for (page, title) in links { a href=(page) { (title) } " " } }
        (content)
    };
    page(title, None, &content)
}

fn requirement_link(id: &str, statement: &str) -> Markup {
    chip("requirements.html", id, statement)
}

/// The words of the document that carry an inferred row.
fn sentence(row: &Requirement) -> Markup {
    html! {
        @if let Some(sentence) = &row.sentence {
            " " small { "The document: \u{201c}" (prose(sentence)) "\u{201d}" }
        }
    }
}

/// A link to a row of a page, with what it is about as tooltip.
fn chip(page: &str, id: &str, about: &str) -> Markup {
    // A tooltip has no code.
    let title = about.replace('`', "");
    html! { a.chip href={ (page) "#" (id) } title=(title) { (id) } " " }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_link_has_a_target_and_every_page_is_linked() {
        let (title, text) = ("Costs".to_owned(), "<nav><a href=\"findings.html\">".to_owned());
        let pages = pages(&[Beside { file: "costs.html".to_owned(), title, text }]).unwrap();
        let mut places = BTreeSet::new();
        for (name, text) in &pages {
            assert!(text.contains("<nav><a href=\"findings.html\">"), "{name}");
            places.insert(name.clone());
            for id in text.split(" id=\"").skip(1) {
                let id = id.split('"').next().unwrap();
                assert!(
                    places.insert(format!("{name}#{id}")),
                    "{name}: two elements have the id {id}"
                );
            }
        }
        let mut reached = BTreeSet::new();
        for (name, text) in &pages {
            for link in text
                .split(" href=\"")
                .skip(1)
                .map(|link| link.split('"').next().unwrap())
                .filter(|link| !link.starts_with("data:") && !link.starts_with("https:"))
            {
                let whole =
                    if link.starts_with('#') { format!("{name}{link}") } else { link.to_owned() };
                assert!(places.contains(&whole), "{name} links to {whole}, which does not exist");
                reached.insert(whole.split('#').next().unwrap().to_owned());
            }
        }
        let names: BTreeSet<_> = pages.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(reached, names);
    }

    #[test]
    fn the_review_has_every_finding_and_the_choices_have_the_rest() {
        let pages = pages(&[]).unwrap();
        let page = |name: &str| &pages.iter().find(|(own, _)| own == name).unwrap().1;
        let (review, choices) = (page("review.html"), page("choices.html"));
        for decision in Decisions::embedded().all() {
            let anchor = format!(" id=\"{}\"", decision.id);
            let is_choice = decision.kind == Kind::Choice;
            assert_eq!(review.contains(&anchor), !is_choice, "{}", decision.id);
            assert_eq!(choices.contains(&anchor), is_choice, "{}", decision.id);
        }
        let at = |text: &str| review.find(text).unwrap_or_else(|| panic!("no {text}"));
        let order = ["design-faults", "contradictions", "gaps", "slips", "recommendations"];
        let order = order.map(|anchor| at(&format!("<h2 id=\"{anchor}\"")));
        assert!(order.is_sorted(), "{order:?}");
    }

    #[test]
    fn exchanges_are_drawn_and_no_page_fetches_anything() {
        for (name, text) in pages(&[]).unwrap() {
            assert!(
                !text.contains("<script") && !text.contains(" src=") && !text.contains("url("),
                "{name}"
            );
            if name.starts_with("journeys") {
                assert!(text.contains("<svg class=\"q"), "{name}");
            }
        }
    }
}
