//! Casting: which cell of the topology plays which cell of the documents.
//!
//! A router picks a cell at random; the documents draw one pick. Instead of repeating a request
//! until the router picks as drawn, the fleet lets the cell that the router picked play the drawn
//! role: ownership, fixed routes and versions of the region's cells are permuted together. A *node*
//! is the cell as the topology names it, a *role* the cell as the documents name it. Both are the
//! same until a cast binds, and always for cells of other regions.

use std::collections::BTreeMap;

use crate::CellId;
use crate::lock::Lock;

/// The nodes and roles of one fleet.
#[derive(Debug, Default)]
pub struct Casting {
    state: Lock<CastState>,
}

#[derive(Debug, Default)]
struct CastState {
    /// The role that the next cell to receive a request plays, and the cells that can be cast.
    armed: Option<Armed>,
    /// The node of each role; empty while every cell plays itself.
    nodes: BTreeMap<CellId, CellId>,
}

#[derive(Debug)]
struct Armed {
    role: CellId,
    castable: Vec<CellId>,
    rotation: usize,
}

impl Casting {
    /// Lets the next cell of `role`'s region whose response depends on ownership play `role`.
    ///
    /// `castable` lists the cells among which roles are permuted: the region's cells without the
    /// latest cell, which is never cast. `rotation` selects one of the ways to assign the other
    /// roles.
    pub fn arm(&self, role: CellId, castable: Vec<CellId>, rotation: usize) {
        debug_assert!(castable.contains(&role), "{role} is not among the cells that can be cast");
        let mut state = self.state.lock();
        state.armed = Some(Armed { role, castable, rotation });
    }

    /// The role that `node` plays. Call this only where the response depends on it: an armed cast
    /// binds here, once and for the whole scenario.
    pub fn role_of(&self, node: &CellId) -> CellId {
        let mut state = self.state.lock();
        if let Some(armed) = state.armed.take() {
            state.nodes = armed.bind(node);
        }
        let found = state.nodes.iter().find(|(_, at)| *at == node);
        found.map_or_else(|| node.clone(), |(role, _)| role.clone())
    }

    /// The node that plays `role`: the cell to name to a router that is to send a request to
    /// `role`.
    pub fn node_of(&self, role: &CellId) -> CellId {
        let state = self.state.lock();
        state.nodes.get(role).unwrap_or(role).clone()
    }

    /// The role of each node that does not play itself.
    pub fn roles(&self) -> BTreeMap<CellId, CellId> {
        let state = self.state.lock();
        state
            .nodes
            .iter()
            .filter(|(role, node)| role != node)
            .map(|(role, node)| (node.clone(), role.clone()))
            .collect()
    }
}

impl Armed {
    /// The node that received the request plays the role; the other roles are assigned in order,
    /// rotated. A request to a cell that cannot be cast (another region) leaves every cell in its
    /// own role.
    fn bind(self, asked: &CellId) -> BTreeMap<CellId, CellId> {
        if !self.castable.contains(asked) {
            return BTreeMap::new();
        }
        let roles: Vec<_> =
            self.castable.iter().filter(|cell| **cell != self.role).cloned().collect();
        let mut nodes: Vec<_> =
            self.castable.iter().filter(|cell| *cell != asked).cloned().collect();
        if !nodes.is_empty() {
            let by = self.rotation % nodes.len();
            nodes.rotate_left(by);
        }
        let mut cast: BTreeMap<_, _> = roles.into_iter().zip(nodes).collect();
        cast.insert(self.role, asked.clone());
        cast
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eu(numbers: &[u16]) -> Vec<CellId> {
        numbers.iter().copied().map(CellId::eu).collect()
    }

    #[test]
    fn a_cast_is_a_permutation_of_the_castable_cells() {
        for rotation in 0..3 {
            for asked in eu(&[0, 1, 2]) {
                let casting = Casting::default();
                casting.arm(CellId::eu(1), eu(&[0, 1, 2]), rotation);
                casting.role_of(&asked);
                let nodes: std::collections::BTreeSet<_> =
                    eu(&[0, 1, 2]).iter().map(|role| casting.node_of(role)).collect();
                assert_eq!(nodes.len(), 3);
            }
        }
    }

    #[test]
    fn a_request_to_another_region_leaves_every_cell_in_its_own_role() {
        let casting = Casting::default();
        casting.arm(CellId::eu(1), eu(&[0, 1]), 0);
        assert_eq!(casting.role_of(&CellId::us(1)), CellId::us(1));
        assert_eq!(casting.role_of(&CellId::eu(0)), CellId::eu(0));
    }
}
