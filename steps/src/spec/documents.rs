//! The page of the documents: each sentence with the scenarios that show it, and each section with
//! those that execute it.

use std::collections::BTreeMap;

use cell_fleet::Protocol;
use maud::{Markup, html};

use super::book::{Book, Location, cited};
use super::decisions::{Decisions, decision_link};
use super::{requirement_link, spec_page};
use crate::catalog::documents::{
    Citation, DocumentPlace, Documents, Drawing, DrawingKind, Section, Sentence, Shown,
};
use crate::engine::counted;
use crate::ledger::{Ledger, Requirement, RequirementId};
use crate::report::page::{prose, table};

/// How many scenarios a sentence lists. The pages of its requirements have all.
const LISTED: usize = 6;

struct Scenario {
    at: Location,
    requirements: Vec<RequirementId>,
    /// The documents whose protocol it runs under.
    documents: Vec<&'static str>,
    /// The places that it cites, by document and section.
    places: BTreeMap<(String, String), Vec<DocumentPlace>>,
}

/// The scenarios that execute a section, each with the places in it that it cites.
type Executing<'a> = [(&'a Scenario, &'a [DocumentPlace])];

pub(super) fn page(book: &Book, documents: &Documents, ledger: &Ledger) -> String {
    let all = scenarios(book);
    let content = html! {
        header { h1 { "The documents, sentence by sentence" } }
        p {
            "Every sentence in document order, in a few words of our own: the requirements that \
             carry it, and scenarios of this section that show them, or of others where this has \
             none. A sentence ends at its full stop, and a list item is one at least. Drawings are \
             traced by their arrows. Items and arrows are counted from the top of the section."
        }
        ul.links {
            @for document in documents.all() {
                li { a href={ "#" (document.id) } { (document.title) } }
            }
        }
        @for document in documents.all() {
            h2 id=(document.id) { (document.title) }
            p { (prose(&document.texts)) }
            ul.links {
                @for source in &document.sources {
                    li {
                        a href=(source.link) { (source.text) } ", " (prose(&source.version)) "; "
                        (source.license)
                    }
                }
            }
            (table("tw all sections", &["Section", "Sentences", "Executed by"], &html! {
                @for section in &document.sections {
                    "\n" (row(&document.id, section, &all, ledger))
                }
            }))
        }
    };
    spec_page("The documents, sentence by sentence", &content)
}

fn scenarios(book: &Book) -> Vec<Scenario> {
    let mut all = Vec::new();
    for chapter in &book.chapters {
        for (rule, scenario) in chapter.scenarios() {
            let protocols = chapter.protocols_of(rule, scenario);
            let rule = rule.map_or(&[][..], |rule| &rule.tags);
            let mut places: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for citation in Citation::of_scenario(scenario, rule, &chapter.feature.tags) {
                let section = (citation.document, citation.section);
                places.entry(section).or_default().push(citation.place);
            }
            // Cells are the same in both proposals, but for what a scenario with a router says.
            let of_cells = chapter.path.starts_with("cells/");
            let documents = [
                ("buffering", of_cells || protocols.contains(&Protocol::Buffering)),
                ("routes-learning", of_cells || protocols.contains(&Protocol::Learning)),
                ("database-sequences", true),
            ];
            all.push(Scenario {
                at: chapter.location(scenario),
                requirements: cited(scenario),
                documents: documents.into_iter().filter(|one| one.1).map(|one| one.0).collect(),
                places,
            });
        }
    }
    all
}

fn row(document: &str, section: &Section, all: &[Scenario], ledger: &Ledger) -> Markup {
    let key = (document.to_owned(), section.id.clone());
    let executing: Vec<(&Scenario, &[DocumentPlace])> =
        all.iter().filter_map(|one| Some((one, one.places.get(&key)?.as_slice()))).collect();
    html! {
        tr id=(name(document, &section.id)) {
            th scope="row" class={ "l" (section.level) } {
                (prose(&section.heading)) br; small { (contents(section)) }
                @if let Some(earlier) = &section.earlier {
                    br; small { "In the earlier text: " (prose(earlier)) "." }
                }
                @if let Some(note) = &section.note { br; small { (prose(note)) } }
                @let decisions = Decisions::embedded().about(document, &section.id);
                @if !decisions.is_empty() {
                    br; small { "Left wrong or open:" } " "
                    @for decision in decisions { (decision_link(decision)) }
                }
            }
            td {
                @if section.sentences().is_empty() { span.t-none { "\u{2013} a heading only" } }
                ol {
                    @for sentence in section.sentences() {
                        "\n" li { (shown(document, sentence, &executing, all, ledger)) }
                    }
                }
            }
            td { (execution(section, &executing)) }
        }
    }
}

/// A sentence, with its requirements and the scenarios that show it, or why none does.
fn shown(
    document: &str,
    sentence: &Sentence,
    executing: &Executing<'_>,
    all: &[Scenario],
    ledger: &Ledger,
) -> Markup {
    let ids = match &sentence.shown {
        Shown::By(ids) => ids.as_slice(),
        Shown::Not(_) => &[],
    };
    let rows: Vec<&Requirement> = ids
        .iter()
        .filter_map(|id| ledger.row(id))
        .filter(|row| row.documents.iter().any(|own| own == document))
        .collect();
    let of_rows = |one: &Scenario| rows.iter().any(|row| one.requirements.contains(&row.id));
    let here = executing.iter().filter(|(one, _)| of_rows(one));
    let here: Vec<_> = match sentence.item {
        Some(item) if here.clone().any(|(_, at)| at.contains(&DocumentPlace::Item(item))) => here
            .filter(|(_, at)| at.contains(&DocumentPlace::Item(item)))
            .map(|one| one.0)
            .collect(),
        _ => here.map(|one| one.0).collect(),
    };
    let scenarios = if here.is_empty() {
        all.iter().filter(|one| one.documents.contains(&document) && of_rows(one)).collect()
    } else {
        here
    };
    let untested = rows.iter().find_map(|row| row.without_scenarios());
    html! {
        @if let Some(item) = sentence.item { small { "item " (item) ": " } }
        (prose(&sentence.gist)) " "
        @for row in &rows { (requirement_link(row.id.as_str(), &row.statement)) }
        @match (&sentence.shown, scenarios.as_slice(), untested) {
            (Shown::Not(reason), ..) => { span.t-none { "\u{2013} " (reason) } }
            (_, [], Some(reason)) => { span.t-none { "\u{2013} " (reason) } }
            (_, [], None) => { span.t-warned { "! no scenario" } }
            (_, scenarios, _) => {
                details {
                    summary {
                        span.t-passed { "\u{2713}" } " " (counted(scenarios.len(), "scenario"))
                    }
                    ul.links {
                        @for one in scenarios.iter().take(LISTED) { li { (one.at.shown()) } }
                        @if scenarios.len() > LISTED {
                            li { "and " (scenarios.len() - LISTED) " more, under the requirements" }
                        }
                    }
                }
            }
        }
    }
}

fn execution(section: &Section, executing: &Executing<'_>) -> Markup {
    let uncited = uncited(section, executing);
    html! {
        @if !executing.is_empty() {
            details {
                summary {
                    span.t-passed { "\u{2713}" } " " (counted(executing.len(), "scenario"))
                }
                ul.links {
                    @for (scenario, places) in executing {
                        @let places: Vec<_> =
                            places.iter().filter_map(|place| place.in_words()).collect();
                        li {
                            @if !places.is_empty() { b { (places.join(", ")) } ": " }
                            (scenario.at.shown())
                        }
                    }
                }
            }
            @if !uncited.is_empty() {
                small { "No scenario executes " (uncited) " by itself." }
            }
        }
    }
}

/// The items and the drawing of a section, counted in words.
fn contents(section: &Section) -> String {
    let items = (section.items > 0).then(|| counted(section.items, "item"));
    let drawing = section.drawing.map(|Drawing { kind, arrows }| {
        let word = match kind {
            DrawingKind::Sequence => "a sequence",
            DrawingKind::Graph => "a graph",
        };
        format!("{word} of {}", counted(arrows, "arrow"))
    });
    [items, drawing].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The items and the drawing that no scenario cites by themselves.
fn uncited(section: &Section, executing: &Executing<'_>) -> String {
    let cited = |place: DocumentPlace| executing.iter().any(|(_, places)| places.contains(&place));
    let items: Vec<_> = (1..=section.items)
        .filter(|number| !cited(DocumentPlace::Item(*number)))
        .map(|number| number.to_string())
        .collect();
    let items = match items.as_slice() {
        [] => None,
        [one] => Some(format!("item {one}")),
        several => Some(format!("items {}", several.join(", "))),
    };
    let any_arrow = |arrows: usize| (1..=arrows).any(|number| cited(DocumentPlace::Arrow(number)));
    let drawing = section
        .drawing
        .filter(|drawing| !cited(DocumentPlace::Drawing) && !any_arrow(drawing.arrows))
        .map(|_| "the drawing".to_owned());
    [items, drawing].into_iter().flatten().collect::<Vec<_>>().join(", or ")
}

/// The anchor of a section on the page.
pub(super) fn name(document: &str, section: &str) -> String {
    format!("{document}-{section}")
}

/// Links to the places that a scenario executes.
pub(super) fn links(citations: &[Citation], documents: &Documents) -> Markup {
    let cited = citations.iter().filter_map(|one| Some((one, documents.section(one)?)));
    html! {
        @for (citation, section) in cited {
            li {
                a href={ "documents.html#" (name(&citation.document, &citation.section)) } {
                    (citation.document) ": " (prose(&section.heading))
                }
                @if let Some(place) = citation.place.in_words() { ", " (place) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_counts_its_contents_and_what_no_scenario_cites() {
        let citation: Citation = "doc:buffering/project-signed-in".parse().unwrap();
        let section = Documents::embedded().section(&citation).unwrap();
        assert_eq!(contents(section), "5 items, a sequence of 5 arrows");
        let book = Book::embedded().unwrap();
        let scenario = scenarios(&book).swap_remove(0);
        assert_eq!(
            uncited(section, &[(&scenario, &[DocumentPlace::Text])]),
            "items 1, 2, 3, 4, 5, or the drawing"
        );
        let two: [(&Scenario, &[DocumentPlace]); 2] = [
            (&scenario, &[DocumentPlace::Item(1), DocumentPlace::Item(2)]),
            (&scenario, &[DocumentPlace::Item(4), DocumentPlace::Item(5), DocumentPlace::Arrow(3)]),
        ];
        assert_eq!(uncited(section, &two), "item 3");
    }
}
