//! Each cell's own schemas in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;

use crate::CellId;
use crate::database::error::StoreError;
use crate::database::rows::{Namespace, Project, ProjectReference};
use crate::database::seed::OwnRow;
use crate::database::store::OwnDatabases;
use crate::ids::Id;
use crate::population::Work;

/// `gitlab_main` and `gitlab_ci` of every cell.
#[derive(Debug)]
pub(super) struct MemoryOwn {
    cells: Mutex<BTreeMap<CellId, Own>>,
}

#[derive(Debug, Default)]
struct Own {
    namespaces: BTreeMap<String, Namespace>,
    projects: BTreeMap<String, Project>,
    pipelines: BTreeMap<Id, u64>,
}

impl MemoryOwn {
    /// Databases for these cells, with these rows.
    pub(super) fn new(cells: Vec<CellId>, rows: Vec<(CellId, OwnRow)>) -> Self {
        let mut cells: BTreeMap<_, _> =
            cells.into_iter().map(|cell| (cell, Own::default())).collect();
        for (cell, row) in rows {
            cells.entry(cell).or_default().add(row);
        }
        Self { cells: Mutex::new(cells) }
    }

    fn read<T: Default>(
        &self,
        cell: &CellId,
        read: impl FnOnce(&Own) -> T,
    ) -> Result<T, StoreError> {
        Ok(self.lock().get(cell).map(read).unwrap_or_default())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<CellId, Own>> {
        // Nothing panics between two dependent writes, so the rows are whole.
        self.cells.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Own {
    fn add(&mut self, row: OwnRow) {
        match row {
            OwnRow::Namespace(namespace) => {
                self.namespaces.insert(namespace.path.clone(), namespace);
            }
            OwnRow::Project { project, pipelines } => {
                self.pipelines.insert(project.id, pipelines);
                self.projects.insert(project.path.clone(), project);
            }
        }
    }
}

#[async_trait]
impl OwnDatabases for MemoryOwn {
    async fn namespace(&self, cell: &CellId, path: &str) -> Result<Option<Namespace>, StoreError> {
        self.read(cell, |own| own.namespaces.get(path).cloned())
    }

    async fn namespaces(&self, cell: &CellId) -> Result<Vec<Namespace>, StoreError> {
        self.read(cell, |own| own.namespaces.values().cloned().collect())
    }

    async fn project(
        &self,
        cell: &CellId,
        project: &ProjectReference,
    ) -> Result<Option<Project>, StoreError> {
        self.read(cell, |own| match project {
            ProjectReference::Path(path) => own.projects.get(path).cloned(),
            ProjectReference::Id(id) => {
                own.projects.values().find(|project| project.id == *id).cloned()
            }
        })
    }

    async fn projects(&self, cell: &CellId) -> Result<Vec<Project>, StoreError> {
        self.read(cell, |own| own.projects.values().cloned().collect())
    }

    async fn work(&self, cell: &CellId, user: &str) -> Result<Work, StoreError> {
        self.read(cell, |own| {
            let work = own.projects.values().filter_map(|project| project.work.get(user).copied());
            work.fold(Work::default(), |sum, work| sum + work)
        })
    }

    async fn pipelines(&self, cell: &CellId, project: Id) -> Result<u64, StoreError> {
        self.read(cell, |own| own.pipelines.get(&project).copied().unwrap_or(0))
    }

    async fn add_namespace(&self, cell: &CellId, namespace: Namespace) -> Result<(), StoreError> {
        self.lock().entry(cell.clone()).or_default().add(OwnRow::Namespace(namespace));
        Ok(())
    }

    async fn add_project(&self, cell: &CellId, project: Project) -> Result<(), StoreError> {
        let row = OwnRow::Project { project, pipelines: 0 };
        self.lock().entry(cell.clone()).or_default().add(row);
        Ok(())
    }

    async fn rename_namespace(
        &self,
        cell: &CellId,
        path: &str,
        to: &str,
    ) -> Result<(), StoreError> {
        let mut cells = self.lock();
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

    async fn move_organization(
        &self,
        slug: &str,
        from: &CellId,
        to: &CellId,
    ) -> Result<Vec<String>, StoreError> {
        let belongs = |organization: &Option<String>| organization.as_deref() == Some(slug);
        let mut cells = self.lock();
        let mut moved = Own::default();
        if let Some(own) = cells.get_mut(from) {
            let namespaces = std::mem::take(&mut own.namespaces).into_iter();
            (moved.namespaces, own.namespaces) =
                namespaces.partition(|(_, namespace)| belongs(&namespace.organization));
            let projects = std::mem::take(&mut own.projects).into_iter();
            (moved.projects, own.projects) =
                projects.partition(|(_, project)| belongs(&project.organization));
            for project in moved.projects.values() {
                moved.pipelines.extend(own.pipelines.remove_entry(&project.id));
            }
        }
        let paths = moved.namespaces.keys().cloned().collect();
        if let Some(own) = cells.get_mut(to) {
            own.namespaces.append(&mut moved.namespaces);
            own.projects.append(&mut moved.projects);
            own.pipelines.append(&mut moved.pipelines);
        }
        Ok(paths)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::population::Visibility;

    fn namespace(path: &str, organization: Option<&str>) -> Namespace {
        Namespace {
            id: Id::Number(7),
            path: path.to_owned(),
            name: path.to_owned(),
            organization: organization.map(str::to_owned),
            visibility: Visibility::Public,
            members: BTreeSet::new(),
        }
    }

    #[tokio::test]
    async fn a_move_takes_the_organization_whole_and_keeps_ids() {
        let (from, to) = (CellId::eu(0), CellId::us(1));
        let rows = [("ours", "us"), ("theirs", "them")].map(|(path, organization)| {
            (from.clone(), OwnRow::Namespace(namespace(path, Some(organization))))
        });
        let own = MemoryOwn::new(vec![from.clone(), to.clone()], rows.to_vec());
        assert_eq!(own.move_organization("us", &from, &to).await.unwrap(), ["ours"]);
        let moved = own.namespace(&to, "ours").await.unwrap();
        assert_eq!(moved.map(|namespace| namespace.id), Some(Id::Number(7)));
        assert_eq!(own.namespace(&from, "ours").await, Ok(None));
        assert!(own.namespace(&from, "theirs").await.unwrap().is_some());
    }
}
