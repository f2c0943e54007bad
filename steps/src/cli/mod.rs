//! The command line.

mod fleet;
mod list;
mod run;
mod select;
mod self_test;
mod stability;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::stage::{Launch, RouterCommand, Waits};

/// Exit code for wrong usage or configuration.
pub(crate) const USAGE: u8 = 2;

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
    Run(run::Run),
    /// Lists scenarios by name
    List(list::List),
    /// Serves the reference router, configured by CELLS_TOPOLOGY and its companions
    Router,
    /// Serves a router with one named defect: `self-test --list` shows them
    Broken {
        /// Name of the defect
        name: String,
    },
    /// Runs the suite against routers with one defect each: the proof that it can fail
    SelfTest(self_test::SelfTest),
    /// Runs scenarios many times and counts failures by cause
    Stability(stability::Stability),
    /// Serves the fleet of fake cells on fixed ports until it is interrupted
    Fleet(fleet::ServeFleet),
}

/// Reads the command line and does what it says; answers with the exit code.
pub fn main() -> ExitCode {
    match Arguments::parse().command.unwrap_or_else(|| Command::Run(run::Run::default())) {
        Command::Run(command) => command.execute(),
        Command::List(command) => command.execute(),
        Command::Router => reference_router::main(),
        Command::Broken { name } => broken_routers::run(&name),
        Command::SelfTest(command) => command.execute(),
        Command::Stability(command) => command.execute(),
        Command::Fleet(command) => command.execute(),
    }
}

/// Starts the reference router as a process: this program's own subcommand.
pub fn reference_router(program: PathBuf) -> RouterCommand {
    RouterCommand { program: program.into(), arguments: vec!["router".into()] }
}

/// Starts a router with one named defect as a process: this program's own subcommand.
pub fn broken_router(program: PathBuf, name: &str) -> RouterCommand {
    RouterCommand { program: program.into(), arguments: vec!["broken".into(), name.into()] }
}

/// A launch of this command with the usual waits.
pub fn launch(command: RouterCommand, seed: u64) -> Launch {
    Launch { command, waits: Waits::default(), seed }
}

/// Says what is wrong with the usage, on standard error.
fn usage_error(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(USAGE)
}
