//! Pages below `/organizations/<organization>`.

use super::call::Call;
use super::layout::{Escaped, Page, links};
use super::response::PageResult;
use super::{groups, notices};
use crate::database::{Organization, may_see};
use crate::mutants::Mutation;
use crate::population::PUBLIC_ORGANIZATION;

/// A page of an organization, on its own cell.
pub(super) async fn page(call: &Call<'_>, slug: &str, rest: &str) -> PageResult {
    let Some(organization) = call.cell.database.organization(slug).await? else {
        return Ok(call.not_found());
    };
    if call.cell.has(Mutation::LoneCellWithoutOrganizations) && call.cell.installation.is_alone() {
        return Ok(call.not_found());
    }
    Ok(match (rest, call.visit.reads()) {
        ("/-/dashboard", true) if call.cell.has(Mutation::NoScopedDashboard) => call.not_found(),
        ("/-/dashboard", true) => dashboard(call, &organization, &organization.dashboard).await?,
        ("" | "/" | "/groups", true) => dashboard(call, &organization, &organization.name).await?,
        ("/groups/new", true) => groups::form_of(call, &organization, None),
        ("/groups", false) => groups::in_organization(call, &organization).await?,
        _ => call.not_found(),
    })
}

/// The dashboard, scoped to the organization (GL-02, OR-09).
async fn dashboard(call: &Call<'_>, organization: &Organization, heading: &str) -> PageResult {
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
    let foreign = call.foreign_groups().await?;
    let groups =
        namespaces.iter().filter(|namespace| belongs(&namespace.organization)).chain(&foreign);
    let groups = groups.filter(|namespace| may_see(user, namespace.visibility, &namespace.members));
    let projects = projects.iter().filter(|project| belongs(&project.organization));
    let projects = projects.filter(|project| may_see(user, project.visibility, &project.members));
    let banner = if call.cell.has(Mutation::WrongOrganizationBanner) {
        PUBLIC_ORGANIZATION
    } else {
        &organization.name
    };
    let own = own.filter(|_| !call.cell.has(Mutation::NoHintOnTheDashboard));
    let elsewhere = notices::elsewhere(user, home.as_ref(), Some(organization))
        .filter(|_| !call.keeps_silent());
    let page = Page::new(heading).organization(Some(banner)).work(work);
    let page =
        page.notices(own.map(|_| notices::only_this_organization(organization))).notices(elsewhere);
    Ok(page
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
