//! The command line.

mod compare;
mod explain;
mod fleet;
mod init;
mod list;
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

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::suite::Conclusion;

/// Exit code for wrong usage or configuration.
pub(crate) const USAGE: u8 = 2;

/// What the exit codes of a run mean.
const EXIT_CODES: &str = "\
Exit codes:
  0  conformant: nothing that a router MUST do is violated
  1  not conformant, or the router file claims or knows what is not so
  2  wrong usage or configuration; nothing was run
  3  incomplete: something outside the router kept a scenario from running, or none was for it
  4  the suite itself is at fault";

/// The conformance suite for routers that stand in front of GitLab Cells.
#[derive(Debug, Parser)]
#[command(name = "cells-conformance", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs scenarios (the default)
    #[command(after_help = EXIT_CODES)]
    Run(run::Run),
    /// Lists scenarios by name
    List(list::List),
    /// Explains requirements: what they ask, where they stand, and what proves them
    Explain(explain::Explain),
    /// Writes a router file to begin with, with comments
    Init(init::Init),
    /// Serves the reference router, configured by CELLS_TOPOLOGY and its companions
    Router,
    /// Serves a router with one named defect: `self-test --list` shows them
    Broken {
        /// Name of the defect
        name: String,
    },
    /// Shows routers by requirement, and what changed between two reports
    Compare(compare::Compare),
    /// Judges the exchanges of a report again, without a router
    #[command(after_help = verify::EXIT_CODES)]
    Verify(verify::Verify),
    /// Runs the suite against routers with one defect each: the proof that it can fail
    SelfTest(self_test::SelfTest),
    /// Runs scenarios many times and counts failures by cause
    Stability(stability::Stability),
    /// Measures what memory a router needs while large bodies pass and many prefixes are learnt
    Memory(memory::Memory),
    /// Measures whether the time of a 404 tells a private place from a missing one
    #[command(after_help = EXIT_CODES)]
    Privacy(privacy::Privacy),
    /// Writes topology files for routers that are started by hand
    Topology(topology::WriteTopology),
    /// Writes other forms of a report that was written as JSON
    Render(render::Render),
    /// Writes the features as a specification to read: static pages
    Spec(spec::WriteSpec),
    /// Serves the fleet of fake cells on fixed ports until it is interrupted
    Fleet(fleet::ServeFleet),
}

/// Reads the command line and does what it says; responses with the exit code.
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
    }
}

/// The exit code of a measurement, which the suite's own trouble may have kept from an end.
fn concluded(outcome: Result<Conclusion, String>) -> ExitCode {
    let conclusion = outcome.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        Conclusion::SuiteFault
    });
    ExitCode::from(conclusion as u8)
}

/// Says what is wrong with the usage, on standard error.
fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(USAGE)
}
