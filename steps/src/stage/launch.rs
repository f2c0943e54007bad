//! How routers are launched, among them those that this program serves itself.

use std::path::PathBuf;

use super::{FleetPlace, Launch, RouterCommand, Routers, Stop, Waits};

/// The command that starts the reference router: this program's own subcommand.
pub fn reference_router(program: PathBuf) -> RouterCommand {
    RouterCommand { program: program.into(), arguments: vec!["router".into()] }
}

/// A launch of the router that this command starts, with the usual waits.
pub fn launch(command: RouterCommand, seed: u64) -> Launch {
    launch_of(Routers::Started(command), seed)
}

/// A launch of these routers, with the usual waits.
pub(crate) fn launch_of(routers: Routers, seed: u64) -> Launch {
    Launch {
        routers,
        place: FleetPlace::default(),
        hold: false,
        cells: None,
        waits: Waits::default(),
        seed,
        stop: Stop::default(),
        health_check_path: None,
    }
}
