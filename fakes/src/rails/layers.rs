//! What every visit passes on its way to a page of the table, and the response on its way back.

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
use super::sign_in::viewer::Viewer;
use super::{git::repositories, learn, response, sign_in::session};
use crate::plan::{LoginBy, Protocol};
use crate::wire;

/// Reads from the row what is asked for. A pre-flight ends here, since it has neither a user nor a
/// target of its own. So does the look-up of the path that it asks about, since that is no visit.
pub(super) async fn asked(
    State(row): State<Endpoint>,
    Extension(cell): Extension<Arc<Cell>>,
    params: RawPathParams,
    Extension(RawPath(path)): Extension<RawPath>,
    mut request: Request,
    next: Next,
) -> PageResult {
    let asked = Asked::new(row, path, &params);
    let extensions = request.extensions_mut();
    let Some(visit) = extensions.get::<Arc<Visit>>() else {
        let decision = cell.parts.decision(&cell, &asked, None).await?;
        return Ok(Extension(decision).into_response());
    };
    let is_pre_flight = asked.endpoint == Endpoint::Learn
        && cell.installation.protocol() == Protocol::Learning
        && visit.reads();
    if is_pre_flight {
        return learn::learn(&cell, visit).await;
    }
    extensions.insert(Arc::new(asked));
    Ok(next.run(request).await)
}

/// Identifies the sender. Any cell can authenticate any user (RT-13), so this comes before the
/// route decision. A session that is about to end is renewed by any response.
pub(super) async fn viewer(
    Extension(cell): Extension<Arc<Cell>>,
    Extension(visit): Extension<Arc<Visit>>,
    mut request: Request,
    next: Next,
) -> PageResult {
    let viewer = Arc::new(cell.parts.viewer(&cell, &visit).await?);
    request.extensions_mut().insert(viewer.clone());
    let mut responded = next.run(request).await;
    if let Some(renewed) = &viewer.renewed {
        session::renew(&mut responded, renewed);
    }
    Ok(responded)
}

/// Decides who owns what is asked for.
pub(super) async fn decide(
    Extension(cell): Extension<Arc<Cell>>,
    Extension(asked): Extension<Arc<Asked>>,
    Extension(visit): Extension<Arc<Visit>>,
    Extension(viewer): Extension<Arc<Viewer>>,
    mut request: Request,
    next: Next,
) -> PageResult {
    let by = Some((&*visit, &*viewer));
    let decision = Arc::new(cell.parts.decision(&cell, &asked, by).await?);
    request.extensions_mut().insert(Call { cell, visit, viewer, asked, decision });
    Ok(next.run(request).await)
}

/// Turns visitors of private places to sign-in. As drawn, the cell that receives the request starts
/// the login in the buffering protocol, the owner in the learning protocol.
pub(super) async fn sign_in_first(call: Call, request: Request, next: Next) -> Response {
    let asked_cell_starts = call.cell.installation.login_by() == LoginBy::AskedCell;
    if asked_cell_starts && call.turned_to_sign_in() {
        return call.to_sign_in();
    }
    next.run(request).await
}

/// What is not there looks to a visitor like what is private (PR-03, A-81).
pub(super) async fn hide_from_visitors(call: Call, request: Request, next: Next) -> Response {
    let responded = next.run(request).await;
    let is_hidden = responded.status() == StatusCode::NOT_FOUND
        && call.viewer.user.is_none()
        && !call.asked.is_for_programs();
    if is_hidden { call.to_sign_in() } else { responded }
}

/// Only the owner acts on a request. Other cells redirect it, or respond 404 (RT-07).
pub(super) async fn owner_alone(call: Call, request: Request, next: Next) -> Response {
    let Call { cell, decision, .. } = &call;
    if decision.owner == Owner::Missing {
        return call.not_found();
    }
    if cell.is(&decision.owner) {
        return if call.turned_to_sign_in() { call.to_sign_in() } else { next.run(request).await };
    }
    match cell.installation.protocol() {
        Protocol::Buffering => call.bounce(),
        Protocol::Learning => call.not_found(),
    }
}

/// A write ends before a freeze is done, and none begins after it.
pub(super) async fn frozen_writes(call: Call, request: Request, next: Next) -> PageResult {
    let Call { cell, asked, visit, decision, .. } = &call;
    let _begun = match cell.parts.gate(cell, asked, visit, decision).await? {
        Gate::Open { begun } => begun,
        Gate::Closed(refused) => return Ok(refused),
    };
    Ok(next.run(request).await)
}

/// The page itself.
pub(super) async fn page(call: Call, request: Request, next: Next) -> PageResult {
    let parts = call.cell.parts.clone();
    parts.page(call, RowPage { request, next }).await
}

/// Tells the router what it may cache.
pub(super) async fn cache_header(call: Call, request: Request, next: Next) -> Response {
    let mut responded = next.run(request).await;
    teach(&call.cell, &mut responded, &call.decision);
    responded
}

/// Adds the cache header. The owner sends it with every response that reveals the owner anyway, so
/// not with a 404 (CA-02, PR-02).
pub(super) fn teach(cell: &Cell, responded: &mut Response, decision: &RouteDecision) {
    let gives = responded.status().is_success() || responded.status().is_redirection();
    let teaches = gives && cell.installation.protocol() == Protocol::Buffering;
    if let Some(prefix) = decision.cache_prefix.as_ref().filter(|_| teaches) {
        response::add_field(responded, wire::CELL_CACHE, &wire::cache_value(prefix));
    }
}

impl Call {
    fn turned_to_sign_in(&self) -> bool {
        self.decision.private && self.viewer.user.is_none()
    }

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
