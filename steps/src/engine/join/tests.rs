use super::super::record::Shard;
use super::*;
use crate::engine::Conclusion;
use crate::engine::record::KnownFailure;

/// Records of trials of the reference router: each of one case, with this outcome.
fn trials(cases: &[&Case], outcome: OutcomeWord) -> Vec<NamedRecord> {
    let ledger = Ledger::embedded();
    let subject = super::super::Subject::reference("cells-conformance".into());
    let trial = |(case, number): (&&Case, u64)| {
        let began = SystemTime::UNIX_EPOCH + Duration::from_millis(500 * number);
        let words = vec![case.name.clone()];
        let settings = settings(began, 1, 1, words, Some(PartOfRun::Trial));
        let mut record = RunRecord::empty(subject.described.clone(), settings);
        record.add(case, &Verdict::of(outcome), Duration::ZERO, Duration::ZERO, ledger);
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
    let mut parts = trials(&applicable(&catalog), OutcomeWord::Passed);
    parts.reverse();
    let starts = |took_ms| Some(StartsRecord { number: 9, took_ms });
    (parts[0].1.run.starts, parts[1].1.run.starts) = (starts(300), starts(200));
    let count = parts.len() as u64;
    let whole = join(parts, None).unwrap();
    let names = |cases: &[Case]| cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>();
    let joined: Vec<_> = whole.scenarios.iter().map(|case| case.name.clone()).collect();
    assert_eq!(joined, names(&catalog.cases));
    assert_eq!((whole.conclusion.to_string().as_str(), whole.exit_code), ("conformant", 0));
    assert!(whole.run.selection.is_empty() && whole.run.part.is_none());
    assert_eq!(whole.run.took_ms, (count - 1) * 500 + 2_000);
    assert_eq!(whole.run.starts, Some(StartsRecord { number: 18, took_ms: 500 }));
    let last = applicable(&catalog).last().unwrap().name.clone();
    let last = whole.scenarios.iter().find(|case| case.name == last).unwrap();
    assert_eq!(last.began_ms, (count - 1) * 500);
}

#[test]
fn trials_of_a_part_select_their_scenarios_by_name() {
    let catalog = Catalog::embedded();
    let cases = applicable(&catalog);
    let whole = join(trials(&cases[3..5], OutcomeWord::Passed), None).unwrap();
    let names: Vec<_> = cases[3..5].iter().map(|case| case.name.clone()).collect();
    assert_eq!(whole.run.selection, names);
    let selection = Selection::from_words(&names).unwrap();
    let selected = selection.of(&catalog.cases, Ledger::embedded()).unwrap();
    assert_eq!(
        selected.iter().map(|case| &case.name).collect::<Vec<_>>(),
        names.iter().collect::<Vec<_>>()
    );
}

fn entry(scenario: &str) -> KnownFailure {
    let entry = serde_json::json!({ "scenario": scenario, "reason": "young", "link": "/1" });
    serde_json::from_value(entry).unwrap()
}

#[test]
fn known_failures_are_settled_on_the_whole() {
    let catalog = Catalog::embedded();
    let cases = applicable(&catalog);
    let mut parts = trials(&cases[..2], OutcomeWord::Failed);
    for (_, part) in &mut parts {
        part.router.known_failures = vec![entry(&cases[0].name), entry("no::such::scenario")];
    }
    let whole = join(parts, None).unwrap();
    let outcomes: Vec<_> = whole.scenarios.iter().map(|case| case.outcome.word).collect();
    assert_eq!(outcomes, [OutcomeWord::KnownFailure, OutcomeWord::Failed]);
    assert_eq!(whole.complaints.len(), 1);
    assert!(whole.complaints[0].contains("no::such::scenario"), "{:?}", whole.complaints);
}

#[test]
fn records_that_do_not_belong_together_are_named() {
    let catalog = Catalog::embedded();
    let parts = trials(&applicable(&catalog)[..2], OutcomeWord::Passed);
    let refused = |change: &dyn Fn(&mut RunRecord), part: &str| {
        let mut parts = parts.clone();
        change(&mut parts[1].1);
        let why = join(parts, None).unwrap_err();
        assert!(why.contains("1.json") && why.contains(part), "{part}: {why}");
    };
    refused(&|record| record.suite.features_digest = "00".to_owned(), "features_digest");
    refused(&|record| record.suite.ledger_digest = "00".to_owned(), "ledger_digest");
    refused(&|record| record.router.name = "other".to_owned(), "router.name");
    refused(&|record| record.router.command.clear(), "router.command");
    refused(&|record| record.router.capabilities.clear(), "router.capabilities");
    refused(&|record| record.run.seed = 2, "run.seed");
    let name = parts[0].1.scenarios[0].name.clone();
    refused(&|record| record.scenarios[0].name = name.clone(), "stands in 0.json and in 1.json");
    refused(&|record| record.scenarios[0].name = "none".to_owned(), "have no scenario none");
    refused(&|record| record.run.began = "soon".to_owned(), "`soon` is not a time");
}

/// Two shards of two scenarios.
fn shards(outcome: OutcomeWord) -> Vec<NamedRecord> {
    let catalog = Catalog::embedded();
    let mut cases = applicable(&catalog);
    // Scenarios without a router lead to no conclusion about the router.
    cases.retain(|case| case.needs().router);
    let names: Vec<_> = cases[..2].iter().map(|case| case.name.clone()).collect();
    let mut parts = trials(&cases[..2], outcome);
    for ((_, part), index) in parts.iter_mut().zip(1..) {
        part.run.selection = names.clone();
        part.run.part = shard(index, 2);
        part.conclude(&catalog);
    }
    parts
}

fn shard(index: usize, count: usize) -> Option<PartOfRun> {
    Some(PartOfRun::Shard(Shard { index, count }))
}

#[test]
fn claims_and_stale_entries_are_settled_when_shards_are_joined() {
    let mut parts = shards(OutcomeWord::Failed);
    let name = parts[0].1.scenarios[0].name.clone();
    let catalog = Catalog::embedded();
    for (_, part) in &mut parts {
        part.router.known_failures = vec![entry(&name), entry("no::such::scenario")];
        part.conclude(&catalog);
        assert_eq!(part.complaints, Vec::<String>::new());
    }
    let conclusions = parts.iter().map(|(_, part)| part.conclusion).collect::<Vec<_>>();
    let known = Conclusion::NoFailureIn { known: 1, ran: 1, of: Some(catalog.cases.len()) };
    assert_eq!(conclusions, [known, Conclusion::NotConformant]);
    parts[1].1.scenarios[0].outcome = OutcomeWord::Passed.into();
    let whole = join(parts, None).unwrap();
    assert_eq!((whole.conclusion, whole.complaints.len()), (Conclusion::NotConformant, 1));
    assert!(whole.complaints[0].contains("no::such::scenario"), "{:?}", whole.complaints);
}

#[test]
fn shards_that_do_not_fit_together_are_named() {
    let parts = shards(OutcomeWord::Passed);
    let refused = |change: &dyn Fn(&mut Vec<NamedRecord>), expected: &[&str]| {
        let mut parts = parts.clone();
        change(&mut parts);
        let why = join(parts, None).unwrap_err();
        let lines: Vec<_> = why.lines().skip(1).collect();
        assert_eq!(lines.len(), expected.len(), "{why}");
        for (line, part) in lines.iter().zip(expected) {
            assert!(line.contains(part), "{part}: {why}");
        }
    };
    refused(&|parts| drop(parts.pop()), &["shard 2 of 2 is missing"]);
    refused(
        &|parts| parts[1].1.run.part = shard(1, 2),
        &["1.json: shard 1 of 2, as 0.json is", "shard 2 of 2 is missing"],
    );
    refused(
        &|parts| {
            let copy = parts[0].1.clone();
            parts.push(("copy.json".to_owned(), copy));
        },
        &["copy.json: shard 1 of 2, as 0.json is"],
    );
    refused(
        &|parts| parts[1].1.run.part = shard(2, 4),
        &["1.json: shard 2 of 4, but 0.json is shard 1 of 2", "shard 2 of 2 is missing"],
    );
    refused(
        &|parts| {
            parts[0].1.run.part = shard(1, usize::MAX);
            parts[1].1.run.part = shard(3, usize::MAX);
        },
        &["shards 2, 4, 5, 6"],
    );
    refused(
        &|parts| parts[1].1.run.part = None,
        &["1.json: the record of a whole run", "shard 2 of 2 is missing"],
    );
    refused(
        &|parts| parts[1].1.run.part = Some(PartOfRun::Trial),
        &["1.json: no shard, as 0.json is", "shard 2 of 2 is missing"],
    );
    refused(
        &|parts| parts[1].1.run.selection = vec!["--tag learning".to_owned()],
        &["1.json: selected `--tag learning`, but 0.json"],
    );
    refused(&|parts| drop(parts[1].1.scenarios.pop()), &["stands in no record"]);
    refused(
        &|parts| {
            let part = &mut parts[1].1;
            part.suite.features_digest = "00".to_owned();
            part.suite.ledger_digest = "00".to_owned();
            part.run.seed = 2;
            part.router.name = "other".to_owned();
            part.router.command = vec!["other".to_owned()];
        },
        &["in router.command, router.name, run.seed, suite.features_digest, suite.ledger_digest"],
    );
}

#[test]
fn tests_that_left_no_record_are_missing_where_it_is_known_what_was_to_be_run() {
    let catalog = Catalog::embedded();
    let cases = applicable(&catalog);
    let everything = Selection::default();
    let mut parts = trials(&cases, OutcomeWord::Passed);
    assert_eq!(join(parts.clone(), Some(&everything)).unwrap().conclusion, Conclusion::Conformant);
    let gone = parts.pop().unwrap().1.scenarios.remove(0).name;
    let why = join(parts.clone(), Some(&everything)).unwrap_err();
    assert!(why.contains(&format!("{gone} stands in no record")), "{why}");
    assert!(why.contains("merge --filter"), "{why}");

    let named = |name: &str| Selection { filters: vec![name.to_owned()], ..Selection::default() };
    let few = trials(&cases[..1], OutcomeWord::Passed);
    let whole = join(few.clone(), Some(&named(&cases[0].name))).unwrap();
    assert_eq!(whole.run.selection, [cases[0].name.clone()]);
    let why = join(few, Some(&named(&cases[1].name))).unwrap_err();
    assert!(why.contains(&format!("{} was run, but not selected", cases[0].name)), "{why}");

    let why = join(shards(OutcomeWord::Passed), Some(&named("journeys"))).unwrap_err();
    assert!(why.contains("shards name their selection"), "{why}");
}
