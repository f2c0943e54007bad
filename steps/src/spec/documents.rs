//! The page of the documents: section by section, what each asks and which scenarios execute it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::book::{Book, anchor};
use super::{Esc, Prose, begin, end};
use crate::documents::{Citation, DocumentPlace, Documents, Drawing, DrawingKind, Section};

/// The scenarios by the sections that they cite: document and section, then each scenario with its
/// places.
type Executed = BTreeMap<(String, String), Vec<Scenario>>;

struct Scenario {
    link: String,
    title: String,
    feature: String,
    places: Vec<DocumentPlace>,
}

/// The page.
pub(super) fn page(book: &Book, documents: &Documents) -> String {
    let executed = executed(book);
    let mut page = begin("The documents, section by section");
    page.push_str(
        "<header><h1>The documents, section by section</h1></header>\n<p>Every section in its order: what it asks in a line of our own, and the scenarios that \
         execute it. Items and arrows are counted from the top of the section, as the document has them.</p>\n<ul class=\"links\">\n",
    );
    for document in documents.all() {
        let _ = writeln!(
            page,
            "<li><a href=\"#{}\">{}</a></li>",
            Esc(&document.id),
            Esc(&document.title)
        );
    }
    page.push_str("</ul>\n");
    for document in documents.all() {
        let _ = write!(
            page,
            "<h2 id=\"{}\">{}</h2>\n<p>{}</p>\n<div class=\"tw all sections\"><table><thead><tr><th>Section</th><th>What it asks</th><th>Executed by</th></tr></thead><tbody>\n",
            Esc(&document.id),
            Esc(&document.title),
            Prose(&document.texts)
        );
        for section in &document.sections {
            let scenarios = executed
                .get(&(document.id.clone(), section.id.clone()))
                .map_or(&[][..], Vec::as_slice);
            row(&mut page, &document.id, section, scenarios);
        }
        page.push_str("</tbody></table></div>\n");
    }
    end(&mut page);
    page
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

fn row(page: &mut String, document: &str, section: &Section, scenarios: &[Scenario]) {
    let _ = write!(
        page,
        "<tr id=\"{}\"><th scope=\"row\" class=\"l{}\">{}<br><small>{}</small></th><td>{}",
        name(document, &section.id),
        section.level,
        Prose(&section.heading),
        Esc(&holds(section)),
        Prose(&section.asks)
    );
    if let Some(earlier) = &section.earlier {
        let _ = write!(page, "<br><small>In the earlier text: {}.</small>", Prose(earlier));
    }
    if let Some(note) = &section.note {
        let _ = write!(page, "<br><small>{}</small>", Prose(note));
    }
    page.push_str("</td><td>");
    match (scenarios, section.reason) {
        ([], Some(reason)) => {
            let _ = write!(page, "<span class=\"t-none\">\u{2013} no scenario: {reason}</span>");
        }
        ([], None) => page.push_str("<span class=\"t-warned\">! no scenario</span>"),
        _ => {
            let count = if scenarios.len() == 1 {
                "1 scenario".to_owned()
            } else {
                format!("{} scenarios", scenarios.len())
            };
            let _ = write!(
                page,
                "<details><summary><span class=\"t-passed\">\u{2713}</span> {count}</summary><ul class=\"links\">{}</ul></details>",
                scenarios.iter().map(listed).collect::<String>()
            );
            let without = without(section, scenarios);
            if !without.is_empty() {
                let _ = write!(page, "<small>No scenario executes {without} by itself.</small>");
            }
        }
    }
    page.push_str("</td></tr>\n");
}

fn listed(scenario: &Scenario) -> String {
    let places: Vec<_> = scenario.places.iter().filter_map(|place| place.in_words()).collect();
    let places =
        if places.is_empty() { String::new() } else { format!("<b>{}</b>: ", places.join(", ")) };
    format!(
        "<li>{places}<a href=\"{}\">{}</a> <small>{}</small></li>",
        scenario.link,
        Esc(&scenario.title),
        Esc(&scenario.feature)
    )
}

/// What a section has beside its text, in words.
fn holds(section: &Section) -> String {
    let count = |number: usize, word: &str| {
        if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
    };
    let items = (section.items > 0).then(|| count(section.items, "item"));
    let drawing = section.drawing.map(|Drawing { kind, arrows }| {
        let word = match kind {
            DrawingKind::Sequence => "a sequence",
            DrawingKind::Graph => "a graph",
        };
        format!("{word} of {}", count(arrows, "arrow"))
    });
    [items, drawing].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The items, and the drawing, that no scenario cites by themselves.
fn without(section: &Section, scenarios: &[Scenario]) -> String {
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

/// Where a section stands on the page.
fn name(document: &str, section: &str) -> String {
    format!("{document}-{section}")
}

/// Links to the places that a scenario executes.
pub(super) fn links(citations: &[Citation], documents: &Documents) -> String {
    let link = |citation: &Citation| {
        let section = documents.section(citation)?;
        let place = citation.place.in_words().map(|place| format!(", {place}")).unwrap_or_default();
        let target = name(&citation.document, &citation.section);
        Some(format!(
            "<li><a href=\"documents.html#{target}\">{}: {}</a>{place}</li>",
            Esc(&citation.document),
            Prose(&section.heading)
        ))
    };
    citations.iter().filter_map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_tells_what_it_has_and_what_nothing_cites() {
        let citation: Citation = "doc:buffering/project-signed-in".parse().unwrap();
        let section = Documents::embedded().section(&citation).unwrap();
        assert_eq!(holds(section), "5 items, a sequence of 5 arrows");
        let scenario = |places: &[DocumentPlace]| Scenario {
            link: String::new(),
            title: String::new(),
            feature: String::new(),
            places: places.to_vec(),
        };
        assert_eq!(
            without(section, &[scenario(&[DocumentPlace::Text])]),
            "items 1, 2, 3, 4, 5, or the drawing"
        );
        let two = [
            scenario(&[DocumentPlace::Item(1), DocumentPlace::Item(2)]),
            scenario(&[DocumentPlace::Item(4), DocumentPlace::Item(5), DocumentPlace::Arrow(3)]),
        ];
        assert_eq!(without(section, &two), "item 3");
    }
}
