//! What a cell's Redis has of projects, and how a move takes it along.

use crate::CellId;
use crate::database::{Counters, OrganizationRows, Stored};
use crate::ids::Id;
use crate::rails::installation::Installation;

/// How many merge requests of a project were opened.
const OPENED: &str = "merge_requests_opened";

impl Installation {
    /// Counts a merge request that was opened.
    pub(in crate::rails) async fn count_opened(&self, cell: &CellId, project: Id) -> Stored<()> {
        let counted = self.state.count(cell, project, OPENED).await;
        self.noted("writing counters in Redis", counted)
    }

    /// How many merge requests of a project were opened.
    pub(in crate::rails) async fn opened(&self, cell: &CellId, project: Id) -> Stored<u64> {
        let counters = self.state.counters(cell, project).await;
        let counters = self.noted("reading counters in Redis", counters)?;
        Ok(counters.get(OPENED).copied().unwrap_or_default())
    }

    /// What a cell has of the projects of an organization.
    pub(in crate::rails) async fn state_of(
        &self,
        cell: &CellId,
        rows: &OrganizationRows,
    ) -> Stored<Vec<(Id, Counters)>> {
        let mut state = Vec::with_capacity(rows.projects.len());
        for (project, _) in &rows.projects {
            let counters = self.state.counters(cell, project.id).await;
            state.push((project.id, self.noted("reading counters in Redis", counters)?));
        }
        Ok(state)
    }

    /// Gives a cell what another one had.
    pub(in crate::rails) async fn put_state(
        &self,
        cell: &CellId,
        state: &[(Id, Counters)],
    ) -> Stored<()> {
        for (project, counters) in state {
            let put = self.state.put(cell, *project, counters).await;
            self.noted("writing counters in Redis", put)?;
        }
        Ok(())
    }

    /// Removes what a cell has of these projects.
    pub async fn remove_state(&self, cell: &CellId, state: &[(Id, Counters)]) -> Stored<()> {
        for (project, _) in state {
            let removed = self.state.remove(cell, *project).await;
            self.noted("removing counters in Redis", removed)?;
        }
        Ok(())
    }
}
