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

use crate::engine;
use crate::engine::Conclusion;

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
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
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
    #[command(after_help = engine::ExitCode::help(engine::Command::Verify))]
    Verify(verify::Verify),
    /// Runs the suite against routers with one defect each: the proof that it can fail
    #[command(after_help = engine::ExitCode::help(engine::Command::SelfTest))]
    SelfTest(self_test::SelfTest),
    /// Runs scenarios many times and counts failures by cause
    Stability(stability::Stability),
    /// Measures what memory a router needs while large bodies pass and many prefixes are learnt
    Memory(memory::Memory),
    /// Measures whether the time of a 404 tells a private place from a missing one
    #[command(after_help = engine::ExitCode::help(engine::Command::Run))]
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
    conclusion.exit_code().into()
}

/// Says what is wrong with the usage, on standard error.
fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    engine::ExitCode::Usage.into()
}
