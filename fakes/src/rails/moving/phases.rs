//! What each phase of a move does.

use super::Mover;
use crate::CellId;
use crate::database::{Change, OrganizationRows, Spread};
use crate::journal::{Event, MoveStep, RowsMoved};
use crate::moves::{Copied, MovePhase, UnderWay};
use crate::rails::control::ControlError;
use crate::rails::installation::Installation;
use crate::rails::path::is_at_or_below;

impl Installation {
    /// Does one phase; half of it where the mover dies.
    pub(super) async fn phase(
        &self,
        mover: &(impl Mover + ?Sized),
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
                let before = under_way.copied.rows.clone();
                self.copy(mover, slug, under_way).await?;
                let copied = &mut under_way.copied;
                copied.jobs = self.jobs_of(&from, &copied.projects()).await?;
                if dies {
                    copied.lose_half();
                }
                changed = copied.rows.differing_from(&before);
            }
            MovePhase::Freeze => {
                self.gates.close(&from, slug);
                if !dies {
                    self.gates.drained(&from, slug).await;
                    let rows = self.organization_rows(&from, slug).await?;
                    let projects: Vec<_> = rows.projects.iter().map(|(row, _)| row.id).collect();
                    self.give_back_jobs(&from, &projects).await?;
                }
            }
            MovePhase::Switch => {
                // An attempt before may have added rows that have changed since.
                self.remove_rows(&to, slug).await?;
                self.put(&from, &to, &under_way.copied).await?;
                changed = under_way.copied.rows.len();
                self.place(slug, &under_way.copied.rows, &to, dies).await?;
            }
            MovePhase::Thaw => self.gates.open(&to, slug),
            MovePhase::CleanUp => {
                self.all_replicas_know().await?;
                self.drop_rows(&from, slug, &under_way.copied).await?;
                if !dies {
                    self.drop_side(&from, &under_way.copied).await?;
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
        let organization = slug.to_owned();
        let step = MoveStep { organization, phase, from, to, rows: changed, died: dies };
        self.journal.append(Event::MoveStep(step));
        Ok(())
    }

    /// Copies all data but the jobs again, and returns what became of the rows.
    pub(super) async fn copy(
        &self,
        mover: &(impl Mover + ?Sized),
        slug: &str,
        under_way: &mut UnderWay,
    ) -> Result<RowsMoved, ControlError> {
        let UnderWay { from, to, fresh, copied, .. } = under_way;
        let mut rows = self.organization_rows(from, slug).await?;
        let references_before = rows.references();
        let renumbered = mover.renumber(self, &mut rows, from, to, fresh).await?;
        let moved = RowsMoved {
            from: from.clone(),
            to: to.clone(),
            rows: rows.len(),
            renumbered,
            references_before,
            references_after: rows.references(),
        };
        let projects = rows.projects.iter().map(|(project, _)| project.id);
        let side = projects.map(|id| (id, self.side.of(from, id))).collect();
        let state = self.state_of(from, &rows).await?;
        *copied = Copied { rows, side, state, jobs: Vec::new() };
        Ok(moved)
    }

    /// Gives the new cell what has been copied.
    pub(super) async fn put(
        &self,
        from: &CellId,
        to: &CellId,
        copied: &Copied,
    ) -> Result<(), ControlError> {
        let added = self.stores.own.add_rows(to, copied.rows.clone()).await;
        self.noted("adding rows of gitlab_main", added)?;
        for (project, stores) in &copied.side {
            self.side.put(to, *project, stores.clone());
        }
        self.put_state(to, &copied.state).await?;
        self.replace_jobs(to, &copied.projects(), &copied.jobs).await?;
        self.move_folders(&copied.rows, from, to);
        Ok(())
    }

    /// Drops the rows that a cell has of an organization. Its jobs go first: while the rows are
    /// there, polls pass over them.
    pub(super) async fn drop_rows(
        &self,
        cell: &CellId,
        slug: &str,
        copied: &Copied,
    ) -> Result<(), ControlError> {
        self.replace_jobs(cell, &copied.projects(), &[]).await?;
        Ok(self.remove_rows(cell, slug).await?)
    }

    /// Drops what a cell keeps of an organization outside its databases.
    pub(super) async fn drop_side(
        &self,
        cell: &CellId,
        copied: &Copied,
    ) -> Result<(), ControlError> {
        for (project, _) in &copied.side {
            self.side.remove(cell, *project);
        }
        Ok(self.remove_state(cell, &copied.state).await?)
    }

    /// Lets another cell serve the repositories on disk of these namespaces.
    pub(super) fn move_folders(&self, rows: &OrganizationRows, from: &CellId, to: &CellId) {
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
}
