//! The stores in memory behind a switch: while it is off, every access fails.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;

use crate::database::seed::Seed;
use crate::database::servers::Server;
use crate::database::store::{
    OpenStores, OwnDatabases, Read, Replication, SharedDatabases, Spread, StoreFactory, Written,
};
use crate::database::stores::Stores;
use crate::ids::IdCounters;
use crate::population::Work;
use crate::rows::{
    CellSettings, Change, Covering, Id, IdRange, IdTable, MergeRequest, Namespace, Note, OpenError,
    Organization, OrganizationRows, Position, Project, ProjectReference, Route, StoreError, User,
};
use crate::{CellId, Region};

/// Turns stores off and on.
#[derive(Clone, Debug, Default)]
pub(super) struct Switch(Arc<AtomicBool>);

impl Switch {
    /// The stores behind this switch, which is on.
    pub(super) fn stores(&self) -> Stores {
        Stores::from_factory(Factory(self.clone()))
    }

    pub(super) fn turn_off(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.0.load(Ordering::Relaxed) {
            Err(StoreError::new("switched", "connection refused"))
        } else {
            Ok(())
        }
    }
}

#[derive(Debug)]
struct Factory(Switch);

#[async_trait]
impl StoreFactory for Factory {
    fn name(&self) -> &str {
        "switched"
    }

    async fn open(&self, seed: Seed) -> Result<OpenStores, OpenError> {
        self.0.check()?;
        let inner = Stores::in_memory().open(seed).await?;
        let switched = Arc::new(Switched { switch: self.0.clone(), inner });
        Ok(OpenStores {
            shared: switched.clone(),
            replication: switched.clone(),
            own: switched.clone(),
            counters: switched.clone(),
            runners: switched.inner.runners.clone(),
        })
    }
}

#[derive(Debug)]
struct Switched {
    switch: Switch,
    inner: OpenStores,
}

#[async_trait]
impl SharedDatabases for Switched {
    async fn write(&self, change: Change, spread: Spread) -> Written {
        self.switch.check()?;
        self.inner.shared.write(change, spread).await
    }

    async fn session(&self, from: &Server, session: &str) -> Read<Option<User>> {
        self.switch.check()?;
        self.inner.shared.session(from, session).await
    }

    async fn token(&self, from: &Server, token: &str) -> Read<Option<User>> {
        self.switch.check()?;
        self.inner.shared.token(from, token).await
    }

    async fn user(&self, from: &Server, name: &str) -> Read<Option<User>> {
        self.switch.check()?;
        self.inner.shared.user(from, name).await
    }

    async fn organization(&self, from: &Server, slug: &str) -> Read<Option<Organization>> {
        self.switch.check()?;
        self.inner.shared.organization(from, slug).await
    }

    async fn organizations(&self, from: &Server) -> Read<Vec<Organization>> {
        self.switch.check()?;
        self.inner.shared.organizations(from).await
    }

    async fn routes(&self, from: &Server, path: &str) -> Read<Vec<Covering>> {
        self.switch.check()?;
        self.inner.shared.routes(from, path).await
    }

    async fn all_routes(&self, from: &Server) -> Read<Vec<Route>> {
        self.switch.check()?;
        self.inner.shared.all_routes(from).await
    }

    async fn project_route(
        &self,
        from: &Server,
        project: &ProjectReference,
    ) -> Read<Option<Route>> {
        self.switch.check()?;
        self.inner.shared.project_route(from, project).await
    }

    async fn namespace_route(&self, from: &Server, id: Id) -> Read<Option<Route>> {
        self.switch.check()?;
        self.inner.shared.namespace_route(from, id).await
    }

    async fn row_cell(&self, from: &Server, table: IdTable, id: Id) -> Read<Option<CellId>> {
        self.switch.check()?;
        self.inner.shared.row_cell(from, table, id).await
    }

    async fn cell_settings(&self, from: &Server) -> Read<CellSettings> {
        self.switch.check()?;
        self.inner.shared.cell_settings(from).await
    }

    async fn settings(&self, from: &Server) -> Read<BTreeMap<String, String>> {
        self.switch.check()?;
        self.inner.shared.settings(from).await
    }

    async fn position(&self) -> Result<Position, StoreError> {
        self.switch.check()?;
        self.inner.shared.position().await
    }
}

#[async_trait]
impl Replication for Switched {
    async fn set_delay(&self, region: &Region, delay: Duration) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.replication.set_delay(region, delay).await
    }

    async fn pause(&self, region: &Region) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.replication.pause(region).await
    }

    async fn resume(&self, region: &Region) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.replication.resume(region).await
    }

    async fn position(&self, region: &Region) -> Result<Position, StoreError> {
        self.switch.check()?;
        self.inner.replication.position(region).await
    }

    async fn wait_until_replayed(
        &self,
        region: &Region,
        position: Position,
    ) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.replication.wait_until_replayed(region, position).await
    }
}

#[async_trait]
impl OwnDatabases for Switched {
    async fn namespace(&self, cell: &CellId, path: &str) -> Result<Option<Namespace>, StoreError> {
        self.switch.check()?;
        self.inner.own.namespace(cell, path).await
    }

    async fn namespaces(&self, cell: &CellId) -> Result<Vec<Namespace>, StoreError> {
        self.switch.check()?;
        self.inner.own.namespaces(cell).await
    }

    async fn project(
        &self,
        cell: &CellId,
        project: &ProjectReference,
    ) -> Result<Option<Project>, StoreError> {
        self.switch.check()?;
        self.inner.own.project(cell, project).await
    }

    async fn projects(&self, cell: &CellId) -> Result<Vec<Project>, StoreError> {
        self.switch.check()?;
        self.inner.own.projects(cell).await
    }

    async fn work(&self, cell: &CellId, user: &str) -> Result<Work, StoreError> {
        self.switch.check()?;
        self.inner.own.work(cell, user).await
    }

    async fn pipelines(&self, cell: &CellId, project: Id) -> Result<u64, StoreError> {
        self.switch.check()?;
        self.inner.own.pipelines(cell, project).await
    }

    async fn add_namespace(&self, cell: &CellId, namespace: Namespace) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.own.add_namespace(cell, namespace).await
    }

    async fn add_project(&self, cell: &CellId, project: Project) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.own.add_project(cell, project).await
    }

    async fn rename_namespace(
        &self,
        cell: &CellId,
        path: &str,
        to: &str,
    ) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.own.rename_namespace(cell, path, to).await
    }

    async fn add_merge_request(
        &self,
        cell: &CellId,
        row: MergeRequest,
    ) -> Result<MergeRequest, StoreError> {
        self.switch.check()?;
        self.inner.own.add_merge_request(cell, row).await
    }

    async fn merge_requests(
        &self,
        cell: &CellId,
        project: Id,
    ) -> Result<Vec<MergeRequest>, StoreError> {
        self.switch.check()?;
        self.inner.own.merge_requests(cell, project).await
    }

    async fn merge_request(
        &self,
        cell: &CellId,
        id: Id,
    ) -> Result<Option<MergeRequest>, StoreError> {
        self.switch.check()?;
        self.inner.own.merge_request(cell, id).await
    }

    async fn add_note(&self, cell: &CellId, note: Note) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.own.add_note(cell, note).await
    }

    async fn notes(&self, cell: &CellId, of: Id) -> Result<Vec<Note>, StoreError> {
        self.switch.check()?;
        self.inner.own.notes(cell, of).await
    }

    async fn organization_rows(
        &self,
        cell: &CellId,
        slug: &str,
    ) -> Result<OrganizationRows, StoreError> {
        self.switch.check()?;
        self.inner.own.organization_rows(cell, slug).await
    }

    async fn add_rows(&self, cell: &CellId, rows: OrganizationRows) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.own.add_rows(cell, rows).await
    }

    async fn remove_rows(&self, cell: &CellId, slug: &str) -> Result<(), StoreError> {
        self.switch.check()?;
        self.inner.own.remove_rows(cell, slug).await
    }
}

#[async_trait]
impl IdCounters for Switched {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError> {
        self.switch.check()?;
        self.inner.counters.count(cell, table, by).await
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        self.switch.check()?;
        self.inner.counters.hand_out(cell, table, first, size).await
    }

    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError> {
        self.switch.check()?;
        self.inner.counters.holder(table, number).await
    }
}
