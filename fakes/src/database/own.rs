//! Each cell's own schemas in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use super::{Namespace, OwnDatabases, Project, ProjectReference, Reply};
use crate::CellId;
use crate::population::{FIXTURE_IDS_END, Work};

/// `gitlab_main` and `gitlab_ci` of every cell.
#[derive(Debug)]
pub(crate) struct OwnInMemory {
    cells: Mutex<BTreeMap<CellId, Own>>,
}

#[derive(Debug, Default)]
struct Own {
    namespaces: BTreeMap<String, Namespace>,
    projects: BTreeMap<String, Project>,
    pipelines: BTreeMap<u64, u64>,
    /// The last id that the cell drew; the cell's number in the installation, from 1 on, stands in
    /// its most significant bits, so that no two cells draw the same ("Cells: Database Sequences"
    /// 3.2).
    last_id: u64,
}

impl OwnInMemory {
    /// Empty databases for these cells.
    pub(crate) fn new(cells: &[CellId]) -> Self {
        let numbered = cells.iter().zip(1_u64..);
        let own = numbered.map(|(cell, number)| {
            (cell.clone(), Own { last_id: number * FIXTURE_IDS_END, ..Own::default() })
        });
        Self { cells: Mutex::new(own.collect()) }
    }

    /// Puts a namespace with a given id on a cell.
    pub(crate) fn put_namespace(&self, cell: &CellId, namespace: Namespace) {
        self.lock()
            .entry(cell.clone())
            .or_default()
            .namespaces
            .insert(namespace.path.clone(), namespace);
    }

    /// Puts a project with a given id on a cell.
    pub(crate) fn put_project(&self, cell: &CellId, project: Project, pipelines: u64) {
        let mut cells = self.lock();
        let own = cells.entry(cell.clone()).or_default();
        own.pipelines.insert(project.id, pipelines);
        own.projects.insert(project.path.clone(), project);
    }

    fn read<T: Default + Send + 'static>(
        &self,
        cell: &CellId,
        read: impl FnOnce(&Own) -> T,
    ) -> Reply<'static, T> {
        let rows = self.lock().get(cell).map(read).unwrap_or_default();
        Box::pin(std::future::ready(rows))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<CellId, Own>> {
        // Nothing panics between two dependent writes, so the rows are whole.
        self.cells.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl OwnDatabases for OwnInMemory {
    fn namespace(&self, cell: &CellId, path: &str) -> Reply<'_, Option<Namespace>> {
        self.read(cell, |own| own.namespaces.get(path).cloned())
    }

    fn namespaces(&self, cell: &CellId) -> Reply<'_, Vec<Namespace>> {
        self.read(cell, |own| own.namespaces.values().cloned().collect())
    }

    fn project(&self, cell: &CellId, project: &ProjectReference) -> Reply<'_, Option<Project>> {
        self.read(cell, |own| match project {
            ProjectReference::Path(path) => own.projects.get(path).cloned(),
            ProjectReference::Id(id) => {
                own.projects.values().find(|project| project.id == *id).cloned()
            }
        })
    }

    fn projects(&self, cell: &CellId) -> Reply<'_, Vec<Project>> {
        self.read(cell, |own| own.projects.values().cloned().collect())
    }

    fn work(&self, cell: &CellId, user: &str) -> Reply<'_, Work> {
        self.read(cell, |own| {
            let work = own.projects.values().filter_map(|project| project.work.get(user).copied());
            work.fold(Work::default(), |sum, work| sum + work)
        })
    }

    fn pipelines(&self, cell: &CellId, project: u64) -> Reply<'_, u64> {
        self.read(cell, |own| own.pipelines.get(&project).copied().unwrap_or(0))
    }

    fn draw_id(&self, cell: &CellId) -> Reply<'_, u64> {
        let mut cells = self.lock();
        let own = cells.entry(cell.clone()).or_default();
        own.last_id += 1;
        Box::pin(std::future::ready(own.last_id))
    }

    fn add_namespace(&self, cell: &CellId, namespace: Namespace) -> Reply<'_, ()> {
        self.put_namespace(cell, namespace);
        Box::pin(std::future::ready(()))
    }

    fn move_organization(&self, slug: &str, from: &CellId, to: &CellId) -> Reply<'_, Vec<String>> {
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
        Box::pin(std::future::ready(paths))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::population::Visibility;

    fn namespace(path: &str, organization: Option<&str>) -> Namespace {
        Namespace {
            id: 7,
            path: path.to_owned(),
            name: path.to_owned(),
            organization: organization.map(str::to_owned),
            visibility: Visibility::Public,
            members: BTreeSet::new(),
        }
    }

    #[tokio::test]
    async fn no_id_is_given_twice_on_all_cells() {
        let cells = [CellId::us(0), CellId::us(1), CellId::eu(0), CellId::eu(1)];
        let own = OwnInMemory::new(&cells);
        let mut ids = BTreeSet::new();
        for cell in cells.iter().cycle().take(80) {
            let id = own.draw_id(cell).await;
            assert!(id > FIXTURE_IDS_END && ids.insert(id));
        }
    }

    #[tokio::test]
    async fn a_move_takes_the_organization_whole_and_keeps_ids() {
        let (from, to) = (CellId::eu(0), CellId::us(1));
        let own = OwnInMemory::new(&[from.clone(), to.clone()]);
        own.put_namespace(&from, namespace("ours", Some("us")));
        own.put_namespace(&from, namespace("theirs", Some("them")));
        assert_eq!(own.move_organization("us", &from, &to).await, ["ours"]);
        assert_eq!(own.namespace(&to, "ours").await.unwrap().id, 7);
        assert_eq!(own.namespace(&from, "ours").await, None);
        assert!(own.namespace(&from, "theirs").await.is_some());
    }
}
