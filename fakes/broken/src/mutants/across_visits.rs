//! What shows only on a completely read page or across several visits: counters, one session on
//! several cells, a new password or token, a column of a table, the path of a write.

use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use cell_fleet::inside::{
    Call, Cell, CorrectParts, PageResult, Parts, RowPage, StoreError, Viewer, Visit, path,
    response, session,
};
use cell_fleet::population::Work;
use cell_fleet::store::{Change, User};
use cell_fleet::{SessionModel, wire};
use serde_json::json;

use crate::home::home_of;
use crate::keepers::Keepers;
use crate::mutant::mutants;
use crate::stores::{Stored, servers};
use crate::ways::{Writes, rewritten};

mutants! {
    CountersAtZero: Both, "OR-17",
        "the counters at the top of each page are 0, also in the default organization"
            => Writes(counters_at_zero);
    CountersFromHome: Both, "OR-10",
        "the counters on a page of another cell are read from the database of the user's own cell"
            => CountedAtHome { all: true };
    ToDosFromHome: Both, "OR-12",
        "the to-do counter on a page of another cell is that of the user's own cell"
            => CountedAtHome { all: false };
    SessionOfTheFirstCell: Both, "SE-01",
        "a session is valid only on the first cell that receives it"
            => SessionOfTheFirstCell::default();
    NewPasswordKeepsSessions: Both, "SE-05",
        "a new password does not end the user's other sessions" => NewPasswordKeepsSessions;
    NewTokenKnownHere: Both, "DB-01",
        "a new token is valid only on the cell that created it" => NewTokenKnownHere::default();
    OwnersBesideTheRoutes: Both, "DB-02",
        "the owners of routes are in a separate table, and rows of `routes` have no `cell_id`"
            => servers::OwnersBesideRoutes;
    OneCiDatabase: Both, "DB-04", "all cells share one gitlab_ci, in addition to the shared databases"
            => Stored::Servers(|| Arc::new(servers::SharesCi));
    PrimaryInEachRegion: Both, "RG-04",
        "each region has its own primary, which takes the writes of its cells"
            => Stored::Servers(|| Arc::new(servers::PrimaryAtHome));
    NamesNobodyForWrites: Learning, "LN-09",
        "only Cell US0 names the owner for methods other than GET; the others send 200 without one"
            => NamesNobodyForWrites;
}

/// How the to-do counter begins.
const TODOS: &str = "<span id=\"todos\">";
/// How the other counters begin.
const ISSUES: &str = "<span id=\"issues\">";
const MERGE_REQUESTS: &str = "<span id=\"merge-requests\">";

fn counters_at_zero(_: &Call, text: String) -> String {
    with_counters(&text, Work::default())
}

fn with_counters(text: &str, work: Work) -> String {
    let text = with_counter(text, ISSUES, work.issues);
    let text = with_counter(&text, MERGE_REQUESTS, work.merge_requests);
    with_counter(&text, TODOS, work.todos)
}

fn with_counter(text: &str, begin: &str, count: u32) -> String {
    let counter = text.split_once(begin);
    match counter.and_then(|(before, rest)| Some((before, rest.split_once('<')?.1))) {
        Some((before, after)) => format!("{before}{begin}{count}<{after}"),
        None => text.to_owned(),
    }
}

/// Counts to-dos, or all work, on the user's own cell.
#[derive(Debug)]
struct CountedAtHome {
    all: bool,
}

#[async_trait]
impl Parts for CountedAtHome {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let response = page.run(call.clone()).await;
        let Some(user) = &call.viewer.user else { return Ok(response) };
        let home = home_of(&call.cell, user).await?;
        if home == call.cell.role() {
            return Ok(response);
        }
        let work = call.cell.database.work(&home, &user.name).await?;
        Ok(rewritten(response, |text| match self.all {
            true => with_counters(&text, work),
            false => with_counter(&text, TODOS, work.todos),
        })
        .await)
    }
}

#[derive(Debug, Default)]
struct SessionOfTheFirstCell(Keepers);

#[async_trait]
impl Parts for SessionOfTheFirstCell {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let viewer = CorrectParts.viewer(cell, visit).await?;
        let Some(session) = &viewer.session else { return Ok(viewer) };
        self.0.keep(session, &cell.node);
        Ok(if self.0.is_elsewhere(session, &cell.node) { Viewer::default() } else { viewer })
    }
}

/// Changes a password as a correct cell does, and ends no session.
#[derive(Debug)]
struct NewPasswordKeepsSessions;

#[async_trait]
impl Parts for NewPasswordKeepsSessions {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let form = call.visit.form();
        let password = form.exactly("password").to_owned();
        let is_new = call.asked.path == "/-/user_settings/password" && !password.is_empty();
        let is_theirs = |user: &User| user.password == form.exactly("current_password");
        let Some(user) = call.viewer.user.clone().filter(|user| is_new && is_theirs(user)) else {
            return Ok(page.run(call).await);
        };
        let user = User { password: password.clone(), ..user };
        // The user exists, since a session names them.
        let _ = call
            .cell
            .database
            .write(Change::SetPassword { user: user.name.clone(), password })
            .await?;
        let done = response::redirect("/-/user_settings");
        match call.cell.installation.plan.session_plan.model {
            SessionModel::Jwt => session::start(&call.cell, &user, done).await,
            _ => Ok(done),
        }
    }
}

#[derive(Debug, Default)]
struct NewTokenKnownHere(Keepers);

#[async_trait]
impl Parts for NewTokenKnownHere {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let token = session::token_of(visit).unwrap_or_default();
        match self.0.is_elsewhere(&token, &cell.node) {
            true => Ok(Viewer::default()),
            false => CorrectParts.viewer(cell, visit).await,
        }
    }

    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let response = page.run(call.clone()).await;
        let is_created = response.status() == StatusCode::CREATED;
        if !is_created || call.asked.path != "/-/user_settings/personal_access_tokens" {
            return Ok(response);
        }
        Ok(rewritten(response, |text| {
            let token =
                text.split_once("<code id=\"token\">").and_then(|(_, rest)| rest.split_once('<'));
            if let Some((token, _)) = token {
                self.0.keep(token, &call.cell.node);
            }
            text
        })
        .await)
    }
}

#[derive(Debug)]
struct NamesNobodyForWrites;

#[async_trait]
impl Parts for NamesNobodyForWrites {
    async fn wrap(&self, cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        match asked_for_a_write(&request) {
            Some(path) if cell.node != *cell.installation.latest() => {
                Ok(response::json(StatusCode::OK, &json!({ wire::PATH_MEMBER: path })))
            }
            _ => Ok(application.run(request).await),
        }
    }
}

/// The path that a pre-flight asks about, for a method other than GET.
fn asked_for_a_write(request: &Request) -> Option<String> {
    let is_learn = [wire::LEARN_PATH, wire::LEARN_PATH_EARLIER].contains(&request.uri().path());
    let query = request.uri().query().filter(|_| is_learn && request.method() == Method::GET)?;
    let method = path::query_value(query, wire::METHOD_PARAMETER)?;
    let path = path::query_value(query, wire::PATH_INFO_PARAMETER)?;
    (!method.is_empty() && method != "GET").then_some(path)
}
