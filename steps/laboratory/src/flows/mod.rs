//! What each proposal costs, flow by flow: counted in runs on the fleet.
//!
//! A flow is run in each state in which a router can be (cold, warm, stale; the owner at home or
//! abroad), once for each cell that it can pick. Each run is a scenario; the figures are counted from
//! its trace.

mod figures;
mod flow;
mod page;
mod record;
mod run;

pub use figures::Figures;
pub use flow::{Cache, Owner, State};
pub use page::{FILE, TITLE, page};
pub use record::{
    FLOWS_VERSION, FlowRecord, FlowsRecord, OfCells, RequestRecord, RunRecord, StateRecord,
};
pub use run::FlowsPlan;
