//! One cell, as the application sees it.

use std::sync::Arc;

use super::decision::Owner;
use super::installation::Installation;
use super::parts::Parts;
use crate::CellId;
use crate::database::Connection;
use crate::sessions::RegionalSessions;

#[derive(Clone, Debug)]
pub struct Cell {
    /// What all cells share.
    pub installation: Arc<Installation>,
    /// The cell as the topology names it.
    pub node: CellId,
    /// The databases as this cell uses them.
    pub database: Connection,
    /// What decides in it.
    pub parts: Arc<dyn Parts>,
    /// The stores of sessions in the regions, where the plan keeps them there.
    pub sessions: RegionalSessions,
}

impl Cell {
    /// The cell as the documents name it. Ask only where the response depends on it: an armed cast
    /// binds here.
    pub fn role(&self) -> CellId {
        self.installation.casting.role_of(&self.node)
    }

    /// The cell to name to a router that is to ask the owner; this cell where any will do.
    pub fn node_of(&self, owner: &Owner) -> CellId {
        match owner {
            Owner::Node(node) => node.clone(),
            Owner::Role(role) => self.installation.casting.node_of(role),
            Owner::Any | Owner::Missing => self.node.clone(),
        }
    }

    /// Whether this cell is the owner.
    pub fn is(&self, owner: &Owner) -> bool {
        match owner {
            Owner::Any => true,
            Owner::Node(node) => self.node == *node,
            Owner::Role(role) => self.role() == *role,
            Owner::Missing => false,
        }
    }
}
