use super::*;

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
    let could_not = || Outcome::CouldNotRun(String::new());
    assert_eq!(of(&[could_not(), Outcome::Failed]), Conclusion::NotConformant);
    assert_eq!(of(&[could_not(), Outcome::Passed]), Conclusion::Incomplete);
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
fn a_part_is_never_conformant_by_itself() {
    let of = |outcomes: &[Outcome]| Conclusion::of_shard(outcomes).of_part(10, Some(2_296));
    let none = Conclusion::NoFailureIn { known: 0, ran: 10, of: Some(2_296) };
    assert_eq!(of(&[]), none);
    assert_eq!(of(&[Outcome::NotApplicable(String::new())]), none);
    assert_eq!(of(&[Outcome::Passed, Outcome::Warned]), none);
    assert_eq!(of(&[Outcome::Passed, Outcome::NotAsked(String::new())]), none);
    assert_eq!(of(&[Outcome::Passed, Outcome::Failed]), Conclusion::NotConformant);
    assert_eq!(of(&[Outcome::CouldNotRun(String::new())]), Conclusion::Incomplete);
    assert_eq!(none.exit_code(), ExitCode::Success);
    assert_eq!(Conclusion::named("no failure"), Some(Conclusion::NoFailure));
    for (conclusion, words) in [
        (none, "no failure in 10 of 2,296 scenarios"),
        (
            Conclusion::ConformantBut(1).of_part(1_200, Some(2_296)),
            "no failure but for 1 known failure in 1,200 of 2,296 scenarios",
        ),
        (Conclusion::Conformant.of_part(1, None), "no failure in 1 custom scenario"),
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
    let of = |outcomes: &[Outcome]| Conclusion::of(outcomes);
    let not_asked = || Outcome::NotAsked(String::new());
    let known = || Outcome::KnownFailure { reason: "the engine".to_owned(), link: String::new() };
    let good = of(&[Outcome::Passed, not_asked(), not_asked()]);
    assert_eq!(good.to_string(), "conformant as far as asked, 2 not asked");
    let but = of(&[Outcome::Passed, known(), not_asked()]);
    assert_eq!(but.to_string(), "conformant but for 1 known failure as far as asked, 1 not asked");
    for conclusion in [good, but] {
        assert_eq!(conclusion.exit_code(), ExitCode::Success);
        assert_eq!(Conclusion::named(&conclusion.to_string()), Some(conclusion));
        assert!(is_conformant_but(&conclusion.to_string()));
    }
    assert_eq!(Conclusion::named("conformant as far as asked, 0 not asked"), None);
    assert_eq!(of(&[Outcome::Failed, not_asked()]), Conclusion::NotConformant);
    assert_eq!(of(&[not_asked()]), Conclusion::Incomplete);
    let could_not = Outcome::CouldNotRun(String::new());
    assert_eq!(of(&[Outcome::Passed, could_not, not_asked()]), Conclusion::Incomplete);
}
