//! Disagreements between the table of documents and the tags of scenarios.

use std::collections::BTreeSet;

use super::{Citation, Documents};
use crate::catalog::{Case, Catalog};
use crate::ledger::Ledger;

/// All disagreements, in words:
///
/// - a tag that names a document, section or place that does not exist;
/// - a section with neither a scenario nor a reason, or with both;
/// - a scenario whose first requirement comes from a document, and that cites none.
pub fn complaints(catalog: &Catalog, documents: &Documents, ledger: &Ledger) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut executed = BTreeSet::new();
    for case in &catalog.cases {
        let citations: Vec<_> = Citation::among(&case.tags).collect();
        for citation in &citations {
            match citation {
                Ok(citation) => {
                    executed.insert((citation.document.clone(), citation.section.clone()));
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
            let is_executed = executed.contains(&(document.id.clone(), section.id.clone()));
            match section.reason {
                None if !is_executed => found.push(format!(
                    "{}/{} has neither a scenario nor a reason for that",
                    document.id, section.id
                )),
                Some(reason) if is_executed => {
                    found.push(format!(
                        "{}/{}: remove the stale reason = \"{reason}\": scenarios execute it",
                        document.id, section.id
                    ));
                }
                _ => {}
            }
        }
    }
    found
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
        "[[document.section]]\nid = \"root\"\nlevel = 4\nheading = \"/\"\nitems = 2\n",
        "drawing = { kind = \"sequence\", arrows = 3 }\nasks = \"A.\"\n"
    );

    fn found(tags: &str, reason: &str) -> Vec<String> {
        let text = format!(
            "Feature: F\n\n  @buffering @req:BF-03 {tags}\n  Scenario: a page arrives\n    \
             Given a cold EU router\n    When anna visits \"/a\"\n    Then it is so (BF-03)\n"
        );
        let catalog = Catalog::load([Source { path: "a.feature", text: &text }]);
        assert_eq!(catalog.errors, []);
        complaints(
            &catalog,
            &Documents::parse(&format!("{TABLE}{reason}")).unwrap(),
            Ledger::embedded(),
        )
    }

    #[test]
    fn existing_places_are_valid() {
        for place in ["", ":item-1", ":item-2", ":drawing", ":arrow-3"] {
            assert_eq!(
                found(&format!("@doc:buffering/root{place}"), ""),
                Vec::<String>::new(),
                "{place}"
            );
        }
    }

    #[test]
    fn every_kind_of_disagreement_is_found() {
        for (tags, reason, word) in [
            ("@doc:buffering/root @doc:hearsay/root", "", "no document hearsay"),
            ("@doc:buffering/root @doc:buffering/flow", "", "no section flow"),
            ("@doc:buffering/root:item-3", "", "no such place: item 3"),
            ("@doc:buffering/root:arrow-4", "", "no such place: arrow 4"),
            ("@doc:buffering/root:somewhere", "", "not a valid citation"),
            (
                "@doc:buffering/root @doc:routes-learning/root",
                "",
                "does not run under the protocol",
            ),
            ("@doc:buffering/root", "reason = \"later work\"\n", "stale"),
            ("", "reason = \"later work\"\n", "its first requirement comes from a document"),
            ("", "", "neither a scenario nor a reason"),
        ] {
            let found = found(tags, reason);
            assert!(found.iter().any(|one| one.contains(word)), "{word}: {found:?}");
        }
    }
}
