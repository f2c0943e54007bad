//! The command line.

mod compare;
mod completions;
mod explain;
mod fleet;
mod init;
mod list;
mod man;
mod memory;
mod merge;
mod privacy;
mod render;
mod run;
mod select;
mod self_test;
mod spec;
mod stability;
mod subject;
mod topology;
mod verify;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::engine;
use crate::engine::Conclusion;
use crate::report::ColorChoice;

/// The name of the program.
const NAME: &str = "cells-conformance";

/// The conformance suite for routers that stand in front of GitLab Cells.
#[derive(Debug, Parser)]
#[command(name = NAME, version, about)]
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
    /// Explain requirements: statement, source, and the scenarios that prove them
    Explain(explain::Explain),
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
    /// Join the records of shards, or of tests on several machines, to one run
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Merge(merge::Merge),
    /// Judge the exchanges of a report again, without a router
    #[command(after_help = engine::ExitCode::help(engine::Command::Verify))]
    Verify(verify::Verify),
    /// Run the suite against mutants and variants, to prove that it can fail
    #[command(after_help = engine::ExitCode::help(engine::Command::SelfTest))]
    SelfTest(self_test::SelfTest),
    /// Run scenarios many times and count failures by cause
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Stability(stability::Stability),
    /// Measure the memory of a router under large bodies and many learnt prefixes
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Memory(memory::Memory),
    /// Measure whether 404 timing reveals private projects
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
    Privacy(privacy::Privacy),
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
pub fn main() -> ExitCode {
    // An empty variable of a shell leaves nothing after `--`. The reference router must not be
    // tested in place of the one that was meant.
    if std::env::args_os().next_back().is_some_and(|last| last == "--") {
        return usage_error("no command follows `--`: name the program that starts the router");
    }
    let arguments = Arguments::parse();
    arguments.color.set();
    match arguments.command.unwrap_or_else(|| Command::Run(run::Run::default())) {
        Command::Run(command) => command.execute(),
        Command::Merge(command) => command.execute(),
        Command::Render(command) => command.execute(),
        Command::Spec(command) => command.execute(),
        Command::List(command) => command.execute(),
        Command::Explain(command) => command.execute(),
        Command::Init(command) => command.execute(),
        Command::Router => reference_router::main(),
        Command::Broken { name } => broken_routers::run(&name),
        Command::Compare(command) => command.execute(),
        Command::Verify(command) => command.execute(),
        Command::SelfTest(command) => command.execute(),
        Command::Stability(command) => command.execute(),
        Command::Memory(command) => command.execute(),
        Command::Privacy(command) => command.execute(),
        Command::Topology(command) => command.execute(),
        Command::Fleet(command) => command.execute(),
        Command::Completions(command) => command.execute(),
        Command::Man(command) => command.execute(),
    }
}

/// The exit code of a measurement; an error is one of the suite.
fn concluded(outcome: Result<Conclusion, String>) -> ExitCode {
    let conclusion = outcome.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        Conclusion::SuiteFault
    });
    conclusion.exit_code().into()
}

/// Reports wrong usage on standard error.
fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    engine::ExitCode::Usage.into()
}

/// The whole command line, for completions and man pages.
fn command() -> clap::Command {
    Arguments::command()
}

/// Writes to standard output.
fn print(bytes: &[u8]) -> ExitCode {
    match io::stdout().write_all(bytes) {
        // A reader that has seen enough (`| head`) is not an error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            usage_error(&format!("standard output: {error}"))
        }
        Ok(()) | Err(_) => ExitCode::SUCCESS,
    }
}
