//! `/` and `/dashboard`: the pages where a user starts.

use axum::response::Response;

use super::call::Call;
use super::layout::{Page, links};
use super::response::{self, PageResult};
use crate::database::{User, may_see};
use crate::mutants::Mutation;

/// `/`: any cell sends the user to their dashboard (GL-01, GL-04).
pub(super) fn root(call: &Call<'_>) -> Response {
    match &call.viewer.user {
        None => response::sign_in(&call.visit.target()),
        Some(user) if user.is_legacy() && call.cell.has(Mutation::RootLeadsToDashboards) => {
            response::redirect("/dashboards")
        }
        Some(_) if call.cell.has(Mutation::RootLeadsMembersToTheGlobalView) => {
            response::redirect("/dashboard")
        }
        Some(user) => response::redirect(&dashboard_of(user)),
    }
}

/// `/dashboard`: the global view of legacy users. Other users are redirected to the dashboard of
/// their organization (GL-03, OR-07).
pub(super) async fn global(call: &Call<'_>) -> PageResult {
    let Some(user) = &call.viewer.user else {
        return Ok(response::sign_in(&call.visit.target()));
    };
    if let Some(slug) = &user.default_organization
        && !call.cell.has(Mutation::DashboardForEverybody)
    {
        let mutated = call.members_dashboard(slug).await?;
        return Ok(mutated.unwrap_or_else(|| response::redirect(&dashboard_of(user))));
    }
    let role = call.cell.role();
    let work = call.work(user).await?;
    let namespaces = call.cell.database.namespaces(&role).await?;
    // This page shows nothing of an organization, even where that is on this cell (OR-15).
    let shown = namespaces.iter().filter(|namespace| namespace.organization.is_none());
    let shown =
        shown.filter(|namespace| may_see(Some(user), namespace.visibility, &namespace.members));
    let shown = shown.filter(|_| !call.cell.has(Mutation::DashboardWithoutNamespaces));
    let groups =
        links(shown.map(|namespace| (format!("/{}", namespace.path), namespace.name.as_str())));
    Ok(Page::new("Dashboard")
        .work(Some(work))
        .html("<h2>Groups</h2>\n")
        .html(groups)
        .response(Some(user)))
}

fn dashboard_of(user: &User) -> String {
    match &user.default_organization {
        None => "/dashboard".to_owned(),
        Some(slug) => format!("/organizations/{slug}/-/dashboard"),
    }
}
