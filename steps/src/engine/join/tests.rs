use super::*;
use crate::router_file::KnownFailure;

/// Records of trials of the reference router: each of one case, with this outcome.
fn trials(cases: &[&Case], outcome: &Outcome) -> Vec<NamedRecord> {
    let ledger = Ledger::embedded();
    let subject = super::super::Subject::reference("cells-conformance".into());
    let trial = |(case, number): (&&Case, u64)| {
        let began = SystemTime::UNIX_EPOCH + Duration::from_millis(500 * number);
        let words = vec![case.name.clone()];
        let settings = settings(began, 1, 1, words, Some(PartOfRun::Trial));
        let mut record = RunRecord::empty(subject.described.clone(), settings);
        record.add(case, &Verdict::of(outcome.clone()), Duration::ZERO, Duration::ZERO, ledger);
        record.run.took_ms = 2_000;
        (format!("{number}.json"), record)
    };
    cases.iter().zip(0..).map(trial).collect()
}

fn applicable(catalog: &Catalog) -> Vec<&Case> {
    let claims = Claims::of_reference();
    catalog.cases.iter().filter(|case| claims.not_applicable(case).is_none()).collect()
}

#[test]
fn the_trials_of_all_that_is_claimed_are_a_whole_run() {
    let catalog = Catalog::embedded();
    let mut parts = trials(&applicable(&catalog), &Outcome::Passed);
    parts.reverse();
    let count = parts.len() as u64;
    let whole = join(parts).unwrap();
    let names = |cases: &[Case]| cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>();
    let joined: Vec<_> = whole.scenarios.iter().map(|case| case.name.clone()).collect();
    assert_eq!(joined, names(&catalog.cases));
    assert_eq!((whole.concluded().to_string().as_str(), whole.exit_code), ("conformant", 0));
    assert!(whole.run.selection.is_empty() && whole.run.part.is_none());
    assert_eq!(whole.run.took_ms, (count - 1) * 500 + 2_000);
    let last = applicable(&catalog).last().unwrap().name.clone();
    let last = whole.scenarios.iter().find(|case| case.name == last).unwrap();
    assert_eq!(last.began_ms, (count - 1) * 500);
}

#[test]
fn trials_of_a_part_select_their_scenarios_by_name() {
    let catalog = Catalog::embedded();
    let cases = applicable(&catalog);
    let whole = join(trials(&cases[3..5], &Outcome::Passed)).unwrap();
    let names: Vec<_> = cases[3..5].iter().map(|case| case.name.clone()).collect();
    assert_eq!(whole.run.selection, names);
    let selection = Selection::from_words(&names).unwrap();
    let selected = selection.of(&catalog.cases, Ledger::embedded()).unwrap();
    assert_eq!(
        selected.iter().map(|case| &case.name).collect::<Vec<_>>(),
        names.iter().collect::<Vec<_>>()
    );
}

#[test]
fn the_worst_outcome_of_any_record_decides() {
    let catalog = Catalog::embedded();
    let cases = applicable(&catalog);
    let mut parts = trials(&cases[..2], &Outcome::Passed);
    for (outcome, conclusion) in
        [(Outcome::Failed, "not conformant"), (Outcome::CouldNotRun(String::new()), "incomplete")]
    {
        parts[1].1.scenarios[0].outcome = (&outcome).into();
        assert_eq!(join(parts.clone()).unwrap().conclusion, conclusion);
    }
}

#[test]
fn known_failures_are_settled_on_the_whole() {
    let catalog = Catalog::embedded();
    let cases = applicable(&catalog);
    let mut parts = trials(&cases[..2], &Outcome::Failed);
    let entry = |scenario: &str| -> KnownFailure {
        serde_json::from_value(serde_json::json!({
            "scenario": scenario, "reason": "young", "link": "/1",
        }))
        .unwrap()
    };
    for (_, part) in &mut parts {
        part.router.known_failures = vec![entry(&cases[0].name), entry("no::such::scenario")];
    }
    let whole = join(parts).unwrap();
    let outcomes: Vec<_> = whole.scenarios.iter().map(|case| case.outcome.word.as_str()).collect();
    assert_eq!(outcomes, ["known failure", "failed"]);
    assert_eq!(whole.complaints.len(), 1);
    assert!(whole.complaints[0].contains("no::such::scenario"), "{:?}", whole.complaints);
}

#[test]
fn records_that_do_not_belong_together_are_named() {
    let catalog = Catalog::embedded();
    let parts = trials(&applicable(&catalog)[..2], &Outcome::Passed);
    let refused = |change: &dyn Fn(&mut RunRecord), part: &str| {
        let mut parts = parts.clone();
        change(&mut parts[1].1);
        let why = join(parts).unwrap_err();
        assert!(why.contains("1.json") && why.contains(part), "{part}: {why}");
    };
    refused(&|record| record.suite.features_digest = "00".to_owned(), "features");
    refused(&|record| record.suite.ledger_digest = "00".to_owned(), "a ledger");
    refused(&|record| record.router.name = "other".to_owned(), "another name");
    refused(&|record| record.router.command.clear(), "another command");
    refused(&|record| record.router.capabilities.clear(), "other claims");
    refused(&|record| record.run.seed = 2, "the seed is 2");
    let name = parts[0].1.scenarios[0].name.clone();
    refused(&|record| record.scenarios[0].name = name.clone(), "stands in 0.json and in 1.json");
    refused(&|record| record.scenarios[0].name = "none".to_owned(), "have no scenario none");
    refused(&|record| record.run.began = "soon".to_owned(), "`soon` is not a time");
}

#[test]
fn bodies_of_one_digest_are_the_same() {
    let catalog = Catalog::embedded();
    let mut parts = trials(&applicable(&catalog)[..2], &Outcome::Passed);
    for ((_, part), text) in parts.iter_mut().zip([b"a", b"b"]) {
        let body = Body { length: 1, beginning: super::super::record::Plain::of(text) };
        part.bodies.insert("d1".to_owned(), body);
    }
    assert!(join(parts).unwrap_err().contains("body d1 differs"));
}

#[test]
fn shards_are_complete_and_of_one_run() {
    let catalog = Catalog::embedded();
    let cases = applicable(&catalog);
    let mut parts = trials(&cases[..2], &Outcome::Passed);
    let names: Vec<_> = cases[..2].iter().map(|case| case.name.clone()).collect();
    for ((_, part), index) in parts.iter_mut().zip(1..) {
        part.run.selection = names.clone();
        part.run.part = Some(PartOfRun::Shard { index, count: 2 });
    }
    let whole = join(parts.clone()).unwrap();
    assert_eq!((whole.run.selection, whole.scenarios.len()), (names, 2));

    let refused = |change: &dyn Fn(&mut Vec<NamedRecord>), part: &str| {
        let mut parts = parts.clone();
        change(&mut parts);
        let why = join(parts).unwrap_err();
        assert!(why.contains(part), "{part}: {why}");
    };
    refused(&|parts| drop(parts.pop()), "shard 2 of 2 is missing");
    let shard = |index, count| Some(PartOfRun::Shard { index, count });
    refused(&|parts| parts[1].1.run.part = shard(1, 2), "1.json: shard 1, as 0.json is");
    refused(&|parts| parts[1].1.run.part = shard(2, 3), "one of 3 shards");
    refused(&|parts| parts[1].1.run.part = None, "1.json: not a shard");
    refused(&|parts| drop(parts[1].1.run.selection.pop()), "another selection");
    refused(&|parts| drop(parts[1].1.scenarios.pop()), "stand in no record, first");
}
