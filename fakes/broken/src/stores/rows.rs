//! Rows of cells with a mistake.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::population::Work;
use cell_fleet::store::{
    MergeRequest, Namespace, Note, OpenStores, OrganizationRows, OwnDatabases, Project,
    ProjectReference,
};
use cell_fleet::{CellId, Id, IdStrategy, StoreError};

use super::counters::Forgetful;

/// What is wrong with rows.
#[async_trait]
trait Mistake: fmt::Debug + Send + Sync {
    /// The IID that a merge request with this one is shown by, and the other way round.
    fn iid(&self, iid: u64) -> u64 {
        iid
    }

    /// Rows are about to leave a cell.
    async fn leave(&self, _cell: &CellId) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A later merge request has a smaller IID.
#[derive(Debug)]
struct Falling;

impl Mistake for Falling {
    fn iid(&self, iid: u64) -> u64 {
        1001_u64.saturating_sub(iid)
    }
}

/// Stores whose IIDs fall.
pub(crate) fn iids_fall(stores: OpenStores, _ids: IdStrategy) -> OpenStores {
    OpenStores { own: Arc::new(Mistaken { inner: stores.own, mistake: Falling }), ..stores }
}

/// A cell counts its ids from the beginning when rows have left it.
#[derive(Debug)]
struct Forgets(Arc<Forgetful>);

#[async_trait]
impl Mistake for Forgets {
    async fn leave(&self, cell: &CellId) -> Result<(), StoreError> {
        self.0.forget(cell).await
    }
}

/// Stores that give the ids of a cell again when rows have left it.
pub(crate) fn ids_given_again(stores: OpenStores, ids: IdStrategy) -> OpenStores {
    if ids != IdStrategy::CellBits {
        return stores;
    }
    let counters = Arc::new(Forgetful::new(stores.counters));
    let own = Arc::new(Mistaken { inner: stores.own, mistake: Forgets(counters.clone()) });
    OpenStores { own, counters, ..stores }
}

/// The schemas of cells with a mistake.
#[derive(Debug)]
struct Mistaken<M> {
    inner: Arc<dyn OwnDatabases>,
    mistake: M,
}

impl<M: Mistake> Mistaken<M> {
    fn shown(&self, row: MergeRequest) -> MergeRequest {
        MergeRequest { iid: self.mistake.iid(row.iid), ..row }
    }

    fn all_shown(&self, rows: Vec<MergeRequest>) -> Vec<MergeRequest> {
        rows.into_iter().map(|row| self.shown(row)).collect()
    }
}

#[async_trait]
impl<M: Mistake> OwnDatabases for Mistaken<M> {
    async fn namespace(&self, cell: &CellId, path: &str) -> Result<Option<Namespace>, StoreError> {
        self.inner.namespace(cell, path).await
    }

    async fn namespaces(&self, cell: &CellId) -> Result<Vec<Namespace>, StoreError> {
        self.inner.namespaces(cell).await
    }

    async fn project(
        &self,
        cell: &CellId,
        project: &ProjectReference,
    ) -> Result<Option<Project>, StoreError> {
        self.inner.project(cell, project).await
    }

    async fn projects(&self, cell: &CellId) -> Result<Vec<Project>, StoreError> {
        self.inner.projects(cell).await
    }

    async fn work(&self, cell: &CellId, user: &str) -> Result<Work, StoreError> {
        self.inner.work(cell, user).await
    }

    async fn pipelines(&self, cell: &CellId, project: Id) -> Result<u64, StoreError> {
        self.inner.pipelines(cell, project).await
    }

    async fn add_namespace(&self, cell: &CellId, namespace: Namespace) -> Result<(), StoreError> {
        self.inner.add_namespace(cell, namespace).await
    }

    async fn add_project(&self, cell: &CellId, project: Project) -> Result<(), StoreError> {
        self.inner.add_project(cell, project).await
    }

    async fn rename_namespace(
        &self,
        cell: &CellId,
        path: &str,
        to: &str,
    ) -> Result<(), StoreError> {
        self.inner.rename_namespace(cell, path, to).await
    }

    async fn add_merge_request(
        &self,
        cell: &CellId,
        merge_request: MergeRequest,
    ) -> Result<MergeRequest, StoreError> {
        Ok(self.shown(self.inner.add_merge_request(cell, merge_request).await?))
    }

    async fn merge_requests(
        &self,
        cell: &CellId,
        project: Id,
    ) -> Result<Vec<MergeRequest>, StoreError> {
        let mut rows = self.all_shown(self.inner.merge_requests(cell, project).await?);
        rows.sort_by_key(|row| row.iid);
        Ok(rows)
    }

    async fn merge_request(
        &self,
        cell: &CellId,
        id: Id,
    ) -> Result<Option<MergeRequest>, StoreError> {
        Ok(self.inner.merge_request(cell, id).await?.map(|row| self.shown(row)))
    }

    async fn add_note(&self, cell: &CellId, note: Note) -> Result<(), StoreError> {
        self.inner.add_note(cell, note).await
    }

    async fn notes(&self, cell: &CellId, merge_request: Id) -> Result<Vec<Note>, StoreError> {
        self.inner.notes(cell, merge_request).await
    }

    async fn organization_rows(
        &self,
        cell: &CellId,
        slug: &str,
    ) -> Result<OrganizationRows, StoreError> {
        let rows = self.inner.organization_rows(cell, slug).await?;
        let merge_requests = self.all_shown(rows.merge_requests);
        Ok(OrganizationRows { merge_requests, ..rows })
    }

    async fn add_rows(&self, cell: &CellId, rows: OrganizationRows) -> Result<(), StoreError> {
        let merge_requests = self.all_shown(rows.merge_requests);
        self.inner.add_rows(cell, OrganizationRows { merge_requests, ..rows }).await
    }

    async fn remove_rows(&self, cell: &CellId, slug: &str) -> Result<(), StoreError> {
        if !self.inner.organization_rows(cell, slug).await?.is_empty() {
            self.mistake.leave(cell).await?;
        }
        self.inner.remove_rows(cell, slug).await
    }
}
