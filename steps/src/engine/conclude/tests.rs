use cell_fleet::Protocol;

use super::*;
use crate::engine::record::{EndedBy, IncompleteRecord, NotJudgedRecord};

#[test]
fn a_run_that_asks_the_router_nothing_is_incomplete() {
    let concluded = |has_router, word| {
        let mut record = crate::report::sample::report();
        record.scenarios.truncate(1);
        record.scenarios[0].has_router = has_router;
        record.scenarios[0].outcome.word = word;
        record.conclude(&Catalog::default());
        record.conclusion
    };
    assert_eq!(concluded(true, OutcomeWord::Passed), Conclusion::Conformant);
    assert_eq!(concluded(false, OutcomeWord::Passed), Conclusion::Incomplete);
    assert_eq!(concluded(true, OutcomeWord::Failed), Conclusion::NotConformant);
    assert_eq!(concluded(false, OutcomeWord::SuiteError), Conclusion::SuiteFault);
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
            journeys: [(Protocol::Buffering, journeys)].into(),
            not_judged: not_judged.collect(),
            ..ExplorationRecord::default()
        });
        record.features = Some(Default::default());
        record.incomplete = is_ended.then(|| IncompleteRecord {
            ended_by: EndedBy::Interrupt,
            reason: String::new(),
            not_run: 0,
        });
        record.conclude(&Catalog::default());
        record.conclusion
    };
    assert_eq!(with(5, false, &[], false), Conclusion::NoFailure);
    assert_eq!(with(0, false, &[], false), Conclusion::Incomplete);
    assert_eq!(with(5, true, &[], false), Conclusion::NotConformant);
    assert_eq!(with(5, false, &[], true), Conclusion::Incomplete);
    assert_eq!(with(5, true, &[], true), Conclusion::NotConformant);
    assert_eq!(with(5, true, &[OutcomeWord::CouldNotRun], true), Conclusion::NotConformant);
    assert_eq!(with(5, true, &[OutcomeWord::CouldNotRun], false), Conclusion::NotConformant);
    assert_eq!(with(5, false, &[OutcomeWord::CouldNotRun], false), Conclusion::Incomplete);
    assert_eq!(with(10, false, &[OutcomeWord::CouldNotRun], false), Conclusion::NoFailure);
    assert_eq!(with(5, false, &[OutcomeWord::NotApplicable], false), Conclusion::NoFailure);
    assert_eq!(with(0, false, &[OutcomeWord::NotApplicable], false), Conclusion::Incomplete);
    assert_eq!(with(5, false, &[OutcomeWord::SuiteError], false), Conclusion::SuiteFault);
    assert_eq!(with(5, true, &[OutcomeWord::SuiteError], false), Conclusion::NotConformant);
}

#[test]
fn only_a_complete_run_of_what_the_router_claims_is_conformant() {
    let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
    let sample = crate::report::sample::report().scenarios.swap_remove(0);
    let concluded = |protocols: &[Protocol], is_selected: &dyn Fn(&Case) -> bool| {
        let mut record = crate::report::sample::report();
        record.router.known_failures.clear();
        record.router.capabilities.clear();
        record.router.protocols = protocols.to_vec();
        let claims = Claims::recorded(&record.router);
        let applies = |case: &&Case| claims.not_applicable(case).is_none();
        let selected = catalog.cases.iter().filter(|case| is_selected(case)).filter(applies);
        record.scenarios = selected
            .map(|case| CaseRecord {
                name: case.name.clone(),
                protocol: case.protocol,
                profile: case.profile(ledger),
                has_router: case.needs().router,
                ..sample.clone()
            })
            .collect();
        record.conclude(&catalog);
        let ran = record.scenarios.len();
        let verdicts = record.profiles.iter().map(|profile| profile.verdict);
        (record.conclusion, ran, verdicts.collect::<Vec<_>>())
    };
    let (one, both) = (&[Protocol::Learning][..], &Protocol::ALL[..]);
    let is = |case: &Case, profile| case.profile(ledger) == profile;
    let part = |ran| Conclusion::NoFailureIn { known: 0, ran, of: Some(catalog.cases.len()) };
    let (conformant, none) = (Conclusion::Conformant, Conclusion::NoFailure);
    for protocols in [one, both] {
        let (conclusion, _, verdicts) = concluded(protocols, &|_| true);
        assert_eq!((conclusion, verdicts), (conformant, vec![conformant; 3]));
        // The fleet says nothing of the router.
        let (conclusion, _, verdicts) = concluded(protocols, &|case| !is(case, Profile::Fleet));
        assert_eq!(conclusion, Conclusion::Conformant);
        assert_eq!(verdicts, [conformant, conformant, Conclusion::NotRun]);
        let (conclusion, ran, verdicts) = concluded(protocols, &|case| is(case, Profile::Core));
        assert_eq!(conclusion, part(ran));
        assert_eq!(verdicts[..2], [conformant, Conclusion::NotRun]);
        let first = &catalog.cases.iter().find(|case| case.protocol == Protocol::Learning);
        let first = &first.unwrap().name;
        let (conclusion, ran, verdicts) = concluded(protocols, &|case| case.name != *first);
        assert_eq!((conclusion, verdicts.contains(&none)), (part(ran), true));
    }
    // What the router does not claim is not missing.
    let (conclusion, ..) = concluded(one, &|case| case.protocol == Protocol::Learning);
    assert_eq!(conclusion, part(concluded(one, &|case| case.protocol == Protocol::Learning).1));
}

#[test]
fn a_profile_with_a_failure_is_not_conformant() {
    let mut report = crate::report::sample::report();
    let mut failed = report.scenarios.swap_remove(2);
    let id: RequirementId = "Z-03".parse().unwrap();
    failed.findings[0].requirement = id.clone();
    report.requirements.get_mut(&id).unwrap().level = Level::Must;
    let verdict = |profile, case: &CaseRecord| {
        verdict_of(profile, std::slice::from_ref(case), &report.requirements).verdict
    };
    // A scenario of the core violates a requirement of the hardening profile.
    assert_eq!(verdict(Profile::Core, &failed), Conclusion::NotConformant);
    // So does one whose router did not start, as the conclusion says, too.
    let unstarted = CaseRecord { trace: None, findings: Vec::new(), ..failed.clone() };
    assert_eq!(verdict(Profile::Core, &unstarted), Conclusion::NotConformant);
    assert_eq!(verdict(Profile::Hardening, &failed), Conclusion::NotConformant);
    assert_eq!(verdict(Profile::Fleet, &failed), Conclusion::NotRun);
    failed.profile = Profile::Fleet;
    assert_eq!(verdict(Profile::Fleet, &failed), Conclusion::Incomplete);
    failed.outcome.word = OutcomeWord::Passed;
    assert_eq!(verdict(Profile::Fleet, &failed), Conclusion::Conformant);
}
