//! What a scenario does to rows from outside: it inserts many at once.

use std::sync::atomic::Ordering;

use super::ControlError;
use crate::CellId;
use crate::database::{Change, MergeRequest, Namespace, Project, Route, Spread, User};
use crate::ids::{Drawn, Id, IdTable};
use crate::population::Visibility;
use crate::rails::installation::Installation;

impl Installation {
    /// Inserts rows on a cell, named by its role, one after the other, as its own inserts would: an
    /// id is drawn for each. Merge requests belong to a project of the cell.
    ///
    /// # Errors
    /// Where the cell has no project for the rows, or a store fails.
    pub async fn insert_rows(
        &self,
        cell: &CellId,
        table: IdTable,
        count: u64,
    ) -> Result<(), ControlError> {
        self.known(cell)?;
        let project = match table {
            IdTable::MergeRequests => Some(self.some_project(cell).await?),
            _ => None,
        };
        let node = self.casting.node_of(cell);
        for _ in 0..count {
            let drawn = self.ids.draw(&node, cell, table).await?;
            self.insert(cell, table, drawn, project).await?;
        }
        self.ids.settle().await;
        Ok(())
    }

    async fn insert(
        &self,
        cell: &CellId,
        table: IdTable,
        drawn: Drawn,
        project: Option<Id>,
    ) -> Result<(), ControlError> {
        let (id, number) = (drawn.id, drawn.number);
        // Names differ even where two rows get the same id.
        let serial = self.inserted.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{serial}", table.as_str().replace('_', "-"), cell.slug());
        match table {
            IdTable::Users => {
                let user = User {
                    id,
                    password: name.clone(),
                    name,
                    default_organization: None,
                    admin: false,
                    status: String::new(),
                };
                let written = self.write(Change::AddUser(user), Spread::Replicated).await?;
                written.map_err(|conflict| ControlError::PathNotFree(conflict.to_string()))?;
                Ok(())
            }
            IdTable::Namespaces => {
                self.add_namespace(cell, drawn, &name, None, Visibility::Public).await
            }
            IdTable::Projects => self.add_project(cell, drawn, &name, None).await,
            IdTable::MergeRequests => {
                let project = project.unwrap_or(id);
                let author = self.some_user().await?;
                let row = MergeRequest { id, number, iid: 0, project, author, title: name };
                let added = self.stores.own.add_merge_request(cell, row).await;
                Ok(self.noted("writing gitlab_main.merge_requests", added).map(drop)?)
            }
            IdTable::Notes => Err(ControlError::NotInserted(table)),
        }
    }

    /// Adds a namespace, and its route first.
    pub(super) async fn add_namespace(
        &self,
        cell: &CellId,
        drawn: Drawn,
        path: &str,
        organization: Option<&str>,
        visibility: Visibility,
    ) -> Result<(), ControlError> {
        let Drawn { id, number, .. } = drawn;
        self.add_route(path, Route::to_namespace(path, cell, id, visibility)).await?;
        let namespace = Namespace {
            id,
            number,
            path: path.to_owned(),
            name: path.to_owned(),
            organization: organization.map(str::to_owned),
            visibility,
            members: Default::default(),
        };
        let added = self.stores.own.add_namespace(cell, namespace).await;
        Ok(self.noted("writing gitlab_main.namespaces", added)?)
    }

    /// Adds a public project, and its route first. Its title is the end of its path.
    pub(super) async fn add_project(
        &self,
        cell: &CellId,
        drawn: Drawn,
        path: &str,
        organization: Option<String>,
    ) -> Result<(), ControlError> {
        let Drawn { id, number, .. } = drawn;
        self.add_route(path, Route::to_project(path, cell, id, Visibility::Public)).await?;
        let title = path.rsplit('/').next().unwrap_or(path).to_owned();
        let project = Project {
            id,
            number,
            path: path.to_owned(),
            heading: title.clone(),
            title,
            organization,
            visibility: Visibility::Public,
            members: Default::default(),
            work: Default::default(),
        };
        let added = self.stores.own.add_project(cell, project).await;
        Ok(self.noted("writing gitlab_main.projects", added)?)
    }

    /// Adds a row of the routes table; `path` names it in errors.
    pub(super) async fn add_route(&self, path: &str, route: Route) -> Result<(), ControlError> {
        let added = self.write(Change::AddRoute(route), Spread::Replicated).await?;
        added.map(drop).map_err(|_| ControlError::PathNotFree(path.to_owned()))
    }

    /// The first user of the population; the author of what nobody wrote.
    async fn some_user(&self) -> Result<Id, ControlError> {
        let Some(person) = self.plan.population.people.first() else {
            return Err(ControlError::UnknownUser("the first of the population".to_owned()));
        };
        Ok(self.user_named(&person.name).await?.id)
    }

    /// A project of a cell; a new one where it has none.
    async fn some_project(&self, cell: &CellId) -> Result<Id, ControlError> {
        let found = self.stores.own.projects(cell).await;
        let found = self.noted("reading gitlab_main.projects", found)?;
        if let Some(project) = found.first() {
            return Ok(project.id);
        }
        let drawn = self.ids.draw(&self.casting.node_of(cell), cell, IdTable::Projects).await?;
        let id = drawn.id;
        self.insert(cell, IdTable::Projects, drawn, None).await?;
        Ok(id)
    }
}
