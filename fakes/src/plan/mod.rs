//! What a fleet is to be: its cells, the people on them, and what may differ from what the documents
//! draw. [`FleetPlan`](crate::FleetPlan) has all of it, and the stores and faults beside it.

mod ids;
pub mod population;
mod protocol;
mod runners;
mod script;
mod sessions;
mod topology;

pub use ids::{GREATEST_CELL_NUMBER, IdPlan, IdStrategy};
pub use protocol::{LoginBy, Protocol, ReplicationLag, SettingsModel, Version};
pub use runners::{RunnerModel, RunnerPlan};
pub use script::{Script, ScriptError, ScriptedAction, ScriptedResponse};
pub use sessions::{SessionModel, SessionPlan};
pub use topology::{Topology, TopologyError};
