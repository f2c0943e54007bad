//! What a scenario does to rows from outside: it inserts many at once.

use std::sync::atomic::Ordering;

use super::error::ControlError;
use crate::CellId;
use crate::database::{Change, MergeRequest, Namespace, Project, Route, Server, Spread, User};
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
        let Drawn { id, number, .. } = drawn;
        // Names differ even where two rows get the same id.
        let serial = self.inserted.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{serial}", table.as_str().replace('_', "-"), cell.slug());
        let own = &self.stores.own;
        let written = match table {
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
                return Ok(());
            }
            IdTable::Namespaces => {
                let visibility = Visibility::Public;
                self.add_route(Route::to_namespace(&name, cell, id, visibility)).await?;
                let namespace = Namespace {
                    id,
                    number,
                    path: name.clone(),
                    name,
                    organization: None,
                    visibility,
                    members: Default::default(),
                };
                own.add_namespace(cell, namespace).await
            }
            IdTable::Projects => {
                self.add_route(Route::to_project(&name, cell, id, Visibility::Public)).await?;
                let project = Project {
                    id,
                    number,
                    path: name.clone(),
                    title: name.clone(),
                    heading: name,
                    organization: None,
                    visibility: Visibility::Public,
                    members: Default::default(),
                    work: Default::default(),
                };
                own.add_project(cell, project).await
            }
            IdTable::MergeRequests => {
                let project = project.unwrap_or(id);
                let author = self.some_user().await?;
                let row = MergeRequest { id, number, iid: 0, project, author, title: name };
                own.add_merge_request(cell, row).await.map(|_| ())
            }
            IdTable::Notes => return Err(ControlError::NotInserted(table)),
        };
        Ok(self.noted("inserting a row", written)?)
    }

    async fn add_route(&self, route: Route) -> Result<(), ControlError> {
        let written = self.write(Change::AddRoute(route), Spread::Replicated).await?;
        written.map_err(|conflict| ControlError::PathNotFree(conflict.to_string()))?;
        Ok(())
    }

    /// The first user of the population; the author of what nobody wrote.
    async fn some_user(&self) -> Result<Id, ControlError> {
        let Some(person) = self.plan.population.people.first() else {
            return Err(ControlError::UnknownUser("the first of the population".to_owned()));
        };
        let found = self.stores.shared.user(&Server::Primary, &person.name).await;
        let found = self.noted("reading gitlab_users.users", found)?.rows;
        Ok(found.ok_or_else(|| ControlError::UnknownUser(person.name.clone()))?.id)
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
