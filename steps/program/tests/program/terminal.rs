//! What people see of a run: width, colors, logs, and the command that runs a scenario again.

use std::path::Path;
use std::process::Command;

use crate::call::{BROKEN, Ended, PROGRAM, call};

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

fn run(variables: &[(&str, &str)], options: &[&str]) -> Ended {
    let arguments = [&["run", SELECTED], options, &BROKEN].concat();
    call(command(PROGRAM, &arguments).envs(variables.iter().copied()))
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
        let commands = reruns(&run(variables, &["--seed", "7"]).with(1).out);
        let command_line = commands.first().unwrap();
        assert_eq!(command_line.contains('\n'), !variables.is_empty(), "{command_line}");
        let text = call(command("sh", &["-c", command_line]).env("PATH", &path))
            .with(1)
            .out("\n1 scenario in ")
            .out(": 0 passed, 1 failed\n")
            .out;
        // The same scenario, with the same seed, against the same router.
        assert_eq!(reruns(&text), [command_line.replace(" \\\n      ", " ")]);
    }
}
