//! Each cell's own schemas on PostgreSQL: a database for `gitlab_main`, and one for `gitlab_ci`.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::population::Work;
use cell_fleet::store::{
    MergeRequest, Namespace, Note, OrganizationRows, OwnDatabases, OwnRow, Project,
    ProjectReference,
};
use cell_fleet::{CellId, Id, StoreError};

use super::cluster::{Cluster, Database};
use super::link::Link;
use super::migrations::Kind;
use super::own_rows::{
    add_namespace, add_project, projects, put_merge_request, put_note, put_pipelines, read,
};
use super::rows::{Columns, bigint};

/// `gitlab_main` and `gitlab_ci` of every cell.
#[derive(Debug)]
pub(super) struct PostgresOwn {
    cells: BTreeMap<CellId, Own>,
    // Given back after the connections to them are closed.
    databases: BTreeMap<CellId, [Database; 2]>,
}

/// The databases of a cell.
#[derive(Debug)]
struct Own {
    main: Link,
    ci: Link,
}

impl PostgresOwn {
    /// Databases for these cells, with these rows.
    pub(super) async fn open(
        cluster: &Arc<Cluster>,
        cells: &[CellId],
        rows: Vec<(CellId, OwnRow)>,
    ) -> Result<Self, StoreError> {
        let (mut own, mut databases) = (BTreeMap::new(), BTreeMap::new());
        for cell in cells {
            let main = cluster.database(Kind::Main).await?;
            let ci = cluster.database(Kind::Ci).await?;
            let link = |database: &Database| Link::new(cluster.primary(), database.name());
            own.insert(cell.clone(), Own { main: link(&main)?, ci: link(&ci)? });
            databases.insert(cell.clone(), [main, ci]);
        }
        let stores = Self { cells: own, databases };
        let mut of_cells: BTreeMap<CellId, OrganizationRows> = BTreeMap::new();
        for (cell, row) in rows {
            let of = of_cells.entry(cell).or_default();
            match row {
                OwnRow::Namespace(namespace) => of.namespaces.push(namespace),
                OwnRow::Project { project, pipelines } => of.projects.push((project, pipelines)),
            }
        }
        for (cell, rows) in of_cells {
            stores.add_rows(&cell, rows).await?;
        }
        Ok(stores)
    }

    pub(super) fn databases_of(&self, cell: &CellId) -> impl Iterator<Item = (Kind, &str)> {
        let databases = self.databases.get(cell).into_iter().flatten();
        databases.map(|database| (database.kind(), database.name()))
    }

    /// A cell's database for `gitlab_main`.
    pub(super) fn main(&self, cell: &CellId) -> Result<&Link, StoreError> {
        Ok(&self.of(cell)?.main)
    }

    /// A cell's database for `gitlab_ci`.
    pub(super) fn ci(&self, cell: &CellId) -> Result<&Link, StoreError> {
        Ok(&self.of(cell)?.ci)
    }

    fn of(&self, cell: &CellId) -> Result<&Own, StoreError> {
        let own = self.cells.get(cell);
        own.ok_or_else(|| StoreError::new(format!("{cell}"), "the fleet has no such cell"))
    }
}

#[async_trait]
impl OwnDatabases for PostgresOwn {
    async fn namespace(&self, cell: &CellId, path: &str) -> Result<Option<Namespace>, StoreError> {
        let sql = "SELECT * FROM namespaces WHERE path = $1";
        let rows = read(&self.of(cell)?.main, sql, &[&path], |columns| columns.namespace()).await?;
        Ok(rows.into_iter().next())
    }

    async fn namespaces(&self, cell: &CellId) -> Result<Vec<Namespace>, StoreError> {
        let sql = "SELECT * FROM namespaces ORDER BY path";
        read(&self.of(cell)?.main, sql, &[], |columns| columns.namespace()).await
    }

    async fn project(
        &self,
        cell: &CellId,
        project: &ProjectReference,
    ) -> Result<Option<Project>, StoreError> {
        let link = &self.of(cell)?.main;
        let rows = match project {
            ProjectReference::Path(path) => projects(link, "WHERE path = $1", &[path]).await?,
            ProjectReference::Id(id) => projects(link, "WHERE id = $1", &[&id.to_string()]).await?,
        };
        Ok(rows.into_iter().next())
    }

    async fn projects(&self, cell: &CellId) -> Result<Vec<Project>, StoreError> {
        projects(&self.of(cell)?.main, "", &[]).await
    }

    async fn work(&self, cell: &CellId, user: &str) -> Result<Work, StoreError> {
        let sql = "SELECT * FROM todos WHERE username = $1";
        let rows = read(&self.of(cell)?.main, sql, &[&user], |columns| columns.work()).await?;
        Ok(rows.into_iter().fold(Work::default(), |sum, work| sum + work))
    }

    async fn pipelines(&self, cell: &CellId, project: Id) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM pipelines WHERE project_id = $1";
        let count = |columns: &Columns<'_>| columns.get::<i64>("count");
        let rows = read(&self.of(cell)?.ci, sql, &[&project.to_string()], count).await?;
        Ok(rows.first().and_then(|count| u64::try_from(*count).ok()).unwrap_or(0))
    }

    async fn add_namespace(&self, cell: &CellId, namespace: Namespace) -> Result<(), StoreError> {
        let namespaces = vec![namespace];
        self.add_rows(cell, OrganizationRows { namespaces, ..OrganizationRows::default() }).await
    }

    async fn add_project(&self, cell: &CellId, project: Project) -> Result<(), StoreError> {
        let projects = vec![(project, 0)];
        self.add_rows(cell, OrganizationRows { projects, ..OrganizationRows::default() }).await
    }

    async fn rename_namespace(
        &self,
        cell: &CellId,
        path: &str,
        to: &str,
    ) -> Result<(), StoreError> {
        let link = &self.of(cell)?.main;
        let failed = |error| link.failed(&error);
        let mut client = link.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        let namespace = "UPDATE namespaces SET path = $2 WHERE path = $1";
        transaction.execute(namespace, &[&path, &to]).await.map_err(failed)?;
        // '0' is the character after '/'. The work follows by its foreign key.
        let projects = "UPDATE projects SET path = $2::text || substr(path, length($1::text) + 1) \
                        WHERE path >= $1::text || '/' AND path < $1::text || '0'";
        transaction.execute(projects, &[&path, &to]).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)
    }

    async fn add_merge_request(
        &self,
        cell: &CellId,
        merge_request: MergeRequest,
    ) -> Result<MergeRequest, StoreError> {
        let link = &self.of(cell)?.main;
        let failed = |error| link.failed(&error);
        let mut client = link.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        let next = "INSERT INTO internal_ids AS ids (project_id, last_value) VALUES ($1, 1) \
                    ON CONFLICT (project_id) DO UPDATE SET last_value = ids.last_value + 1 \
                    RETURNING last_value";
        let project = merge_request.project.to_string();
        let row = transaction.query_one(next, &[&project]).await.map_err(failed)?;
        let iid: i64 = row.try_get(0).map_err(failed)?;
        let row = MergeRequest { iid: u64::try_from(iid).unwrap_or(0), ..merge_request };
        put_merge_request(&transaction, &row).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(row)
    }

    async fn merge_requests(
        &self,
        cell: &CellId,
        project: Id,
    ) -> Result<Vec<MergeRequest>, StoreError> {
        let sql = "SELECT * FROM merge_requests WHERE project_id = $1 ORDER BY iid";
        let link = &self.of(cell)?.main;
        read(link, sql, &[&project.to_string()], |columns| columns.merge_request()).await
    }

    async fn merge_request(
        &self,
        cell: &CellId,
        id: Id,
    ) -> Result<Option<MergeRequest>, StoreError> {
        let sql = "SELECT * FROM merge_requests WHERE id = $1";
        let link = &self.of(cell)?.main;
        let rows = read(link, sql, &[&id.to_string()], |columns| columns.merge_request()).await?;
        Ok(rows.into_iter().next())
    }

    async fn add_note(&self, cell: &CellId, note: Note) -> Result<(), StoreError> {
        let link = &self.of(cell)?.main;
        let client = link.get().await?;
        put_note(&client, &note).await.map_err(|error| link.failed(&error))
    }

    async fn notes(&self, cell: &CellId, merge_request: Id) -> Result<Vec<Note>, StoreError> {
        let sql = "SELECT * FROM notes WHERE merge_request_id = $1";
        let link = &self.of(cell)?.main;
        let mut notes =
            read(link, sql, &[&merge_request.to_string()], |columns| columns.note()).await?;
        // Ids are compared as numbers or UUIDs; their texts would be in another order.
        notes.sort_by_key(|note| note.id);
        Ok(notes)
    }

    async fn organization_rows(
        &self,
        cell: &CellId,
        slug: &str,
    ) -> Result<OrganizationRows, StoreError> {
        let main = &self.of(cell)?.main;
        let sql = "SELECT * FROM namespaces WHERE organization = $1 ORDER BY path";
        let namespaces = read(main, sql, &[&slug], |columns| columns.namespace()).await?;
        let mut found = Vec::new();
        for project in projects(main, "WHERE organization = $1", &[&slug]).await? {
            let pipelines = self.pipelines(cell, project.id).await?;
            found.push((project, pipelines));
        }
        let ids: Vec<_> = found.iter().map(|(project, _)| project.id.to_string()).collect();
        let sql = "SELECT * FROM merge_requests WHERE project_id = ANY ($1)";
        let mut merge_requests =
            read(main, sql, &[&ids], |columns| columns.merge_request()).await?;
        merge_requests.sort_by_key(|row| row.id);
        let sql = "SELECT * FROM notes WHERE project_id = ANY ($1)";
        let mut notes = read(main, sql, &[&ids], |columns| columns.note()).await?;
        notes.sort_by_key(|note| note.id);
        Ok(OrganizationRows { namespaces, projects: found, merge_requests, notes })
    }

    async fn add_rows(&self, cell: &CellId, rows: OrganizationRows) -> Result<(), StoreError> {
        let Own { main, ci } = self.of(cell)?;
        let failed = |error| main.failed(&error);
        let mut client = main.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        for row in &rows.namespaces {
            add_namespace(&transaction, row).await.map_err(failed)?;
        }
        for (row, _) in &rows.projects {
            add_project(&transaction, row).await.map_err(failed)?;
        }
        for row in &rows.merge_requests {
            put_merge_request(&transaction, row).await.map_err(failed)?;
            let last = "INSERT INTO internal_ids AS ids (project_id, last_value) VALUES ($1, $2) \
                        ON CONFLICT (project_id) DO UPDATE \
                        SET last_value = greatest(ids.last_value, excluded.last_value)";
            let (project, iid) = (row.project.to_string(), bigint(row.iid));
            transaction.execute(last, &[&project, &iid]).await.map_err(failed)?;
        }
        for row in &rows.notes {
            put_note(&transaction, row).await.map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)?;
        if rows.projects.is_empty() {
            return Ok(());
        }
        let failed = |error| ci.failed(&error);
        let mut client = ci.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        for (project, pipelines) in &rows.projects {
            put_pipelines(&transaction, project.id, *pipelines).await.map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }

    async fn remove_rows(&self, cell: &CellId, slug: &str) -> Result<(), StoreError> {
        let Own { main, ci } = self.of(cell)?;
        let failed = |error| main.failed(&error);
        let mut client = main.get().await?;
        let transaction = client.transaction().await.map_err(failed)?;
        let sql = "SELECT id FROM projects WHERE organization = $1";
        let found = transaction.query(sql, &[&slug]).await.map_err(failed)?;
        let ids = found.iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>();
        let ids = ids.map_err(failed)?;
        for table in ["notes", "merge_requests", "internal_ids"] {
            let sql = format!("DELETE FROM {table} WHERE project_id = ANY ($1)");
            transaction.execute(&sql, &[&ids]).await.map_err(failed)?;
        }
        for table in ["projects", "namespaces"] {
            let sql = format!("DELETE FROM {table} WHERE organization = $1");
            transaction.execute(&sql, &[&slug]).await.map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)?;
        let client = ci.get().await?;
        let sql = "DELETE FROM pipelines WHERE project_id = ANY ($1)";
        client.execute(sql, &[&ids]).await.map(drop).map_err(|error| ci.failed(&error))
    }
}
