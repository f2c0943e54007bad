//! What each phase of a move does.

use crate::CellId;
use crate::database::{Change, OrganizationRows, Spread};
use crate::journal::{Event, MoveStep};
use crate::moves::{Copied, MovePhase, UnderWay};
use crate::rails::control::error::ControlError;
use crate::rails::installation::Installation;
use crate::rails::path::is_at_or_below;

impl Installation {
    /// Does one phase; half of it where the mover dies.
    pub(in crate::rails) async fn phase(
        &self,
        slug: &str,
        under_way: &mut UnderWay,
        phase: MovePhase,
        dies: bool,
    ) -> Result<(), ControlError> {
        let (from, to) = (under_way.from.clone(), under_way.to.clone());
        let mut changed = 0;
        match phase {
            MovePhase::Announce => self.gates.close(&to, slug),
            MovePhase::Copy | MovePhase::CopyRest => {
                changed = self.copy(slug, under_way, dies).await?
            }
            MovePhase::Freeze => {
                self.gates.close(&from, slug);
                if !dies {
                    self.gates.drained(&from, slug).await;
                    let read = self.stores.own.organization_rows(&from, slug).await;
                    let rows = self.noted("reading rows of gitlab_main", read)?;
                    let projects: Vec<_> = rows.projects.iter().map(|(row, _)| row.id).collect();
                    self.give_back_jobs(&from, &projects).await?;
                }
            }
            MovePhase::Switch => {
                let Copied { rows, side, state, jobs } = &under_way.copied;
                // An attempt before may have added rows that have changed since.
                let removed = self.stores.own.remove_rows(&to, slug).await;
                self.noted("removing rows of gitlab_main", removed)?;
                let added = self.stores.own.add_rows(&to, rows.clone()).await;
                self.noted("adding rows of gitlab_main", added)?;
                for (project, stores) in side {
                    self.side.put(&to, *project, stores.clone());
                }
                self.put_state(&to, state).await?;
                self.replace_jobs(&to, &under_way.copied.projects(), jobs).await?;
                self.move_folders(rows, &from, &to);
                changed = rows.len();
                self.place(slug, rows, &to, dies).await?;
            }
            MovePhase::Thaw => self.gates.open(&to, slug),
            MovePhase::CleanUp => {
                self.all_replicas_know().await?;
                // While the rows are there, polls pass over the jobs.
                self.drop_jobs(&from, &under_way.copied).await?;
                let removed = self.stores.own.remove_rows(&from, slug).await;
                self.noted("removing rows of gitlab_main", removed)?;
                if !dies {
                    self.drop_side(&from, &under_way.copied);
                    self.remove_state(&from, &under_way.copied.state).await?;
                    self.gates.open(&from, slug);
                }
            }
            // The new cell's gate stays closed: a replica that lags may still name it.
            MovePhase::TakenBack => self.gates.open(&from, slug),
        }
        if !dies {
            under_way.done = Some(phase);
        }
        if phase >= MovePhase::CleanUp && !dies {
            self.moves.end(slug);
        } else {
            self.moves.put(slug, under_way.clone());
        }
        self.enter_step(slug, phase, &from, &to, changed, dies);
        Ok(())
    }

    /// Copies all data again, and returns how many rows differ from the copy before.
    async fn copy(
        &self,
        slug: &str,
        under_way: &mut UnderWay,
        dies: bool,
    ) -> Result<usize, ControlError> {
        let read = self.stores.own.organization_rows(&under_way.from, slug).await;
        let mut rows = self.noted("reading rows of gitlab_main", read)?;
        {
            let UnderWay { from, to, fresh, .. } = under_way;
            self.mover.renumber(self, &mut rows, from, to, fresh).await?;
        }
        let projects: Vec<_> = rows.projects.iter().map(|(project, _)| project.id).collect();
        let mut side: Vec<_> =
            projects.iter().map(|id| (*id, self.side.of(&under_way.from, *id))).collect();
        let jobs = self.jobs_of(&under_way.from, &projects).await?;
        let state = self.state_of(&under_way.from, &rows).await?;
        if dies {
            rows.notes.clear();
            rows.merge_requests.clear();
            for (_, stores) in &mut side {
                stores.repository.objects.clear();
            }
        }
        let changed = rows.differing_from(&under_way.copied.rows);
        under_way.copied = Copied { rows, side, state, jobs };
        Ok(changed)
    }

    /// Drops what a cell keeps outside its databases.
    pub(super) fn drop_side(&self, cell: &CellId, copied: &Copied) {
        for (project, _) in &copied.side {
            self.side.remove(cell, *project);
        }
    }

    /// Drops the jobs that a cell has in its queue.
    pub(super) async fn drop_jobs(
        &self,
        cell: &CellId,
        copied: &Copied,
    ) -> Result<(), ControlError> {
        self.replace_jobs(cell, &copied.projects(), &[]).await
    }

    /// Lets another cell serve the repositories on disk of these namespaces.
    pub(in crate::rails) fn move_folders(
        &self,
        rows: &OrganizationRows,
        from: &CellId,
        to: &CellId,
    ) {
        let folders = self.plan.repositories.iter().filter(|folder| {
            let mut paths = rows.namespaces.iter().map(|row| format!("/{}", row.path));
            paths.any(|path| is_at_or_below(&folder.path, &path))
        });
        for folder in folders.filter(|folder| self.folders.cell_of(folder) == *from) {
            self.folders.move_to(folder, to);
        }
    }

    /// Writes the cell into the shared databases; where the mover dies, only into the
    /// organization's own row.
    pub(super) async fn place(
        &self,
        slug: &str,
        rows: &OrganizationRows,
        cell: &CellId,
        dies: bool,
    ) -> Result<(), ControlError> {
        let placed = Change::PlaceOrganization { slug: slug.to_owned(), cell: cell.clone() };
        let routes = rows
            .namespaces
            .iter()
            .map(|row| Change::PlaceRoutes { path: format!("/{}", row.path), cell: cell.clone() });
        let rest = routes.chain(self.placed_rows(rows, cell)).filter(|_| !dies);
        for change in std::iter::once(placed).chain(rest) {
            self.write(change, Spread::Replicated)
                .await?
                .map_err(|_| ControlError::UnknownOrganization(slug.to_owned()))?;
        }
        Ok(())
    }

    /// Refuses while a replica has not replayed the whole log.
    async fn all_replicas_know(&self) -> Result<(), ControlError> {
        let last = self.position().await?;
        for region in self.plan.topology.regions() {
            if self.replica_position(&region).await? < last {
                return Err(ControlError::ReplicaLags(region));
            }
        }
        Ok(())
    }

    pub(super) fn enter_step(
        &self,
        slug: &str,
        phase: MovePhase,
        from: &CellId,
        to: &CellId,
        rows: usize,
        died: bool,
    ) {
        let organization = slug.to_owned();
        let (from, to) = (from.clone(), to.clone());
        self.journal.append(Event::MoveStep(MoveStep {
            organization,
            phase,
            from,
            to,
            rows,
            died,
        }));
    }
}
