use std::sync::LazyLock;

use super::*;
use crate::verdict::Verdict;

/// The result of a test whose scenario has this outcome.
fn result(outcome: OutcomeWord, claims: &Claims, is_strict: bool) -> TestResult {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
    let case = CATALOG.cases.iter().find(|case| case.needs().router).unwrap();
    let command = command(&"r".into(), &[]).unwrap();
    let subject = Subject::started(command, claims.clone(), RouterRecord::default());
    let launch = subject.launch(1);
    let trials = Trials { subject, launch, folder: None };
    test_result(&trials.ended(case, Verdict::of(outcome), Ledger::embedded()), claims, is_strict)
}

fn listing_all() -> Claims {
    let text = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"learning\", \"buffering\"]\n\
                [[known_failure]]\nscenario = \"*\"\nreason = \"young\"\nlink = \"/1\"\n";
    (&RouterFile::parse(text).unwrap()).into()
}

#[test]
fn without_known_failures_the_outcome_decides() {
    let of = |outcome| result(outcome, &Claims::default(), false);
    let failed = TestResult::Failed(Vec::new());
    assert_eq!(of(OutcomeWord::Passed), TestResult::Passed);
    assert_eq!(of(OutcomeWord::Warned), TestResult::PassedWithWarning);
    assert_eq!(of(OutcomeWord::Failed), failed);
    assert_eq!(of(OutcomeWord::CouldNotRun), failed);
    assert_eq!(of(OutcomeWord::SuiteError), failed);
    assert_eq!(result(OutcomeWord::Warned, &Claims::default(), true), failed);
}

#[test]
fn a_known_failure_must_fail_and_hides_no_other_outcome() {
    let of = |outcome| result(outcome, &listing_all(), false);
    let known = TestResult::KnownFailure("young (/1)".to_owned());
    assert_eq!(of(OutcomeWord::Failed), known);
    assert_eq!(of(OutcomeWord::Warned), known);
    let hint = "remove the entry `*`";
    assert!(matches!(of(OutcomeWord::Passed), TestResult::Failed(why) if why[0].contains(hint)));
    assert_eq!(of(OutcomeWord::CouldNotRun), TestResult::Failed(Vec::new()));
    assert_eq!(of(OutcomeWord::SuiteError), TestResult::Failed(Vec::new()));
}

#[test]
fn a_router_that_refuses_a_claimed_protocol_fails() {
    for (claims, hint) in [(Claims::default(), "following"), (listing_all(), "router file claims")]
    {
        let result = result(OutcomeWord::NotApplicable, &claims, false);
        assert!(
            matches!(&result, TestResult::Failed(why) if why.len() == 1 && why[0].contains(hint)),
            "{result:?}"
        );
    }
}

#[test]
fn an_entry_must_match_a_scenario_that_applies_to_the_router() {
    let entry = |scenario: &str| {
        format!("[[known_failure]]\nscenario = \"{scenario}\"\nreason = \"young\"\nlink = \"/1\"\n")
    };
    let entries =
        ["journeys::*", "no::such::scenario", "protocol::buffering::*"].map(entry).concat();
    let head = "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"learning\"]\n";
    let file = RouterFile::parse(&format!("{head}{entries}")).unwrap();
    let stale = stale_entries(&(&file).into(), &Catalog::embedded().cases);
    assert_eq!(stale.len(), 2, "{stale:?}");
    assert!(stale[0].contains("no::such::scenario"), "{stale:?}");
    assert!(stale[1].contains("protocol::buffering"), "{stale:?}");
}
