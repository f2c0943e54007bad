//! What people see of a run: width, colours, logs, and the command that runs a scenario again.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");

/// Two scenarios that a router fails which routes nothing.
const SELECTED: &str = "internal_redirect::a_cold_router_that_picks_the_owner";

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

fn run(variables: &[(&str, &str)], options: &[&str]) -> Output {
    let router = ["--", PROGRAM, "broken", "always-502"];
    let arguments = [&["run", SELECTED], options, &router].concat();
    command(PROGRAM, &arguments).envs(variables.iter().copied()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The commands behind `rerun:`, with the lines that continue them.
fn reruns(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(first) = line.trim_start().strip_prefix("rerun: ") else { continue };
        let mut command = first.to_owned();
        while command.ends_with('\\') {
            command.push('\n');
            command.push_str(lines.next().unwrap());
        }
        commands.push(command);
    }
    commands
}

#[test]
fn the_printed_command_runs_exactly_its_scenario_again() {
    let folder = Path::new(PROGRAM).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    for variables in [&[][..], &[("COLUMNS", "60")]] {
        let output = run(variables, &["--seed", "7"]);
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        let commands = reruns(&out(&output));
        let command_line = commands.first().unwrap();
        assert_eq!(command_line.contains('\n'), !variables.is_empty(), "{command_line}");
        let again = command("sh", &["-c", command_line]).env("PATH", &path).output().unwrap();
        assert_eq!(again.status.code(), Some(1), "{command_line}\n{}", err(&again));
        let text = out(&again);
        assert!(text.contains("\n1 scenario in ") && text.contains(": 0 passed, 1 failed\n"));
        // The same scenario, with the same seed, against the same router.
        assert_eq!(reruns(&text), [command_line.replace(" \\\n      ", " ")]);
    }
}

#[test]
fn colours_are_shown_where_they_are_wanted() {
    let has_colour = |variables: &[(&str, &str)], options: &[&str]| {
        let output = run(variables, options);
        let colours = [out(&output), err(&output)].map(|text| text.contains("\u{1b}[31m"));
        assert_eq!(colours[0], colours[1], "both streams alike");
        colours[0]
    };
    assert!(!has_colour(&[], &[]));
    assert!(has_colour(&[], &["--color", "always"]));
    assert!(has_colour(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!has_colour(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(has_colour(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!has_colour(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    let wrong = run(&[], &["--color", "sometimes"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(err(&wrong).contains("auto, always, never"), "{}", err(&wrong));
}

#[test]
fn a_narrow_screen_has_no_long_lines_but_what_is_copied() {
    let output = run(&[("COLUMNS", "60")], &[]);
    let is_copied = |line: &str| line.contains(SELECTED) || line.contains(PROGRAM);
    for line in out(&output).lines().chain(err(&output).lines()) {
        assert!(
            line.chars().count() <= 60 || is_copied(line) || line.contains("--data-binary"),
            "{line}"
        );
    }
    assert!(out(&output).contains("\n  expected:\n") && out(&output).contains("\n  observed:\n"));
    let wide = run(&[("COLUMNS", "160")], &[]);
    assert!(out(&wide).contains("|   observed\n"), "{}", out(&wide));
}

#[test]
fn a_routers_log_reaches_a_terminal_without_control_characters() {
    let script = r#"printf '\033[31mERROR: no \033[2Jroute\007\377\r\n'; seq 2000; exit 3"#;
    let arguments = ["run", SELECTED, "--", "sh", "-c", script];
    let output = command(PROGRAM, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("ERROR: no \\x1b[2Jroute\\x07\\xff\n"), "{text}");
    assert!(text.chars().all(|character| !character.is_control() || character == '\n'), "{text}");
}
