//! Serves the router of a name, configured by the environment.

use std::process::ExitCode;

use crate::base::config::Config;
use crate::base::server;
use crate::catalog;
use crate::protocol::Protocol;

/// "Not applicable": the status of a router that does not follow the protocol it is asked for.
const NOT_APPLICABLE: u8 = 69;
/// Exit status for a wrong name or a wrong configuration.
pub const USAGE: u8 = 2;

/// Serves the router of this name until SIGTERM, configured by `CELLS_TOPOLOGY`, `CELLS_LISTEN`,
/// `CELLS_REGION` and `CELLS_PROTOCOL`.
///
/// Exit status 2 with a message for a name that does not exist or a topology that cannot be read;
/// 69, before it listens, for a protocol that the router is not meant for.
pub fn run(name: &str) -> ExitCode {
    let Some((change, protocols)) = catalog::find(name) else {
        let near = catalog::near(name);
        let hint =
            if near.is_empty() { String::new() } else { format!("; near: {}", near.join(", ")) };
        eprintln!("no router is called {name:?}{hint}");
        return ExitCode::from(USAGE);
    };
    let word = std::env::var("CELLS_PROTOCOL").unwrap_or_default();
    let Some(protocol) = Protocol::parse(&word).filter(|protocol| protocols.contain(*protocol))
    else {
        eprintln!("{name} is not meant for the protocol {word:?}");
        return ExitCode::from(NOT_APPLICABLE);
    };
    let config = match Config::read(&|variable| std::env::var(variable).ok(), protocol, change) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(USAGE);
        }
    };
    match server::serve(config, change) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
