//! How the stage of a scenario is set up: its routers, among them those that this program serves
//! itself, and its limits; and how long the starts of routers take.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cell_fleet::CellId;
use cell_fleet::inside::MakesParts;

use super::process::RouterCommand;
use super::running::RunningRouters;
use super::start_fleet::FleetPlace;
use super::{Stop, Waits};
use crate::engine::record::{StartsRecord, milliseconds};

/// Where the routers of a scenario come from.
#[derive(Clone, Debug)]
pub enum Routers {
    /// The suite starts them with this command.
    Started(RouterCommand),
    Running(RunningRouters),
}

/// How the stage of a scenario is set up.
#[derive(Clone, Debug)]
pub struct Launch {
    pub routers: Routers,
    pub place: FleetPlace,
    /// What makes the cells, where the suite itself is tested; `None` for correct cells.
    pub cells: Option<&'static dyn MakesParts>,
    pub waits: Waits,
    /// The random seed; printed with a failure.
    pub seed: u64,
    /// What stops the run.
    pub stop: Stop,
    /// How long its starts have taken so far.
    pub starts: Starts,
    /// The path on which the router asks cells for their health, where its file declares one.
    pub health_check_path: Option<String>,
    /// The one cell of its region that a router may pick, where chance is to have no part: the
    /// topology file says of the region's other cells that they are elsewhere. They are still asked
    /// where an entry or a cell names them.
    pub picked: Option<CellId>,
}

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
        cells: None,
        waits: Waits::default(),
        seed,
        stop: Stop::default(),
        starts: Starts::default(),
        health_check_path: None,
        picked: None,
    }
}

/// The starts so far. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Starts(Arc<Mutex<StartsRecord>>);

impl Starts {
    /// Adds the start of a router that took this long until the router was ready.
    pub(super) fn add(&self, took: Duration) {
        // A panic elsewhere leaves no figure half written.
        let mut total = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        total.number += 1;
        total.took_ms += milliseconds(took);
    }

    /// All so far.
    pub fn total(&self) -> StartsRecord {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
