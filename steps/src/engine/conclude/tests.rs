use super::*;
use crate::engine::record::{EndedBy, IncompleteRecord, NotJudgedRecord};

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
