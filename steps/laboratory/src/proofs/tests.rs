use std::collections::{BTreeMap, BTreeSet, HashSet};

use cell_fleet::Protocol;
use conformance_suite::catalog::Catalog;
use conformance_suite::spec::Decisions;
use conformance_suite::stage::Stop;

use super::check::Claimed;
use super::routing::Routing;
use super::routing::machine::{State, Step};
use super::routing::story::Story;
use super::routing::tales::{self, tales};
use super::routing::world::{Cell, Mover};
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
    let (found, record) =
        (prove(Bounds::Quick, 2, &Stop::default(), |_, _| ()), results(Proofs::embedded()));
    for (name, result) in results(&found) {
        assert_eq!(record.get(&name), Some(&result), "{name:?}; run ci/proofs --keep");
    }
}

#[test]
fn the_record_has_every_question_once() {
    let asked: usize = all().iter().map(|asked| asked.questions.len()).sum();
    assert_eq!(results(Proofs::embedded()).len(), asked, "run ci/proofs --keep");
}

/// A-70 says that a member can get 404 for longer than a lifetime after a move, and that nothing has
/// to lag.
#[test]
fn a_404_after_a_move_needs_no_lag() {
    let name = ("lifetime-of-release".to_owned(), "learning".to_owned());
    let (holds, steps) = results(Proofs::embedded()).remove(&name).unwrap();
    assert!(!holds && steps[0].starts_with("no replica lags"), "{steps:?}");
    let properties = &Proofs::embedded().properties;
    let answers = properties.iter().filter(|one| one.id == name.0).flat_map(|one| &one.answers);
    let played = answers.filter(|one| one.subject == name.1).find_map(|one| one.scenario.clone());
    let shown_by = &Decisions::embedded().find("A-70").unwrap().shown_by;
    assert!(shown_by.contains(&played.unwrap()), "{shown_by:?}");
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

/// The kind of a step: its words, without the cell, the page and the phase.
fn kind(model: &Routing, state: &State, step: Step) -> String {
    let mut words = model.words(state, step).replace("inner ", "");
    for cell in [Cell::Us1, Cell::Eu0, Cell::Eu1] {
        words = words.replace(&cell.to_string(), "a cell");
    }
    words.split('"').next().unwrap_or_default().to_owned()
}

/// The kinds of all steps that a model can take.
fn kinds(model: &Routing) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    let mut open = model.beginnings();
    let mut seen: HashSet<_> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        let mut steps = Vec::new();
        model.steps(&state, &mut steps);
        for step in steps {
            let Some(next) = model.after(&state, &step) else { continue };
            kinds.insert(kind(model, &state, step));
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    kinds
}

/// The models alone have a router of the US, which is the same program; a router that is killed
/// under a request, which no action of the fleet does; writes of shared data, which
/// `features/proposals/shared-data.feature` plays; what mends a proposal; and the mover that copies
/// and switches.
#[test]
fn the_tales_have_each_kind_of_step_that_the_fleet_can_do() {
    for protocol in Protocol::ALL {
        let mut told = BTreeSet::new();
        for tale in tales(protocol) {
            let model = tales::model(protocol, tale.mover);
            let path = tale.path(&model).unwrap_or_else(|| panic!("{}", tale.title));
            assert!(Story::from_path(&model, &path).is_some(), "{}", tale.title);
            told.extend(
                path.iter().filter_map(|(state, step)| Some(kind(&model, state, (*step)?))),
            );
        }
        for mover in [Mover::Phases, Mover::Creation] {
            let kinds = kinds(&Routing { requests: 2, ..tales::model(protocol, mover) });
            let untold: Vec<_> = kinds.difference(&told).collect();
            assert!(untold.is_empty(), "{untold:?}");
        }
    }
}
