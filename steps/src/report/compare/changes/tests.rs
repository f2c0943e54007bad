use super::super::super::sample;
use super::*;

/// A scenario with an outcome and a finding of a level.
fn scenario(word: OutcomeWord, level: Option<Level>) -> CaseRecord {
    let mut scenario = sample::report().scenarios.swap_remove(2);
    scenario.outcome.word = word;
    scenario.findings.retain(|_| level.is_some());
    scenario.findings.iter_mut().zip(level).for_each(|(found, level)| found.level = level);
    scenario
}

#[test]
fn a_change_means_what_it_says_of_the_router() {
    let passed = || scenario(OutcomeWord::Passed, None);
    let warned = || scenario(OutcomeWord::Warned, Some(Level::Should));
    let failed = || scenario(OutcomeWord::Failed, Some(Level::Must));
    let known = || scenario(OutcomeWord::KnownFailure, Some(Level::Must));
    let known_warning = || scenario(OutcomeWord::KnownFailure, Some(Level::Should));
    let without = || scenario(OutcomeWord::SuiteError, None);
    for (before, after, expected) in [
        (passed(), warned(), ChangeKind::Regression),
        (warned(), failed(), ChangeKind::Regression),
        // A failure that is listed is still a failure.
        (passed(), known(), ChangeKind::Regression),
        (known_warning(), failed(), ChangeKind::Regression),
        (known(), passed(), ChangeKind::Fix),
        (failed(), warned(), ChangeKind::Fix),
        (failed(), known(), ChangeKind::OtherOutcome),
        (warned(), known_warning(), ChangeKind::OtherOutcome),
        (passed(), without(), ChangeKind::VerdictLost),
        (warned(), without(), ChangeKind::VerdictLost),
        (failed(), without(), ChangeKind::OtherOutcome),
        (without(), passed(), ChangeKind::OtherOutcome),
    ] {
        let words = (before.outcome.word, after.outcome.word);
        let kind = change(Some(&before), Some(&after)).map(|change| change.kind);
        assert_eq!(kind, Some(expected), "{words:?}");
    }
}

#[test]
fn a_scenario_that_passed_and_is_gone_has_lost_its_verdict() {
    let before = sample::report();
    let without = |word| {
        let mut after = before.clone();
        after.scenarios.retain(|scenario| scenario.outcome.word != word);
        Changes::between(&before, &after).lost_a_verdict()
    };
    assert!(without(OutcomeWord::Passed));
    assert!(!without(OutcomeWord::Failed) && !without(OutcomeWord::NotRun));
}

#[test]
fn what_only_one_of_two_selections_has_is_counted() {
    let before = sample::report();
    let mut after = before.clone();
    after.scenarios.truncate(2);
    let text = Changes::between(&before, &after).text(&Styles::default());
    let more = before.scenarios.len() - 2;
    assert_eq!(text, format!("not selected for the second report: {more} scenarios\n"));
    let text = Changes::between(&after, &before).text(&Styles::default());
    assert_eq!(text, format!("not selected for the first report: {more} scenarios\n"));
}
