//! Each cell's own schemas in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::CellId;
use crate::database::store::OwnDatabases;
use crate::lock::Lock;
use crate::population::Work;
use crate::rows::{
    Id, MergeRequest, Namespace, Note, OrganizationRows, Project, ProjectReference, Stored,
};

/// `gitlab_main` and `gitlab_ci` of every cell.
#[derive(Debug)]
pub(super) struct MemoryOwn {
    cells: Lock<BTreeMap<CellId, Own>>,
}

#[derive(Debug, Default)]
struct Own {
    namespaces: BTreeMap<String, Namespace>,
    projects: BTreeMap<String, Project>,
    pipelines: BTreeMap<Id, u64>,
    merge_requests: BTreeMap<Id, MergeRequest>,
    notes: BTreeMap<Id, Note>,
}

impl MemoryOwn {
    /// Databases of cells with these rows. Those of other cells are empty.
    pub(super) fn new(rows: BTreeMap<CellId, OrganizationRows>) -> Self {
        let mut cells: BTreeMap<_, Own> = BTreeMap::new();
        for (cell, rows) in rows {
            cells.entry(cell).or_default().add(rows);
        }
        Self { cells: Lock::new(cells) }
    }

    fn read<T: Default>(&self, cell: &CellId, read: impl FnOnce(&Own) -> T) -> Stored<T> {
        Ok(self.cells.lock().get(cell).map(read).unwrap_or_default())
    }

    fn write<T>(&self, cell: &CellId, write: impl FnOnce(&mut Own) -> T) -> Stored<T> {
        Ok(write(self.cells.lock().entry(cell.clone()).or_default()))
    }
}

impl Own {
    fn add(&mut self, rows: OrganizationRows) {
        for namespace in rows.namespaces {
            self.namespaces.insert(namespace.path.clone(), namespace);
        }
        for (project, pipelines) in rows.projects {
            self.pipelines.insert(project.id, pipelines);
            self.projects.insert(project.path.clone(), project);
        }
        self.merge_requests.extend(rows.merge_requests.into_iter().map(|row| (row.id, row)));
        self.notes.extend(rows.notes.into_iter().map(|note| (note.id, note)));
    }

    /// The next IID of a project: rows are never removed but with their project, so the greatest
    /// one is the last.
    fn next_iid(&self, project: Id) -> u64 {
        let of = self.merge_requests.values().filter(|row| row.project == project);
        of.map(|row| row.iid).max().unwrap_or(0) + 1
    }

    fn rows_of_organization(&self, slug: &str) -> OrganizationRows {
        let belongs = |organization: &Option<String>| organization.as_deref() == Some(slug);
        let namespaces = self.namespaces.values().filter(|row| belongs(&row.organization));
        let projects = self.projects.values().filter(|row| belongs(&row.organization));
        let projects: Vec<_> = projects
            .map(|row| (row.clone(), self.pipelines.get(&row.id).copied().unwrap_or(0)))
            .collect();
        let within = |id: Id| projects.iter().any(|(project, _)| project.id == id);
        let merge_requests = self.merge_requests.values().filter(|row| within(row.project));
        let notes = self.notes.values().filter(|row| within(row.project));
        OrganizationRows {
            namespaces: namespaces.cloned().collect(),
            merge_requests: merge_requests.cloned().collect(),
            notes: notes.cloned().collect(),
            projects,
        }
    }

    fn remove(&mut self, rows: &OrganizationRows) {
        for namespace in &rows.namespaces {
            self.namespaces.remove(&namespace.path);
        }
        for (project, _) in &rows.projects {
            self.projects.remove(&project.path);
            self.pipelines.remove(&project.id);
        }
        for row in &rows.merge_requests {
            self.merge_requests.remove(&row.id);
        }
        for note in &rows.notes {
            self.notes.remove(&note.id);
        }
    }
}

#[async_trait]
impl OwnDatabases for MemoryOwn {
    async fn namespace(&self, cell: &CellId, path: &str) -> Stored<Option<Namespace>> {
        self.read(cell, |own| own.namespaces.get(path).cloned())
    }

    async fn namespaces(&self, cell: &CellId) -> Stored<Vec<Namespace>> {
        self.read(cell, |own| own.namespaces.values().cloned().collect())
    }

    async fn project(&self, cell: &CellId, project: &ProjectReference) -> Stored<Option<Project>> {
        self.read(cell, |own| match project {
            ProjectReference::Path(path) => own.projects.get(path).cloned(),
            ProjectReference::Id(id) => {
                own.projects.values().find(|project| project.id == *id).cloned()
            }
        })
    }

    async fn projects(&self, cell: &CellId) -> Stored<Vec<Project>> {
        self.read(cell, |own| own.projects.values().cloned().collect())
    }

    async fn work(&self, cell: &CellId, user: &str) -> Stored<Work> {
        self.read(cell, |own| {
            let work = own.projects.values().filter_map(|project| project.work.get(user).copied());
            work.fold(Work::default(), |sum, work| sum + work)
        })
    }

    async fn pipelines(&self, cell: &CellId, project: Id) -> Stored<u64> {
        self.read(cell, |own| own.pipelines.get(&project).copied().unwrap_or(0))
    }

    async fn rename_namespace(&self, cell: &CellId, path: &str, to: &str) -> Stored<()> {
        let mut cells = self.cells.lock();
        let Some(own) = cells.get_mut(cell) else { return Ok(()) };
        if let Some(mut namespace) = own.namespaces.remove(path) {
            to.clone_into(&mut namespace.path);
            own.namespaces.insert(to.to_owned(), namespace);
        }
        for (key, mut project) in std::mem::take(&mut own.projects) {
            let below = key.strip_prefix(path).filter(|rest| rest.starts_with('/'));
            let renamed = below.map_or_else(|| key.clone(), |rest| format!("{to}{rest}"));
            project.path.clone_from(&renamed);
            own.projects.insert(renamed, project);
        }
        Ok(())
    }

    async fn add_merge_request(
        &self,
        cell: &CellId,
        merge_request: MergeRequest,
    ) -> Stored<MergeRequest> {
        self.write(cell, |own| {
            let iid = own.next_iid(merge_request.project);
            let row = MergeRequest { iid, ..merge_request };
            own.merge_requests.insert(row.id, row.clone());
            row
        })
    }

    async fn merge_requests(&self, cell: &CellId, project: Id) -> Stored<Vec<MergeRequest>> {
        self.read(cell, |own| {
            let of = own.merge_requests.values().filter(|row| row.project == project);
            let mut rows: Vec<_> = of.cloned().collect();
            rows.sort_by_key(|row| row.iid);
            rows
        })
    }

    async fn merge_request(&self, cell: &CellId, id: Id) -> Stored<Option<MergeRequest>> {
        self.read(cell, |own| own.merge_requests.get(&id).cloned())
    }

    async fn notes(&self, cell: &CellId, merge_request: Id) -> Stored<Vec<Note>> {
        self.read(cell, |own| {
            let of = own.notes.values().filter(|note| note.merge_request == merge_request);
            of.cloned().collect()
        })
    }

    async fn organization_rows(&self, cell: &CellId, slug: &str) -> Stored<OrganizationRows> {
        self.read(cell, |own| own.rows_of_organization(slug))
    }

    async fn add_rows(&self, cell: &CellId, rows: OrganizationRows) -> Stored<()> {
        self.write(cell, |own| own.add(rows))
    }

    async fn remove_rows(&self, cell: &CellId, slug: &str) -> Stored<()> {
        self.write(cell, |own| {
            let rows = own.rows_of_organization(slug);
            own.remove(&rows);
        })
    }
}
