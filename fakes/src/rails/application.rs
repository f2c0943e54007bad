//! The application of one cell: what it does with a request, from its path to the response.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};

use super::call::Call;
use super::cell::Cell;
use super::decision::{Owner, RouteDecision};
use super::endpoint::{Endpoint, RepositoryCall};
use super::installation::Installation;
use super::moving::gate::Gate;
use super::parts::{CorrectParts, Parts};
use super::request::Visit;
use super::response::PageResult;
use super::routes::row_at;
use super::{git, git::repositories, learn, response, sign_in::session};
use crate::CellId;
use crate::database::{StoreError, Stored};
use crate::git::on_disk::Repository;
use crate::plan::{LoginBy, Protocol};
use crate::wire;

/// The application of a cell, named as the topology does.
pub(crate) fn application(
    installation: Arc<Installation>,
    node: CellId,
    parts: Arc<dyn Parts>,
) -> Router {
    let database = installation.connection(&node, parts.front());
    let sessions = installation.sessions.clone();
    let cell = Arc::new(Cell { installation, node, database, parts, sessions });
    Router::new().fallback(handle).layer(from_fn_with_state(cell.clone(), around)).with_state(cell)
}

impl Installation {
    /// The application of a cell, named as the topology does, without a server around it.
    pub fn application(self: &Arc<Self>, node: &CellId) -> Router {
        application(self.clone(), node.clone(), Arc::new(CorrectParts))
    }
}

/// What stands around the application. Where a store failed, the response says so. The journal has
/// the failure already, and the fleet reports it when it stops.
async fn around(State(cell): State<Arc<Cell>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut responded = cell.parts.wrap(&cell, request, next).await.into_response();
    match responded.extensions_mut().remove::<StoreError>() {
        Some(error) => response::store_failed(&path, &error),
        None => responded,
    }
}

/// Responds to a request.
async fn handle(State(cell): State<Arc<Cell>>, request: Request) -> PageResult {
    if let Some((repository, decision)) = cell.repository_of_its_own(request.uri().path()).await? {
        return from_disk(&cell, repository, &decision, request).await;
    }
    // Any other request is read to its end before the cell decides about it.
    let Ok((visit, _)) = Visit::read(request).await else {
        return Ok(StatusCode::BAD_REQUEST.into_response());
    };
    let (asked, page) = row_at(&visit.path);
    let protocol = cell.installation.protocol();
    // A pre-flight has neither a user nor a target of its own.
    if asked.endpoint == Endpoint::Learn && protocol == Protocol::Learning && visit.reads() {
        return learn::learn(&cell, &visit).await;
    }
    // Any cell can authenticate any user (RT-13), so this comes before the decision.
    let viewer = cell.parts.viewer(&cell, &visit).await?;
    let decision = cell.parts.decision(&cell, &asked, Some((&visit, &viewer))).await?;
    let call = Call {
        cell,
        visit: Arc::new(visit),
        viewer: Arc::new(viewer),
        asked: Arc::new(asked),
        decision: Arc::new(decision),
    };
    let Call { cell, visit, viewer, asked, decision } = &call;

    let is_visitor = viewer.user.is_none();
    let needs_session = decision.private && is_visitor;
    let mut responded = if needs_session && cell.installation.login_by() == LoginBy::AskedCell {
        call.to_sign_in()
    } else if decision.owner == Owner::Missing {
        call.not_found()
    } else if !cell.is(&decision.owner) {
        // Only the owner acts on a request (RT-07).
        match protocol {
            Protocol::Buffering => call.bounce(),
            Protocol::Learning => call.not_found(),
        }
    } else if needs_session {
        call.to_sign_in()
    } else {
        match cell.parts.gate(cell, asked, visit, decision).await? {
            Gate::Closed(refused) => refused,
            // A write ends before a freeze is done, and none begins after it.
            Gate::Open { begun: _begun } => {
                let mut responded = cell.parts.page(call.clone(), page).await?;
                cell.teach(&mut responded, decision);
                responded
            }
        }
    };

    // What is not there looks to a visitor like what is private (PR-03, A-81).
    if responded.status() == StatusCode::NOT_FOUND && is_visitor && !asked.is_for_programs() {
        responded = call.to_sign_in();
    }
    // A session that is about to end is renewed by any response.
    if let Some(renewed) = &viewer.renewed {
        session::renew(&mut responded, renewed);
    }
    Ok(responded)
}

/// Serves a repository on disk. Bodies are streamed, since they may be larger than memory.
async fn from_disk(
    cell: &Cell,
    repository: &Repository,
    decision: &RouteDecision,
    request: Request,
) -> PageResult {
    let path = request.uri().path();
    let gate = match path.ends_with("/git-receive-pack") {
        true => cell.begin_at(path).await?,
        false => Gate::Open { begun: None },
    };
    let _begun = match gate {
        Gate::Open { begun } => begun,
        Gate::Closed(refused) => return Ok(refused),
    };
    let mut responded = git::serve(repository, &cell.installation.plan, request).await;
    cell.teach(&mut responded, decision);
    Ok(responded)
}

impl Cell {
    /// The repository at or above this path, if this cell is the one that serves it now.
    async fn repository_of_its_own(
        &self,
        path: &str,
    ) -> Stored<Option<(&Repository, RouteDecision)>> {
        let Some(repository) = self.repository(path) else { return Ok(None) };
        let decision = self.place(path).await?;
        Ok(self.is(&decision.owner).then_some((repository, decision)))
    }

    /// Tells the router what it may cache. The owner does so with every response that reveals the
    /// owner anyway, so not with a 404 (CA-02, PR-02).
    fn teach(&self, responded: &mut Response, decision: &RouteDecision) {
        let gives = responded.status().is_success() || responded.status().is_redirection();
        let teaches = gives && self.installation.protocol() == Protocol::Buffering;
        if let Some(prefix) = decision.cache_prefix.as_ref().filter(|_| teaches) {
            response::add_field(responded, wire::CELL_CACHE, &wire::cache_value(prefix));
        }
    }
}

impl Call {
    /// Sends the router on to the owner.
    fn bounce(&self) -> Response {
        let owner = self.cell.node_of(&self.decision.owner);
        response::bounce(&self.visit.target(), &owner.name())
    }

    /// Sends a visitor to sign in, and back to where they were going (LG-01).
    fn to_sign_in(&self) -> Response {
        match RepositoryCall::decode(&self.visit.path) {
            Some(_) => repositories::to_password(),
            None => response::sign_in(&self.visit.target()),
        }
    }
}
