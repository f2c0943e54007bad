//! `proofs`, and the scenarios of its counterexamples.

use std::path::Path;

use conformance_suite::spec::proofs::Proofs;

use crate::call::run;

#[test]
fn the_counterexamples_happen_on_the_fleet() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let features = root.join("features/proposals");
    let out = run(&["run", "--features", features.to_str().unwrap()]).with(0).out;
    assert!(out.contains("conclusion: no failure") && !out.contains("WARNED"), "{out}");
}

/// Each exchange is what the model says: its next state, as a router and cells show it.
#[test]
fn each_kind_of_step_of_routing_happens_on_the_fleet() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in conformance_laboratory::proofs::transitions() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let out = run(&["run", "--features", folder.path().to_str().unwrap()]).with(0).out;
    assert!(out.contains("13 scenarios") && out.contains("13 passed"), "{out}");
}

#[test]
fn small_bounds_show_the_known_loop_and_what_outlives_the_lag() {
    let printed = run(&["cells-lab", "proofs", "--quick", "--json"]).with(0).out;
    let proofs: Proofs = serde_json::from_str(&printed).unwrap();
    let answer = |id: &str, of: &str| {
        let property = proofs.properties.iter().find(|property| property.id == id).unwrap();
        property.answers.iter().find(|answer| answer.subject == of).unwrap().clone()
    };
    assert!(answer("served-in-step", "buffering").holds);
    let to_and_fro = answer("served", "buffering").steps;
    let bounces = to_and_fro.iter().filter(|step| step.contains("bounces it")).count();
    assert!(bounces >= 5, "{to_and_fro:?}");
    let outlives = answer("learnt-late-in-quiet", "learning").steps;
    let at = |word: &str| outlives.iter().position(|step| step == word);
    assert!(
        at("the replicas follow")
            < at("a read of the namespace comes to the EU router, which has an entry")
    );
    assert!(answer("lifetime-of-last-answer", "learning").holds);
}
