//! The command line.

mod compare;
mod completions;
mod cost;
mod explain;
mod explore;
mod fleet;
mod fleet_place;
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
mod render;
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
mod verify;
mod watch;
#[cfg(not(feature = "broken"))]
mod without_broken;

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use conformance_suite::engine;
use conformance_suite::engine::Conclusion;
use conformance_suite::engine::record::RunRecord;
use conformance_suite::report::{ColorChoice, Screen, sentence};
use conformance_suite::stage::StoresChoice;
use conformance_suite::standard_streams::write_output;
#[cfg(not(feature = "broken"))]
use without_broken as self_test;

/// The name of the program.
const NAME: &str = "cells-conformance";

/// The conformance suite for routers that stand in front of GitLab Cells.
#[derive(Debug, Parser)]
#[command(name = NAME, version, propagate_version = true, about)]
struct Arguments {
    /// Colours in the text for people
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run scenarios (default command)
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Run(run::Run),
    /// List scenarios by name
    List(list::List),
    /// Explain requirements and decisions: statement, source, and scenarios
    Explain(explain::Explain),
    /// Check feature files of one's own, for `run --features`
    #[command(after_help = lint::EXIT_CODES)]
    Lint(lint::Lint),
    /// Print the steps that scenarios are made of, also for editors
    Steps(steps::Steps),
    /// Write a commented router file to start from
    Init(init::Init),
    /// Serve the reference router, configured by CELLS_TOPOLOGY and related variables
    Router,
    /// Serve a mutant, a router with one mutation; `self-test --list` shows their names
    Broken {
        /// Name of the mutant
        name: String,
    },
    /// Compare reports: routers by requirement, and the changes between two reports
    #[command(after_help = engine::ExitCode::help(engine::Command::Compare))]
    Compare(compare::Compare),
    /// Write many reports as pages: a matrix of routers by requirement, and a page for each
    Matrix(matrix::WriteMatrix),
    /// Join the records of shards, or of tests on several machines, to one run
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Merge(merge::Merge),
    /// Judge the exchanges of a report again, without a router
    #[command(after_help = engine::ExitCode::help(engine::Command::Verify))]
    Verify(verify::Verify),
    #[command(after_help = engine::ExitCode::help(engine::Command::SelfTest))]
    SelfTest(self_test::SelfTest),
    /// Explore random journeys, judged by a model of the documents
    #[command(after_help = engine::ExitCode::help(engine::Command::Explore))]
    Explore(explore::Explore),
    /// Run scenarios many times and count failures by cause
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Stability(stability::Stability),
    /// Measure the memory of a router under large bodies and many learnt prefixes
    #[command(after_help = engine::ExitCode::help(engine::Command::Hold))]
    Memory(memory::Memory),
    /// Soak a router: a steady load while cells stop, hang, reset and move
    #[command(after_help = engine::ExitCode::help(engine::Command::Hold))]
    Soak(soak::Soak),
    /// Measure whether 404 timing reveals private projects
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Privacy(privacy::Privacy),
    /// Measure what a router adds to the direct way: latency and throughput, never a verdict
    #[command(after_help = cost::EXIT_CODES)]
    Cost(cost::Cost),
    /// Write topology files for routers that are started by hand
    Topology(topology::WriteTopology),
    /// Make reports from the record of a run, or from the records that tests left in a folder
    Render(render::Render),
    /// Write the features as a specification: static pages
    Spec(spec::WriteSpec),
    /// Serve the fleet of fake cells on fixed ports until interrupted
    Fleet(fleet::ServeFleet),
    /// Print a completion script for a shell
    Completions(completions::Completions),
    /// Print a man page, or write all of them to a folder
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
        return usage_error("no command follows `--`: name the program that starts the router");
    }
    let arguments = Arguments::parse();
    arguments.color.set();
    let code = execute(arguments.command);
    conformance_suite::stage::stores::stop();
    code
}

fn execute(command: Option<Command>) -> ExitCode {
    match command.unwrap_or_else(|| Command::Run(run::Run::default())) {
        Command::Run(command) => command.execute(),
        Command::Merge(command) => command.execute(),
        Command::Render(command) => command.execute(),
        Command::Spec(command) => command.execute(),
        Command::List(command) => command.execute(),
        Command::Explain(command) => command.execute(),
        Command::Lint(command) => command.execute(),
        Command::Steps(command) => command.execute(),
        Command::Init(command) => command.execute(),
        Command::Router => reference_router::run(&router::variable),
        #[cfg(feature = "broken")]
        Command::Broken { name } => broken_routers::run(&name),
        #[cfg(not(feature = "broken"))]
        Command::Broken { name } => without_broken::broken(&name),
        Command::Compare(command) => command.execute(),
        Command::Matrix(command) => command.execute(),
        Command::Verify(command) => command.execute(),
        Command::SelfTest(command) => command.execute(),
        Command::Explore(command) => command.execute(),
        Command::Stability(command) => command.execute(),
        Command::Memory(command) => command.execute(),
        Command::Soak(command) => command.execute(),
        Command::Privacy(command) => command.execute(),
        Command::Cost(command) => command.execute(),
        Command::Topology(command) => command.execute(),
        Command::Fleet(command) => command.execute(),
        Command::Completions(command) => command.execute(),
        Command::Man(command) => command.execute(),
    }
}

/// The exit code of a measurement; an error is that of a result that could not be written.
fn concluded(outcome: Result<Conclusion, String>) -> ExitCode {
    match outcome {
        Ok(conclusion) => conclusion.exit_code().into(),
        Err(why) => not_written(&why),
    }
}

/// Says on standard error what a record complains of. A record of others can hold anything, also what
/// a terminal obeys.
fn complain(record: &RunRecord) {
    let screen = Screen::stderr();
    record.complaints.iter().for_each(|complaint| eprintln!("{}", sentence(complaint, &screen)));
}

/// Reads a number that cannot be 0.
fn one_or_more(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number, 1 or more".to_owned())
}

/// Reports wrong usage on standard error.
fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    engine::ExitCode::Usage.into()
}

/// Starts the stores that the environment asks for, so that no run begins without them.
fn start_stores() -> Result<(), String> {
    StoresChoice::of_environment()?.start().map_err(|error| error.to_string())
}

/// The whole command line, for completions and man pages.
fn command() -> clap::Command {
    Arguments::command()
}

/// Whether nothing is to be seen of a word.
fn is_blank(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| word.trim().is_empty())
}

/// Writes a text to standard output. A reader that has left (`| head`) is not an error.
fn print(text: &[u8]) -> ExitCode {
    match write_output(|out| out.write_all(text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => not_written(&why),
    }
}

/// Reports on standard error that a result could not be written.
fn not_written(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    engine::ExitCode::NotWritten.into()
}
