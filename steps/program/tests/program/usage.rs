//! Arguments, exit codes, help.

use std::path::Path;

use crate::call::{BROKEN, ONE, PROGRAM, at, call, known_failure, router_file, run, run_in, text};

#[test]
fn a_router_that_violates_a_must_ends_with_1_and_names_the_requirement() {
    run(&[&["run", ONE][..], &BROKEN].concat())
        .with(1)
        .err(&format!("FAILED RT-08 {ONE}"))
        .out("is violated")
        .out(&format!("rerun: cells-conformance run '{ONE}' --seed "));
}

#[test]
fn wrong_usage_and_configuration_end_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        at(folder.path(), name)
    };
    let invalid_toml = written("a.toml", "name = ");
    let misspelled =
        written("b.toml", "name = \"r\"\ncomand = [\"r\"]\nprotocols = [\"buffering\"]\n");
    let unexplained = written(
        "c.toml",
        "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"buffering\"]\n\
         [[known_failure]]\nscenario = \"a\"\n",
    );
    let missing = at(folder.path(), "none.toml");
    for (arguments, word) in [
        (vec!["run", "no-such-scenario"], "no scenario is named like no-such-scenario"),
        (vec!["run", "no::such*[buffering]"], "no scenario is named like"),
        // A pattern names whole scenarios; this one names none.
        (vec!["run", "project_signed_in*[learning]"], "no scenario is named like"),
        (vec!["run", "--tag", "req:XX-99"], "no scenario has the tag"),
        (vec!["run", "--profile", "no-such-profile"], "no-such-profile"),
        (vec!["run", ONE, "--profile", "fleet"], "together select no scenario"),
        (vec!["run", "--router-file", &missing], "none.toml"),
        (vec!["run", "--router-file", &invalid_toml], "a.toml"),
        (vec!["run", "--router-file", &misspelled], "comand"),
        (vec!["run", "--router-file", &unexplained], "reason"),
        // An empty command is not the reference router.
        (vec!["run", ONE, "--"], "no command follows `--`"),
        (vec!["run", ONE, "--", ""], "no command follows `--`"),
        (vec!["run", ONE, "--", " "], "no command follows `--`"),
        (vec!["run", "--jobs", "0"], "--jobs"),
        (vec!["list", "no-such-scenario"], "no scenario is named like"),
        (vec!["list", "--tag", "nothing"], "list tags"),
        (vec!["list", "explain", "BF-99"], "similar ids: BF-"),
        (vec!["list", "explain", "A-99"], "similar ids: A-"),
        (vec!["list", "steps", "no-such-word"], "no step has the words"),
        (vec!["cells-lab", "self-test", "no-such-mutant"], "no-such-mutant"),
    ] {
        run(&arguments).with(2).err(word);
    }
}

#[test]
fn a_run_in_which_no_scenario_applies_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let file = router_file(folder.path(), "\"router\"", "");
    run(&["run", "*project_signed_in*[learning]", "--router-file", &file])
        .with(3)
        .out("not applicable");
}

#[test]
fn known_failures_are_shown_and_must_fail() {
    let folder = tempfile::tempdir().unwrap();
    let entry = known_failure(ONE.rsplit_once('[').unwrap().0);
    let failing = router_file(folder.path(), "\"broken\", \"always-502\"", &entry);
    run(&["run", ONE, "--router-file", &failing]).with(0).out("1 known failure");
    let passing = router_file(folder.path(), "\"router\"", &entry);
    run(&["run", ONE, "--router-file", &passing])
        .with(1)
        .out("remove the entry")
        .out("or write `flaky = true` into it");
}

#[test]
fn a_claimed_protocol_that_is_refused_is_a_contradiction() {
    let folder = tempfile::tempdir().unwrap();
    // This router follows the other protocol only, and says so with status 69.
    let file = router_file(folder.path(), "\"broken\", \"ttl-in-seconds\"", "");
    // Not conformant, and nothing else was run: the higher exit code wins.
    run(&["run", ONE, "--router-file", &file]).with(3).out("claims the buffering protocol");
}

#[test]
fn a_router_file_is_written_once_and_can_be_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run_in(folder, &["init"]).with(0);
    let template = text(folder, "router.toml");
    std::fs::write(folder.join("router.toml"), "mine").unwrap();
    run_in(folder, &["init"]).with(2).err("was not changed");
    assert_eq!(text(folder, "router.toml"), "mine");
    run_in(folder, &["init", &at(folder, "router.toml"), "--force"]).with(0);
    assert_eq!(text(folder, "router.toml"), template);

    // As the comments of the template say, only the command is changed.
    let line = template.lines().find(|line| line.starts_with("command = ")).unwrap();
    let changed = template.replace(line, &format!("command = [\"{PROGRAM}\", \"router\"]"));
    std::fs::write(folder.join("router.toml"), changed).unwrap();
    run(&["run", ONE, "--router-file", &at(folder, "router.toml")]).with(0);
}

#[test]
fn bash_completes_the_options_of_a_subcommand() {
    let folder = tempfile::tempdir().unwrap();
    let script = run(&["completions", "bash"]).with(0).out;
    std::fs::write(folder.path().join("completions"), script).unwrap();
    // As bash calls the function that `complete -F` names.
    let complete = "source ./completions\n\
         called=$(complete -p cells-conformance | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n\
         COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1))\n\
         $called \"$1\" \"${@: -1}\" \"${@: -2:1}\"; echo \"${COMPREPLY[@]}\"";
    let completed = |words: &[&str]| {
        let mut bash = std::process::Command::new("bash");
        bash.args(["--norc", "-c", complete, "bash", "cells-conformance"]).args(words);
        call(bash.current_dir(folder.path())).with(0).out.trim().to_owned()
    };
    assert_eq!(completed(&["measu"]), "measure");
    assert_eq!(completed(&["run", "--fail-f"]), "--fail-fast");
    assert_eq!(completed(&["run", "--format", ""]), "text json");
    assert_eq!(completed(&["report", "merge", "--fil"]), "--filter");
}

#[test]
fn a_man_page_is_written_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), &["man", "--out", "."]).with(0);
    let version = env!("CARGO_PKG_VERSION");
    for (name, command) in [("", ""), ("-run", "run "), ("-report-verify", "verify ")] {
        let page = text(folder.path(), &format!("cells-conformance{name}.1"));
        let title = page.lines().find(|line| line.starts_with(".TH")).unwrap();
        assert!(title.starts_with(&format!(".TH cells-conformance{name} 1")), "{title}");
        assert!(title.contains(&format!("{command}{version}")), "{title}");
    }
    assert!(text(folder.path(), "cells-conformance-run.1").contains("Exit codes:"));
}

#[test]
fn the_image_is_built_from_every_member_of_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let context = read(".dockerignore");
    for member in members {
        let member = member.as_str().unwrap();
        let folder = member.split('/').next().unwrap();
        let is_kept = context.lines().any(|line| line == format!("!{folder}"));
        assert!(is_kept, ".dockerignore leaves out {member}");
    }
}
