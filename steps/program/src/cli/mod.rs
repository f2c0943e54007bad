//! The command line.

#[cfg(feature = "broken")]
mod broken;
mod compare;
mod completions;
mod ended;
mod explain;
mod explore;
mod fleet;
mod fleet_place;
mod flows;
mod init;
mod lint;
mod list;
mod man;
mod matrix;
mod measured;
mod memory;
mod merge;
mod output;
mod privacy;
mod proofs;
mod render;
mod repeated;
mod router;
mod run;
mod select;
#[cfg(feature = "broken")]
mod self_test;
mod soak;
mod spec;
mod stability;
mod steps;
mod subject;
mod topology;
mod values;
mod verify;
mod watch;
#[cfg(not(feature = "broken"))]
mod without_broken;

use std::ffi::OsStr;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use conformance_suite::engine;
use conformance_suite::report::ColorChoice;
use ended::Failed;
#[cfg(not(feature = "broken"))]
use without_broken::{self as broken, self as self_test};

/// The name of the program.
const NAME: &str = "cells-conformance";

/// The conformance suite for routers that stand in front of GitLab Cells.
#[derive(Debug, Parser)]
#[command(name = NAME, version, propagate_version = true, about)]
struct Arguments {
    /// Colors in the text for people
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Run(run::Run),
    List(list::List),
    Explain(explain::Explain),
    #[command(after_help = lint::EXIT_CODES)]
    Lint(lint::Lint),
    Steps(steps::Steps),
    Init(init::Init),
    /// Serve the reference router, configured by CELLS_TOPOLOGY and related variables
    Router,
    Broken(broken::Broken),
    #[command(after_help = engine::ExitCode::help(engine::Command::Compare))]
    Compare(compare::Compare),
    Matrix(matrix::WriteMatrix),
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Merge(merge::Merge),
    #[command(after_help = engine::ExitCode::help(engine::Command::Verify))]
    Verify(verify::Verify),
    #[command(after_help = engine::ExitCode::help(engine::Command::SelfTest))]
    SelfTest(self_test::SelfTest),
    #[command(after_help = engine::ExitCode::help(engine::Command::Explore))]
    Explore(explore::Explore),
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Stability(stability::Stability),
    #[command(after_help = engine::ExitCode::help(engine::Command::Hold))]
    Memory(memory::Memory),
    #[command(after_help = engine::ExitCode::help(engine::Command::Hold))]
    Soak(soak::Soak),
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Privacy(privacy::Privacy),
    #[command(after_help = flows::EXIT_CODES)]
    Flows(flows::Flows),
    #[command(after_help = proofs::EXIT_CODES)]
    Proofs(proofs::Prove),
    Topology(topology::WriteTopology),
    Render(render::Render),
    Spec(spec::WriteSpec),
    Fleet(fleet::ServeFleet),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Reads the command line, executes its command and returns the exit code.
pub(crate) fn main() -> ExitCode {
    if let Some(code) = conformance_suite::stage::serve_or_allow() {
        return code;
    }
    // A run starts it two thousand times: reading a command line takes longer than this start.
    if std::env::args_os().skip(1).eq(["router"]) {
        return reference_router::run(&router::variable);
    }
    // An empty variable of a shell leaves nothing after `--`, or an empty word. The reference
    // router must not be tested in place of the one that was meant.
    let mut arguments = std::env::args_os().skip_while(|argument| argument != "--");
    if arguments.next().is_some() && arguments.next().is_none_or(|program| is_blank(&program)) {
        let why = "no command follows `--`: name the program that starts the router";
        return Failed::Usage(why.to_owned()).tell().into();
    }
    let arguments = Arguments::parse();
    arguments.color.set();
    let code = execute(arguments.command);
    conformance_suite::stage::stores::stop();
    code
}

fn execute(command: Option<Command>) -> ExitCode {
    let ended = match command.unwrap_or_else(|| Command::Run(run::Run::default())) {
        Command::Router => return reference_router::run(&router::variable),
        Command::Broken(command) => return command.execute(),
        Command::Run(command) => command.execute(),
        Command::Merge(command) => command.execute(),
        Command::Render(command) => command.execute(),
        Command::Spec(command) => command.execute(),
        Command::List(command) => command.execute(),
        Command::Explain(command) => command.execute(),
        Command::Lint(command) => command.execute(),
        Command::Steps(command) => command.execute(),
        Command::Init(command) => command.execute(),
        Command::Compare(command) => command.execute(),
        Command::Matrix(command) => command.execute(),
        Command::Verify(command) => command.execute(),
        Command::SelfTest(command) => command.execute(),
        Command::Explore(command) => command.execute(),
        Command::Stability(command) => command.execute(),
        Command::Memory(command) => command.execute(),
        Command::Soak(command) => command.execute(),
        Command::Privacy(command) => command.execute(),
        Command::Flows(command) => command.execute(),
        Command::Proofs(command) => command.execute(),
        Command::Topology(command) => command.execute(),
        Command::Fleet(command) => command.execute(),
        Command::Completions(command) => command.execute(Arguments::command()),
        Command::Man(command) => command.execute(Arguments::command()),
    };
    ended.unwrap_or_else(Failed::tell).into()
}

/// Whether a word is empty or all blanks.
fn is_blank(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| word.trim().is_empty())
}
