//! The owner of a request, and what a router is told.

use std::sync::Arc;

use async_trait::async_trait;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts as Head;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use cell_fleet::inside::{
    Asked, Call, Cell, CorrectParts, Endpoint, Owner, PageResult, Parts, RouteDecision, StoreError,
    Viewer, Visit, response,
};
use cell_fleet::{CellId, Protocol, wire};

use crate::mutant::mutants;
use crate::ways::{Decides, Responds, Serves};

mutants! {
    ActsBeforeItLooks: Both, "RT-07",
        "a cell handles a request before it looks up the owner: it redirects after the side effect"
            => ActsBeforeItLooks;
    BouncesWith307: Buffering, "BF-02", "the redirect header is on a 307" => Responds(with_307);
    BouncesToTheLegacyCell: Buffering, "BF-02",
        "a cell that does not own the target always names Cell US0" => Responds(to_the_legacy_cell);
    BounceNamesTheId: Buffering, "BF-10", "the redirect header spells the owner `cell_eu0`"
            => Responds(by_the_id);
    NamesOnlyItsOwn: Learning, "LN-08",
        "the learn endpoint knows only the paths that the cell itself owns"
            => Decides(only_its_own);
    LearnOnTheLegacyCellOnly: Learning, "LN-09",
        "only Cell US0 has a learn endpoint; on the others it is not found"
            => Decides(on_the_legacy_cell);
    FixedToWhoeverIsAsked: Learning, "LN-14",
        "each cell names itself for a path that is fixed to one cell" => Decides(fixed_here);
    LearnsForTheSignedIn: Learning, "LN-23",
        "the learn endpoint reads the cookie: without a session it does not find private paths"
            => LearnsForTheSignedIn;
    NoCacheHeader: Buffering, "CA-01", "owners never send the cache header"
            => Decides(without_cache);
    CacheHeaderForUsersOnly: Buffering, "CA-05",
        "an owner omits the cache header on responses to signed-out visitors"
            => Decides(cached_for_users);
    CacheHeaderOnA404: Buffering, "PR-02", "the 404 for lack of permission has a cache header"
            => Serves(cached_on_a_404);
    CacheHeaderOnTheRoot: Buffering, "BF-16", "the response to `/` has a cache header for `/`"
            => Decides(cached_root);
    RegionsFirstCellForUs0: Both, "GL-06",
        "for a route of several cells, cells name the first one of their own region"
            => Decides(first_of_the_region);
    SearchOnAnyCell: Both, "GL-06",
        "the search of a legacy user is answered by the asked cell" => Decides(search_here);
    LatestIsUs0: Both, "UN-06",
        "cells take Cell US0 for the latest deployment, whatever the topology says"
            => Decides(us0_for_the_latest);
    EveryCellHasTheDashboard: Both, "GL-05",
        "each cell serves the global dashboard itself, and names itself as its owner"
            => Decides(dashboard_here);
    OlderCellsNameNobody: Learning, "UN-05",
        "a cell that cannot decode a path responds 404 to a pre-flight about it"
            => Decides(unknown_to_older);
}

/// The field of a bounce that names the owner.
fn owner_field(response: &mut Response) -> Option<&mut HeaderValue> {
    response.headers_mut().get_mut(wire::CELL_REDIRECT)
}

fn with_307(_: &Arc<Cell>, _: &Head, response: &mut Response) {
    if owner_field(response).is_some() {
        *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    }
}

fn to_the_legacy_cell(cell: &Arc<Cell>, _: &Head, response: &mut Response) {
    if let Some(value) = owner_field(response) {
        *value = naming(&cell.installation.latest().name());
    }
}

fn by_the_id(cell: &Arc<Cell>, _: &Head, response: &mut Response) {
    let Some(value) = owner_field(response) else { return };
    let named = |cell: &&CellId| naming(&cell.name()) == *value;
    if let Some(owner) = cell.installation.plan.topology.cells.iter().find(named) {
        *value = naming(&owner.id());
    }
}

fn naming(owner: &str) -> HeaderValue {
    HeaderValue::try_from(wire::redirect_value(owner)).expect("names of cells are plain")
}

fn only_its_own(cell: &Cell, _: &Asked, viewer: Option<&Viewer>, decision: &mut RouteDecision) {
    if viewer.is_none() && !cell.is(&decision.owner) {
        *decision = RouteDecision::of(Owner::Missing);
    }
}

fn on_the_legacy_cell(
    cell: &Cell,
    _: &Asked,
    viewer: Option<&Viewer>,
    decision: &mut RouteDecision,
) {
    if viewer.is_none() && cell.node != *cell.installation.latest() {
        *decision = RouteDecision::of(Owner::Missing);
    }
}

fn fixed_here(cell: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    let is_fixed = matches!(
        asked.endpoint,
        Endpoint::Dashboard
            | Endpoint::Admin
            | Endpoint::Settings
            | Endpoint::Search
            | Endpoint::Users
            | Endpoint::Groups
            | Endpoint::ApiProjects
            | Endpoint::Runners(_)
    );
    if is_fixed {
        decision.owner = Owner::Node(cell.node.clone());
    }
}

fn without_cache(_: &Cell, _: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    decision.cache_prefix = None;
}

fn cached_for_users(_: &Cell, _: &Asked, viewer: Option<&Viewer>, decision: &mut RouteDecision) {
    if viewer.is_some_and(|viewer| viewer.user.is_none()) {
        decision.cache_prefix = None;
    }
}

fn cached_root(_: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    if asked.endpoint == Endpoint::Root {
        decision.cache_prefix = Some("/".to_owned());
    }
}

/// Names another cell where the latest one is the owner, but for paths that name their cell.
fn in_place_of_the_latest(cell: &Cell, asked: &Asked, decision: &mut RouteDecision, other: CellId) {
    let is_named = matches!(asked.endpoint, Endpoint::AdminOfCell | Endpoint::RunnersOfCell);
    if !is_named && decision.owner == Owner::Node(cell.installation.latest().clone()) {
        decision.owner = Owner::Node(other);
    }
}

fn first_of_the_region(
    cell: &Cell,
    asked: &Asked,
    _: Option<&Viewer>,
    decision: &mut RouteDecision,
) {
    in_place_of_the_latest(cell, asked, decision, CellId::new(cell.node.region().clone(), 0));
}

fn search_here(_: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    if asked.endpoint == Endpoint::Search {
        *decision = RouteDecision::of(Owner::Any).private();
    }
}

fn us0_for_the_latest(
    cell: &Cell,
    asked: &Asked,
    _: Option<&Viewer>,
    decision: &mut RouteDecision,
) {
    in_place_of_the_latest(cell, asked, decision, CellId::us(0));
}

fn dashboard_here(cell: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    if asked.endpoint == Endpoint::Dashboard {
        decision.owner = match cell.installation.protocol() {
            Protocol::Buffering => Owner::Any,
            Protocol::Learning => Owner::Node(cell.node.clone()),
        };
    }
}

/// Only what a newer version has added is fixed to a cell among the paths of the routes table.
fn unknown_to_older(cell: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    let is_older = cell.installation.plan.older.contains_key(&cell.role());
    let is_added = asked.endpoint == Endpoint::Place
        && decision.learn.as_ref().is_some_and(|rule| rule.source == "fixed");
    if is_older && is_added {
        *decision = RouteDecision::of(Owner::Missing);
    }
}

tokio::task_local! {
    /// Whether the cell decides as if it owned whatever is asked for.
    static ACTS: ();
    /// Whether the sender of a pre-flight has no session.
    static UNKNOWN: bool;
}

#[derive(Debug)]
struct ActsBeforeItLooks;

#[async_trait]
impl Parts for ActsBeforeItLooks {
    async fn wrap(&self, cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        let (head, body) = request.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let mut first = Request::new(Body::from(body.clone()));
        (*first.method_mut(), *first.uri_mut()) = (head.method.clone(), head.uri.clone());
        first.headers_mut().clone_from(&head.headers);
        let looks = application.clone();
        let response = looks.run(Request::from_parts(head, Body::from(body))).await;
        let is_elsewhere = match cell.installation.protocol() {
            Protocol::Buffering => response.headers().contains_key(wire::CELL_REDIRECT),
            Protocol::Learning => response.status() == StatusCode::NOT_FOUND,
        };
        if is_elsewhere {
            ACTS.scope((), application.run(first)).await;
        }
        Ok(response)
    }

    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Result<RouteDecision, StoreError> {
        let mut decision = CorrectParts.decision(cell, asked, by).await?;
        if ACTS.try_with(|()| ()).is_ok() && decision.owner != Owner::Missing {
            decision.owner = Owner::Any;
        }
        Ok(decision)
    }
}

#[derive(Debug)]
struct LearnsForTheSignedIn;

#[async_trait]
impl Parts for LearnsForTheSignedIn {
    async fn wrap(&self, cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        if request.uri().path() != wire::LEARN_PATH {
            return Ok(application.run(request).await);
        }
        let Ok((visit, request)) = Visit::read(request).await else {
            return Ok(StatusCode::BAD_REQUEST.into_response());
        };
        let viewer = CorrectParts.viewer(cell, &visit).await?;
        Ok(UNKNOWN.scope(viewer.user.is_none(), application.run(request)).await)
    }

    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Result<RouteDecision, StoreError> {
        let decision = CorrectParts.decision(cell, asked, by).await?;
        let unknown = by.is_none() && UNKNOWN.try_with(|unknown| *unknown).unwrap_or_default();
        Ok(if unknown && decision.private { RouteDecision::of(Owner::Missing) } else { decision })
    }
}

fn cached_on_a_404(call: &Call, responded: &mut Response) {
    let prefix = call.decision.cache_prefix.as_ref();
    if let Some(prefix) = prefix.filter(|_| responded.status() == StatusCode::NOT_FOUND) {
        response::add_field(responded, wire::CELL_CACHE, &wire::cache_value(prefix));
    }
}
