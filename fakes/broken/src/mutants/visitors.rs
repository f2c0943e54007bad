//! What visitors without a session get.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use axum::extract::Request;
use axum::http::header::LOCATION;
use axum::http::request::Parts as Head;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use cell_fleet::LoginBy;
use cell_fleet::inside::{
    Asked, Cell, CorrectParts, Endpoint, Owner, PageResult, Parts, RepositoryCall, RouteDecision,
    StoreError, Viewer, Visit, response,
};

use crate::mutant::mutants;
use crate::ways::{Decides, Responds};

mutants! {
    ForgetsWhereTheVisitorWanted: Both, "LG-01",
        "the redirect to sign-in does not name the requested path" => Responds(forgetting);
    GitClientsSentToTheForm: Both, "LG-08",
        "a git client without credentials is redirected to the sign-in form, like a browser"
            => Responds(to_the_form);
    TurnsVisitorsAway: Buffering, "BF-15",
        "a cell that does not own a private page sends its signed-out visitor 404, neither a \
         redirect to sign-in nor to the owner" => Hides(what_is_elsewhere);
    TellsVisitorsWhatIsMissing: Both, "PR-03",
        "a signed-out visitor gets 404 for a missing page, and sign-in for a private one"
            => Hides(what_is_missing);
    GlobalRoutesHideFromVisitors: Both, "GL-07",
        "`/` and `/dashboard` are not found by signed-out visitors" => Hides(global_routes);
    PublicPlacesNeedASession: Both, "GL-08",
        "a public project redirects signed-out visitors to sign-in" => Decides(never_public);
}

/// How the path begins that leads a visitor to sign-in, and back.
const SIGN_IN: &str = "/users/sign_in?redirect=";

/// Whether a response sends a visitor to sign in.
fn leads_to_sign_in(response: &Response) -> bool {
    let location = response.headers().get(LOCATION).map(HeaderValue::as_bytes);
    location.is_some_and(|location| location.starts_with(SIGN_IN.as_bytes()))
}

fn forgetting(_: &Arc<Cell>, _: &Head, responded: &mut Response) {
    if leads_to_sign_in(responded) {
        responded.headers_mut().insert(LOCATION, HeaderValue::from_static("/users/sign_in"));
    }
}

fn to_the_form(_: &Arc<Cell>, asked: &Head, responded: &mut Response) {
    let is_git_client = RepositoryCall::decode(asked.uri.path()).is_some();
    if is_git_client && responded.status() == StatusCode::UNAUTHORIZED {
        *responded = response::sign_in(&asked.uri.to_string());
    }
}

tokio::task_local! {
    /// Whether what is asked for is hidden from its visitor.
    static HIDDEN: AtomicBool;
}

/// Responds 404 to a visitor, and not with sign-in, where the function says so.
#[derive(Debug)]
struct Hides(fn(&Cell, &Asked, &mut RouteDecision) -> bool);

#[async_trait]
impl Parts for Hides {
    async fn wrap(&self, _: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        let path = request.uri().path().to_owned();
        let responds = async {
            let responded = application.run(request).await;
            (responded, HIDDEN.with(|hidden| hidden.load(Ordering::Relaxed)))
        };
        let (responded, is_hidden) = HIDDEN.scope(AtomicBool::new(false), responds).await;
        let to_sign_in =
            leads_to_sign_in(&responded) || responded.status() == StatusCode::UNAUTHORIZED;
        Ok(if is_hidden && to_sign_in { response::not_found(&path) } else { responded })
    }

    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Result<RouteDecision, StoreError> {
        let mut decision = CorrectParts.decision(cell, asked, by).await?;
        if by.is_some_and(|(_, viewer)| viewer.user.is_none()) {
            let is_hidden = (self.0)(cell, asked, &mut decision);
            HIDDEN.with(|hidden| hidden.store(is_hidden, Ordering::Relaxed));
        }
        Ok(decision)
    }
}

fn what_is_elsewhere(cell: &Cell, _: &Asked, decision: &mut RouteDecision) -> bool {
    let is_elsewhere = decision.private && !cell.is(&decision.owner);
    if is_elsewhere {
        *decision = RouteDecision::of(Owner::Missing);
    }
    is_elsewhere
}

fn what_is_missing(cell: &Cell, _: &Asked, decision: &mut RouteDecision) -> bool {
    let starts_login =
        || cell.installation.login_by() == LoginBy::AskedCell || cell.is(&decision.owner);
    !(decision.private && starts_login())
}

fn global_routes(_: &Cell, asked: &Asked, decision: &mut RouteDecision) -> bool {
    let is_global = matches!(asked.endpoint, Endpoint::Root | Endpoint::Dashboard);
    if is_global {
        *decision = RouteDecision::of(Owner::Missing);
    }
    is_global
}

fn never_public(cell: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    let is_place = matches!(asked.endpoint, Endpoint::Place | Endpoint::Repository(_));
    // Repositories on disk are no projects.
    if is_place && decision.route.is_some() && cell.repository(&asked.path).is_none() {
        decision.private = true;
    }
}
