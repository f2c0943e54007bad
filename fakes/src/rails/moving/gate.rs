//! Whether a cell takes a write of an organization that may be moving.

use axum::response::Response;

use crate::database::{StoreError, Stored};
use crate::moves::WriteGuard;
use crate::rails::cell::Cell;
use crate::rails::decision::RouteDecision;
use crate::rails::endpoint::{Asked, Endpoint, RepositoryCall};
use crate::rails::request::Visit;
use crate::rails::response;

pub enum Gate<'c> {
    /// The cell takes the write. If it is a write of an organization, it has begun.
    Open {
        /// The write, which ends with its guard.
        begun: Option<WriteGuard<'c>>,
    },
    /// The cell refuses it for now: the organization is being moved.
    Closed(Response),
}

impl Cell {
    /// Begins a write of the organization that a request is about, where it is one.
    pub async fn begin(
        &self,
        asked: &Asked,
        visit: &Visit,
        decision: &RouteDecision,
    ) -> Stored<Gate<'_>> {
        // A clone is a POST that writes nothing.
        let fetches = asked.endpoint == Endpoint::Repository(RepositoryCall::Upload);
        if visit.reads() || fetches {
            return Ok(Gate::Open { begun: None });
        }
        match self.written(asked, visit, decision).await? {
            Some(organization) => Ok(self.enter(&organization, &visit.path)),
            None => Ok(Gate::Open { begun: None }),
        }
    }

    /// The organization that a request is about.
    pub async fn written(
        &self,
        asked: &Asked,
        visit: &Visit,
        decision: &RouteDecision,
    ) -> Stored<Option<String>> {
        match asked.endpoint {
            Endpoint::Organization => Ok(Some(asked.param("slug").to_owned())),
            Endpoint::Groups => Ok(visit.form().filled("organization").map(str::to_owned)),
            Endpoint::ApiProjects => {
                let route = self.namespace_of(&visit.form()).await?;
                self.organization_at(route.as_ref().map(|route| route.path.as_str())).await
            }
            _ => {
                let route = decision.route.as_ref();
                self.organization_at(route.map(|route| route.path.as_str())).await
            }
        }
    }

    /// Begins a write of the organization to which the namespace at or above a path belongs.
    pub async fn begin_at(&self, path: &str) -> Stored<Gate<'_>> {
        match self.organization_at(Some(path)).await? {
            Some(organization) => Ok(self.enter(&organization, path)),
            None => Ok(Gate::Open { begun: None }),
        }
    }

    /// Begins a write of an organization.
    pub fn enter(&self, organization: &str, path: &str) -> Gate<'_> {
        if let Some(begun) = self.installation.gates.acquire(&self.role(), organization) {
            return Gate::Open { begun: Some(begun) };
        }
        let moving = StoreError::planned("moves", format!("`{organization}` is being moved"));
        Gate::Closed(response::store_failed(path, &moving))
    }

    async fn organization_at(&self, path: Option<&str>) -> Stored<Option<String>> {
        let namespace = path.and_then(|path| path.trim_start_matches('/').split('/').next());
        let Some(namespace) = namespace else { return Ok(None) };
        // The organization's own cell has the row. The journal does not have this read, since the
        // application would not make it.
        let found = self.installation.stores.own.namespace(&self.role(), namespace).await;
        let found = self.installation.noted("reading gitlab_main.namespaces", found)?;
        Ok(found.and_then(|namespace| namespace.organization))
    }
}
