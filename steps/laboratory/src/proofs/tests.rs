use std::collections::{BTreeMap, BTreeSet};

use conformance_suite::catalog::Catalog;

use super::*;

type Results = BTreeMap<(String, String), (bool, Vec<String>)>;

/// What each answer comes to: whether the property holds, and the counterexample.
fn results(proofs: &Proofs) -> Results {
    let answers =
        proofs.properties.iter().flat_map(|one| one.answers.iter().map(move |it| (one, it)));
    answers
        .map(|(property, answer)| {
            let name = (property.id.clone(), answer.subject.clone());
            (name, (answer.holds, answer.steps.clone()))
        })
        .collect()
}

#[test]
fn small_bounds_find_what_the_record_says() {
    let (found, record) = (prove(Bounds::Quick, 2, |_, _| ()), results(Proofs::embedded()));
    for (name, result) in results(&found) {
        assert_eq!(record.get(&name), Some(&result), "{name:?}; run ci/proofs --keep");
    }
}

#[test]
fn the_record_has_every_question_once() {
    let asked: usize = all().iter().map(|asked| asked.questions.len()).sum();
    assert_eq!(results(Proofs::embedded()).len(), asked, "run ci/proofs --keep");
}

#[test]
fn the_features_are_what_the_models_say() {
    let kept: BTreeMap<_, _> = Catalog::sources_of_proposals().collect();
    for (path, text) in features() {
        assert_eq!(kept.get(path), Some(&text.as_str()), "{path}; run ci/proofs --keep");
    }
}

#[test]
fn each_scenario_of_the_proposals_plays_a_counterexample() {
    let catalog = Catalog::proposals();
    assert_eq!(catalog.errors, []);
    let named: BTreeSet<_> = Proofs::embedded().scenarios().collect();
    for case in &catalog.cases {
        let name = case.name.split('[').next().unwrap_or_default();
        assert!(named.contains(name), "no counterexample names {name}");
    }
}

#[test]
fn no_run_has_the_scenarios_of_the_proposals_unasked() {
    let cases = Catalog::embedded().cases;
    assert!(cases.iter().all(|case| !case.name.starts_with("proposals::")));
}
