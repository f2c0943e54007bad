//! `/`, `/dashboard` and `/dashboard/projects`: the pages where a user starts.

use axum::response::Response;

use crate::database::{Stored, User, may_see};
use crate::rails::call::{Call, SignedIn};
use crate::rails::layout::{Page, links};
use crate::rails::response::{self, PageResult};

/// `/`: any cell sends the user to their dashboard (GL-01, GL-04).
pub(in crate::rails) async fn root(call: Call) -> Response {
    match &call.viewer.user {
        None => response::sign_in(&call.visit.target()),
        Some(user) => response::redirect(&dashboard_of(user)),
    }
}

/// `/dashboard` and `/dashboard/projects`: the global view of legacy users. It shows all that the
/// original installation holds, also of organizations that live there (OR-03, A-84). Other users are
/// redirected to the dashboard of their organization (GL-03, OR-07).
pub(in crate::rails) async fn global(SignedIn(user): SignedIn, call: Call) -> PageResult {
    if let Some(home) = way_home(&user) {
        return Ok(home);
    }
    let work = call.work(&user).await?;
    let (title, shown) = if call.visit.path == "/dashboard" {
        ("Dashboard", groups(&call, &user).await?)
    } else {
        ("Projects", projects(&call, &user).await?)
    };
    Ok(Page::new(title).work(Some(work)).html(shown).response(Some(&user)))
}

/// Where a global page leads members of an organization: to their own dashboard (OR-07). `None` for
/// legacy users.
pub(in crate::rails) fn way_home(user: &User) -> Option<Response> {
    (!user.is_legacy()).then(|| response::redirect(&dashboard_of(user)))
}

async fn groups(call: &Call, user: &User) -> Stored<String> {
    let namespaces = call.cell.database.namespaces(&call.cell.role()).await?;
    let shown = namespaces
        .iter()
        .filter(|namespace| may_see(Some(user), namespace.visibility, &namespace.members));
    let groups =
        links(shown.map(|namespace| (format!("/{}", namespace.path), namespace.name.as_str())));
    Ok(format!("<h2>Groups</h2>\n{groups}"))
}

async fn projects(call: &Call, user: &User) -> Stored<String> {
    let projects = call.cell.database.projects(&call.cell.role()).await?;
    let shown =
        projects.iter().filter(|project| may_see(Some(user), project.visibility, &project.members));
    Ok(links(shown.map(|project| (format!("/{}", project.path), project.title.as_str()))))
}

fn dashboard_of(user: &User) -> String {
    match &user.default_organization {
        None => "/dashboard".to_owned(),
        Some(slug) => format!("/organizations/{slug}/-/dashboard"),
    }
}
