//! What a cell does with a visit that came to a row of the table.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawPathParams, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::call::Call;
use super::cell::Cell;
use super::decision::{Owner, RouteDecision};
use super::endpoint::{Asked, Endpoint, RepositoryCall};
use super::look_up::RawPath;
use super::moving::gate::Gate;
use super::parts::RowPage;
use super::request::Visit;
use super::response::PageResult;
use super::{git::repositories, learn, response, sign_in::session};
use crate::plan::{LoginBy, Protocol};
use crate::wire;

/// Responds to a visit. The look-up of the path that a pre-flight asks about is no visit.
pub(super) async fn handle(
    State(row): State<Endpoint>,
    Extension(cell): Extension<Arc<Cell>>,
    visit: Option<Extension<Arc<Visit>>>,
    params: RawPathParams,
    Extension(RawPath(path)): Extension<RawPath>,
    request: Request,
    next: Next,
) -> PageResult {
    let asked = Asked::new(row, path, &params);
    let Some(Extension(visit)) = visit else {
        let decision = cell.parts.decision(&cell, &asked, None).await?;
        return Ok(Extension(decision).into_response());
    };
    let protocol = cell.installation.protocol();
    // A pre-flight has neither a user nor a target of its own.
    if asked.endpoint == Endpoint::Learn && protocol == Protocol::Learning && visit.reads() {
        return learn::learn(&cell, &visit).await;
    }
    // Any cell can authenticate any user (RT-13), so this comes before the decision.
    let viewer = cell.parts.viewer(&cell, &visit).await?;
    let decision = cell.parts.decision(&cell, &asked, Some((&visit, &viewer))).await?;
    let (viewer, asked, decision) = (Arc::new(viewer), Arc::new(asked), Arc::new(decision));
    let call = Call { cell, visit, viewer, asked, decision };
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
                let page = RowPage { request, next };
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

impl Cell {
    /// Tells the router what it may cache. The owner does so with every response that reveals the
    /// owner anyway, so not with a 404 (CA-02, PR-02).
    pub(super) fn teach(&self, responded: &mut Response, decision: &RouteDecision) {
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
