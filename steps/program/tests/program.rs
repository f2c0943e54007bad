//! The program as people and CI use it: arguments, output and exit codes.

use std::path::Path;
use std::process::{Command, Output};

/// A scenario that takes little time, and that the reference router passes.
const ONE: &str = concat!(
    "journeys::project_signed_in::internal_redirect::",
    "a_cold_router_finds_the_owner_by_way_of_another_cell[buffering]"
);

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cells-conformance"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A router file in a folder, for the routers that the program itself can be.
fn router_file(folder: &Path, arguments: &str, more: &str) -> String {
    let path = folder.join("router.toml");
    let program = env!("CARGO_BIN_EXE_cells-conformance");
    let text = format!(
        "name = \"r\"\ncommand = [\"{program}\", {arguments}]\nprotocols = [\"buffering\"]\n{more}"
    );
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

fn known_failure(scenario: &str) -> String {
    format!(
        "[[known_failure]]\nscenario = \"{scenario}\"\nreason = \"a young router\"\n\
         link = \"https://example.com/1\"\n"
    )
}

#[test]
fn a_conformant_router_ends_with_0() {
    let output = run(&["run", ONE]);
    assert_eq!(code(&output), Some(0), "{}", err(&output));
    assert!(out(&output).contains("1 passed"), "{}", out(&output));
}

#[test]
fn a_router_that_violates_a_must_ends_with_1_and_names_the_requirement() {
    let program = env!("CARGO_BIN_EXE_cells-conformance");
    let output = run(&["run", ONE, "--", program, "broken", "always-502"]);
    assert_eq!(code(&output), Some(1), "{}", err(&output));
    assert!(err(&output).contains(&format!("FAILED RT-08 {ONE}")), "{}", err(&output));
    assert!(out(&output).contains("is violated"), "{}", out(&output));
    let rerun = format!("rerun: cells-conformance run '{ONE}' --seed ");
    assert!(out(&output).contains(&rerun), "{}", out(&output));
}

#[test]
fn wrong_usage_and_configuration_end_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let invalid_toml = written("a.toml", "name = ");
    let misspelt =
        written("b.toml", "name = \"r\"\ncomand = [\"r\"]\nprotocols = [\"buffering\"]\n");
    let unexplained = written(
        "c.toml",
        "name = \"r\"\ncommand = [\"r\"]\nprotocols = [\"buffering\"]\n\
         [[known_failure]]\nscenario = \"a\"\n",
    );
    let missing = folder.path().join("none.toml").to_string_lossy().into_owned();
    for (arguments, word) in [
        (vec!["run", "--no-such-flag"], "no-such-flag"),
        (vec!["no-such-command"], "no-such-command"),
        (vec!["run", "no-such-scenario"], "no scenario is named like no-such-scenario"),
        (vec!["run", "no::such*[buffering]"], "no scenario is named like"),
        (vec!["run", "--tag", "req:XX-99"], "no scenario has the tag"),
        (vec!["run", "--profile", "no-such-profile"], "no-such-profile"),
        (vec!["run", ONE, "--profile", "fleet"], "together select no scenario"),
        (vec!["run", "--router-file", &missing], "none.toml"),
        (vec!["run", "--router-file", &invalid_toml], "a.toml"),
        (vec!["run", "--router-file", &misspelt], "comand"),
        (vec!["run", "--router-file", &unexplained], "reason"),
        (vec!["list", "no-such-scenario"], "no scenario is named like"),
        (vec!["explain", "BF-99"], "similar ids: BF-"),
        (vec!["explain"], "ID"),
        (vec!["self-test", "no-such-mutant"], "no-such-mutant"),
    ] {
        let output = run(&arguments);
        assert_eq!(code(&output), Some(2), "{arguments:?}: {}", err(&output));
        // The message repeats an unknown name, except where it lists all valid names.
        assert!(
            err(&output).contains(word) || arguments[0] == "self-test",
            "{arguments:?}: {}",
            err(&output)
        );
    }
}

#[test]
fn a_command_that_cannot_be_started_ends_with_3() {
    for command in ["/no/such/program", "./no-such-program", "no-such-program-anywhere"] {
        let output = run(&["run", ONE, "--", command]);
        assert_eq!(code(&output), Some(3), "{command}: {}", err(&output));
        assert!(out(&output).contains("could not be started"), "{command}: {}", out(&output));
    }
}

#[test]
fn a_run_in_which_no_scenario_applies_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let file = router_file(folder.path(), "\"router\"", "");
    let output = run(&["run", "project_signed_in*[learning]", "--router-file", &file]);
    // A pattern names whole scenarios; this one names none.
    assert_eq!(code(&output), Some(2), "{}", err(&output));
    let output = run(&["run", "*project_signed_in*[learning]", "--router-file", &file]);
    assert_eq!(code(&output), Some(3), "{}", err(&output));
    assert!(out(&output).contains("not applicable"), "{}", out(&output));
}

/// Without a temporary folder the suite cannot work.
#[test]
fn a_suite_that_cannot_work_ends_with_4_and_does_not_blame_the_router() {
    let folder = tempfile::tempdir().unwrap();
    let output = program(&["run", ONE]).env("TMPDIR", folder.path().join("gone")).output().unwrap();
    assert_eq!(code(&output), Some(4), "{}", err(&output));
    assert!(out(&output).contains("not the router"), "{}", out(&output));
}

#[test]
fn known_failures_are_shown_and_must_fail() {
    let folder = tempfile::tempdir().unwrap();
    let pattern = concat!(
        "journeys::project_signed_in::internal_redirect::",
        "a_cold_router_finds_the_owner_by_way_of_another_cell"
    );
    let failing = router_file(folder.path(), "\"broken\", \"always-502\"", &known_failure(pattern));
    let output = run(&["run", ONE, "--router-file", &failing]);
    assert_eq!(code(&output), Some(0), "{}", err(&output));
    assert!(out(&output).contains("1 known failure"), "{}", out(&output));

    let passing = router_file(folder.path(), "\"router\"", &known_failure(pattern));
    let output = run(&["run", ONE, "--router-file", &passing]);
    assert_eq!(code(&output), Some(1), "{}", err(&output));
    assert!(err(&output).contains("remove the entry"), "{}", err(&output));
}

#[test]
fn a_claimed_protocol_that_is_refused_is_a_contradiction() {
    let folder = tempfile::tempdir().unwrap();
    // This router follows the other protocol only, and says so with status 69.
    let file = router_file(folder.path(), "\"broken\", \"needs-the-exact-member\"", "");
    let output = run(&["run", ONE, "--router-file", &file]);
    // Not conformant, and nothing else was run: the higher exit code wins.
    assert_eq!(code(&output), Some(3), "{}", err(&output));
    assert!(err(&output).contains("claims the buffering protocol"), "{}", err(&output));
}

#[test]
fn scenarios_are_listed_by_name_pattern_tag_and_profile() {
    let lines = |arguments: &[&str]| {
        let output = run(arguments);
        assert_eq!(code(&output), Some(0), "{arguments:?}: {}", err(&output));
        out(&output).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&["list"]);
    let of_pattern = lines(&["list", "journeys::*[learning]"]);
    assert!(
        of_pattern.len() > 100 && of_pattern.len() < all.len(),
        "{} of {}",
        of_pattern.len(),
        all.len()
    );
    let fits = |line: &String| line.starts_with("journeys::") && line.contains("[learning]  ");
    assert!(of_pattern.iter().all(fits), "{of_pattern:?}");
    for tag in ["req:BF-03", "@req:BF-03"] {
        let of_tag = lines(&["list", "--tag", tag]);
        assert!(
            !of_tag.is_empty() && of_tag.iter().all(|line| line.contains("BF-03")),
            "{of_tag:?}"
        );
    }
    let profiles: usize = ["core", "hardening", "fleet"]
        .iter()
        .map(|profile| lines(&["list", "--profile", profile]).len())
        .sum();
    assert_eq!(profiles, all.len());
}

#[test]
fn an_empty_command_is_not_the_reference_router() {
    let output = run(&["run", "project_signed_in", "--"]);
    assert_eq!(code(&output), Some(2), "{}", err(&output));
    assert!(err(&output).contains("no command follows `--`"), "{}", err(&output));
}

#[test]
fn no_parallel_jobs_are_wrong_usage() {
    for command in ["run", "self-test", "stability"] {
        let output = run(&[command, "--jobs", "0"]);
        assert_eq!(code(&output), Some(2), "{}", err(&output));
        assert!(err(&output).contains("--jobs"), "{}", err(&output));
    }
}

#[test]
fn a_missing_temporary_folder_is_named() {
    let mut program = program(&["run", "project_signed_in", "--jobs", "1"]);
    let output = program.env("TMPDIR", "/no/such/folder").output().unwrap();
    assert_eq!(code(&output), Some(4), "{}", err(&output));
    assert!(out(&output).contains("; TMPDIR names the folder"), "{}", out(&output));
}

#[test]
fn a_requirement_is_explained() {
    let output = run(&["explain", "bf-3"]);
    assert_eq!(code(&output), Some(0), "{}", err(&output));
    assert!(out(&output).starts_with("BF-03  MUST, core\n"), "{}", out(&output));
}

#[test]
fn a_router_file_is_written_once_and_can_be_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("router.toml");
    let shown = path.to_string_lossy();
    let in_folder =
        |arguments: &[&str]| program(arguments).current_dir(folder.path()).output().unwrap();
    assert_eq!(code(&in_folder(&["init"])), Some(0));
    let template = std::fs::read_to_string(&path).unwrap();
    let refused = in_folder(&["init"]);
    assert_eq!(code(&refused), Some(2));
    assert!(err(&refused).contains("was not changed"), "{}", err(&refused));
    assert_eq!(code(&in_folder(&["init", &shown, "--force"])), Some(0));

    // As the comments of the template say, only the command is changed.
    let program = env!("CARGO_BIN_EXE_cells-conformance");
    let line = template.lines().find(|line| line.starts_with("command = ")).unwrap();
    std::fs::write(
        &path,
        template.replace(line, &format!("command = [\"{program}\", \"router\"]")),
    )
    .unwrap();
    let output = run(&["run", ONE, "--router-file", &shown]);
    assert_eq!(code(&output), Some(0), "{}", err(&output));
}

#[test]
fn the_help_lists_the_exit_codes() {
    let help = out(&run(&["run", "--help"]));
    let codes = help.split_once("Exit codes:").map(|(_, codes)| codes).unwrap_or_default();
    let first = |line: &str| line.trim().chars().next();
    assert_eq!(
        codes.lines().filter_map(first).filter(char::is_ascii_digit).collect::<String>(),
        "012345",
        "{help}"
    );
}

#[test]
fn a_completion_script_is_printed_for_each_shell() {
    for (shell, part) in [
        ("bash", "-o bashdefault -o default cells-conformance"),
        ("zsh", "#compdef cells-conformance"),
        ("fish", "complete -c cells-conformance"),
        ("elvish", "edit:completion:arg-completer[cells-conformance]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let output = run(&["completions", shell]);
        assert_eq!(code(&output), Some(0), "{shell}: {}", err(&output));
        assert!(out(&output).contains(part), "{shell}: {}", out(&output));
        assert!(out(&output).contains("self-test"), "{shell}: a command is missing");
    }
    assert_eq!(code(&run(&["completions", "tcsh"])), Some(2));
}

#[test]
fn man_pages_are_printed_and_written() {
    let page = run(&["man"]);
    assert_eq!(code(&page), Some(0), "{}", err(&page));
    assert!(out(&page).contains(".TH cells-conformance 1"), "{}", out(&page));
    let page = run(&["man", "run"]);
    assert!(out(&page).contains(".TH cells-conformance-run 1"), "{}", out(&page));
    assert!(out(&page).contains("Exit codes:"), "{}", out(&page));
    let unknown = run(&["man", "walk"]);
    assert_eq!(code(&unknown), Some(2));
    assert!(err(&unknown).contains("there is no command `walk`"), "{}", err(&unknown));

    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man");
    let written = run(&["man", "--out", &pages.to_string_lossy()]);
    assert_eq!(code(&written), Some(0), "{}", err(&written));
    for name in ["cells-conformance.1", "cells-conformance-run.1", "cells-conformance-man.1"] {
        assert!(pages.join(name).is_file(), "{name} is missing");
    }
}

#[test]
fn help_names_defaults_and_values() {
    let help = |command: &str| out(&run(&[command, "--help"]));
    assert!(help("run").contains("json, html, junit, markdown, badge"), "{}", help("run"));
    assert!(help("fleet").contains("[default: 127.0.0.1]"), "{}", help("fleet"));
    assert!(help("compare").contains("[default: text]"), "{}", help("compare"));
}
