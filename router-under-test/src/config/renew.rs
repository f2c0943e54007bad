//! A topology that takes the place of an earlier one in a router that serves.
//!
//! Cells are known by their ids. One that stays keeps its index, because what was learnt and what is
//! counted name cells by index; one that goes keeps its index too, and no other cell gets it.

use super::error::MemberError;
use super::topology::{CellIndex, MOST_LATER_CELLS, Topology};

impl Topology {
    /// This topology, which was read after `before` and takes its place.
    ///
    /// An error where a member differs that a running router cannot change.
    pub(crate) fn after(mut self, before: &Topology) -> Result<Self, MemberError> {
        let fixed = |member, is_same| match is_same {
            true => Ok(()),
            false => Err(MemberError::new(member, "can change with a new start only")),
        };
        fixed("protocol", self.protocol == before.protocol)?;
        fixed("listen", self.listen == before.listen)?;

        let mut known = before.known.clone();
        let mut indices = Vec::with_capacity(self.known.len());
        for cell in self.known.drain(..) {
            match known.iter().position(|earlier| earlier.id == cell.id) {
                Some(index) => {
                    known[index] = cell;
                    indices.push(CellIndex::nth(index));
                }
                None if known.len() < before.most_known => {
                    indices.push(CellIndex::nth(known.len()));
                    known.push(cell);
                }
                None => {
                    return Err(MemberError::new(
                        "cells",
                        format!("more than {MOST_LATER_CELLS} came since the start"),
                    ));
                }
            }
        }
        let new = |before: CellIndex| indices[before.index()];
        for cells in [&mut self.present, &mut self.own, &mut self.others] {
            cells.iter_mut().for_each(|index| *index = new(*index));
        }
        self.latest_cell = self.latest_cell.map(new);
        self.known = known;
        self.most_known = before.most_known;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::config::tests::{document, topology_of};

    fn changed(change: impl FnOnce(&mut Value)) -> Result<Topology, String> {
        let mut later = document("learning");
        change(&mut later);
        let before = topology_of(&document("learning"));
        topology_of(&later).after(&before).map_err(|error| error.to_string())
    }

    #[test]
    fn cells_keep_their_indices_and_those_of_gone_ones_stay_free() {
        let topology = changed(|document| {
            let cells = document["cells"].as_array_mut().unwrap();
            cells.reverse();
            // US1 goes, EU2 comes, and EU0 moves to another address.
            cells.retain(|cell| cell["id"] != "cell_us1");
            let mut new = cells[0].clone();
            new["id"] = json!("cell_eu2");
            new["name"] = json!("Cell EU2");
            new["url"] = json!("http://127.0.0.1:22008");
            cells.push(new);
            cells[1]["url"] = json!("http://127.0.0.1:22009");
        })
        .unwrap();
        let index = |id| topology.cell_with_id(id).map(CellIndex::index);
        assert_eq!(
            ["cell_us0", "cell_eu0", "cell_eu1", "cell_eu2"].map(index),
            [Some(0), Some(2), Some(3), Some(4)]
        );
        assert_eq!(index("cell_us1"), None);
        assert_eq!(topology.cell_named(b"Cell US1"), None);
        assert!(!topology.has(CellIndex::at(1)) && !topology.has(CellIndex::at(5)));
        assert_eq!(topology.cell(CellIndex::at(1)).name, "Cell US1");
        assert_eq!(topology.cell(CellIndex::at(2)).url.authority(), "127.0.0.1:22009");
        assert_eq!(topology.known(), 5);
        assert_eq!(topology.latest_cell, Some(CellIndex::at(0)));
        let own: Vec<_> = topology.own_cells().iter().map(|cell| cell.index()).collect();
        assert_eq!(own, [3, 2, 4]);
        // It comes back under its old index.
        let again = topology_of(&document("learning")).after(&topology).unwrap();
        assert_eq!(again.cell_with_id("cell_us1"), Some(CellIndex::at(1)));
        assert!(!again.has(CellIndex::at(4)));
    }

    #[test]
    fn what_cannot_change_is_named() {
        let error = changed(|document| document["listen"] = json!("127.0.0.1:21009")).unwrap_err();
        assert_eq!(error, "member `listen`: can change with a new start only");
        let error = changed(|document| document["protocol"] = json!("buffering")).unwrap_err();
        assert!(error.contains("`protocol`"), "{error}");
        let error = changed(|document| {
            let cells = document["cells"].as_array_mut().unwrap();
            for number in 0..=MOST_LATER_CELLS {
                let mut new = cells[0].clone();
                new["id"] = json!(format!("cell_{number}"));
                new["name"] = json!(format!("Cell {number}"));
                new["url"] = json!(format!("http://cell-{number}.example"));
                cells.push(new);
            }
        });
        assert!(error.unwrap_err().contains("more than 1024"));
    }
}
