//! What the Rails application of each cell responds.
//!
//! One stack serves every request, and the comments in [`serve`] name its layers. The path is
//! decoded to an endpoint ([`endpoint`]), the endpoint to the cell that is to respond
//! ([`ownership`]); only then do the pages have their say.

mod admin;
mod api;
mod cable;
mod cgi;
mod control;
mod dashboard;
mod endpoint;
mod git;
mod groups;
mod installation;
mod layout;
mod learn;
mod mutated;
mod notices;
mod organizations;
mod ownership;
mod path;
mod places;
mod request;
mod response;
mod search;
mod session;
mod settings;
mod sign_in;
mod sign_up;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

pub use control::ControlError;
pub(crate) use endpoint::is_reserved;
pub use installation::{Installation, InstallationError};
pub(crate) use path::is_plain_segment;
pub use session::SESSION_COOKIE;

use crate::database::Connection;
use crate::mutants::Mutation;
use crate::plan::{LoginBy, Protocol};
use crate::{CellId, wire};
use endpoint::Endpoint;
use ownership::{Owner, RouteDecision};
use request::Visit;
use response::PageResult;
use session::Viewer;

/// The application of the cell in this seat.
pub(crate) fn application(installation: Arc<Installation>, node: CellId) -> Router {
    let database = installation.connection(&node);
    // Routes are matched on the raw path by the application itself: axum's own would decode it
    // first.
    Router::new().fallback(serve).with_state(Arc::new(Cell { installation, node, database }))
}

/// One cell.
#[derive(Debug)]
struct Cell {
    installation: Arc<Installation>,
    /// The cell as the topology names it.
    node: CellId,
    database: Connection,
}

impl Cell {
    /// The cell as the documents name it. Asked only where the response depends on it, since an
    /// armed cast binds here.
    fn role(&self) -> CellId {
        self.installation.casting.role_of(&self.node)
    }

    /// The cell that a router must be told when the owner is meant; this one where any will do.
    fn node_of(&self, owner: &Owner) -> CellId {
        match owner {
            Owner::Node(node) => node.clone(),
            Owner::Role(role) => self.installation.casting.node_of(role),
            Owner::Any | Owner::Nobody => self.node.clone(),
        }
    }

    /// Whether the cells of this fleet make this mistake.
    fn has(&self, mutant: Mutation) -> bool {
        self.installation.has(mutant)
    }

    /// Adds what the router may remember. The owner teaches on every response that gives something
    /// away anyway: not on a 404 (CA-02, PR-02).
    fn teach(&self, responded: &mut Response, decision: &RouteDecision, signed_in: bool) {
        let gives = responded.status().is_success()
            || responded.status().is_redirection()
            || self.has(Mutation::CacheHeaderOnA404);
        let silent = self.has(Mutation::NoCacheHeader)
            || self.has(Mutation::CacheHeaderForUsersOnly) && !signed_in;
        let teaches = gives && !silent && self.installation.protocol() == Protocol::Buffering;
        if let Some(prefix) = decision.cached.as_ref().filter(|_| teaches) {
            response::add_field(responded, wire::CELL_CACHE, &wire::cache_value(prefix));
        }
    }

    fn is(&self, owner: &Owner) -> bool {
        match owner {
            Owner::Any => true,
            Owner::Node(node) => self.node == *node,
            Owner::Role(role) => self.role() == *role,
            Owner::Nobody => false,
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
        if self.has(Mutation::ForgetsWhereTheVisitorWanted) {
            response::redirect("/users/sign_in")
        } else {
            response::sign_in(&visit.target())
        }
    }
}

/// A request, whoever sent it, and what is known about its path.
struct Call<'a> {
    cell: &'a Cell,
    visit: &'a Visit,
    viewer: &'a Viewer,
    decision: &'a RouteDecision,
}

async fn serve(State(cell): State<Arc<Cell>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    // The journal has the failure already, and the fleet reports it when it stops.
    respond(&cell, request).await.unwrap_or_else(|error| response::store_failed(&path, &error))
}

async fn respond(cell: &Cell, request: Request) -> PageResult {
    // What git sends and gets is not collected: it may be larger than memory.
    if let Some((repository, decision)) = cell.repository_of_its_own(request.uri().path()).await? {
        let mut responded = git::serve(repository, request).await;
        cell.teach(&mut responded, &decision, false);
        return Ok(responded);
    }
    // Any other request is read to its end, whatever becomes of it.
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
    // Any cell can authenticate any user (RT-13), before it knows whose the request is.
    let viewer = Viewer::of(cell, &visit).await?;
    let decision = cell.decide_request(&endpoint, &visit, &viewer).await?;
    // As drawn, the asked cell starts the login in the buffering protocol, the owner in the other
    //
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
        return Ok(cell.to_sign_in(&visit));
    }
    if decision.owner == Owner::Nobody {
        return Ok(response::not_found(&visit.path));
    }
    // What is another cell's is not touched: it is bounced, or it is not here (RT-07).
    let call = Call { cell, visit: &visit, viewer: &viewer, decision: &decision };
    if !cell.is(&decision.owner) {
        if cell.has(Mutation::ActsBeforeItLooks) {
            call.response(&endpoint).await?;
        }
        return Ok(match protocol {
            Protocol::Buffering => cell.bounce(&visit, &decision.owner),
            Protocol::Learning => response::not_found(&visit.path),
        });
    }
    if turned_to_sign_in {
        return Ok(cell.to_sign_in(&visit));
    }
    let mut responded = call.response(&endpoint).await?;
    cell.teach(&mut responded, &decision, viewer.user.is_some());
    if cell.has(Mutation::LoneCellPointsToItself) && cell.installation.is_alone() {
        response::add_field(
            &mut responded,
            wire::CELL_REDIRECT,
            &wire::redirect_value(&cell.node.name()),
        );
    }
    Ok(responded)
}

impl Call<'_> {
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
            Endpoint::Graphql => Ok(api::graphql(self)),
            Endpoint::Search => search::results(self).await,
            Endpoint::Autocomplete => Ok(search::autocomplete(self)),
            Endpoint::Cable => Ok(cable::open(self)),
            Endpoint::Place => places::page(self).await,
            Endpoint::Users(_) | Endpoint::Learn => Ok(self.not_found()),
        }
    }

    fn not_found(&self) -> Response {
        response::not_found(&self.visit.path)
    }
}
