//! Shared databases that write or read something else than a page asks for.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::Request;
use axum::middleware::Next;
use cell_fleet::inside::{Call, PageResult, Parts, StoreError};
use cell_fleet::store::{
    CellSettings, Change, Covering, OpenStores, Organization, ProjectReference, Read, Route,
    Server, SharedDatabases, Spread, User, Written,
};
use cell_fleet::{CellId, Id, IdTable, Position};

/// Admin settings, by key.
pub(crate) type Settings = BTreeMap<String, String>;

tokio::task_local! {
    /// The request whose page uses the databases.
    static CALL: Call;
}

/// What a mutant does to the shared databases while it makes a page.
#[async_trait]
pub(crate) trait SharedMistake: fmt::Debug + Send + Sync + 'static {
    /// What is written in place of a change, if anything is.
    fn written(&self, _call: &Call, change: Change) -> Option<Change> {
        Some(change)
    }

    /// What is read in place of the admin settings.
    fn settings(&self, _call: &Call, settings: Settings) -> Settings {
        settings
    }

    /// Makes the page.
    async fn page(&self, _call: &Call, request: Request, page: Next) -> PageResult {
        Ok(page.run(request).await)
    }
}

/// Cells whose pages use such databases.
#[derive(Debug)]
pub(crate) struct SharedRows<M>(Arc<M>);

impl<M> SharedRows<M> {
    pub(crate) fn with(mistake: M) -> Self {
        Self(Arc::new(mistake))
    }
}

#[async_trait]
impl<M: SharedMistake> Parts for SharedRows<M> {
    fn stores(&self, _: &CellId, stores: OpenStores) -> OpenStores {
        let shared = Arc::new(Mistaken { shared: stores.shared, mistake: self.0.clone() });
        OpenStores { shared, ..stores }
    }

    async fn page(&self, call: Call, request: Request, page: Next) -> PageResult {
        CALL.scope(call.clone(), self.0.page(&call, request, page)).await
    }
}

#[derive(Debug)]
struct Mistaken<M> {
    shared: Arc<dyn SharedDatabases>,
    mistake: Arc<M>,
}

#[async_trait]
impl<M: SharedMistake> SharedDatabases for Mistaken<M> {
    async fn write(&self, change: Change, spread: Spread) -> Written {
        let call = CALL.try_with(Call::clone);
        let change = call.map_or(Some(change.clone()), |call| self.mistake.written(&call, change));
        match change {
            Some(change) => self.shared.write(change, spread).await,
            None => Ok(Ok(self.shared.position().await?)),
        }
    }

    async fn settings(&self, from: &Server) -> Read<Settings> {
        let mut seen = self.shared.settings(from).await?;
        if let Ok(call) = CALL.try_with(Call::clone) {
            seen.rows = self.mistake.settings(&call, seen.rows);
        }
        Ok(seen)
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

    async fn cell_settings(&self, from: &Server) -> Read<CellSettings> {
        self.shared.cell_settings(from).await
    }

    async fn position(&self) -> Result<Position, StoreError> {
        self.shared.position().await
    }
}
