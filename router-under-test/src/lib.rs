//! A reverse proxy in front of GitLab Cells: the reference implementation of both stateless-router
//! proposals, *buffering requests* and *routes learning*.
//!
//! # For an operator
//!
//! One process serves one region. It is told what to do by four variables and the topology file that
//! the first of them names; there is no command line to parse and no state to keep.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `CELLS_TOPOLOGY` | path of the topology file (JSON); required |
//! | `CELLS_LISTEN` | address to listen on; must agree with `listen` of the file where it is given |
//! | `CELLS_REGION` | the router's own region; must agree with `region` |
//! | `CELLS_PROTOCOL` | `buffering` or `learning`; must agree with `protocol` |
//! | `CELLS_LOG` | how much is logged on standard error: `off`, `error`, `warn` (default), `info`, `debug`, `trace` |
//!
//! A file that cannot be used ends the process with status 2 and a message that names the member; an
//! address that cannot be bound ends it with status 1. The router is ready as soon as it listens.
//! SIGTERM or SIGINT stops it: it accepts no further connection, closes idle ones at once and gives
//! requests under way up to [`DRAIN_LIMIT`]; a second signal ends it at once.
//!
//! # What it does with a request
//!
//! Both protocols share the way in and the way out; `route` is the place to read it from top to bottom.
//! In between:
//!
//! * **buffering**: the body is kept (in memory, above 256 KiB in an unnamed temporary file) and the
//!   request goes to the cell that the cache names, else to a random cell of the region. A 302 with
//!   `X-Gitlab-Cell-Redirect` sends the same request on to the named cell, at most `max_hops` times in
//!   all. `X-Gitlab-Cell-Cache` on the answer that the user gets is remembered.
//! * **learning**: where the cache names no cell, a random cell of the region is asked on the learn
//!   path; its answer is remembered for `ttl_ms`. The request itself is sent once, its body streamed.
//!
//! What the router itself refuses is a short `text/plain` answer that names no cell: 400 (a request
//! that cannot be forwarded), 404 (the learn path), 413 (a body beyond the limit), 502 (a cell that
//! broke the protocol or the connection), 503 (no cell reachable), 504 (no answer in time), 508 (too
//! many hops). The reason in full is in the log.
//!
//! Cells get the user's `Host`, the user's address in `X-Forwarded-For`, and `Via`. Other fields about the
//! way here (`Forwarded`, `X-Forwarded-Host`, `X-Forwarded-Proto`, an earlier `X-Forwarded-For`) are dropped:
//! users reach this router directly, so only they could have written them.
//!
//! # What it leaves out
//!
//! `cookie_cache` is read and has no effect: the router does not claim that capability. `Upgrade` is a
//! hop-by-hop field and not passed on, so WebSockets do not work through it. Trailers are discarded.
//! `Expect: 100-continue` is answered by the router itself, when it starts to read the body.
//!
//! # How it is built
//!
//! A thread for each core, each with a runtime, a listening socket (`SO_REUSEPORT`), connections to the
//! cells and a replica of the cache of its own, so that a request whose cell is known touches nothing
//! that another core writes. What one core learns is written into all replicas before the user has the
//! answer that taught it.

mod body;
mod cache;
mod config;
mod connection;
mod environment;
mod headers;
mod learn;
mod listen;
mod logging;
mod member_list;
mod pick;
mod respond;
mod route;
mod server;
mod shutdown;
mod upstream;
mod wire;

use std::io::Write as _;
use std::process::ExitCode;

pub use environment::{Environment, ProcessEnvironment};
pub use shutdown::DRAIN_LIMIT;

/// Exit status for a topology file or variable that cannot be used.
const BAD_CONFIGURATION: u8 = 2;

/// Serves according to the process's own environment until a signal asks it to stop.
///
/// See [`run`].
pub fn main() -> ExitCode {
    run(&ProcessEnvironment)
}

/// Serves according to `environment` until SIGTERM or SIGINT, drains, and gives the exit status.
///
/// The status is 0 after a signal, 2 where the topology file or a variable cannot be used, and 1 where
/// the address cannot be bound or the threads cannot be started. The arguments of the process are not
/// looked at, so another program can offer the router as one of its subcommands.
pub fn run(environment: &dyn Environment) -> ExitCode {
    logging::start(environment);
    let topology = match config::load(environment) {
        Ok(topology) => topology,
        Err(error) => {
            complain(&error);
            return ExitCode::from(BAD_CONFIGURATION);
        }
    };
    match server::serve(topology) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// Tells the operator why there is no router, whatever the log level is.
fn complain(error: &dyn std::error::Error) {
    // Standard error may be closed; then there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "reference-router: {error}");
}
