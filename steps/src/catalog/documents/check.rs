//! Disagreements between the table of documents and the tags of scenarios.

use std::collections::BTreeSet;

use super::{Citation, Document, DocumentPlace, Documents, Section, Shown};
use crate::catalog::{Case, Catalog};
use crate::ledger::Ledger;

/// All disagreements, in words:
///
/// - a tag that names a document, section or place that does not exist;
/// - a section with sentences and no scenario, or a heading alone with one;
/// - sentences that are not as many as counted, or that leave out a list item;
/// - a sentence whose requirements have neither a scenario nor a reason, or whose own reason is
///   stale;
/// - a requirement of a document that none of its sentences carries;
/// - a scenario whose first requirement comes from a document, and that cites none.
pub fn complaints(catalog: &Catalog, documents: &Documents, ledger: &Ledger) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut executed = BTreeSet::new();
    for case in &catalog.cases {
        let citations: Vec<_> = Citation::among(&case.tags).collect();
        for citation in &citations {
            match citation {
                Ok(citation) => {
                    executed.insert(citation.clone());
                    found.extend(
                        documents.missing(citation).map(|why| format!("{}: {why}", case.location)),
                    );
                    if case.needs().router && !follows(case, &citation.document) {
                        found.push(format!(
                            "{}: it does not run under the protocol of {}",
                            case.location, citation.document
                        ));
                    }
                }
                Err(error) => found.push(format!("{}: {error}", case.location)),
            }
        }
        if citations.is_empty() && rests_on_a_document(case, ledger) {
            found.push(format!(
                "{}: its first requirement comes from a document, so it needs a tag \
                 @doc:DOCUMENT/SECTION",
                case.location
            ));
        }
    }
    // The examples of an outline repeat the same.
    found.dedup();
    for document in documents.all() {
        for section in &document.sections {
            let name = format!("{}/{}", document.id, section.id);
            let cited = |place| {
                executed.iter().any(|one| {
                    (&one.document, &one.section) == (&document.id, &section.id)
                        && place == one.place
                })
            };
            let is_executed = executed
                .iter()
                .any(|one| (&one.document, &one.section) == (&document.id, &section.id));
            match section.sentences() {
                [] if is_executed => found.push(format!("{name}: scenarios execute no sentence")),
                [_, ..] if !is_executed => found.push(format!("{name}: no scenario executes it")),
                _ => {}
            }
            found.extend(sentences(section, cited).map(|why| format!("{name}: {why}")));
            for (sentence, number) in section.sentences().iter().zip(1..) {
                if let Shown::By(ids) = &sentence.shown
                    && let Some(why) = not_shown(ids, document, catalog, ledger)
                {
                    found.push(format!("{name}: sentence {number}, {}: {why}", sentence.gist));
                }
            }
        }
        let carried: BTreeSet<_> = document
            .sections
            .iter()
            .flat_map(Section::sentences)
            .filter_map(|sentence| match &sentence.shown {
                Shown::By(ids) => Some(ids),
                Shown::Not(_) => None,
            })
            .flatten()
            .collect();
        let theirs = ledger.rows().filter(|row| row.documents.contains(&document.id));
        found.extend(
            theirs
                .filter(|row| !carried.contains(&row.id))
                .map(|row| format!("{}: no sentence of {} carries it", row.id, document.id)),
        );
    }
    found
}

/// What is wrong with the numbers of a section's sentences, and with reasons of sentences.
fn sentences(
    section: &Section,
    cited: impl Fn(DocumentPlace) -> bool,
) -> impl Iterator<Item = String> {
    let (counted, listed) = (section.counted, section.sentences().len());
    let miscounted =
        (counted != listed).then(|| format!("counted = {counted}, but {listed} sentences"));
    let of = |number| move |one: &&super::Sentence| one.item == Some(number);
    let items = 1..=section.items;
    let left_out: Vec<_> = items
        .clone()
        .filter(|number| !section.sentences().iter().any(|one| of(*number)(&one)))
        .filter(|_| listed > 0)
        .map(|number| format!("no sentence of item {number}"))
        .collect();
    let beyond = section.sentences().iter().filter_map(|one| one.item);
    let beyond: Vec<_> = beyond
        .filter(|number| !items.contains(number))
        .map(|number| format!("a sentence of item {number}, which it does not have"))
        .collect();
    let stale: Vec<_> = items
        .filter(|number| cited(DocumentPlace::Item(*number)))
        .filter(|number| {
            let mut theirs = section.sentences().iter().filter(of(*number)).peekable();
            theirs.peek().is_some() && theirs.all(|one| matches!(one.shown, Shown::Not(_)))
        })
        .map(|number| format!("the reason of item {number} is stale: scenarios execute it"))
        .collect();
    miscounted.into_iter().chain(left_out).chain(beyond).chain(stale)
}

/// Why nothing shows a sentence of a document by these requirements: `None` where a scenario under
/// its protocol does, or where the ledger says why none does.
fn not_shown(
    ids: &[crate::ledger::RequirementId],
    document: &Document,
    catalog: &Catalog,
    ledger: &Ledger,
) -> Option<String> {
    let rows: Vec<_> = ids.iter().filter_map(|id| ledger.row(id)).collect();
    if rows.len() < ids.len() {
        return Some("it names a requirement that the ledger does not have".to_owned());
    }
    let theirs: Vec<_> =
        rows.into_iter().filter(|row| row.documents.contains(&document.id)).collect();
    if theirs.is_empty() {
        return Some(format!("none of its requirements comes from {}", document.id));
    }
    let is_shown = theirs.iter().any(|row| {
        row.without_scenarios().is_some()
            || catalog.cases.iter().any(|case| {
                case.requirements.contains(&row.id)
                    && (!case.needs().router || follows(case, &document.id))
            })
    });
    (!is_shown).then(|| "no scenario shows it".to_owned())
}

/// Whether a scenario runs under the protocol that a document proposes.
fn follows(case: &Case, document: &str) -> bool {
    let has = |protocol: &str| case.tags.iter().any(|tag| tag == protocol);
    match document {
        "buffering" => has("buffering"),
        "routes-learning" => has("learning"),
        _ => true,
    }
}

fn rests_on_a_document(case: &Case, ledger: &Ledger) -> bool {
    case.requirements
        .first()
        .and_then(|id| ledger.row(id))
        .is_some_and(|row| !row.documents.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Source;

    #[test]
    fn tags_and_the_table_agree() {
        let found = complaints(&Catalog::embedded(), Documents::embedded(), Ledger::embedded());
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    const TABLE: &str = concat!(
        "version = 1\n[[document]]\nid = \"buffering\"\ntitle = \"B\"\ntexts = \"One.\"\n",
        "source = []\n",
        "[[document.section]]\nid = \"root\"\nlevel = 4\nheading = \"/\"\nitems = 2\n",
        "drawing = { kind = \"sequence\", arrows = 3 }\n"
    );
    const SENTENCES: &str = "1 | a page arrives | BF-03\\n2 | it is a page | context";

    fn found(tags: &str, sentences: &str, counted: usize) -> Vec<String> {
        let text = format!(
            "Feature: F\n\n  @buffering @req:BF-03 {tags}\n  Scenario: a page arrives\n    \
             Given a cold EU router\n    When anna visits \"/a\"\n    Then it is so (BF-03)\n"
        );
        let catalog = Catalog::load([Source { path: "a.feature", text: &text }]);
        assert_eq!(catalog.errors, []);
        let table = format!("{TABLE}counted = {counted}\nsentences = \"{sentences}\"\n");
        let mut found =
            complaints(&catalog, &Documents::parse(&table).unwrap(), Ledger::embedded());
        // The sentences of this table are not all of the document.
        found.retain(|one| !one.contains("no sentence of buffering carries"));
        found
    }

    #[test]
    fn every_kind_of_disagreement_is_found() {
        const ROOT: &str = "@doc:buffering/root";
        for (tags, sentences, counted, word) in [
            ("@doc:buffering/root @doc:hearsay/root", SENTENCES, 2, "no document hearsay"),
            ("@doc:buffering/root @doc:buffering/flow", SENTENCES, 2, "no section flow"),
            ("@doc:buffering/root:item-3", SENTENCES, 2, "no such place: item 3"),
            ("@doc:buffering/root:arrow-4", SENTENCES, 2, "no such place: arrow 4"),
            ("@doc:buffering/root:somewhere", SENTENCES, 2, "not a valid citation"),
            (
                "@doc:buffering/root @doc:routes-learning/root",
                SENTENCES,
                2,
                "does not run under the protocol",
            ),
            ("", SENTENCES, 2, "its first requirement comes from a document"),
            ("", SENTENCES, 2, "no scenario executes it"),
            (ROOT, "", 0, "scenarios execute no sentence"),
            (ROOT, SENTENCES, 3, "counted = 3, but 2 sentences"),
            (ROOT, "1 | a page arrives | BF-03", 1, "no sentence of item 2"),
            (ROOT, "3 | a page arrives | BF-03", 1, "which it does not have"),
            ("@doc:buffering/root:item-2", SENTENCES, 2, "the reason of item 2 is stale"),
            (ROOT, "1 | a page arrives | BF-99", 1, "the ledger does not have"),
            (ROOT, "1 | a page arrives | LN-01", 1, "none of its requirements comes from"),
            (ROOT, "1 | a page arrives | BF-04", 1, "sentence 1, a page arrives: no scenario"),
        ] {
            let found = found(tags, sentences, counted);
            assert!(found.iter().any(|one| one.contains(word)), "{word}: {found:?}");
        }
        // A requirement that no sentence carries.
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let table = Documents::parse(&format!("{TABLE}counted = 0\n")).unwrap();
        let found = complaints(&catalog, &table, ledger);
        assert!(found.contains(&"BF-01: no sentence of buffering carries it".to_owned()));
    }
}
