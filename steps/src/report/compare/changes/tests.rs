use super::super::super::sample;
use super::*;
use crate::engine::record::OutcomeRecord;
use crate::report::Styles;
use crate::verdict::OutcomeWord;

/// A scenario with an outcome and a finding of a level.
fn scenario(word: OutcomeWord, level: Option<Level>) -> CaseRecord {
    let report = sample::report();
    let mut finding = report.scenarios.iter().find_map(|one| one.findings.first()).unwrap().clone();
    let mut scenario = report.scenarios[0].clone();
    scenario.outcome = OutcomeRecord { word, reason: None, link: None };
    scenario.findings = Vec::new();
    if let Some(level) = level {
        finding.level = level;
        scenario.findings.push(finding);
    }
    scenario
}

#[test]
fn a_change_means_what_it_says_of_the_router() {
    let passed = || scenario(OutcomeWord::Passed, None);
    let warned = || scenario(OutcomeWord::Warned, Some(Level::Should));
    let failed = || scenario(OutcomeWord::Failed, Some(Level::Must));
    let known = || scenario(OutcomeWord::KnownFailure, Some(Level::Must));
    let known_warning = || scenario(OutcomeWord::KnownFailure, Some(Level::Should));
    let without = |word| scenario(word, None);
    for (before, after, expected) in [
        (passed(), failed(), Meaning::Regression),
        (passed(), warned(), Meaning::Regression),
        (warned(), failed(), Meaning::Regression),
        // A failure that is listed is still a failure.
        (passed(), known(), Meaning::Regression),
        (known_warning(), failed(), Meaning::Regression),
        (failed(), passed(), Meaning::Fix),
        (known(), passed(), Meaning::Fix),
        (failed(), warned(), Meaning::Fix),
        (known(), warned(), Meaning::Fix),
        (failed(), known(), Meaning::Other),
        (known(), failed(), Meaning::Other),
        (warned(), known_warning(), Meaning::Other),
        (passed(), without(OutcomeWord::SuiteError), Meaning::VerdictLost),
        (warned(), without(OutcomeWord::CouldNotRun), Meaning::VerdictLost),
        (passed(), without(OutcomeWord::NotApplicable), Meaning::VerdictLost),
        (failed(), without(OutcomeWord::SuiteError), Meaning::Other),
        (without(OutcomeWord::SuiteError), failed(), Meaning::Other),
        (without(OutcomeWord::NotApplicable), passed(), Meaning::Other),
    ] {
        let words = (before.outcome.word, after.outcome.word);
        assert_eq!(meaning(&before, &after), expected, "{words:?}");
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
