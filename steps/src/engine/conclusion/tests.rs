use super::*;

#[test]
fn the_worst_outcome_decides_and_a_run_of_nothing_is_incomplete() {
    let of = |outcomes: &[OutcomeWord]| Conclusion::of(outcomes.iter().copied());
    assert_eq!(of(&[]), Conclusion::Incomplete);
    assert_eq!(of(&[OutcomeWord::NotApplicable]), Conclusion::Incomplete);
    assert_eq!(
        of(&[OutcomeWord::Passed, OutcomeWord::NotApplicable, OutcomeWord::Warned]),
        Conclusion::Conformant
    );
    assert_eq!(of(&[OutcomeWord::Failed, OutcomeWord::Passed]), Conclusion::NotConformant);
    assert_eq!(
        of(&[OutcomeWord::KnownFailure, OutcomeWord::Passed, OutcomeWord::KnownFailure]),
        Conclusion::ConformantBut(2)
    );
    assert_eq!(of(&[OutcomeWord::KnownFailure, OutcomeWord::Failed]), Conclusion::NotConformant);
    assert_eq!(of(&[OutcomeWord::CouldNotRun, OutcomeWord::Failed]), Conclusion::NotConformant);
    assert_eq!(of(&[OutcomeWord::CouldNotRun, OutcomeWord::Passed]), Conclusion::Incomplete);
    assert_eq!(
        of(&[OutcomeWord::SuiteError, OutcomeWord::CouldNotRun, OutcomeWord::Failed]),
        Conclusion::SuiteFault
    );
}

#[test]
fn known_failures_are_counted_in_words() {
    for known in [1, 12] {
        let conclusion = Conclusion::ConformantBut(known);
        assert_eq!(Conclusion::named(&conclusion.to_string()), Some(conclusion));
    }
    let words = Conclusion::ConformantBut(1).to_string();
    assert_eq!(words, "conformant but for 1 known failure");
    for words in ["conformant but for known failures", "conformant but for 2 things"] {
        assert_eq!(Conclusion::named(words), None);
    }
    assert!(Conclusion::ConformantBut(1).is_good() && !Conclusion::NotConformant.is_good());
}

#[test]
fn a_run_that_ended_early_is_never_conformant_and_keeps_its_failures() {
    let of = |outcome| Conclusion::of([OutcomeWord::NotRun, outcome]);
    assert_eq!(Conclusion::of([OutcomeWord::NotRun]), Conclusion::Incomplete);
    assert_eq!(of(OutcomeWord::Passed), Conclusion::Incomplete);
    assert_eq!(of(OutcomeWord::Failed), Conclusion::NotConformant);
    assert_eq!(of(OutcomeWord::SuiteError), Conclusion::SuiteFault);
    assert_eq!(of(OutcomeWord::CouldNotRun), Conclusion::Incomplete);
    assert_eq!(
        Conclusion::of([OutcomeWord::NotRun, OutcomeWord::CouldNotRun, OutcomeWord::Failed]),
        Conclusion::NotConformant
    );
}

#[test]
fn a_part_is_never_conformant_by_itself() {
    let of = |outcomes: &[OutcomeWord]| {
        Conclusion::weigh_shard(outcomes.iter().copied()).in_part(10, Some(2_296))
    };
    let none = Conclusion::NoFailureIn { known: 0, ran: 10, of: Some(2_296) };
    assert_eq!(of(&[]), none);
    assert_eq!(of(&[OutcomeWord::NotApplicable]), none);
    assert_eq!(of(&[OutcomeWord::Passed, OutcomeWord::Warned]), none);
    assert_eq!(of(&[OutcomeWord::Passed, OutcomeWord::NotAsked]), none);
    assert_eq!(of(&[OutcomeWord::Passed, OutcomeWord::Failed]), Conclusion::NotConformant);
    assert_eq!(of(&[OutcomeWord::CouldNotRun]), Conclusion::Incomplete);
    assert_eq!(none.exit_code(), ExitCode::Success);
    assert_eq!(Conclusion::named("no failure"), Some(Conclusion::NoFailure));
    for (conclusion, words) in [
        (none, "no failure in 10 of 2,296 scenarios"),
        (
            Conclusion::ConformantBut(1).in_part(1_200, Some(2_296)),
            "no failure but for 1 known failure in 1,200 of 2,296 scenarios",
        ),
        (Conclusion::Conformant.in_part(1, None), "no failure in 1 custom scenario"),
    ] {
        assert_eq!(conclusion.to_string(), words);
        assert_eq!(Conclusion::named(words), Some(conclusion));
    }
    for words in ["no failure in 10 of 2296 scenarios", "no failure in some", "no failure in 1 of"]
    {
        assert_eq!(Conclusion::named(words), None);
    }
}

#[test]
fn what_a_running_router_was_not_asked_is_counted_and_hides_no_failure() {
    let of = |outcomes: &[OutcomeWord]| Conclusion::of(outcomes.iter().copied());
    let good = of(&[OutcomeWord::Passed, OutcomeWord::NotAsked, OutcomeWord::NotAsked]);
    assert_eq!(good.to_string(), "conformant as far as asked, 2 not asked");
    let but = of(&[OutcomeWord::Passed, OutcomeWord::KnownFailure, OutcomeWord::NotAsked]);
    assert_eq!(but.to_string(), "conformant but for 1 known failure as far as asked, 1 not asked");
    for conclusion in [good, but] {
        assert_eq!(conclusion.exit_code(), ExitCode::Success);
        assert_eq!(Conclusion::named(&conclusion.to_string()), Some(conclusion));
    }
    assert_eq!(Conclusion::named("conformant as far as asked, 0 not asked"), None);
    assert_eq!(of(&[OutcomeWord::Failed, OutcomeWord::NotAsked]), Conclusion::NotConformant);
    assert_eq!(of(&[OutcomeWord::NotAsked]), Conclusion::Incomplete);
    assert_eq!(
        of(&[OutcomeWord::Passed, OutcomeWord::CouldNotRun, OutcomeWord::NotAsked]),
        Conclusion::Incomplete
    );
}
