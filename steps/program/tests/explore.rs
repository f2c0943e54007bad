//! A few seconds of exploration, from fixed seeds, and so many journeys that something is shown.

use std::path::Path;
use std::process::Command;

/// A mutant that a few journeys find.
const MUTANT: [&str; 2] = ["broken", "path-info-without-slash"];

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_cells-conformance")
}

/// Calls the program, and returns what it wrote to standard output; the exit code must be this.
#[track_caller]
fn expect(code: i32, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(program()).args(arguments).current_dir(folder.path()).output();
    let output = output.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {out}{err}");
    out
}

/// The reference router passes so many journeys of a protocol.
#[track_caller]
fn passes(protocol: &str, runs: u32) {
    let runs = runs.to_string();
    let out = expect(
        0,
        &["explore", "--protocol", protocol, "--runs", &runs, "--seed", "1", "--reference"],
    );
    assert!(out.contains(&format!("{runs} journeys")), "{out}");
    assert!(!out.contains("could not be judged"), "{out}");
}

#[test]
fn the_reference_router_passes_journeys_of_buffering() {
    passes("buffering", 60);
}

#[test]
fn the_reference_router_passes_journeys_of_learning() {
    passes("learning", 60);
}

#[test]
fn a_saved_journey_fails_again_with_the_mutant_and_passes_with_the_reference_router() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved");
    let at = saved.to_str().unwrap();
    let with_mutant = |arguments: &[&str]| {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--", program()]);
        arguments.extend(MUTANT);
        expect(1, &arguments)
    };
    let explore = ["explore", "--protocol", "learning", "--runs", "64", "--seed", "1"];
    with_mutant(&[&explore[..], &["--save", at]].concat());
    let features = features(&saved);
    assert_eq!(features.len(), 1, "{features:?}");
    with_mutant(&["run", "--features", at]);
    let out = expect(0, &["run", "--features", at, "--reference"]);
    assert!(out.contains("1 passed"), "{out}");
}

fn features(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let features = files.filter(|path| path.extension().is_some_and(|end| end == "feature"));
    features.map(|path| path.display().to_string()).collect()
}

#[test]
fn the_blind_hunt_tells_what_it_finds_and_what_not() {
    let hunt = ["self-test", "--only", "hunt", "--journeys", "8"];
    let mutants = ["passes-the-bounce-on", "confirms-the-owner", "always-asks-the-first-cell"];
    let out = expect(0, &[&hunt[..], &mutants[..]].concat());
    let row = |name: &str| out.lines().find(|line| line.contains(name)).unwrap_or_default();
    assert!(row("passes-the-bounce-on").starts_with("found      BF-03 core"), "{out}");
    assert!(row("confirms-the-owner").starts_with("found      BF-12 core"), "{out}");
    // A cell that is picked at random may be the first one.
    assert!(row("always-asks-the-first-cell").starts_with("not found  BF-11 core"), "{out}");
    assert!(out.contains("2 of 3 found"), "{out}");
}
