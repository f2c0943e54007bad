//! What pages show, and to whom.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::StatusCode;
use axum::response::Response;
use cell_fleet::inside::layout::{Page, links};
use cell_fleet::inside::{Call, Endpoint, PageResult, Parts, RowPage, Viewer, may_see, response};
use cell_fleet::population::PUBLIC_ORGANIZATION;
use cell_fleet::store::{Namespace, ProjectReference, Source, User};

use crate::mutant::mutants;
use crate::ways::{Mistakes, Pages, Serves, Writes, rewritten, without_lines};

mutants! {
    RootLeadsMembersToTheGlobalView: Both, "GL-01",
        "`/` redirects every user to `/dashboard`, members of organizations too"
            => Pages(root_to_the_global_view);
    RootLeadsToDashboards: Both, "GL-04", "`/` redirects legacy users to `/dashboards`"
            => Pages(root_to_dashboards);
    DashboardForEverybody: Both, "OR-07",
        "the global dashboard is served to members of organizations"
            => Mistakes(dashboard_for_everybody);
    OnlyTheDashboardIsGlobal: Both, "OR-07",
        "global pages other than `/dashboard` are served to members of organizations"
            => Mistakes(other_pages_for_everybody);
    DashboardScopedInPlace: Learning, "LN-15",
        "`/dashboard` shows members their organization, so that its content depends on the cell"
            => DashboardScopedInPlace;
    DashboardLeadsToTheOverview: Both, "GL-03",
        "`/dashboard` redirects members to their organization's overview instead of its dashboard"
            => Pages(dashboard_to_the_overview);
    DashboardWithoutNamespaces: Both, "OR-03", "the global dashboard lists nothing"
            => Writes(without_namespaces);
    GlobalViewWithoutOrganizations: Both, "OR-03",
        "global pages leave out the namespaces of organizations, also of those on Cell US0"
            => GlobalViewWithoutOrganizations;
    NoScopedDashboard: Both, "GL-02", "the dashboards of organizations are not found"
            => Pages(no_scoped_dashboard);
    WrongOrganizationBanner: Both, "OR-09",
        "the dashboard of an organization claims to show GitLab.com Public" => Writes(wrong_banner);
    OnlyDashboardsNameTheirOrganization: Both, "OR-09",
        "pages other than dashboards do not name an organization" => Writes(named_on_dashboards);
    NoHintOnTheDashboard: Both, "OR-13",
        "the dashboard does not say that it is limited to the default organization"
            => Writes(without_the_hint);
    HintWithoutTheSettings: Both, "OR-13",
        "the dashboard does not say that the default organization can be changed"
            => Writes(without_the_choice);
    NoDataOfTheOrganization: Both, "OR-19",
        "the dashboard of an organization lists nothing, whichever was chosen"
            => Writes(without_data);
    DashboardListsTheLegacyCell: Both, "OR-15",
        "the dashboard of an organization also lists the public groups of Cell US0"
            => DashboardLists { all: true };
    DashboardListsPublicGroups: Both, "NS-04",
        "the dashboard of an organization also lists its user's own groups of GitLab.com Public"
            => DashboardLists { all: false };
    ClosedToOtherOrganizations: Both, "OR-10",
        "public groups and projects are not found by members of other organizations"
            => ClosedToOtherOrganizations;
    MembersNotToldElsewhere: Both, "OR-11",
        "a page outside of the default organization does not say that its counters are incomplete"
            => Writes(members_not_told);
    LegacyUsersNotTold: Both, "OR-14",
        "legacy users on another cell are not told that data may be missing"
            => Writes(legacy_users_not_told);
    PrivateIs403: Both, "PR-03", "a private page responds with 403, which reveals that it exists"
            => Serves(private_is_403);
    PageNamesItsCell: Both, "RT-12", "the page of a project names the cell that serves it"
            => Writes(naming_its_cell);
}

/// How the line begins that names the organization of a page.
pub(super) const BANNER: &str = "<p>Organization: ";
/// The heading of a list that global and scoped dashboards have.
const PROJECTS: &str = "<h2>Projects</h2>";

/// The default organization of the sender; `None` for visitors and legacy users.
fn home(call: &Call) -> Option<&str> {
    call.viewer.user.as_ref()?.default_organization.as_deref()
}

fn is_scoped_dashboard(call: &Call) -> bool {
    call.asked.endpoint == Endpoint::Organization && call.asked.path.ends_with("/-/dashboard")
}

fn root_to_the_global_view(call: &Call) -> Option<Response> {
    let is_led = call.asked.endpoint == Endpoint::Root && call.viewer.user.is_some();
    is_led.then(|| response::redirect("/dashboard"))
}

fn root_to_dashboards(call: &Call) -> Option<Response> {
    let is_legacy = call.viewer.user.as_ref().is_some_and(User::is_legacy);
    let is_led = call.asked.endpoint == Endpoint::Root && is_legacy;
    is_led.then(|| response::redirect("/dashboards"))
}

fn dashboard_for_everybody(call: &mut Call) {
    if call.asked.path == "/dashboard" {
        take_for_legacy(call);
    }
}

fn other_pages_for_everybody(call: &mut Call) {
    let is_global = matches!(call.asked.endpoint, Endpoint::Dashboard | Endpoint::Search);
    if is_global && call.asked.path != "/dashboard" {
        take_for_legacy(call);
    }
}

fn take_for_legacy(call: &mut Call) {
    let user = call.viewer.user.clone().map(|user| User { default_organization: None, ..user });
    call.viewer = Arc::new(Viewer { user, ..Viewer::default() });
}

#[derive(Debug)]
struct DashboardScopedInPlace;

#[async_trait]
impl Parts for DashboardScopedInPlace {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        Ok(match call.home_organization().await? {
            Some(home) if call.asked.endpoint == Endpoint::Dashboard => {
                Page::new(home.dashboard).response(call.viewer.user.as_ref())
            }
            _ => page.run(call).await,
        })
    }
}

fn dashboard_to_the_overview(call: &Call) -> Option<Response> {
    let home = home(call).filter(|_| call.asked.endpoint == Endpoint::Dashboard)?;
    Some(response::redirect(&format!("/organizations/{home}")))
}

fn without_namespaces(call: &Call, text: String) -> String {
    if call.asked.path == "/dashboard" { without_lines(&text, "<li>") } else { text }
}

#[derive(Debug)]
struct GlobalViewWithoutOrganizations;

#[async_trait]
impl Parts for GlobalViewWithoutOrganizations {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        if call.asked.endpoint != Endpoint::Dashboard || home(&call).is_some() {
            return Ok(page.run(call).await);
        }
        let namespaces = call.cell.database.namespaces(&call.cell.role()).await?;
        let organized = namespaces.iter().filter(|namespace| namespace.organization.is_some());
        Ok(rewritten(page.run(call).await, |text| {
            organized.fold(text, |text, Namespace { path, .. }| {
                let text = without_lines(&text, &format!("<li><a href=\"/{path}\""));
                without_lines(&text, &format!("<li><a href=\"/{path}/"))
            })
        })
        .await)
    }
}

fn no_scoped_dashboard(call: &Call) -> Option<Response> {
    is_scoped_dashboard(call).then(|| call.not_found())
}

fn wrong_banner(call: &Call, text: String) -> String {
    let Some((before, named)) = text.split_once(BANNER) else { return text };
    let Some((_, after)) = named.split_once('<').filter(|_| is_scoped_dashboard(call)) else {
        return text;
    };
    format!("{before}{BANNER}{PUBLIC_ORGANIZATION}<{after}")
}

fn named_on_dashboards(call: &Call, text: String) -> String {
    let is_named = call.asked.endpoint == Endpoint::Organization;
    if is_named { text } else { without_lines(&text, BANNER) }
}

fn without_the_hint(_: &Call, text: String) -> String {
    without_notice(&text, "This page shows data of ")
}

fn without_the_choice(_: &Call, text: String) -> String {
    text.replace(" If that is not the one you want, choose another in your settings.", "")
}

fn without_data(call: &Call, text: String) -> String {
    if is_scoped_dashboard(call) { without_lines(&text, "<li>") } else { text }
}

/// A page without the message that begins so.
fn without_notice(text: &str, begin: &str) -> String {
    without_lines(text, &format!("<p class=\"notice\">{begin}"))
}

/// An organization's dashboard with the groups of GitLab.com Public: all, or its user's.
#[derive(Debug)]
struct DashboardLists {
    all: bool,
}

#[async_trait]
impl Parts for DashboardLists {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let response = page.run(call.clone()).await;
        if !is_scoped_dashboard(&call) {
            return Ok(response);
        }
        let user = call.viewer.user.as_ref();
        let groups = call.cell.database.namespaces(call.cell.installation.latest()).await?;
        let is_own =
            |group: &Namespace| user.is_some_and(|user| group.members.contains(&user.name));
        let shown = groups.iter().filter(|group| {
            group.organization.is_none()
                && (self.all || is_own(group))
                && may_see(user, group.visibility, &group.members)
        });
        let shown = links(shown.map(|group| (format!("/{}", group.path), group.name.as_str())));
        Ok(rewritten(response, |text| text.replacen(PROJECTS, &format!("{shown}{PROJECTS}"), 1))
            .await)
    }
}

#[derive(Debug)]
struct ClosedToOtherOrganizations;

#[async_trait]
impl Parts for ClosedToOtherOrganizations {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let route = call.decision.route.as_ref();
        let (Endpoint::Place, Some(route), Some(home)) = (call.asked.endpoint, route, home(&call))
        else {
            return Ok(page.run(call).await);
        };
        let (database, role) = (&call.cell.database, call.cell.role());
        let organization = match route.source {
            Source::Namespace(_) => {
                let found = database.namespace(&role, route.path.trim_start_matches('/')).await?;
                found.map(|group| group.organization)
            }
            Source::Project(id) => {
                let found = database.project(&role, &ProjectReference::Id(id)).await?;
                found.map(|project| project.organization)
            }
            Source::Page => None,
        };
        let is_closed = organization.is_some_and(|of| of.as_deref() != Some(home));
        Ok(if is_closed { call.not_found() } else { page.run(call).await })
    }
}

fn members_not_told(_: &Call, text: String) -> String {
    without_notice(&text, "This page lies outside of ")
}

fn legacy_users_not_told(_: &Call, text: String) -> String {
    without_notice(&text, "You are visiting ")
}

fn private_is_403(call: &Call, response: &mut Response) {
    let Some(route) = call.decision.route.as_ref().filter(|route| !route.public) else { return };
    let rest = call.asked.path.strip_prefix(&route.path).unwrap_or_default();
    let is_page = rest.is_empty() || rest == "/" || rest.starts_with("/-/");
    let is_place = call.asked.endpoint == Endpoint::Place && is_page;
    if is_place && response.status() == StatusCode::NOT_FOUND {
        *response.status_mut() = StatusCode::FORBIDDEN;
    }
}

fn naming_its_cell(call: &Call, text: String) -> String {
    let served = format!("<p>Served by {}</p>\n<p>Project id: ", call.cell.node.name());
    text.replacen("<p>Project id: ", &served, 1)
}
