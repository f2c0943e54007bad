//! Moves an organization with all its data, phase by phase.

mod state;

use axum::http::header;
use axum::response::Response;

use super::cell::Cell;
use super::control::ControlError;
use super::decision::RouteDecision;
use super::endpoint::{Asked, Endpoint, RepositoryCall};
use super::installation::Installation;
use super::path::is_at_or_below;
use super::request::Visit;
use super::response;
use crate::CellId;
use crate::database::{Change, OrganizationRows, Spread, StoreError};
use crate::journal::{Event, MoveStep};
use crate::moves::{Copied, MovePhase, OfProject, UnderWay, WriteGuard};
use crate::mutants::Mutation;

impl Installation {
    /// Runs the phases of an organization's move up to this one, after those that are done already.
    /// The move begins where there is none.
    ///
    /// # Errors
    /// Where there is no such organization or cell, another move of it is under way, a replica does
    /// not know of the switch yet (before the old cell drops its rows), or a store fails.
    pub async fn run_move(
        &self,
        slug: &str,
        to: &CellId,
        through: MovePhase,
    ) -> Result<(), ControlError> {
        let mut under_way = self.begun(slug, to).await?;
        for phase in MovePhase::ALL {
            if phase <= through && under_way.done.is_none_or(|done| done < phase) {
                self.phase(slug, &mut under_way, phase, false).await?;
            }
        }
        Ok(())
    }

    /// The same, but the mover dies in the midst of the phase: some of it is done, and it is not
    /// written down as done.
    ///
    /// # Errors
    /// As of [`run_move`](Self::run_move).
    pub async fn kill_mover_in(
        &self,
        slug: &str,
        to: &CellId,
        phase: MovePhase,
    ) -> Result<(), ControlError> {
        let before = MovePhase::ALL.into_iter().take_while(|one| *one < phase).last();
        if let Some(before) = before {
            self.run_move(slug, to, before).await?;
        }
        let mut under_way = self.begun(slug, to).await?;
        self.phase(slug, &mut under_way, phase, true).await
    }

    /// Takes a move back. Where the new cell may have taken writes already, the move is finished,
    /// and the organization moves back with what was written there.
    ///
    /// # Errors
    /// Where no move of the organization is under way, or as of [`run_move`](Self::run_move).
    pub async fn take_move_back(&self, slug: &str) -> Result<(), ControlError> {
        let unknown = || ControlError::NoMove(slug.to_owned());
        let under_way = self.moves.of(slug).ok_or_else(unknown)?;
        let UnderWay { from, to, done, copied, .. } = under_way;
        // A mover that died in the thaw may have opened the new cell.
        if done >= Some(MovePhase::Switch) && !self.gates.is_closed(&to, slug) {
            self.run_move(slug, &to, MovePhase::CleanUp).await?;
            return self.run_move(slug, &from, MovePhase::CleanUp).await;
        }
        // A mover that died in the switch may have begun it.
        if done >= Some(MovePhase::CopyRest) {
            let read = self.stores.own.organization_rows(&from, slug).await;
            let rows = self.noted("reading rows of gitlab_main", read)?;
            self.place(slug, &rows, &from, false).await?;
            self.drop_jobs(&to, &copied).await?;
            let removed = self.stores.own.remove_rows(&to, slug).await;
            self.noted("removing rows of gitlab_main", removed)?;
            self.drop_side(&to, &copied);
            self.move_folders(&rows, &to, &from);
            self.remove_state(&to, &copied.state).await?;
        }
        if !self.has(Mutation::TakenBackStaysFrozen) {
            self.gates.open(&from, slug);
        }
        // The new cell's gate stays closed: a replica that lags may still name it.
        self.moves.end(slug);
        self.enter_step(slug, MovePhase::TakenBack, &from, &to, 0, false);
        Ok(())
    }

    async fn begun(&self, slug: &str, to: &CellId) -> Result<UnderWay, ControlError> {
        self.known(to)?;
        if let Some(under_way) = self.moves.of(slug) {
            let other = || ControlError::OtherMove(slug.to_owned(), under_way.to.clone());
            return if under_way.to == *to { Ok(under_way) } else { Err(other()) };
        }
        let from = self.cell_of(slug).await?;
        if from == *to {
            return Err(ControlError::OtherMove(slug.to_owned(), from));
        }
        let copied = Copied::default();
        let fresh = Default::default();
        Ok(UnderWay { from, to: to.clone(), done: None, copied, fresh })
    }

    /// Does one phase; half of it where the mover dies.
    async fn phase(
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
            MovePhase::Copy => changed = self.copy(slug, under_way, dies).await?,
            MovePhase::Freeze => {
                if !self.has(Mutation::MovesWithoutFreeze) {
                    self.gates.close(&from, slug);
                }
                if !dies {
                    self.gates.drained(&from, slug).await;
                    let read = self.stores.own.organization_rows(&from, slug).await;
                    let rows = self.noted("reading rows of gitlab_main", read)?;
                    let projects: Vec<_> = rows.projects.iter().map(|(row, _)| row.id).collect();
                    self.give_back_jobs(&from, &projects).await?;
                }
            }
            MovePhase::CopyRest if self.has(Mutation::CopiesOnce) => {}
            MovePhase::CopyRest => changed = self.copy(slug, under_way, dies).await?,
            MovePhase::Switch => {
                let Copied { rows, side, state, jobs } = &under_way.copied;
                // An attempt before may have added rows that have changed since.
                let removed = self.stores.own.remove_rows(&to, slug).await;
                self.noted("removing rows of gitlab_main", removed)?;
                let added = self.stores.own.add_rows(&to, rows.clone()).await;
                self.noted("adding rows of gitlab_main", added)?;
                for (project, stores) in side {
                    self.side.put(&to, *project, self.taken_along(stores.clone()));
                }
                self.put_state(&to, state).await?;
                if !self.has(Mutation::LeavesJobsBehind) {
                    let projects = under_way.copied.projects();
                    self.replace_jobs(&to, &projects, jobs).await?;
                }
                self.move_folders(rows, &from, &to);
                changed = rows.len();
                self.place(slug, rows, &to, dies).await?;
            }
            MovePhase::Thaw => {
                self.gates.open(&to, slug);
                if self.has(Mutation::BothCellsTakeWrites) {
                    self.gates.open(&from, slug);
                }
            }
            MovePhase::CleanUp => {
                if !self.has(Mutation::CleansUpEarly) {
                    self.all_replicas_know().await?;
                }
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
            MovePhase::TakenBack => {}
        }
        // After the last phase nothing could be run again.
        let counts_half_done = phase != MovePhase::CleanUp;
        if !dies || (counts_half_done && self.has(Mutation::HalfDonePhasesCount)) {
            under_way.done = Some(phase);
        }
        if phase == MovePhase::CleanUp && !dies {
            self.moves.end(slug);
        } else {
            self.moves.put(slug, under_way.clone());
        }
        self.enter_step(slug, phase, &from, &to, changed, dies);
        Ok(())
    }

    /// Copies all data anew, and returns how many rows differ from the copy before.
    async fn copy(
        &self,
        slug: &str,
        under_way: &mut UnderWay,
        dies: bool,
    ) -> Result<usize, ControlError> {
        let read = self.stores.own.organization_rows(&under_way.from, slug).await;
        let mut rows = self.noted("reading rows of gitlab_main", read)?;
        self.renumber(&mut rows, &under_way.to, &mut under_way.fresh).await?;
        let projects: Vec<_> = rows.projects.iter().map(|(project, _)| project.id).collect();
        let mut side: Vec<_> =
            projects.iter().map(|id| (*id, self.side.of(&under_way.from, *id))).collect();
        if self.has(Mutation::RepositoriesCopiedOnce) && !under_way.copied.side.is_empty() {
            for ((_, stores), (_, before)) in side.iter_mut().zip(&under_way.copied.side) {
                stores.repository = before.repository.clone();
            }
        }
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

    /// Drops what a cell keeps beside its databases.
    fn drop_side(&self, cell: &CellId, copied: &Copied) {
        for (project, _) in &copied.side {
            self.side.remove(cell, *project);
        }
    }

    /// Drops the jobs that a cell has in its queue.
    async fn drop_jobs(&self, cell: &CellId, copied: &Copied) -> Result<(), ControlError> {
        let kept = [Mutation::LeavesJobsBehind, Mutation::JobsGivenOnBothCells];
        if !kept.into_iter().any(|kept| self.has(kept)) {
            self.replace_jobs(cell, &copied.projects(), &[]).await?;
        }
        Ok(())
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

    fn taken_along(&self, mut stores: OfProject) -> OfProject {
        if self.has(Mutation::LeavesBranchesBehind) {
            stores.repository = Default::default();
        }
        if self.has(Mutation::LeavesObjectsBehind) {
            stores.repository.objects.clear();
        }
        if self.has(Mutation::LeavesTheIndexBehind) {
            stores.index.clear();
        }
        stores
    }

    /// Lets the shared databases name the cell; of the organization's own row alone where the mover
    /// dies.
    async fn place(
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

    fn enter_step(
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

/// Whether a cell takes a write.
pub(super) enum Gate<'c> {
    /// The cell takes the write. If it is a write of an organization, it has begun.
    Open { begun: Option<WriteGuard<'c>> },
    /// The cell refuses it for now: the organization is being moved.
    Closed(Response),
}

impl Cell {
    /// Begins a write of the organization that a request is about, where it is one.
    pub(super) async fn begin(
        &self,
        asked: &Asked,
        visit: &Visit,
        decision: &RouteDecision,
    ) -> Result<Gate<'_>, StoreError> {
        // A clone is a POST that writes nothing.
        let fetches = asked.endpoint == Endpoint::Repository(RepositoryCall::Upload);
        let reads = visit.reads() || fetches && !self.has(Mutation::FetchesCountAsWrites);
        let pushes = asked.endpoint == Endpoint::Repository(RepositoryCall::Receive);
        let passes = pushes && self.has(Mutation::PushesPassTheGate);
        if reads && !self.has(Mutation::FrozenForReads) || passes {
            return Ok(Gate::Open { begun: None });
        }
        let organization = match asked.endpoint {
            Endpoint::Organization => Some(asked.param("slug").to_owned()),
            Endpoint::Groups => visit.form().filled("organization").map(str::to_owned),
            Endpoint::ApiProjects => {
                let route = self.namespace_of(&visit.form()).await?;
                self.organization_at(route.as_ref().map(|route| route.path.as_str())).await?
            }
            _ => {
                let route = decision.route.as_ref();
                self.organization_at(route.map(|route| route.path.as_str())).await?
            }
        };
        let Some(organization) = organization else { return Ok(Gate::Open { begun: None }) };
        if pushes && self.has(Mutation::OldCellTakesPushes) {
            let moving = self.installation.moves.of(&organization);
            if moving.is_some_and(|moving| moving.done >= Some(MovePhase::Thaw)) {
                return Ok(Gate::Open { begun: None });
            }
        }
        self.enter(&organization, &visit.path)
    }

    /// Begins a write of the organization to which the namespace at or above a path belongs.
    pub(super) async fn begin_at(&self, path: &str) -> Result<Gate<'_>, StoreError> {
        match self.organization_at(Some(path)).await? {
            Some(organization) => self.enter(&organization, path),
            None => Ok(Gate::Open { begun: None }),
        }
    }

    fn enter(&self, organization: &str, path: &str) -> Result<Gate<'_>, StoreError> {
        if let Some(begun) = self.installation.gates.enter(&self.role(), organization) {
            return Ok(Gate::Open { begun: Some(begun) });
        }
        let moving = StoreError::planned("moves", format!("`{organization}` is being moved"));
        let mut refused = response::store_failed(path, &moving);
        if self.has(Mutation::FrozenWithoutRetryAfter) {
            refused.headers_mut().remove(header::RETRY_AFTER);
        }
        Ok(Gate::Closed(refused))
    }

    async fn organization_at(&self, path: Option<&str>) -> Result<Option<String>, StoreError> {
        let namespace = path.and_then(|path| path.trim_start_matches('/').split('/').next());
        let Some(namespace) = namespace else { return Ok(None) };
        // The organization's own cell has the row; no access of an application is this one.
        let found = self.installation.stores.own.namespace(&self.role(), namespace).await;
        let found = self.installation.noted("reading gitlab_main.namespaces", found)?;
        Ok(found.and_then(|namespace| namespace.organization))
    }
}
