//! The page of the documents: what each section asks, and which scenarios execute it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::book::{Book, anchor};
use super::decisions::{Decisions, decision_link};
use super::frame::spec_page;
use crate::catalog::documents::{
    Citation, DocumentPlace, Documents, Drawing, DrawingKind, Section,
};
use crate::engine::counted;
use crate::report::page::prose;

/// The scenarios by the section that they cite: document and section.
type Executed = BTreeMap<(String, String), Vec<Scenario>>;

/// A scenario that cites a section, with the places in it that it cites.
struct Scenario {
    link: String,
    title: String,
    feature: String,
    places: Vec<DocumentPlace>,
}

/// The page.
pub(super) fn page(book: &Book, documents: &Documents) -> String {
    let executed = executed(book);
    let content = html! {
        header { h1 { "The documents, section by section" } }
        p {
            "Every section in document order: a summary of what it asks, and the scenarios that \
             execute it. Items and arrows are counted from the top of the section."
        }
        ul.links {
            @for document in documents.all() {
                li { a href={ "#" (document.id) } { (document.title) } }
            }
        }
        @for document in documents.all() {
            h2 id=(document.id) { (document.title) }
            p { (prose(&document.texts)) }
            div class="tw all sections" {
                table {
                    thead { tr { th { "Section" } th { "What it asks" } th { "Executed by" } } }
                    tbody {
                        @for section in &document.sections {
                            @let scenarios = executed
                                .get(&(document.id.clone(), section.id.clone()))
                                .map_or(&[][..], Vec::as_slice);
                            "\n" (row(&document.id, section, scenarios))
                        }
                    }
                }
            }
        }
    };
    spec_page("The documents, section by section", &content)
}

fn executed(book: &Book) -> Executed {
    let mut executed = Executed::new();
    for chapter in &book.chapters {
        for (rule, scenario) in chapter.scenarios() {
            let citations = Citation::of_scenario(
                scenario,
                rule.map_or(&[], |rule| &rule.tags),
                &chapter.feature.tags,
            );
            let mut sections: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for citation in citations {
                sections
                    .entry((citation.document, citation.section))
                    .or_default()
                    .push(citation.place);
            }
            for (section, places) in sections {
                executed.entry(section).or_default().push(Scenario {
                    link: format!("{}#{}", chapter.page, anchor(scenario)),
                    title: scenario.name.clone(),
                    feature: chapter.feature.name.clone(),
                    places,
                });
            }
        }
    }
    executed
}

fn row(document: &str, section: &Section, scenarios: &[Scenario]) -> Markup {
    html! {
        tr id=(name(document, &section.id)) {
            th scope="row" class={ "l" (section.level) } {
                (prose(&section.heading)) br; small { (contents(section)) }
            }
            td {
                (prose(&section.asks))
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
            td { (execution(section, scenarios)) }
        }
    }
}

/// The scenarios that execute a section, or why there are none.
fn execution(section: &Section, scenarios: &[Scenario]) -> Markup {
    let uncited = uncited(section, scenarios);
    html! {
        @match (scenarios, section.reason) {
            ([], Some(reason)) => { span.t-none { "\u{2013} no scenario: " (reason) } }
            ([], None) => { span.t-warned { "! no scenario" } }
            _ => {
                details {
                    summary {
                        span.t-passed { "\u{2713}" } " " (counted(scenarios.len(), "scenario"))
                    }
                    ul.links { @for scenario in scenarios { (listed(scenario)) } }
                }
                @if !uncited.is_empty() {
                    small { "No scenario executes " (uncited) " by itself." }
                }
            }
        }
    }
}

fn listed(scenario: &Scenario) -> Markup {
    let places: Vec<_> = scenario.places.iter().filter_map(|place| place.in_words()).collect();
    html! {
        li {
            @if !places.is_empty() { b { (places.join(", ")) } ": " }
            a href=(scenario.link) { (scenario.title) } " " small { (scenario.feature) }
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
fn uncited(section: &Section, scenarios: &[Scenario]) -> String {
    let cited =
        |place: DocumentPlace| scenarios.iter().any(|scenario| scenario.places.contains(&place));
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
        let scenario = |places: &[DocumentPlace]| Scenario {
            link: String::new(),
            title: String::new(),
            feature: String::new(),
            places: places.to_vec(),
        };
        assert_eq!(
            uncited(section, &[scenario(&[DocumentPlace::Text])]),
            "items 1, 2, 3, 4, 5, or the drawing"
        );
        let two = [
            scenario(&[DocumentPlace::Item(1), DocumentPlace::Item(2)]),
            scenario(&[DocumentPlace::Item(4), DocumentPlace::Item(5), DocumentPlace::Arrow(3)]),
        ];
        assert_eq!(uncited(section, &two), "item 3");
    }
}
