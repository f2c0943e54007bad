//! What stands between one cell and the databases that all cells share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::store::{
    CellSettings, Change, Covering, OpenStores, Organization, ProjectReference, Read, Route,
    Server, SharedDatabases, Spread, User, Written,
};
use cell_fleet::{CellId, Id, IdTable, Position, StoreError};

/// The shared databases as a mutant's cell has them. Each method passes the access on, unless it
/// is overridden.
#[async_trait]
pub(crate) trait Front: fmt::Debug + Send + Sync {
    async fn write(&self, shared: &dyn SharedDatabases, change: Change, spread: Spread) -> Written {
        shared.write(change, spread).await
    }

    async fn settings(
        &self,
        shared: &dyn SharedDatabases,
        from: &Server,
    ) -> Read<BTreeMap<String, String>> {
        shared.settings(from).await
    }

    async fn cell_settings(
        &self,
        shared: &dyn SharedDatabases,
        from: &Server,
    ) -> Read<CellSettings> {
        shared.cell_settings(from).await
    }
}

/// The stores of a cell behind this front.
pub(crate) fn behind(front: impl Front + 'static, stores: OpenStores) -> OpenStores {
    let shared = Arc::new(Behind { front, shared: stores.shared });
    OpenStores { shared, ..stores }
}

#[derive(Debug)]
struct Behind<F> {
    front: F,
    shared: Arc<dyn SharedDatabases>,
}

#[async_trait]
impl<F: Front> SharedDatabases for Behind<F> {
    async fn write(&self, change: Change, spread: Spread) -> Written {
        self.front.write(&*self.shared, change, spread).await
    }

    async fn session(&self, from: &Server, session: &str) -> Read<Option<User>> {
        self.shared.session(from, session).await
    }

    async fn token(&self, from: &Server, token: &str) -> Read<Option<User>> {
        self.shared.token(from, token).await
    }

    async fn user(&self, from: &Server, name: &str) -> Read<Option<User>> {
        self.shared.user(from, name).await
    }

    async fn organization(&self, from: &Server, slug: &str) -> Read<Option<Organization>> {
        self.shared.organization(from, slug).await
    }

    async fn organizations(&self, from: &Server) -> Read<Vec<Organization>> {
        self.shared.organizations(from).await
    }

    async fn routes(&self, from: &Server, path: &str) -> Read<Vec<Covering>> {
        self.shared.routes(from, path).await
    }

    async fn all_routes(&self, from: &Server) -> Read<Vec<Route>> {
        self.shared.all_routes(from).await
    }

    async fn project_route(
        &self,
        from: &Server,
        project: &ProjectReference,
    ) -> Read<Option<Route>> {
        self.shared.project_route(from, project).await
    }

    async fn namespace_route(&self, from: &Server, id: Id) -> Read<Option<Route>> {
        self.shared.namespace_route(from, id).await
    }

    async fn row_cell(&self, from: &Server, table: IdTable, id: Id) -> Read<Option<CellId>> {
        self.shared.row_cell(from, table, id).await
    }

    async fn settings(&self, from: &Server) -> Read<BTreeMap<String, String>> {
        self.front.settings(&*self.shared, from).await
    }

    async fn cell_settings(&self, from: &Server) -> Read<CellSettings> {
        self.front.cell_settings(&*self.shared, from).await
    }

    async fn position(&self) -> Result<Position, StoreError> {
        self.shared.position().await
    }
}
