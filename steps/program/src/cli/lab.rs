//! The command line of `cells-lab`: what proves the suite, and what it shows of the proposals.

mod flows;
mod proofs;
mod self_test;
mod stability;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::output::Failed;
use conformance_suite::engine;
use conformance_suite::report::ColorChoice;

/// The laboratory of the conformance suite for routers that stand in front of GitLab Cells.
#[derive(Debug, Parser)]
#[command(name = "cells-lab", version, propagate_version = true)]
#[command(after_help = engine::ExitCode::help())]
struct Arguments {
    /// Colors in the text for people
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    SelfTest(self_test::SelfTest),
    /// Serve a mutant, a router with one mistake; `self-test --list` shows their names
    Broken {
        /// Name of the mutant
        name: String,
    },
    Flows(flows::Flows),
    Proofs(proofs::Prove),
    Spec(flows::WriteSpec),
    Stability(stability::Stability),
}

/// Reads the command line, executes its command and returns the exit code.
pub(crate) fn main() -> ExitCode {
    super::enter(|Arguments { color, command }| {
        color.set();
        execute(command)
    })
}

fn execute(command: Command) -> ExitCode {
    let ended = match command {
        Command::SelfTest(command) => command.execute(),
        Command::Broken { name } => return broken_routers::run(&name),
        Command::Flows(command) => command.execute(),
        Command::Proofs(command) => command.execute(),
        Command::Spec(command) => command.execute(),
        Command::Stability(command) => command.execute(),
    };
    ended.unwrap_or_else(Failed::tell).into()
}
