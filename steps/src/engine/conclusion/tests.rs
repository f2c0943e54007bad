use super::*;
use crate::engine::record::{EndedBy, IncompleteRecord, NotJudgedRecord};

#[test]
fn the_worst_outcome_decides_and_a_run_of_nothing_is_incomplete() {
    let of = |outcomes: &[Outcome]| Conclusion::of(outcomes);
    let not_applicable = || Outcome::NotApplicable(String::new());
    assert_eq!(of(&[]), Conclusion::Incomplete);
    assert_eq!(of(&[not_applicable()]), Conclusion::Incomplete);
    assert_eq!(of(&[Outcome::Passed, not_applicable(), Outcome::Warned]), Conclusion::Conformant);
    assert_eq!(of(&[Outcome::Failed, Outcome::Passed]), Conclusion::NotConformant);
    let known = || Outcome::KnownFailure { reason: "the engine".to_owned(), link: String::new() };
    assert_eq!(of(&[known(), Outcome::Passed, known()]), Conclusion::ConformantBut(2));
    assert_eq!(of(&[known(), Outcome::Failed]), Conclusion::NotConformant);
    assert_eq!(
        of(&[
            Outcome::SuiteError(String::new()),
            Outcome::CouldNotRun(String::new()),
            Outcome::Failed
        ]),
        Conclusion::SuiteFault
    );
}

#[test]
fn known_failures_are_counted_in_words() {
    for known in [1, 12] {
        let conclusion = Conclusion::ConformantBut(known);
        assert_eq!(Conclusion::named(&conclusion.to_string()), Some(conclusion));
        assert!(is_conformant_but(&conclusion.to_string()));
    }
    let words = Conclusion::ConformantBut(1).to_string();
    assert_eq!(words, "conformant but for 1 known failure");
    for words in ["conformant but for known failures", "conformant but for 2 things"] {
        assert_eq!(Conclusion::named(words), None);
    }
    assert!(Conclusion::ConformantBut(1).is_good() && !Conclusion::NotConformant.is_good());
}

#[test]
fn a_run_that_asks_the_router_nothing_is_incomplete() {
    let concluded = |has_router, word| {
        let mut record = crate::report::sample::report();
        record.scenarios.truncate(1);
        record.scenarios[0].has_router = has_router;
        record.scenarios[0].outcome.word = word;
        record.conclude(&Catalog::default()).unwrap();
        record.conclusion
    };
    assert_eq!(concluded(true, OutcomeWord::Passed), Conclusion::Conformant);
    assert_eq!(concluded(false, OutcomeWord::Passed), Conclusion::Incomplete);
    assert_eq!(concluded(true, OutcomeWord::Failed), Conclusion::NotConformant);
    assert_eq!(concluded(false, OutcomeWord::SuiteError), Conclusion::SuiteFault);
}

#[test]
fn a_run_that_ended_early_is_never_conformant_and_keeps_its_failures() {
    let not_run = || Outcome::NotRun(String::new());
    let of = |outcome: Outcome| Conclusion::of(&[not_run(), outcome]);
    assert_eq!(Conclusion::of(&[not_run()]), Conclusion::Incomplete);
    assert_eq!(of(Outcome::Passed), Conclusion::Incomplete);
    assert_eq!(of(Outcome::Failed), Conclusion::NotConformant);
    assert_eq!(of(Outcome::SuiteError(String::new())), Conclusion::SuiteFault);
    let could_not = Outcome::CouldNotRun(String::new());
    assert_eq!(of(could_not.clone()), Conclusion::Incomplete);
    assert_eq!(Conclusion::of(&[not_run(), could_not, Outcome::Failed]), Conclusion::NotConformant);
}

#[test]
fn an_exploration_is_never_conformant() {
    let failed = crate::report::sample::report().scenarios.swap_remove(2);
    let with = |journeys: u64, found: bool, not_judged: &[OutcomeWord], is_ended: bool| {
        let mut record = crate::report::sample::report();
        record.scenarios = if found { vec![failed.clone()] } else { Vec::new() };
        let not_judged = not_judged.iter().map(|outcome| NotJudgedRecord {
            outcome: *outcome,
            reason: String::new(),
            first: String::new(),
            journeys: 1,
        });
        record.exploration = Some(ExplorationRecord {
            journeys: [("buffering".to_owned(), journeys)].into(),
            not_judged: not_judged.collect(),
            ..ExplorationRecord::default()
        });
        record.features = Some(Default::default());
        record.incomplete = is_ended.then(|| IncompleteRecord {
            ended_by: EndedBy::Interrupt,
            reason: String::new(),
            not_run: 0,
        });
        record.conclude(&Catalog::default()).unwrap();
        record.conclusion
    };
    assert_eq!(with(5, false, &[], false), Conclusion::NoFailure);
    assert_eq!(with(0, false, &[], false), Conclusion::Incomplete);
    assert_eq!(with(5, true, &[], false), Conclusion::NotConformant);
    assert_eq!(with(5, false, &[], true), Conclusion::Incomplete);
    assert_eq!(with(5, true, &[], true), Conclusion::NotConformant);
    assert_eq!(with(5, true, &[OutcomeWord::CouldNotRun], true), Conclusion::NotConformant);
    assert_eq!(with(5, false, &[OutcomeWord::CouldNotRun], false), Conclusion::Incomplete);
    assert_eq!(with(5, false, &[OutcomeWord::NotApplicable], false), Conclusion::NoFailure);
    assert_eq!(with(0, false, &[OutcomeWord::NotApplicable], false), Conclusion::Incomplete);
    assert_eq!(with(5, true, &[OutcomeWord::SuiteError], false), Conclusion::SuiteFault);
}

#[test]
fn a_shard_is_never_conformant_by_itself() {
    let of = |outcomes: &[Outcome]| Conclusion::of_shard(outcomes);
    assert_eq!(of(&[]), Conclusion::NoFailure);
    assert_eq!(of(&[Outcome::NotApplicable(String::new())]), Conclusion::NoFailure);
    assert_eq!(of(&[Outcome::Passed, Outcome::Warned]), Conclusion::NoFailure);
    assert_eq!(of(&[Outcome::Passed, Outcome::Failed]), Conclusion::NotConformant);
    assert_eq!(of(&[Outcome::CouldNotRun(String::new())]), Conclusion::Incomplete);
    assert_eq!(Conclusion::NoFailure.exit_code(), ExitCode::Success);
    assert_eq!(Conclusion::named("no failure"), Some(Conclusion::NoFailure));
}
