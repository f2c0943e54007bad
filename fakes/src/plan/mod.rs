//! What a fleet is to be: its cells, the people on them, and what may differ from what the documents
//! draw.

mod fleet_plan;
mod lag;
pub mod population;
mod protocol;
mod script;
mod settings;
mod topology;
mod version;

pub use fleet_plan::{FleetPlan, PlanError};
pub use lag::ReplicationLag;
pub use protocol::{LoginBy, Protocol};
pub use script::{Script, ScriptError, ScriptProblem, ScriptedAction, ScriptedResponse};
pub use settings::SettingsModel;
pub use topology::{Topology, TopologyError, TopologyProblem};
pub use version::Version;
