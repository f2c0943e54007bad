//! The rows of a moving organization: their fresh ids, and where they are placed.

use std::collections::BTreeMap;

use crate::CellId;
use crate::database::{Change, OrganizationRows, Stored};
use crate::ids::{Id, IdTable};
use crate::plan::IdStrategy;
use crate::rails::installation::Installation;

impl Installation {
    /// The rows that a cell has of an organization.
    pub(in crate::rails) async fn organization_rows(
        &self,
        cell: &CellId,
        slug: &str,
    ) -> Stored<OrganizationRows> {
        let read = self.stores.own.organization_rows(cell, slug).await;
        self.noted("reading rows of gitlab_main", read)
    }

    pub(super) async fn remove_rows(&self, cell: &CellId, slug: &str) -> Stored<()> {
        let removed = self.stores.own.remove_rows(cell, slug).await;
        self.noted("removing rows of gitlab_main", removed)
    }

    /// Gives fresh ids to the rows whose ids are unique on their cell alone: the same ones as an
    /// earlier copy, if there was one. Returns how many.
    pub(super) async fn renumber(
        &self,
        rows: &mut OrganizationRows,
        to: &CellId,
        fresh: &mut BTreeMap<(IdTable, Id), Id>,
    ) -> Stored<usize> {
        let is_local = |id: Id| matches!(id, Id::Local(_));
        let mut renumbered = 0;
        for row in rows.merge_requests.iter_mut().filter(|row| is_local(row.id)) {
            row.id = self.fresh_id(to, IdTable::MergeRequests, row.id, fresh).await?;
            renumbered += 1;
        }
        for note in &mut rows.notes {
            if is_local(note.id) {
                note.id = self.fresh_id(to, IdTable::Notes, note.id, fresh).await?;
                renumbered += 1;
            }
            if let Some(id) = fresh.get(&(IdTable::MergeRequests, note.merge_request)) {
                note.merge_request = *id;
            }
        }
        Ok(renumbered)
    }

    /// The fresh id of a row: the one that an earlier copy drew, otherwise a new one.
    pub async fn fresh_id(
        &self,
        to: &CellId,
        table: IdTable,
        old: Id,
        fresh: &mut BTreeMap<(IdTable, Id), Id>,
    ) -> Stored<Id> {
        if let Some(id) = fresh.get(&(table, old)) {
            return Ok(*id);
        }
        let drawn = self.ids.draw(&self.casting.node_of(to), to, table).await?;
        fresh.insert((table, old), drawn.id);
        Ok(drawn.id)
    }

    /// Writes down the cell of moved rows that are found by their bare ids.
    pub(super) fn placed_rows(
        &self,
        rows: &OrganizationRows,
        cell: &CellId,
    ) -> impl Iterator<Item = Change> {
        let found_bare = self.plan.id_plan.strategy != IdStrategy::SomeTables;
        let ids = rows.merge_requests.iter().filter(move |_| found_bare).map(|row| row.id);
        ids.map(|id| Change::PlaceRow { table: IdTable::MergeRequests, id, cell: cell.clone() })
    }
}
