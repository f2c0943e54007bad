//! A request at the cell that responds to it.

use axum::response::Response;

use super::cell::Cell;
use super::decision::RouteDecision;
use super::layout::Page;
use super::request::Visit;
use super::response;
use super::viewer::Viewer;
use crate::database::{Organization, StoreError};
use crate::mutants::Mutation;

/// A request, its sender, and what is known about its path.
pub(super) struct Call<'a> {
    pub(super) cell: &'a Cell,
    pub(super) visit: &'a Visit,
    pub(super) viewer: &'a Viewer,
    pub(super) decision: &'a RouteDecision,
}

impl Call<'_> {
    /// The response for a path where nothing exists.
    pub(super) fn not_found(&self) -> Response {
        response::not_found(&self.visit.path)
    }

    /// A page that is about no place: to members it names their own organization, since each of
    /// their pages names one (OR-09).
    pub(super) async fn page(&self, heading: impl Into<String>) -> Result<Page, StoreError> {
        let home = self.home_organization().await?;
        Ok(Page::new(heading).organization(self.named(home.as_ref().map(|home| &*home.name))))
    }

    /// The organization that a page names, if it names one.
    pub(super) fn named<'n>(&self, organization: Option<&'n str>) -> Option<&'n str> {
        organization.filter(|_| !self.cell.has(Mutation::OnlyDashboardsNameTheirOrganization))
    }

    /// The viewer's default organization, where they have one.
    pub(super) async fn home_organization(&self) -> Result<Option<Organization>, StoreError> {
        let user = self.viewer.user.as_ref();
        match user.and_then(|user| user.default_organization.as_ref()) {
            Some(slug) => self.cell.database.organization(slug).await,
            None => Ok(None),
        }
    }
}
