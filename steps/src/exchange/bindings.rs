//! What is bound on one way through an expected exchange.

use std::collections::BTreeMap;

use cell_fleet::{CellId, Region};

use super::unify::Divergence;
use super::{ExpectedArrow, ExpectedParticipant};
use crate::trace::{Arrow, Content};

/// The cell of each variable, and the person of `user`.
#[derive(Clone, Default)]
pub(super) struct Bindings {
    cells: BTreeMap<String, CellId>,
    /// The last matched request at a cell, an index of the trace's hops.
    asked: Option<usize>,
    /// Requests at another cell than the expected one, by their indices of the trace's hops, with
    /// the expected one.
    pub(super) stand_ins: BTreeMap<usize, ExpectedParticipant>,
    /// The findings about choices so far; observed indices are those of arrows.
    pub(super) choices: Vec<Divergence>,
}

impl Bindings {
    /// Whether a response comes from the cell that got the request instead of the expected one.
    pub(super) fn stands_in(&self, expected: &ExpectedArrow, observed: &Arrow) -> bool {
        let Content::Responded(hop) = observed.content else { return false };
        self.stand_ins.get(&hop) == Some(&expected.from)
    }

    /// The response of any cell belongs to the request before it.
    pub(super) fn follow(
        &mut self,
        expected: &ExpectedArrow,
        content: Content,
    ) -> Result<(), String> {
        match content {
            Content::Received(place) => self.asked = Some(place),
            Content::Responded(place)
                if matches!(expected.from, ExpectedParticipant::AnyCell(_))
                    && self.asked != Some(place) =>
            {
                return Err("the response to another request".to_owned());
            }
            Content::Responded(_) | Content::Sent(_) | Content::Got(_) => {}
        }
        Ok(())
    }

    pub(super) fn bind(&mut self, name: &str, region: &Region, cell: &CellId) -> bool {
        if let Some(bound) = self.cells.get(name) {
            return bound == cell;
        }
        let free = !self.cells.values().any(|bound| bound == cell && bound.region() == region);
        if free {
            self.cells.insert(name.to_owned(), cell.clone());
        }
        free
    }
}
