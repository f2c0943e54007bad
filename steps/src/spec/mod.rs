//! The features as an executable specification to read: static pages that open offline.

mod book;
mod decisions;
mod documents;
mod feature;
mod requirements;

use std::fmt::Write as _;

pub use decisions::{Decision, Decisions};

use crate::documents::Documents;
use crate::ledger::Ledger;
use crate::report::page::{Esc, Prose, head};
use book::Book;

/// The pages: name of the file, and text. The first is `index.html`.
///
/// # Errors
///
/// Where an embedded feature file is no Gherkin, which the catalog reports as well.
pub fn pages() -> Result<Vec<(String, String)>, String> {
    let (ledger, decisions) = (Ledger::embedded(), Decisions::embedded());
    let book = Book::embedded()?;
    let mut pages = vec![
        ("index.html".to_owned(), index(&book, ledger)),
        ("documents.html".to_owned(), documents::page(&book, Documents::embedded())),
        ("requirements.html".to_owned(), requirements::page(&book, ledger, decisions)),
        ("decisions.html".to_owned(), decisions::page(decisions, ledger)),
    ];
    for (place, chapter) in book.chapters.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| book.chapters.get(before));
        let after = book.chapters.get(place + 1);
        pages
            .push((chapter.page.clone(), feature::page(chapter, before, after, ledger, decisions)));
    }
    Ok(pages)
}

/// The beginning of a page, with what all pages lead to.
fn begin(title: &str) -> String {
    let mut page = head(title, None);
    page.push_str("<main>\n<nav><a href=\"index.html\">Contents</a> <a href=\"documents.html\">Documents</a> <a href=\"requirements.html\">Requirements</a> <a href=\"decisions.html\">Decisions</a></nav>\n");
    page
}

fn end(page: &mut String) {
    page.push_str("</main>\n</body>\n</html>\n");
}

/// The parts of the specification: folder, title, what it is.
const PARTS: [(&str, &str, &str); 4] = [
    (
        "journeys",
        "The flows of the documents",
        "In the order in which they stand there, each as both proposals have it.",
    ),
    (
        "protocol",
        "The protocols",
        "What a router does with headers, learn responses and its cache.",
    ),
    (
        "hardening",
        "Hardening",
        "Derived from no document: what keeps a router safe and its runs finite.",
    ),
    ("cells", "The cells", "What the cells behind the router promise; no verdict about a router."),
];

fn index(book: &Book, ledger: &Ledger) -> String {
    let mut page = begin("Routers for Cells: an executable specification");
    let proved = ledger.rows().filter(|row| !book.places(&row.id).is_empty()).count();
    let _ = write!(
        page,
        "<header><p class=\"over\">cells-conformance {}</p><h1>Routers for Cells: an executable specification</h1></header>\n\
         <p>Every page is a feature file that the suite runs against a router: the scenarios below are what is checked, word by word, and the drawings \
         are the exchanges that must be observed. {} scenarios under {} features prove {proved} of {} <a href=\"requirements.html\">requirements</a>; each row \
         without a scenario says why. <a href=\"documents.html\">Section by section</a>, the documents stand beside the scenarios that execute them. Where the documents are silent or contradict themselves, the <a href=\"decisions.html\">decisions</a> say what was read into them.</p>\n\
         <h2>How to read a drawing</h2>\n<p>A full arrow is a request, a dashed one a response. <code>any_eu_cell</code> is any cell of the region, another one each time; \
         <code>some_eu_cell</code> the same each time. A response drawn from a cell to the user is passed on by the router as it is, and what is written beside the arrow holds for what the user got. \
         Only what stands in <code>[cell: ...]</code> is looked for at the cell alone: the cache field may end at the router. \
         <code>choice LN-17</code> above an arrow says that the router chooses the cell: one of another region is a warning under that requirement, and nothing else. What stands in an \
         <code>opt</code> frame may happen or not; of an <code>alt</code> frame, one part happens.</p>\n",
        env!("CARGO_PKG_VERSION"),
        book.chapters.iter().map(|chapter| chapter.scenarios().count()).sum::<usize>(),
        book.chapters.len(),
        ledger.rows().count(),
    );
    for (folder, title, about) in PARTS {
        let _ = write!(
            page,
            "<h2>{title}</h2>\n<p>{about}</p>\n<div class=\"tw\"><table><thead><tr><th>Feature</th><th>Scenarios</th><th>Protocols</th></tr></thead><tbody>\n"
        );
        for chapter in book.chapters.iter().filter(|chapter| chapter.path.starts_with(folder)) {
            let count = chapter.scenarios().count();
            let _ = writeln!(
                page,
                "<tr><td><a href=\"{}\">{}</a><br><small>{}</small></td><td>{count}</td><td>{}</td></tr>",
                chapter.page,
                Esc(&chapter.feature.name),
                Esc(&chapter.path),
                chapter.protocols().join(", ")
            );
        }
        page.push_str("</tbody></table></div>\n");
    }
    end(&mut page);
    page
}

/// A link to a requirement's row, with its statement at hand.
fn requirement_link(id: &str, statement: &str) -> String {
    format!(
        "<a class=\"chip\" href=\"requirements.html#{0}\" title=\"{1}\">{0}</a> ",
        Esc(id),
        Esc(&statement.replace('`', ""))
    )
}

/// A link to a decision.
fn decision_link(decision: &Decision) -> String {
    format!(
        "<a class=\"chip\" href=\"decisions.html#{0}\" title=\"{1}\">{0}</a> ",
        Esc(&decision.id),
        Esc(&decision.unclear.replace('`', ""))
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_link_leads_somewhere_and_every_page_is_reached() {
        let pages = pages().unwrap();
        let mut places = BTreeSet::new();
        for (name, text) in &pages {
            places.insert(name.clone());
            for id in text.split(" id=\"").skip(1) {
                let id = id.split('"').next().unwrap();
                assert!(places.insert(format!("{name}#{id}")), "{name}: two elements are {id}");
            }
        }
        let mut reached = BTreeSet::new();
        for (name, text) in &pages {
            for link in text
                .split(" href=\"")
                .skip(1)
                .map(|link| link.split('"').next().unwrap())
                .filter(|link| !link.starts_with("data:"))
            {
                let whole =
                    if link.starts_with('#') { format!("{name}{link}") } else { link.to_owned() };
                assert!(places.contains(&whole), "{name} leads to {whole}, which is not there");
                reached.insert(whole.split('#').next().unwrap().to_owned());
            }
        }
        let names: BTreeSet<_> = pages.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(reached, names);
    }

    #[test]
    fn scenarios_and_requirements_lead_to_each_other() {
        let pages = pages().unwrap();
        let page = |name: &str| &pages.iter().find(|(own, _)| own == name).unwrap().1;
        assert!(page("requirements.html").contains("href=\"journeys-01_project_signed_in.html#l"));
        assert!(
            page("journeys-01_project_signed_in.html").contains("href=\"requirements.html#BF-03\"")
        );
        assert!(page("requirements.html").contains("not over HTTP"));
        assert!(page("documents.html").contains("href=\"journeys-01_project_signed_in.html#l"));
        assert!(
            page("journeys-01_project_signed_in.html")
                .contains("href=\"documents.html#buffering-project-signed-in\"")
        );
    }

    #[test]
    fn drawings_are_drawn_and_nothing_is_fetched() {
        for (name, text) in pages().unwrap() {
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
