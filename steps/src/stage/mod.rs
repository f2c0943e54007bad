//! The stage of a scenario: its fleet, routers and users, from the first When step to the last.

mod arrival;
mod clear;
mod error;
mod guard;
mod launch;
mod lease;
mod leftovers;
mod log_excerpt;
pub(crate) mod machine;
pub mod placeholders;
mod process;
mod process_groups;
mod processes;
mod requests;
mod reset;
mod resources;
mod room;
mod router_log;
mod routers;
mod running;
mod session;
mod shared_folder;
mod start;
mod start_fleet;
mod stop;
pub mod stores;
mod topology_file;
mod waits;

use std::net::Ipv4Addr;
use std::sync::Arc;

use cell_fleet::{CellId, Fleet, Stamp};
use tokio::task::JoinHandle;

use crate::action::Action;
use crate::people::People;
use crate::plan::ScenarioPlan;
use crate::trace::Recorder;

pub use clear::Cleared;
pub use error::{RouterError, StageError};
pub use guard::serve_or_allow;
pub use launch::*;
pub use lease::{FIRST_CELL_PORT, FIRST_ROUTER_PORT, next_address};
pub use log_excerpt::readable_text;
pub(crate) use log_excerpt::{around_last_error, is_hidden, lines_around_last_error, readable};
pub use process::RouterCommand;
pub(crate) use process::RouterProcess;
pub use processes::{group_of, processes_of};
pub(crate) use room::{files_for, places};
pub use room::{look, throttled};
pub use running::RunningRouters;
pub use start_fleet::FleetPlace;
pub use stop::{Stop, StopReason, end_without_reader, on_stop};
pub use stores::StoresChoice;
pub use topology_file::topology_file;
pub use waits::Waits;

use process::Stopped;
use process_groups::Folder;

#[derive(Debug)]
pub struct Stage {
    pub(crate) plan: ScenarioPlan,
    pub launch: Launch,
    pub fleet: Fleet,
    address: Ipv4Addr,
    routers: Vec<RouterProcess>,
    /// Routers that have stopped in the course of the scenario.
    gone: Vec<Stopped>,
    started: usize,
    pub(crate) people: People,
    pub(crate) recorder: Arc<Recorder>,
    /// What happened in the When steps so far.
    actions: Vec<Action>,
    began: Option<Stamp>,
    /// Requests that a step began and no step has waited for yet.
    begun: Vec<Begun>,
    /// Topology files, logs and folders of the routers. Removed when the stage is cleared.
    folder: Folder,
}

/// A request that a step began.
#[derive(Debug)]
struct Begun {
    person: String,
    path: String,
    task: JoinHandle<()>,
}

impl Stage {
    /// Records the action of the next When step: what is sent from now on is sent in that step.
    pub(crate) fn begin_step(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// Casts the cell that is asked next in this role.
    pub(crate) fn cast(&self, role: &CellId) -> Result<(), String> {
        let company = self.plan.company(role.region());
        if !company.contains(role) {
            return Err(format!(
                "{role} cannot be cast: it is not in the fleet, or it is the latest cell"
            ));
        }
        let rotation = usize::try_from(self.launch.seed % 1_000).unwrap_or(0);
        self.fleet.casting().arm(role.clone(), company, rotation);
        Ok(())
    }
}
