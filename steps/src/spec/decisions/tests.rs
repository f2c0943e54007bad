use super::*;
use crate::catalog::{Catalog, Coverage, Source};
use crate::ledger::Ledger;

/// The disagreements of decisions and features.
///
/// An untested decision must say why if a scenario cites one of its requirements, and must not
/// otherwise. A tested decision needs a scenario that cites one of its requirements.
fn complaints(decisions: &Decisions, coverage: &Coverage<'_>) -> Vec<String> {
    decisions.all().iter().filter_map(|decision| complaint(decision, coverage)).collect()
}

fn complaint(decision: &Decision, coverage: &Coverage<'_>) -> Option<String> {
    let id = &decision.id;
    let cited = decision
        .requirements
        .iter()
        .find_map(|row| coverage.cases(row).first().map(|case| (row, case)));
    match (decision.suite, &decision.why, cited) {
        (Strictness::Untested, None, Some((row, case))) => Some(format!(
            "{id} is marked as untested, but {} cites {row}: state how strict the suite is, or add \
             why",
            case.location
        )),
        (Strictness::Untested, Some(_), None) => Some(format!(
            "{id} gives a why, but no scenario cites its requirements: remove the why"
        )),
        (Strictness::Untested, _, _) => None,
        (_, Some(_), _) => {
            Some(format!("{id} gives a why although it is marked as tested: remove the why"))
        }
        (_, None, None) => {
            Some(format!("{id} is marked as tested, but no scenario cites one of its requirements"))
        }
        (_, None, Some(_)) => None,
    }
}

/// A decision that is complete, with lines replaced or added.
fn one(changes: &[(&str, &str)]) -> String {
    let mut lines = vec![
        ("id", "\"A-01\""),
        ("where", "[\"buffering/root:item-2\"]"),
        ("kind", "\"gap\""),
        ("severity", "\"minor\""),
        ("cause", "\"wording\""),
        ("unclear", "\"?\""),
        ("reading", "\".\""),
        ("leads_to", "\".\""),
        ("should_say", "\".\""),
        ("suite", "\"strict\""),
        ("requirements", "[\"BF-03\"]"),
    ];
    for (member, value) in changes {
        lines.retain(|(name, _)| name != member);
        if !value.is_empty() {
            lines.push((member, value));
        }
    }
    let lines: Vec<_> = lines.iter().map(|(member, value)| format!("{member} = {value}")).collect();
    format!("[[decision]]\n{}\n", lines.join("\n"))
}

fn parsed(content: &str) -> Result<Decisions, String> {
    Decisions::parse(&format!("version = 1\n{content}"), Documents::embedded())
}

#[test]
fn every_decision_is_complete_and_names_rows_of_the_ledger() {
    let decisions = Decisions::embedded();
    assert!(decisions.all().len() > 120, "only {}", decisions.all().len());
    for decision in decisions.all() {
        let unknown = decision.requirements.iter().find(|id| Ledger::embedded().row(id).is_none());
        assert_eq!(unknown, None, "{}", decision.id);
        assert!(decision.id.starts_with("A-"), "{}", decision.id);
        for sentence in decision.sentences() {
            assert!(sentence.ends_with(['.', '?']), "{}: {sentence}", decision.id);
        }
    }
    assert!(!decisions.recommendations.is_empty());
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

#[test]
fn decisions_and_features_agree() {
    let catalog = Catalog::embedded();
    let complaints = complaints(Decisions::embedded(), &Coverage::of(&catalog));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn each_kind_of_disagreement_with_the_features_is_found() {
    const CITING: &str = "\
Feature: F

  @buffering @req:BF-03
  Scenario: a page arrives
    Given a cold EU router
    When anna visits \"/a\"
    Then it is so (BF-03)
";
    let citing = Catalog::load([Source { path: "a.feature", text: CITING }]);
    let silent = Catalog::default();
    let complains = |catalog: &Catalog, suite: &str, why: &str| {
        let decisions = parsed(&one(&[("suite", suite), ("why", why)])).unwrap();
        !complaints(&decisions, &Coverage::of(catalog)).is_empty()
    };
    for (suite, why, with_scenario, without) in [
        ("\"untested\"", "", true, false),
        ("\"untested\"", "\".\"", false, true),
        ("\"strict\"", "", false, true),
        ("\"strict\"", "\".\"", true, true),
    ] {
        assert_eq!(complains(&citing, suite, why), with_scenario, "{suite} {why}, and a scenario");
        assert_eq!(complains(&silent, suite, why), without, "{suite} {why}, and none");
    }
}

#[test]
fn a_malformed_list_is_refused() {
    assert!(parsed(&one(&[])).is_ok());
    let twice = format!("{}{}", one(&[]), one(&[]));
    assert!(parsed(&twice).unwrap_err().contains("A-01 appears twice"));
    let newer = Decisions::parse(&format!("version = 2\n{}", one(&[])), Documents::embedded());
    assert!(newer.unwrap_err().contains("version 2"));
    assert!(parsed("").unwrap_err().contains("not a list of decisions"));
}

#[test]
fn an_unknown_value_is_refused_with_its_line_and_what_there_is() {
    for (member, value, known) in [
        ("kind", "\"nonsense\"", "design-fault"),
        ("severity", "\"nonsense\"", "serious"),
        ("cause", "\"nonsense\"", "shared-database"),
        ("suite", "\"nonsense\"", "either"),
        ("where", "[\"nonsense\"]", "DOCUMENT/SECTION"),
        ("where", "[\"buffering/root:line-2\"]", ":item-N"),
        ("topic", "\"wire\"", "unclear"),
    ] {
        let said = parsed(&one(&[(member, value)])).unwrap_err();
        assert!(said.contains("line ") && said.contains(member) && said.contains(known), "{said}");
    }
}

#[test]
fn a_place_that_no_document_has_is_refused() {
    for (place, word) in [
        ("hearsay/root", "no document hearsay"),
        ("buffering/flow", "no section flow"),
        ("buffering/root:item-8", "item 8"),
        ("buffering/root:arrow-7", "arrow 7"),
        ("buffering/pros:drawing", "the drawing"),
    ] {
        let said = parsed(&one(&[("where", &format!("[\"{place}\"]"))])).unwrap_err();
        assert!(said.starts_with("A-01, where: ") && said.contains(word), "{said}");
        assert!(said.contains("fixtures/documents.toml"), "{said}");
    }
}

#[test]
fn a_decision_without_what_its_kind_needs_is_refused() {
    for (changes, word) in [
        (&[("where", "")][..], "where is empty"),
        (&[("should_say", "")], "should_say is missing"),
        (&[("kind", "\"choice\"")], "a choice has no should_say"),
        (&[("kind", "\"contradiction\"")], "otherwise"),
    ] {
        let said = parsed(&one(changes)).unwrap_err();
        assert!(said.starts_with("A-01: ") && said.contains(word), "{said}");
    }
    let choice = [("kind", "\"choice\""), ("where", ""), ("should_say", "")];
    assert!(parsed(&one(&choice)).is_ok());
    assert!(parsed(&one(&[("kind", "\"contradiction\""), ("otherwise", "\".\"")])).is_ok());
}

#[test]
fn a_recommendation_rests_on_findings() {
    let with = |changes: &[(&str, &str)], rests_on: &str| {
        let recommendation =
            format!("[[recommendation]]\ntitle = \"T\"\nsays = \".\"\nrests_on = {rests_on}\n");
        parsed(&format!("{}{recommendation}", one(changes)))
    };
    assert!(with(&[], "[\"A-01\"]").is_ok());
    let choice = [("kind", "\"choice\""), ("should_say", "")];
    for (changes, rests_on, word) in [
        (&[][..], "[]", "name in rests_on"),
        (&[], "[\"A-02\"]", "no decision A-02"),
        (&choice, "[\"A-01\"]", "a choice of this suite"),
    ] {
        let said = with(changes, rests_on).unwrap_err();
        assert!(said.contains("\"T\"") && said.contains(word), "{said}");
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
