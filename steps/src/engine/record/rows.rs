//! The rows of a report's tables: what stands in it once, wherever it is referred to.

use std::time::Duration;

use cell_fleet::DatabaseAccess;
use serde::{Deserialize, Serialize};

use super::bytes::Plain;
use super::stamp::cell;
use crate::trace::RouterFacts;

/// A step as it stands in the feature.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepRecord {
    /// `Given`, `When`, `Then`, `And`.
    pub keyword: String,
    /// The text.
    pub text: String,
    /// The doc string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
}

/// A cell of a topology file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellRow {
    /// The cell as the topology names it.
    pub cell: String,
    /// Its host: an index in the hosts of the scenario.
    pub host: usize,
    /// Its port.
    pub port: u16,
    /// Whether no router listened at the same host.
    pub own_host: bool,
}

/// A field line.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FieldLine {
    /// Name and value.
    Whole(Plain, Plain),
    /// The name of a field whose value is the mark of the request.
    Mark([Plain; 1]),
}

/// A response.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResponseRow {
    /// The status code.
    pub status: u16,
    /// The field lines: an index in `heads`.
    pub head: usize,
    /// Its body: the beginning of a name in `bodies` that no other name has; absent if it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// An access to a database.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AccessRow {
    /// The cell that asked.
    pub cell: String,
    /// The schema.
    pub schema: String,
    /// The table.
    pub table: String,
    /// Whether it was a write.
    pub write: bool,
    /// The server.
    pub server: String,
    /// How long a write was under way to a primary in another region, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub under_way_ms: u64,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// What is known about a router's process.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RouterData {
    /// `router_eu`.
    pub name: String,
    /// Whether it became ready.
    pub ready: bool,
    /// Whether it ended in time after SIGTERM.
    pub stopped: bool,
    /// Whether its address was free afterwards.
    pub address_freed: bool,
}

impl RouterData {
    pub(super) fn of(router: &RouterFacts) -> Self {
        let RouterFacts { name, ready, stopped, address_freed } = router.clone();
        Self { name, ready, stopped, address_freed }
    }

    pub(super) fn facts(self) -> RouterFacts {
        let Self { name, ready, stopped, address_freed } = self;
        RouterFacts { name, ready, stopped, address_freed }
    }
}

impl AccessRow {
    pub(super) fn of(access: &DatabaseAccess) -> Self {
        Self {
            cell: access.cell.id(),
            schema: access.schema.to_string(),
            table: access.table.to_string(),
            write: access.write,
            server: access.server.clone(),
            under_way_ms: u64::try_from(access.under_way.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// The access at a position in the primary's log.
    pub(super) fn access(&self, position: u64) -> Result<DatabaseAccess, String> {
        Ok(DatabaseAccess {
            cell: cell(&self.cell)?,
            schema: self.schema.clone().into(),
            table: self.table.clone().into(),
            write: self.write,
            server: self.server.clone(),
            position: position.into(),
            under_way: Duration::from_millis(self.under_way_ms),
        })
    }
}
