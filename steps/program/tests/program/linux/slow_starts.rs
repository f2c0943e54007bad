//! Routers that start slowly: the next ones start meanwhile.

use crate::call::{PROGRAM, call, json, program, write_script};

/// A router that leaves a file when it begins, and listens once five have begun.
const ROUTER: &str = r#"#!/bin/sh
begun() { set -- "$FOLDER"/begun/*; echo $#; }
: >"$FOLDER/begun/$$"
until [ "$(begun)" -ge 5 ]; do sleep 0.02; done
exec "$SUITE" router
"#;

#[test]
fn the_next_routers_start_while_one_starts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The first five routers wait for each other: with two jobs, they do so without end if each of
    // them holds one.
    let router = folder.join("router");
    std::fs::create_dir(folder.join("begun")).unwrap();
    write_script(&router, ROUTER);
    let mut suite =
        program(&["run", "project_signed_in", "--jobs=2", "--report=json=r.json", "--"]);
    suite.arg(router).current_dir(folder);
    call(suite.env("FOLDER", folder).env("TMPDIR", folder).env("SUITE", PROGRAM)).with(0);
    let record = json(folder, "r.json");
    let starts = &record["run"]["starts"];
    let begun = std::fs::read_dir(folder.join("begun")).unwrap().count();
    assert_eq!(starts["number"], begun, "{starts}");
    assert!(starts["took_ms"].as_u64().unwrap() > 0, "{starts}");
}
