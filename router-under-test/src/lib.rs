//! A reverse proxy in front of GitLab Cells: the reference implementation of both stateless-router
//! proposals, *buffering requests* and *routes learning*.
//!
//! Read `router`: a request goes through it from top to bottom. `buffering` and `learning` are the
//! protocols; the rest is what both need. The manual is `docs/reference-router.md`.
//!
//! Each core has a thread with its own runtime, listener and connections to cells. They share
//! the cache and the limits.

pub mod body;
pub mod buffering;
pub mod cache;
pub mod cells;
pub mod config;
pub mod cookie;
#[cfg(test)]
mod fuzzing;
mod internal;
pub mod learning;
pub mod members;
mod metrics;
pub mod parts;
pub mod pick;
pub mod preflight;
pub mod refusal;
pub mod request;
pub mod response;
pub mod router;
mod server;
mod shared;
pub mod stream;
pub mod topology;
mod tunnel;
pub mod wire;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use parts::{Correct, Parts};

pub use config::Environment;
pub use server::DRAIN_LIMIT;

/// Exit status for a topology file or variable that cannot be used.
const BAD_CONFIGURATION: u8 = 2;

/// Serves according to `environment` until SIGTERM or SIGINT, drains, and gives the exit status.
///
/// The status is 0 after a signal, 2 where the topology file or a variable cannot be used, and 1
/// where the address cannot be bound or the threads cannot be started. The arguments of the process
/// are not looked at, so another program can offer the router as one of its subcommands.
pub fn run(environment: Environment<'_>) -> ExitCode {
    run_with(&Correct, environment)
}

/// Serves as [`run`] does, with these parts in place of the correct ones.
pub fn run_with<P: Parts>(parts: &P, environment: Environment<'_>) -> ExitCode {
    let mut config = match config::load(environment) {
        Ok(config) => config,
        Err(error) => {
            complain(&error);
            return ExitCode::from(BAD_CONFIGURATION);
        }
    };
    let level = config.settings.log;
    // A process that serves several routers has one log.
    let _ = tracing_subscriber::fmt().with_max_level(level).with_writer(io::stderr).try_init();
    parts.limits(&mut config);
    match server::serve(parts, &Arc::new(shared::Shared::new(config))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// Tells the operator why the router does not serve, at any log level.
fn complain(why: &dyn std::error::Error) {
    eprintln!("reference-router: {why}");
}
