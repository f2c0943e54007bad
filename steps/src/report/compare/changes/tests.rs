use super::super::super::sample;
use super::*;
use crate::engine::record::OutcomeRecord;
use crate::report::Styles;
use crate::verdict::OutcomeWord;

#[test]
fn each_kind_of_change_is_named() {
    let before = sample::report();
    let none = Changes { from_the_same: true, ..Changes::default() };
    assert_eq!(Changes::between(&before, &before), none);
    let mut after = before.clone();
    after.suite.features_digest = "00".repeat(32);
    after.scenarios[0].outcome.word = OutcomeWord::Failed;
    after.scenarios[2].findings[0].requirement = "RT-08".to_owned();
    after.scenarios[6].name = "journeys::sample::renamed[buffering]".to_owned();
    let changes = Changes::between(&before, &after);
    assert_eq!(changes.notes, ["the features differ: f0f0f0f0f0f0, then 000000000000"]);
    let regression = Change {
        name: "journeys::sample::a_project[buffering]".to_owned(),
        before: OutcomeWord::Passed,
        after: OutcomeWord::Failed,
        violated: String::new(),
        meaning: Meaning::Regression,
    };
    assert_eq!(changes.changed, [regression]);
    assert_eq!((changes.shifted[0].1.as_str(), changes.shifted[0].2.as_str()), ("BF-03", "RT-08"));
    assert_eq!(
        changes.new,
        [("journeys::sample::renamed[buffering]".to_owned(), OutcomeWord::SuiteError)]
    );
    assert_eq!(
        changes.gone,
        [("journeys::sample::a_panic[buffering]".to_owned(), OutcomeWord::SuiteError)]
    );
    let text = changes.text(&Styles::default());
    for part in
        ["note: the features differ", "regressions (1)", "passed -> failed", "new (1)", "gone (1)"]
    {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.contains('\x1b'), "{text}");
    assert!(changes.text(&Styles::COLOURED).contains("\x1b[31mregressions (1):\x1b[0m\n"));
    assert_eq!(Changes::default().text(&Styles::COLOURED), "no scenario changed\n");
}

/// A scenario with an outcome and a finding of a level.
fn scenario(word: OutcomeWord, level: Option<&str>) -> CaseRecord {
    let report = sample::report();
    let mut finding = report.scenarios.iter().find_map(|one| one.findings.first()).unwrap().clone();
    let mut scenario = report.scenarios[0].clone();
    scenario.outcome = OutcomeRecord { word, reason: None, link: None };
    scenario.findings = Vec::new();
    if let Some(level) = level {
        finding.level = level.to_owned();
        scenario.findings.push(finding);
    }
    scenario
}

#[test]
fn a_change_means_what_it_says_of_the_router() {
    let passed = || scenario(OutcomeWord::Passed, None);
    let warned = || scenario(OutcomeWord::Warned, Some("SHOULD"));
    let failed = || scenario(OutcomeWord::Failed, Some("MUST"));
    let known = || scenario(OutcomeWord::KnownFailure, Some("MUST"));
    let known_warning = || scenario(OutcomeWord::KnownFailure, Some("SHOULD"));
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

#[test]
fn hostile_reports_give_no_control_character() {
    let after = sample::hostile();
    for (before, after) in [(sample::report(), after), (sample::hostile(), sample::report())] {
        let text = Changes::between(&before, &after).text(&Styles::default());
        let is_control = |c: &char| c.is_control() && *c != '\n';
        assert_eq!(text.chars().find(is_control), None, "{text:?}");
    }
}
