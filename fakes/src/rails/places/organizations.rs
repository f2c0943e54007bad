//! Pages below `/organizations/<organization>`.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};

use super::{groups, notices};
use crate::database::{Organization, may_see};
use crate::rails::call::Call;
use crate::rails::layout::{Escaped, Page, links};
use crate::rails::request::Form;
use crate::rails::response::PageResult;

/// The organization that the path names, on its own cell.
pub(in crate::rails) struct Named(Organization);

impl FromRequestParts<Call> for Named {
    type Rejection = Response;

    async fn from_request_parts(_: &mut Parts, call: &Call) -> Result<Self, Response> {
        let found = call.cell.database.organization(call.asked.param("slug")).await;
        found.map_err(IntoResponse::into_response)?.map(Self).ok_or_else(|| call.not_found())
    }
}

/// `/organizations/<organization>`
pub(in crate::rails) async fn overview(Named(organization): Named, call: Call) -> PageResult {
    scoped(&call, &organization, &organization.name).await
}

/// `/organizations/<organization>/-/dashboard`
pub(in crate::rails) async fn dashboard(Named(organization): Named, call: Call) -> PageResult {
    scoped(&call, &organization, &organization.dashboard).await
}

/// `/organizations/<organization>/groups/new`
pub(in crate::rails) async fn new_group(Named(organization): Named, call: Call) -> Response {
    groups::form_of(&call, &organization, None)
}

/// `POST /organizations/<organization>/groups`
pub(in crate::rails) async fn create_group(
    Named(organization): Named,
    call: Call,
    sent: Form,
) -> PageResult {
    groups::in_organization(&call, &sent, &organization).await
}

/// The dashboard, scoped to the organization (GL-02, OR-09).
async fn scoped(call: &Call, organization: &Organization, heading: &str) -> PageResult {
    let user = call.viewer.user.as_ref();
    let role = call.cell.role();
    let work = match user {
        Some(user) => Some(call.work(user).await?),
        None => None,
    };
    let own = user.filter(|user| user.default_organization.as_ref() == Some(&organization.slug));
    let home = call.home_organization().await?;
    let namespaces = call.cell.database.namespaces(&role).await?;
    let projects = call.cell.database.projects(&role).await?;
    let belongs = |of: &Option<String>| of.as_ref() == Some(&organization.slug);
    let groups = namespaces.iter().filter(|namespace| belongs(&namespace.organization));
    let groups = groups.filter(|namespace| may_see(user, namespace.visibility, &namespace.members));
    let projects = projects.iter().filter(|project| belongs(&project.organization));
    let projects = projects.filter(|project| may_see(user, project.visibility, &project.members));
    Ok(Page::new(heading)
        .organization(Some(&organization.name))
        .work(work)
        .notices(own.map(|_| notices::only_this_organization(organization)))
        .notices(notices::elsewhere(user, home.as_ref(), Some(organization)))
        .html("<h2>Groups</h2>\n")
        .html(links(
            groups.map(|namespace| (format!("/{}", namespace.path), namespace.name.as_str())),
        ))
        .html("<h2>Projects</h2>\n")
        .html(links(projects.map(|project| (format!("/{}", project.path), project.title.as_str()))))
        .html(format_args!(
            "<p><a href=\"/organizations/{}/groups/new\">New group</a></p>\n",
            Escaped(&organization.slug)
        ))
        .response(user))
}
