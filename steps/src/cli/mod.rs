//! The command line.

mod compare;
mod completions;
mod explain;
mod fleet;
mod init;
mod list;
mod man;
mod memory;
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
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::stage::{Launch, RouterCommand, Routers, Waits};
use crate::suite::Conclusion;

/// The name of the program.
const NAME: &str = "cells-conformance";

/// Exit code for wrong usage or configuration.
pub(crate) const USAGE: u8 = 2;

/// The exit codes of a run, for the help text.
const EXIT_CODES: &str = "\
Exit codes:
  0  conformant: no MUST is violated
  1  not conformant, or the router file claims something false or lists a failure that passes
  2  wrong usage or configuration; nothing was run
  3  incomplete: a cause outside the router prevented a scenario, or none applies to the router
  4  error of the suite itself";

/// The conformance suite for routers that stand in front of GitLab Cells.
#[derive(Debug, Parser)]
#[command(name = NAME, version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run scenarios (default command)
    #[command(after_help = EXIT_CODES)]
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
    Compare(compare::Compare),
    /// Judge the exchanges of a report again, without a router
    #[command(after_help = verify::EXIT_CODES)]
    Verify(verify::Verify),
    /// Run the suite against mutants and variants, to prove that it can fail
    SelfTest(self_test::SelfTest),
    /// Run scenarios many times and count failures by cause
    Stability(stability::Stability),
    /// Measure the memory of a router under large bodies and many learnt prefixes
    Memory(memory::Memory),
    /// Measure whether 404 timing reveals private projects
    #[command(after_help = EXIT_CODES)]
    Privacy(privacy::Privacy),
    /// Write topology files for routers that are started by hand
    Topology(topology::WriteTopology),
    /// Convert a JSON report to other forms
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
    match Arguments::parse().command.unwrap_or_else(|| Command::Run(run::Run::default())) {
        Command::Run(command) => command.execute(),
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

/// The command of the reference router: a subcommand of this program.
pub fn reference_router(program: PathBuf) -> RouterCommand {
    RouterCommand { program: program.into(), arguments: vec!["router".into()] }
}

/// The command of a mutant: a subcommand of this program.
pub fn broken_router(program: PathBuf, name: &str) -> RouterCommand {
    RouterCommand { program: program.into(), arguments: vec!["broken".into(), name.into()] }
}

/// A launch of this command with the default timeouts.
pub fn launch(command: RouterCommand, seed: u64) -> Launch {
    Launch {
        routers: Routers::Started(command),
        hold: false,
        cell_mutant: None,
        waits: Waits::default(),
        seed,
    }
}

/// The exit code of a measurement; an error is one of the suite.
fn concluded(outcome: Result<Conclusion, String>) -> ExitCode {
    let conclusion = outcome.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        Conclusion::SuiteFault
    });
    ExitCode::from(conclusion as u8)
}

/// Reports wrong usage on standard error.
fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(USAGE)
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
