use std::collections::BTreeSet;

use super::*;
use crate::catalog::documents::Documents;
use crate::catalog::{Catalog, Coverage};
use crate::ledger::Ledger;

#[test]
fn every_decision_is_complete_and_names_what_exists() {
    let decisions = Decisions::embedded();
    assert!(decisions.all().len() > 120, "only {}", decisions.all().len());
    let mut ids = BTreeSet::new();
    for decision in decisions.all() {
        let id = &decision.id;
        assert!(id.starts_with("A-"), "{id}");
        assert!(ids.insert(id), "{id} appears twice: give the later one the next free number");
        let unknown = decision.requirements.iter().find(|id| Ledger::embedded().row(id).is_none());
        assert_eq!(unknown, None, "{id}");
        let missing = decision.places.iter().find_map(|one| Documents::embedded().missing(&one.0));
        assert_eq!(missing, None, "{id}, where: fixtures/documents.toml lists what there is");
        let is_choice = decision.kind == Kind::Choice;
        assert!(is_choice || !decision.places.is_empty(), "{id}: a choice alone has no where");
        assert_eq!(is_choice, decision.should_say.is_none(), "{id}: a choice has no should_say");
        let has_two_readings = decision.kind != Kind::Contradiction || decision.otherwise.is_some();
        assert!(has_two_readings, "{id}: write the other reading of a contradiction in otherwise");
        for sentence in decision.sentences() {
            assert!(sentence.ends_with(['.', '?']), "{id}: {sentence}");
        }
    }
}

#[test]
fn what_is_drawn_from_decisions_names_findings_about_the_documents() {
    let decisions = Decisions::embedded();
    let recommended = decisions.recommendations.iter().map(|one| (&one.title, &one.rests_on));
    let found = decisions.findings.iter().map(|one| (&one.title, &one.rests_on));
    assert!(!decisions.recommendations.is_empty());
    for (title, rests_on) in recommended.chain(found) {
        assert!(!rests_on.is_empty(), "{title}: name in rests_on what it is drawn from");
        for id in rests_on {
            let kind = decisions.find(id).map(|one| one.kind);
            assert!(kind.is_some_and(|kind| kind != Kind::Choice), "{title}: {id} is {kind:?}");
        }
    }
}

#[test]
fn every_decision_that_another_one_cites_exists() {
    let decisions = Decisions::embedded();
    for decision in decisions.all() {
        for sentence in decision.sentences() {
            for cited in sentence.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
                let is_id =
                    cited.strip_prefix("A-").is_some_and(|rest| rest.parse::<u16>().is_ok());
                assert!(!is_id || decisions.find(cited).is_some(), "{}: {cited}", decision.id);
            }
        }
    }
}

/// An untested decision says why if a scenario cites one of its requirements, and only then. A tested
/// decision has a scenario that cites one of its requirements.
#[test]
fn decisions_and_features_agree() {
    let catalog = Catalog::embedded();
    let coverage = Coverage::of(&catalog);
    for Decision { id, suite, why, requirements, .. } in Decisions::embedded().all() {
        let is_cited = requirements.iter().any(|row| !coverage.cases(row).is_empty());
        let wrong = match (suite, why, is_cited) {
            (Strictness::Untested, None, true) => {
                Some("is untested, but cited: say how strict the suite is, or add why")
            }
            (Strictness::Untested, Some(_), false) => Some("is not cited: remove the why"),
            (Strictness::Untested, _, _) => None,
            (_, Some(_), _) => Some("is tested: remove the why"),
            (_, None, false) => Some("is tested, but no scenario cites one of its requirements"),
            (_, None, true) => None,
        };
        assert_eq!(wrong, None, "{id}");
    }
}

#[test]
fn serious_decisions_of_a_kind_come_first() {
    for kind in [Kind::DesignFault, Kind::Gap] {
        let found: Vec<_> =
            Decisions::embedded().of_kind(kind).iter().map(|one| one.severity).collect();
        assert!(found.is_sorted() && found.contains(&Severity::Serious), "{kind:?}");
    }
}
