//! `proofs`, and the scenarios of its counterexamples.

use std::path::Path;

use conformance_suite::spec::proofs::Proofs;

use crate::call::{run, run_in, text};

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
fn results_are_printed_for_people_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["cells-lab", "proofs", "--quick", "--out", "proofs.json"];
    let printed = run_in(folder.path(), &words).with(0);
    let proofs: Proofs = serde_json::from_str(&text(folder.path(), "proofs.json")).unwrap();
    printed.out(&proofs.properties[0].says);
}
