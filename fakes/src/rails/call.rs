//! A request at the cell that responds to it.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;

use super::cell::Cell;
use super::decision::RouteDecision;
use super::endpoint::Asked;
use super::layout::Page;
use super::request::{Form, Viewer, Visit};
use super::response;
use crate::database::{Organization, Project, ProjectReference, Source, Stored, User, may_see};
use crate::population::Work;

/// A request, its sender, and what is known about its path: the state of the pages.
#[derive(Clone, Debug)]
pub struct Call {
    /// The cell that responds.
    pub cell: Arc<Cell>,
    /// The request.
    pub visit: Arc<Visit>,
    /// Its sender.
    pub viewer: Arc<Viewer>,
    /// What its path asks for.
    pub asked: Arc<Asked>,
    pub decision: Arc<RouteDecision>,
}

impl FromRequestParts<Call> for Call {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, call: &Call) -> Result<Self, Infallible> {
        Ok(call.clone())
    }
}

impl FromRequestParts<Call> for Form {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, call: &Call) -> Result<Self, Infallible> {
        Ok(call.visit.form())
    }
}

/// The signed-in user; a visitor is sent to sign in.
pub(super) struct SignedIn(pub(super) User);

impl FromRequestParts<Call> for SignedIn {
    type Rejection = Response;

    async fn from_request_parts(_: &mut Parts, call: &Call) -> Result<Self, Response> {
        let user = call.viewer.user.clone().map(Self);
        user.ok_or_else(|| response::sign_in(&call.visit.target()))
    }
}

/// The response of a path where nothing is, or nothing by this method.
pub(super) async fn missing(call: Call) -> Response {
    call.not_found()
}

impl Call {
    /// The response for a path where nothing exists.
    pub fn not_found(&self) -> Response {
        response::not_found(&self.visit.path)
    }

    /// A page that is about no place: to members it names their own organization, since each of
    /// their pages names one (OR-09).
    pub async fn page(&self, heading: impl Into<String>) -> Stored<Page> {
        let home = self.home_organization().await?;
        Ok(Page::new(heading).organization(home.as_ref().map(|home| &*home.name)))
    }

    /// The viewer's default organization, where they have one.
    pub async fn home_organization(&self) -> Stored<Option<Organization>> {
        let user = self.viewer.user.as_ref();
        match user.and_then(|user| user.default_organization.as_ref()) {
            Some(slug) => self.cell.database.organization(slug).await,
            None => Ok(None),
        }
    }

    /// The project of the route, where the sender may see it. The route has the row's own id, also
    /// where the path has a number that is older.
    pub async fn project(&self) -> Stored<Option<Project>> {
        let Some(Source::Project(id)) = self.decision.route.as_ref().map(|route| route.source)
        else {
            return Ok(None);
        };
        let id = ProjectReference::Id(id);
        let found = self.cell.database.project(&self.cell.role(), &id).await?;
        let user = self.viewer.user.as_ref();
        Ok(found.filter(|project| may_see(user, project.visibility, &project.members)))
    }

    /// The counters of a user, counted from what this cell has (OR-10, OR-17).
    pub async fn work(&self, user: &User) -> Stored<Work> {
        self.cell.database.work(&self.cell.role(), &user.name).await
    }
}
