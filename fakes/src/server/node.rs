//! One cell of a running fleet, as its server knows it.

use std::sync::Arc;

use super::active_faults::ActiveFaults;
use super::errors::CellErrors;
use super::scripted::Scripts;
use super::socket::FlowCounters;
use crate::{Authority, Casting, CellId, Journal};

/// One cell, as the topology names it: its address, its application, and what its server needs.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: CellId,
    pub(crate) advertised: Authority,
    pub(crate) application: axum::Router,
    pub(crate) journal: Arc<Journal>,
    pub(crate) casting: Arc<Casting>,
    pub(crate) scripts: Arc<Scripts>,
    pub(crate) active_faults: Arc<ActiveFaults>,
    pub(crate) flow: Arc<FlowCounters>,
    pub(crate) errors: Arc<CellErrors>,
}
