//! The frame of the specification's pages, and links between them.

use maud::{Markup, html};

use crate::ledger::Requirement;
use crate::report::page::{page, prose};

/// A page of the specification, with links to the main pages above its content.
pub(super) fn spec_page(title: &str, content: &Markup) -> String {
    let links = [
        ("findings.html", "Findings"),
        ("index.html", "Contents"),
        ("documents.html", "Documents"),
        ("requirements.html", "Requirements"),
        ("review.html", "Review"),
        ("choices.html", "Choices"),
        ("freedom.html", "Freedom"),
    ];
    let content = html! {
        nav { @for (page, title) in links { a href=(page) { (title) } " " } }
        (content)
    };
    page(title, None, &content)
}

/// A link to a requirement, with its statement as tooltip.
pub(super) fn requirement_link(id: &str, statement: &str) -> Markup {
    chip("requirements.html", id, statement)
}

/// The words of the document that carry an inferred row.
pub(super) fn sentence(row: &Requirement) -> Markup {
    html! {
        @if let Some(sentence) = &row.sentence {
            " " small { "The document: \u{201c}" (prose(sentence)) "\u{201d}" }
        }
    }
}

/// A link to a row of a page, with what it is about as tooltip.
pub(super) fn chip(page: &str, id: &str, about: &str) -> Markup {
    // A tooltip has no code.
    let title = about.replace('`', "");
    html! { a.chip href={ (page) "#" (id) } title=(title) { (id) } " " }
}
