//! The routes of a cell, as `config/routes.rb` has those of GitLab: each row with its pages, below
//! what tells who owns it.

use std::sync::LazyLock;

use axum::Router;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, any};

use super::call::missing;
use super::endpoint::{Endpoint, RunnerCall};
use super::{
    admin, api, api::projects, layers, places, places::cable, places::dashboard, places::groups,
    places::organizations, places::search, runners, sign_in, sign_in::settings, sign_in::sign_up,
};
use crate::wire;

/// A page for GET and HEAD alone. As in Rails, nothing exists at the path for other methods.
fn get<T: 'static>(page: impl Handler<T, ()>) -> MethodRouter {
    any(missing).get(page)
}

/// The table, which all cells share: a request brings its cell along.
pub(super) static TABLE: LazyLock<Router> = LazyLock::new(|| {
    let owned =
        |endpoint: Endpoint, rows: Router| rows.layer(from_fn_with_state(endpoint, layers::handle));
    let rows = Router::new;
    Router::new()
        .merge(owned(Endpoint::Root, rows().route("/", any(dashboard::root))))
        .merge(owned(
            Endpoint::Dashboard,
            rows()
                .route("/dashboard", any(dashboard::global))
                .route("/dashboard/projects", any(dashboard::global)),
        ))
        .merge(owned(
            Endpoint::Users,
            rows()
                .route("/users/sign_in", any(sign_in::sign_in).get(sign_in::page))
                .route("/users/sign_out", any(sign_in::sign_out).get(sign_in::by_a_link))
                .route("/users/sign_up", any(sign_up::sign_up).get(sign_up::page))
                .route("/users/", any(missing))
                .route("/users/{*rest}", any(missing)),
        ))
        .merge(owned(
            Endpoint::Settings,
            rows()
                .route("/-/profile", any(settings::set_status).get(settings::profile))
                .route(
                    "/-/user_settings",
                    any(settings::set_default_organization).get(settings::overview),
                )
                .route(
                    "/-/user_settings/password",
                    any(settings::set_password).get(settings::password),
                )
                .route(
                    "/-/user_settings/personal_access_tokens",
                    any(settings::add_token).get(settings::tokens),
                )
                .route(
                    "/-/user_settings/active_sessions",
                    any(settings::end_sessions).get(settings::sessions),
                ),
        ))
        .merge(owned(
            Endpoint::Groups,
            rows()
                .route("/groups", any(groups::create).get(groups::new))
                .route("/groups/new", any(groups::create).get(groups::new)),
        ))
        .merge(owned(
            Endpoint::Organization,
            rows()
                .route("/organizations/{slug}", get(organizations::overview))
                .route("/organizations/{slug}/", get(organizations::overview))
                .route("/organizations/{slug}/-/dashboard", get(organizations::dashboard))
                .route(
                    "/organizations/{slug}/groups",
                    any(organizations::create_group).get(organizations::overview),
                )
                .route("/organizations/{slug}/groups/new", get(organizations::new_group))
                .route("/organizations/{slug}/{*rest}", any(missing)),
        ))
        .merge(owned(Endpoint::Admin, rows().route("/admin", any(admin::entry))))
        .merge(owned(
            Endpoint::AdminOfCell,
            rows()
                .route("/admin/cells/{cell}", get(admin::overview))
                .route("/admin/cells/{cell}/", get(admin::overview))
                .route("/admin/cells/{cell}/projects", get(admin::projects))
                .route("/admin/cells/{cell}/routes", get(admin::routes))
                .route("/admin/cells/{cell}/settings", any(admin::set).get(admin::settings))
                .route("/admin/cells/{cell}/{*rest}", any(missing)),
        ))
        .merge(owned(
            Endpoint::ApiProjects,
            rows().route("/api/v4/projects", any(projects::create_by_body).get(missing)),
        ))
        .merge(owned(
            Endpoint::ApiProject,
            rows()
                .route("/api/v4/projects/{id}", any(api::project))
                .route("/api/v4/projects/{id}/", any(api::project))
                .route("/api/v4/projects/{id}/issues", any(api::issues))
                .route("/api/v4/projects/{id}/merge_requests", any(projects::merge_requests))
                .route("/api/v4/projects/{id}/merge_requests/", any(projects::merge_requests))
                .route(
                    "/api/v4/projects/{id}/merge_requests/{*rest}",
                    any(projects::merge_requests),
                )
                .route(
                    "/api/v4/projects/{id}/pipeline",
                    any(projects::create_pipeline).get(api::nothing),
                )
                .route(
                    "/api/v4/projects/{id}/repository/branches",
                    any(projects::create_branch).get(projects::branches),
                )
                .route("/api/v4/projects/{id}/search", any(projects::search))
                .route("/api/v4/projects/{id}/statistics", any(projects::statistics))
                .route("/api/v4/projects/{id}/{*rest}", any(api::nothing)),
        ))
        .merge(owned(
            Endpoint::ApiGroup,
            rows()
                .route("/api/v4/groups/{id}", any(projects::group))
                .route("/api/v4/groups/{id}/", any(projects::group))
                .route("/api/v4/groups/{id}/projects", any(projects::create_in_group).get(missing))
                .route("/api/v4/groups/{id}/{*rest}", any(missing)),
        ))
        .merge(owned(
            Endpoint::ApiMergeRequest,
            rows().route("/api/v4/merge_requests/{id}", any(projects::merge_request_by_id)),
        ))
        .merge(owned(
            Endpoint::OrganizationGraphql,
            rows().route("/api/organizations/{slug}/graphql", any(api::organization_graphql)),
        ))
        .merge(owned(
            Endpoint::Global,
            rows()
                .route("/api/graphql", any(api::graphql))
                .route("/search/autocomplete", any(search::autocomplete))
                .route("/-/cable", any(cable::open)),
        ))
        .merge(owned(Endpoint::Search, rows().route("/search", any(search::results))))
        .merge(owned(
            Endpoint::Runners(RunnerCall::Register),
            rows().route("/api/v4/runners", any(missing).post(runners::register)),
        ))
        .merge(owned(
            Endpoint::Runners(RunnerCall::Request),
            rows().route("/api/v4/jobs/request", any(missing).post(runners::request)),
        ))
        .merge(owned(
            Endpoint::Runners(RunnerCall::Report),
            rows().route("/api/v4/jobs/{id}", any(missing).put(runners::report)),
        ))
        .merge(owned(
            Endpoint::RunnersOfCell,
            rows()
                .route("/-/cells/{cell}/api/v4/runners", any(missing).post(runners::register))
                .route("/-/cells/{cell}/api/v4/jobs/request", any(missing).post(runners::request))
                .route("/-/cells/{cell}/api/v4/jobs/{id}", any(missing).put(runners::report)),
        ))
        .merge(owned(
            Endpoint::Learn,
            rows()
                .route(wire::LEARN_PATH, any(missing))
                .route(wire::LEARN_PATH_EARLIER, any(missing)),
        ))
        // Groups, projects and their repositories, which no row can name.
        .merge(owned(Endpoint::Place, rows().fallback(places::page)))
});
