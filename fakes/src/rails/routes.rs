//! The routes of a cell, as `config/routes.rb` has those of GitLab: each row with what tells who owns
//! it, and its page.
//!
//! axum's own matcher finds the row, so that a path has one also without a request, as a pre-flight
//! asks about it, and parameters stay as they were sent, byte for byte.

use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{Method, header};
use axum::response::Response;
use axum::routing::{MethodRouter, any};

use super::call::{Call, missing};
use super::endpoint::{Asked, Endpoint, RunnerCall};
use super::{
    admin, api, api::projects, places, places::cable, places::dashboard, places::groups,
    places::organizations, places::search, runners, sign_in, sign_in::settings, sign_in::sign_up,
};
use crate::wire;

/// A row: the paths, what is asked for there, and the page.
type Row = (&'static str, Endpoint, MethodRouter<Call>);

/// The rows, which all cells share.
fn rows() -> Vec<Row> {
    use Endpoint::*;
    vec![
        ("/", Root, any(dashboard::root)),
        ("/dashboard", Dashboard, any(dashboard::global)),
        ("/dashboard/projects", Dashboard, any(dashboard::global)),
        ("/users/sign_in", Users, any(sign_in::sign_in).get(sign_in::page)),
        ("/users/sign_out", Users, any(sign_in::sign_out).get(sign_in::by_a_link)),
        ("/users/sign_up", Users, any(sign_up::sign_up).get(sign_up::page)),
        ("/users/", Users, any(missing)),
        ("/users/{*rest}", Users, any(missing)),
        ("/-/profile", Settings, any(settings::set_status).get(settings::profile)),
        (
            "/-/user_settings",
            Settings,
            any(settings::set_default_organization).get(settings::overview),
        ),
        (
            "/-/user_settings/password",
            Settings,
            any(settings::set_password).get(settings::password),
        ),
        (
            "/-/user_settings/personal_access_tokens",
            Settings,
            any(settings::add_token).get(settings::tokens),
        ),
        (
            "/-/user_settings/active_sessions",
            Settings,
            any(settings::end_sessions).get(settings::sessions),
        ),
        ("/groups", Groups, any(groups::create).get(groups::new)),
        ("/groups/new", Groups, any(groups::create).get(groups::new)),
        ("/organizations/{slug}", Organization, get(organizations::overview)),
        ("/organizations/{slug}/", Organization, get(organizations::overview)),
        ("/organizations/{slug}/-/dashboard", Organization, get(organizations::dashboard)),
        (
            "/organizations/{slug}/groups",
            Organization,
            any(organizations::create_group).get(organizations::overview),
        ),
        ("/organizations/{slug}/groups/new", Organization, get(organizations::new_group)),
        ("/organizations/{slug}/{*rest}", Organization, any(missing)),
        ("/admin", Admin, any(admin::entry)),
        ("/admin/cells/{cell}", AdminOfCell, get(admin::overview)),
        ("/admin/cells/{cell}/", AdminOfCell, get(admin::overview)),
        ("/admin/cells/{cell}/projects", AdminOfCell, get(admin::projects)),
        ("/admin/cells/{cell}/routes", AdminOfCell, get(admin::routes)),
        ("/admin/cells/{cell}/settings", AdminOfCell, any(admin::set).get(admin::settings)),
        ("/admin/cells/{cell}/{*rest}", AdminOfCell, any(missing)),
        ("/api/v4/projects", ApiProjects, any(projects::create_by_body).get(missing)),
        ("/api/v4/projects/{id}", ApiProject, any(api::project)),
        ("/api/v4/projects/{id}/", ApiProject, any(api::project)),
        ("/api/v4/projects/{id}/issues", ApiProject, any(api::issues)),
        ("/api/v4/projects/{id}/merge_requests", ApiProject, any(projects::merge_requests)),
        ("/api/v4/projects/{id}/merge_requests/", ApiProject, any(projects::merge_requests)),
        ("/api/v4/projects/{id}/merge_requests/{*rest}", ApiProject, any(projects::merge_requests)),
        (
            "/api/v4/projects/{id}/pipeline",
            ApiProject,
            any(projects::create_pipeline).get(api::nothing),
        ),
        (
            "/api/v4/projects/{id}/repository/branches",
            ApiProject,
            any(projects::create_branch).get(projects::branches),
        ),
        ("/api/v4/projects/{id}/search", ApiProject, any(projects::search)),
        ("/api/v4/projects/{id}/statistics", ApiProject, any(projects::statistics)),
        ("/api/v4/projects/{id}/{*rest}", ApiProject, any(api::nothing)),
        ("/api/v4/groups/{id}", ApiGroup, any(projects::group)),
        ("/api/v4/groups/{id}/", ApiGroup, any(projects::group)),
        ("/api/v4/groups/{id}/projects", ApiGroup, any(projects::create_in_group).get(missing)),
        ("/api/v4/groups/{id}/{*rest}", ApiGroup, any(missing)),
        ("/api/v4/merge_requests/{id}", ApiMergeRequest, any(projects::merge_request_by_id)),
        ("/api/organizations/{slug}/graphql", OrganizationGraphql, any(api::organization_graphql)),
        ("/api/graphql", Global, any(api::graphql)),
        ("/search/autocomplete", Global, any(search::autocomplete)),
        ("/-/cable", Global, any(cable::open)),
        ("/search", Search, any(search::results)),
        ("/api/v4/runners", Runners(RunnerCall::Register), any(missing).post(runners::register)),
        ("/api/v4/jobs/request", Runners(RunnerCall::Request), any(missing).post(runners::request)),
        ("/api/v4/jobs/{id}", Runners(RunnerCall::Report), any(missing).put(runners::report)),
        ("/-/cells/{cell}/api/v4/runners", RunnersOfCell, any(missing).post(runners::register)),
        ("/-/cells/{cell}/api/v4/jobs/request", RunnersOfCell, any(missing).post(runners::request)),
        ("/-/cells/{cell}/api/v4/jobs/{id}", RunnersOfCell, any(missing).put(runners::report)),
        (wire::LEARN_PATH, Learn, any(missing)),
        (wire::LEARN_PATH_EARLIER, Learn, any(missing)),
    ]
}

/// A page for GET and HEAD alone. As in Rails, nothing exists at the path for other methods.
fn get<T: 'static>(page: impl Handler<T, Call>) -> MethodRouter<Call> {
    any(missing).get(page)
}

static TABLE: LazyLock<matchit::Router<(Endpoint, MethodRouter<Call>)>> = LazyLock::new(|| {
    let mut table = matchit::Router::new();
    for (path, endpoint, page) in rows() {
        table.insert(path, (endpoint, page)).expect("no two rows have the same paths");
    }
    table
});

/// Groups, projects and their repositories, which no row can name.
static PLACE: LazyLock<MethodRouter<Call>> = LazyLock::new(|| any(places::page));

/// What a path asks for, and the page there. Requests and pre-flights pass here (LN-08).
pub(super) fn row_at(path: &str) -> (Asked, RowPage) {
    // A pre-flight may ask about an empty path.
    match TABLE.at(if path.is_empty() { "/" } else { path }) {
        Ok(row) => {
            let (endpoint, page) = row.value;
            (Asked::new(*endpoint, path, row.params.iter()), RowPage(page))
        }
        Err(_) => (Asked::new(Endpoint::Place, path, []), RowPage(&PLACE)),
    }
}

/// The page of the row that a request came to.
#[derive(Clone, Copy, Debug)]
pub struct RowPage(&'static MethodRouter<Call>);

impl RowPage {
    /// Responds as if this were asked.
    pub async fn run(self, call: Call) -> Response {
        let mut request = Request::new(Body::empty());
        // axum ends a response here: it writes the length, and a response to HEAD loses its body.
        // The router around the application does so after the last field.
        *request.method_mut() = match &call.visit.method {
            &Method::HEAD => Method::GET,
            other => other.clone(),
        };
        let mut responded = self.0.clone().call(request, call).await;
        responded.headers_mut().remove(header::CONTENT_LENGTH);
        responded
    }
}
