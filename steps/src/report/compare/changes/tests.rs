use super::super::super::sample;
use super::*;
use crate::engine::record::OutcomeRecord;
use crate::report::Styles;

#[test]
fn each_kind_of_change_is_named() {
    let before = sample::report();
    assert_eq!(Changes::between(&before, &before), Changes::default());
    let mut after = before.clone();
    after.suite.features_digest = "00".repeat(32);
    after.scenarios[0].outcome.word = "failed".to_owned();
    after.scenarios[2].findings[0].requirement = "RT-08".to_owned();
    after.scenarios[6].name = "journeys::sample::renamed[buffering]".to_owned();
    let changes = Changes::between(&before, &after);
    assert_eq!(changes.notes, ["the features differ: f0f0f0f0f0f0, then 000000000000"]);
    let regression = Change {
        name: "journeys::sample::a_project[buffering]".to_owned(),
        before: "passed".to_owned(),
        after: "failed".to_owned(),
        violated: String::new(),
        meaning: Meaning::Regression,
    };
    assert_eq!(changes.changed, [regression]);
    assert_eq!((changes.shifted[0].1.as_str(), changes.shifted[0].2.as_str()), ("BF-03", "RT-08"));
    assert_eq!(
        changes.new,
        [("journeys::sample::renamed[buffering]".to_owned(), "suite error".to_owned())]
    );
    assert_eq!(
        changes.gone,
        [("journeys::sample::a_panic[buffering]".to_owned(), "suite error".to_owned())]
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
fn scenario(word: &str, level: Option<&str>) -> CaseRecord {
    let report = sample::report();
    let mut finding = report.scenarios.iter().find_map(|one| one.findings.first()).unwrap().clone();
    let mut scenario = report.scenarios[0].clone();
    scenario.outcome = OutcomeRecord { word: word.to_owned(), reason: None, link: None };
    scenario.findings = Vec::new();
    if let Some(level) = level {
        finding.level = level.to_owned();
        scenario.findings.push(finding);
    }
    scenario
}

#[test]
fn a_change_means_what_it_says_of_the_router() {
    let passed = || scenario("passed", None);
    let warned = || scenario("warned", Some("SHOULD"));
    let failed = || scenario("failed", Some("MUST"));
    let known = || scenario("known failure", Some("MUST"));
    let known_warning = || scenario("known failure", Some("SHOULD"));
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
        (passed(), without("suite error"), Meaning::VerdictLost),
        (warned(), without("could not run"), Meaning::VerdictLost),
        (passed(), without("not applicable"), Meaning::VerdictLost),
        (failed(), without("suite error"), Meaning::Other),
        (without("suite error"), failed(), Meaning::Other),
        (without("not applicable"), passed(), Meaning::Other),
    ] {
        let words = (&before.outcome.word, &after.outcome.word);
        assert_eq!(meaning(&before, &after), expected, "{words:?}");
    }
}

#[test]
fn a_scenario_that_passed_and_is_gone_has_lost_its_verdict() {
    let before = sample::report();
    let without = |word: &str| {
        let mut after = before.clone();
        after.scenarios.retain(|scenario| scenario.outcome.word != word);
        Changes::between(&before, &after).lost_a_verdict()
    };
    assert!(without("passed"));
    assert!(!without("failed") && !without("no such word"));
}

#[test]
fn hostile_reports_give_no_control_character() {
    let mut after = sample::hostile();
    after.scenarios.iter_mut().for_each(|scenario| scenario.outcome.word.push('\u{1b}'));
    for (before, after) in [(sample::report(), after), (sample::hostile(), sample::report())] {
        let text = Changes::between(&before, &after).text(&Styles::default());
        let is_control = |c: &char| c.is_control() && *c != '\n';
        assert_eq!(text.chars().find(is_control), None, "{text:?}");
    }
}
