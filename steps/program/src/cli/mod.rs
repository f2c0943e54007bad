//! The command lines.

mod explore;
mod fleet;
mod generated;
mod init;
pub(crate) mod lab;
mod lint;
mod list;
mod measure;
mod output;
mod report;
mod run;
mod select;
mod subject;
mod values;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use conformance_suite::engine;
use conformance_suite::report::ColorChoice;
use output::Failed;

const NAME: &str = "cells-conformance";

/// The conformance suite for routers that stand in front of GitLab Cells.
#[derive(Debug, Parser)]
#[command(name = NAME, version, propagate_version = true)]
#[command(after_help = engine::ExitCode::help())]
struct Arguments {
    /// Colors in the text for people
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Init),
    #[command(after_help = engine::ExitCode::help())]
    Run(run::Run),
    List(list::List),
    Explore(explore::Explore),
    Fleet(fleet::FleetCommand),
    #[command(subcommand)]
    Report(report::Report),
    #[command(subcommand)]
    Measure(measure::Measure),
    Lint(lint::Lint),
    /// Serve the reference router, configured by CELLS_TOPOLOGY and related variables
    #[command(hide = true)]
    Router,
    #[command(hide = true)]
    Completions(generated::Completions),
    #[command(hide = true)]
    Man(generated::Man),
}

/// Reads the command line, executes its command and returns the exit code.
pub(crate) fn main() -> ExitCode {
    enter(|Arguments { color, command }| {
        color.set();
        execute(command)
    })
}

/// Reads the options of a program, and does what they say.
fn enter<A: Parser>(execute: impl FnOnce(A) -> ExitCode) -> ExitCode {
    if let Some(code) = already_ended() {
        return code;
    }
    let code = execute(A::parse());
    conformance_suite::stage::stores::stop();
    code
}

fn execute(command: Option<Command>) -> ExitCode {
    let ended = match command.unwrap_or_else(|| Command::Run(run::Run::default())) {
        Command::Init(command) => command.execute(),
        Command::Run(command) => command.execute(),
        Command::List(command) => command.execute(),
        Command::Explore(command) => command.execute(),
        Command::Fleet(command) => command.execute(),
        Command::Report(command) => command.execute(),
        Command::Measure(command) => command.execute(),
        Command::Lint(command) => command.execute(),
        Command::Router => return serve_router(),
        Command::Completions(command) => command.execute(Arguments::command()),
        Command::Man(command) => command.execute(Arguments::command()),
    };
    ended.unwrap_or_else(Failed::tell).into()
}

/// What both programs do before they read their options. Returns the exit code where that was all.
fn already_ended() -> Option<ExitCode> {
    if let Some(code) = conformance_suite::stage::serve_or_allow() {
        return Some(code);
    }
    // A run starts it two thousand times: reading a command line takes longer than this start.
    if std::env::args_os().skip(1).eq(["router"]) {
        return Some(serve_router());
    }
    // An empty variable of a shell leaves nothing after `--`, or an empty word. The reference
    // router must not be tested in place of the one that was meant.
    let mut arguments = std::env::args_os().skip_while(|argument| argument != "--");
    let is_blank = |word: OsString| word.to_str().is_some_and(|word| word.trim().is_empty());
    if arguments.next().is_some() && arguments.next().is_none_or(is_blank) {
        let why = "no command follows `--`: name the program that starts the router";
        return Some(Failed::Usage(why.to_owned()).tell().into());
    }
    None
}

fn serve_router() -> ExitCode {
    reference_router::run(&broken_routers::variable)
}
