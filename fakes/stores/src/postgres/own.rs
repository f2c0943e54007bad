//! Each cell's own schemas on PostgreSQL: a database for `gitlab_main`, and one for `gitlab_ci`.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::population::Work;
use cell_fleet::store::{
    MergeRequest, Namespace, Note, OrganizationRows, OwnDatabases, Project, ProjectReference,
};
use cell_fleet::{CellId, Id, StoreError, Stored};

use super::cluster::{Cluster, Database};
use super::kind::Kind;
use super::link::Link;
use super::own_rows::{
    add_namespace, add_project, projects, put_merge_request, put_note, put_pipelines,
};
use super::rows::bigint;

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
        rows: BTreeMap<CellId, OrganizationRows>,
    ) -> Stored<Self> {
        let (mut own, mut databases) = (BTreeMap::new(), BTreeMap::new());
        for cell in cells {
            let main = cluster.database(Kind::Main).await?;
            let ci = cluster.database(Kind::Ci).await?;
            let link = |database: &Database| Link::new(cluster.primary(), database.name());
            own.insert(cell.clone(), Own { main: link(&main)?, ci: link(&ci)? });
            databases.insert(cell.clone(), [main, ci]);
        }
        let stores = Self { cells: own, databases };
        for (cell, rows) in rows {
            stores.add_rows(&cell, rows).await?;
        }
        Ok(stores)
    }

    pub(super) fn databases_of(&self, cell: &CellId) -> impl Iterator<Item = (Kind, &str)> {
        let databases = self.databases.get(cell).into_iter().flatten();
        databases.map(|database| (database.kind(), database.name()))
    }

    /// A cell's database for `gitlab_main`.
    pub(super) fn main(&self, cell: &CellId) -> Stored<&Link> {
        Ok(&self.of(cell)?.main)
    }

    /// A cell's database for `gitlab_ci`.
    pub(super) fn ci(&self, cell: &CellId) -> Stored<&Link> {
        Ok(&self.of(cell)?.ci)
    }

    fn of(&self, cell: &CellId) -> Stored<&Own> {
        let own = self.cells.get(cell);
        own.ok_or_else(|| StoreError::new(format!("{cell}"), "the fleet has no such cell"))
    }
}

#[async_trait]
impl OwnDatabases for PostgresOwn {
    async fn namespace(&self, cell: &CellId, path: &str) -> Stored<Option<Namespace>> {
        let sql = "SELECT * FROM namespaces WHERE path = $1";
        self.main(cell)?.first(sql, &[&path], |columns| columns.namespace()).await
    }

    async fn namespaces(&self, cell: &CellId) -> Stored<Vec<Namespace>> {
        let sql = "SELECT * FROM namespaces ORDER BY path";
        self.main(cell)?.all(sql, &[], |columns| columns.namespace()).await
    }

    async fn project(&self, cell: &CellId, project: &ProjectReference) -> Stored<Option<Project>> {
        let main = self.main(cell)?;
        let rows = match project {
            ProjectReference::Path(path) => projects(main, "WHERE path = $1", &[path]).await?,
            ProjectReference::Id(id) => projects(main, "WHERE id = $1", &[&id.to_string()]).await?,
        };
        Ok(rows.into_iter().next())
    }

    async fn projects(&self, cell: &CellId) -> Stored<Vec<Project>> {
        projects(self.main(cell)?, "", &[]).await
    }

    async fn work(&self, cell: &CellId, user: &str) -> Stored<Work> {
        let sql = "SELECT * FROM todos WHERE username = $1";
        let rows = self.main(cell)?.all(sql, &[&user], |columns| columns.work()).await?;
        Ok(rows.into_iter().fold(Work::default(), |sum, work| sum + work))
    }

    async fn pipelines(&self, cell: &CellId, project: Id) -> Stored<u64> {
        let sql = "SELECT count(*) FROM pipelines WHERE project_id = $1";
        let project = project.to_string();
        self.ci(cell)?.one(sql, &[&project], |columns| columns.unsigned("count")).await
    }

    async fn rename_namespace(&self, cell: &CellId, path: &str, to: &str) -> Stored<()> {
        let main = self.main(cell)?;
        let mut client = main.get().await?;
        let writing = main.begin(&mut client).await?;
        let namespace = "UPDATE namespaces SET path = $2 WHERE path = $1";
        writing.execute(namespace, &[&path, &to]).await?;
        // '0' is the character after '/'. The work follows by its foreign key.
        let projects = "UPDATE projects SET path = $2::text || substr(path, length($1::text) + 1) \
                        WHERE path >= $1::text || '/' AND path < $1::text || '0'";
        writing.execute(projects, &[&path, &to]).await?;
        writing.commit().await
    }

    async fn add_merge_request(
        &self,
        cell: &CellId,
        merge_request: MergeRequest,
    ) -> Stored<MergeRequest> {
        let main = self.main(cell)?;
        let mut client = main.get().await?;
        let writing = main.begin(&mut client).await?;
        let next = "INSERT INTO internal_ids AS ids (project_id, last_value) VALUES ($1, 1) \
                    ON CONFLICT (project_id) DO UPDATE SET last_value = ids.last_value + 1 \
                    RETURNING last_value";
        let project = merge_request.project.to_string();
        let iid = writing.one(next, &[&project], |columns| columns.unsigned("last_value")).await?;
        let row = MergeRequest { iid, ..merge_request };
        put_merge_request(&writing, &row).await?;
        writing.commit().await?;
        Ok(row)
    }

    async fn merge_requests(&self, cell: &CellId, project: Id) -> Stored<Vec<MergeRequest>> {
        let sql = "SELECT * FROM merge_requests WHERE project_id = $1 ORDER BY iid";
        let project = project.to_string();
        self.main(cell)?.all(sql, &[&project], |columns| columns.merge_request()).await
    }

    async fn merge_request(&self, cell: &CellId, id: Id) -> Stored<Option<MergeRequest>> {
        let sql = "SELECT * FROM merge_requests WHERE id = $1";
        let id = id.to_string();
        self.main(cell)?.first(sql, &[&id], |columns| columns.merge_request()).await
    }

    async fn notes(&self, cell: &CellId, merge_request: Id) -> Stored<Vec<Note>> {
        let sql = "SELECT * FROM notes WHERE merge_request_id = $1";
        let of = merge_request.to_string();
        let mut notes = self.main(cell)?.all(sql, &[&of], |columns| columns.note()).await?;
        // Ids are compared as numbers or UUIDs; their texts would be in another order.
        notes.sort_by_key(|note| note.id);
        Ok(notes)
    }

    async fn organization_rows(&self, cell: &CellId, slug: &str) -> Stored<OrganizationRows> {
        let main = self.main(cell)?;
        let sql = "SELECT * FROM namespaces WHERE organization = $1 ORDER BY path";
        let namespaces = main.all(sql, &[&slug], |columns| columns.namespace()).await?;
        let mut found = Vec::new();
        for project in projects(main, "WHERE organization = $1", &[&slug]).await? {
            let pipelines = self.pipelines(cell, project.id).await?;
            found.push((project, pipelines));
        }
        let ids: Vec<_> = found.iter().map(|(project, _)| project.id.to_string()).collect();
        let sql = "SELECT * FROM merge_requests WHERE project_id = ANY ($1)";
        let mut merge_requests = main.all(sql, &[&ids], |columns| columns.merge_request()).await?;
        merge_requests.sort_by_key(|row| row.id);
        let sql = "SELECT * FROM notes WHERE project_id = ANY ($1)";
        let mut notes = main.all(sql, &[&ids], |columns| columns.note()).await?;
        notes.sort_by_key(|note| note.id);
        Ok(OrganizationRows { namespaces, projects: found, merge_requests, notes })
    }

    async fn add_rows(&self, cell: &CellId, rows: OrganizationRows) -> Stored<()> {
        let Own { main, ci } = self.of(cell)?;
        let mut client = main.get().await?;
        let writing = main.begin(&mut client).await?;
        for row in &rows.namespaces {
            add_namespace(&writing, row).await?;
        }
        for (row, _) in &rows.projects {
            add_project(&writing, row).await?;
        }
        for row in &rows.merge_requests {
            put_merge_request(&writing, row).await?;
            let last = "INSERT INTO internal_ids AS ids (project_id, last_value) VALUES ($1, $2) \
                        ON CONFLICT (project_id) DO UPDATE \
                        SET last_value = greatest(ids.last_value, excluded.last_value)";
            let (project, iid) = (row.project.to_string(), bigint(row.iid));
            writing.execute(last, &[&project, &iid]).await?;
        }
        for row in &rows.notes {
            put_note(&writing, row).await?;
        }
        writing.commit().await?;
        if rows.projects.is_empty() {
            return Ok(());
        }
        let mut client = ci.get().await?;
        let writing = ci.begin(&mut client).await?;
        for (project, pipelines) in &rows.projects {
            put_pipelines(&writing, project.id, *pipelines).await?;
        }
        writing.commit().await
    }

    async fn remove_rows(&self, cell: &CellId, slug: &str) -> Stored<()> {
        let Own { main, ci } = self.of(cell)?;
        let mut client = main.get().await?;
        let writing = main.begin(&mut client).await?;
        let sql = "SELECT id FROM projects WHERE organization = $1";
        let ids = writing.all(sql, &[&slug], |columns| columns.get::<String>("id")).await?;
        for table in ["notes", "merge_requests", "internal_ids"] {
            let sql = format!("DELETE FROM {table} WHERE project_id = ANY ($1)");
            writing.execute(&sql, &[&ids]).await?;
        }
        for table in ["projects", "namespaces"] {
            let sql = format!("DELETE FROM {table} WHERE organization = $1");
            writing.execute(&sql, &[&slug]).await?;
        }
        writing.commit().await?;
        let sql = "DELETE FROM pipelines WHERE project_id = ANY ($1)";
        ci.execute(sql, &[&ids]).await.map(drop)
    }
}
