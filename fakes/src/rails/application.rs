//! The application of one cell: the layers that a request passes, and the page of each endpoint.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::call::Call;
use super::cell::Cell;
use super::decision::{Owner, RouteDecision};
use super::endpoint::{Endpoint, RepositoryCall};
use super::installation::Installation;
use super::moving::Gate;
use super::request::Visit;
use super::response::PageResult;
use super::viewer::Viewer;
use super::{
    admin, api, cable, dashboard, git, groups, learn, mutated, organizations, places, projects,
    repositories, response, runners, search, session, settings, sign_in, sign_up,
};
use crate::database::StoreError;
use crate::mutants::Mutation;
use crate::protocol::{LoginBy, Protocol};
use crate::repository::Repository;
use crate::{CellId, wire};

/// The application of a cell, named as the topology does.
pub(crate) fn application(installation: Arc<Installation>, node: CellId) -> Router {
    let database = installation.connection(&node);
    // The application matches routes on the raw path itself: axum would decode the path first.
    Router::new().fallback(serve).with_state(Arc::new(Cell { installation, node, database }))
}

impl Installation {
    /// The application of a cell, named as the topology does, without a server around it.
    pub fn application(self: &Arc<Self>, node: &CellId) -> Router {
        application(self.clone(), node.clone())
    }
}

impl Cell {
    /// The repository at or above this path, if this cell is the one that serves it now.
    async fn repository_of_its_own(
        &self,
        path: &str,
    ) -> Result<Option<(&Repository, RouteDecision)>, StoreError> {
        let Some(repository) = self.repository(path) else { return Ok(None) };
        let decision = self.decide_path(path).await?;
        let serves = self.is(&decision.owner) && !mutated::is_out_of_service(self).await?;
        Ok(serves.then_some((repository, decision)))
    }

    /// Adds the cache header. The owner sends it with every response that reveals the owner anyway,
    /// so not with a 404 (CA-02, PR-02).
    fn teach(&self, responded: &mut Response, decision: &RouteDecision, signed_in: bool) {
        let gives = responded.status().is_success()
            || responded.status().is_redirection()
            || self.has(Mutation::CacheHeaderOnA404);
        let silent = self.has(Mutation::NoCacheHeader)
            || self.has(Mutation::CacheHeaderForUsersOnly) && !signed_in;
        let teaches = gives && !silent && self.installation.protocol() == Protocol::Buffering;
        if let Some(prefix) = decision.cache_prefix.as_ref().filter(|_| teaches) {
            response::add_field(responded, wire::CELL_CACHE, &wire::cache_value(prefix));
        }
    }

    /// Sends the router on to the owner.
    fn bounce(&self, visit: &Visit, owner: &Owner) -> Response {
        let owner = if self.has(Mutation::BouncesToTheLegacyCell) {
            self.installation.latest().clone()
        } else {
            self.node_of(owner)
        };
        let spelled = if self.has(Mutation::BounceNamesTheId) { owner.id() } else { owner.name() };
        let mut bounce = response::bounce(&visit.target(), &spelled);
        if self.has(Mutation::BouncesWith307) {
            *bounce.status_mut() = StatusCode::TEMPORARY_REDIRECT;
        }
        bounce
    }

    /// Sends a visitor to sign in, and back to where they were going (LG-01).
    fn to_sign_in(&self, visit: &Visit) -> Response {
        let is_git_client = RepositoryCall::decode(&visit.path).is_some();
        if is_git_client && !self.has(Mutation::GitClientsSentToTheForm) {
            repositories::to_password()
        } else if self.has(Mutation::ForgetsWhereTheVisitorWanted) {
            response::redirect("/users/sign_in")
        } else {
            response::sign_in(&visit.target())
        }
    }
}

async fn serve(State(cell): State<Arc<Cell>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    // The journal has the failure already, and the fleet reports it when it stops.
    respond(&cell, request).await.unwrap_or_else(|error| response::store_failed(&path, &error))
}

async fn respond(cell: &Cell, request: Request) -> PageResult {
    // Git bodies are streamed, since they may be larger than memory.
    if let Some((repository, decision)) = cell.repository_of_its_own(request.uri().path()).await? {
        let is_push = request.uri().path().ends_with("/git-receive-pack");
        let _begun = match is_push {
            true => match cell.begin_at(request.uri().path()).await? {
                Gate::Open { begun } => begun,
                Gate::Closed(refused) => return Ok(refused),
            },
            false => None,
        };
        let mut responded = git::serve(repository, request).await;
        cell.teach(&mut responded, &decision, false);
        return Ok(responded);
    }
    // Any other request is read to its end before the cell decides about it.
    let Ok(visit) = Visit::read(request).await else {
        return Ok(StatusCode::BAD_REQUEST.into_response());
    };
    if mutated::is_out_of_service(cell).await? {
        return Ok(StatusCode::SERVICE_UNAVAILABLE.into_response());
    }
    let protocol = cell.installation.protocol();
    let endpoint = Endpoint::decode(&visit.path);
    // A pre-flight has no user and no target of its own.
    if endpoint == Endpoint::Learn && protocol == Protocol::Learning && visit.reads() {
        return learn::learn(cell, &visit).await;
    }
    // Any cell can authenticate any user (RT-13), so this comes before the route decision.
    let viewer = Viewer::of(cell, &visit).await?;
    let mut responded = respond_to(cell, &endpoint, &visit, &viewer).await?;
    if let Some(renewed) = &viewer.renewed {
        session::renew(&mut responded, renewed);
    }
    Ok(responded)
}

async fn respond_to(
    cell: &Cell,
    endpoint: &Endpoint<'_>,
    visit: &Visit,
    viewer: &Viewer,
) -> PageResult {
    let decision = cell.decide_request(endpoint, visit, viewer).await?;
    // As drawn, the cell that receives the request starts the login in the buffering protocol, the
    // owner in the learning protocol.
    let turned_to_sign_in = decision.private && viewer.user.is_none();
    if turned_to_sign_in
        && cell.has(Mutation::GlobalRoutesHideFromVisitors)
        && matches!(endpoint, Endpoint::Root | Endpoint::Dashboard)
    {
        return Ok(response::not_found(&visit.path));
    }
    if turned_to_sign_in && cell.has(Mutation::TurnsVisitorsAway) && !cell.is(&decision.owner) {
        return Ok(response::not_found(&visit.path));
    }
    if turned_to_sign_in && cell.installation.login_by() == LoginBy::AskedCell {
        return Ok(cell.to_sign_in(visit));
    }
    let call = Call { cell, visit, viewer, decision: &decision };
    let responded = call.responded(endpoint, turned_to_sign_in).await?;
    // What is not there looks to a visitor like what is private (PR-03, A-81).
    let is_hidden = responded.status() == StatusCode::NOT_FOUND
        && viewer.user.is_none()
        && !endpoint.is_for_programs(&visit.path)
        && !cell.has(Mutation::TellsVisitorsWhatIsMissing);
    Ok(if is_hidden { cell.to_sign_in(visit) } else { responded })
}

impl Call<'_> {
    /// The response of this cell, which is the owner or another one.
    async fn responded(&self, endpoint: &Endpoint<'_>, turned_to_sign_in: bool) -> PageResult {
        let Self { cell, visit, viewer, decision } = self;
        if decision.owner == Owner::Missing {
            return Ok(self.not_found());
        }
        // Only the owner acts on a request. Other cells redirect it, or respond 404 (RT-07).
        if !cell.is(&decision.owner) {
            if cell.has(Mutation::ActsBeforeItLooks) {
                self.response(endpoint).await?;
            }
            return Ok(match cell.installation.protocol() {
                Protocol::Buffering => cell.bounce(visit, &decision.owner),
                Protocol::Learning => self.not_found(),
            });
        }
        if turned_to_sign_in {
            return Ok(cell.to_sign_in(visit));
        }
        // A write ends before a freeze is done, and none begins after it.
        let _begun = match cell.begin(endpoint, visit, decision).await? {
            Gate::Open { begun } => begun,
            Gate::Closed(refused) => return Ok(refused),
        };
        let mut responded = self.response(endpoint).await?;
        cell.teach(&mut responded, decision, viewer.user.is_some());
        if cell.has(Mutation::LoneCellPointsToItself) && cell.installation.is_alone() {
            response::add_field(
                &mut responded,
                wire::CELL_REDIRECT,
                &wire::redirect_value(&cell.node.name()),
            );
        }
        Ok(responded)
    }

    async fn response(&self, endpoint: &Endpoint<'_>) -> PageResult {
        match endpoint {
            Endpoint::Root => Ok(dashboard::root(self)),
            Endpoint::Dashboard => dashboard::global(self).await,
            Endpoint::Users("sign_in") => sign_in::sign_in(self).await,
            Endpoint::Users("sign_out") => sign_in::sign_out(self).await,
            Endpoint::Users("sign_up") => sign_up::sign_up(self).await,
            Endpoint::Settings(page) => settings::page(self, *page).await,
            Endpoint::Groups => groups::without_organization(self).await,
            Endpoint::Admin => Ok(admin::entry(self)),
            Endpoint::AdminOfCell { rest, .. } => admin::of_cell(self, rest).await,
            Endpoint::Organization { slug, rest } => organizations::page(self, slug, rest).await,
            Endpoint::OrganizationGraphql { slug } => api::organization_graphql(self, slug).await,
            Endpoint::ApiProject { project, rest } => api::project(self, project, rest).await,
            Endpoint::ApiProjects => projects::create_by_body(self).await,
            Endpoint::ApiGroup { rest, .. } => projects::group(self, rest).await,
            Endpoint::ApiMergeRequest { id } => projects::merge_request_by_id(self, *id).await,
            Endpoint::Runners(asked) | Endpoint::RunnersOfCell { call: asked, .. } => {
                runners::respond(self, *asked).await
            }
            Endpoint::Repository { call, .. } => repositories::respond(self, *call).await,
            Endpoint::Graphql => Ok(api::graphql(self)),
            Endpoint::Search => search::results(self).await,
            Endpoint::Autocomplete => Ok(search::autocomplete(self)),
            Endpoint::Cable => Ok(cable::open(self)),
            Endpoint::Place => places::page(self).await,
            Endpoint::Users(_) | Endpoint::Learn => Ok(self.not_found()),
        }
    }
}
