//! An installation whose cells are called without a server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use cell_fleet::{
    Casting, CellId, DatabaseAccess, Event, FleetPlan, Installation, Journal, Protocol,
};
use http_body_util::BodyExt;
use tower_service::Service;

pub(crate) const REDIRECT: &str = "x-gitlab-cell-redirect";
pub(crate) const CACHE: &str = "x-gitlab-cell-cache";
pub(crate) const LEARN: &str = "/api/v4/internal/cells/learn";
pub(crate) const PROTOCOLS: [Protocol; 2] = [Protocol::Buffering, Protocol::Learning];

/// An installation and what belongs to it.
pub(crate) struct Site {
    pub(crate) installation: Arc<Installation>,
    pub(crate) journal: Arc<Journal>,
    pub(crate) casting: Arc<Casting>,
    pub(crate) cells: Vec<CellId>,
    applications: Mutex<BTreeMap<CellId, Router>>,
}

impl Site {
    pub(crate) async fn of_the_documents(protocol: Protocol) -> Self {
        Self::planned(FleetPlan::documents(protocol)).await
    }

    pub(crate) async fn planned(plan: FleetPlan) -> Self {
        let (journal, casting) = (Arc::new(Journal::default()), Arc::new(Casting::default()));
        let installation =
            Installation::new(&plan, journal.clone(), casting.clone()).await.unwrap();
        let applications = Mutex::default();
        Self { installation, journal, casting, cells: plan.topology.cells, applications }
    }

    /// Sends a request to a cell.
    pub(crate) async fn ask(&self, cell: &CellId, ask: &Ask) -> Response {
        let mut request = Request::builder().method(ask.method.clone()).uri(&ask.target);
        for (name, value) in &ask.fields {
            request = request.header(name, value);
        }
        let request = request.body(Body::from(ask.body.clone())).unwrap();
        let mut application = {
            let mut applications = self.applications.lock().unwrap();
            let application = applications.entry(cell.clone());
            application.or_insert_with(|| self.installation.application(cell)).clone()
        };
        let (head, body) = application.call(request).await.unwrap().into_parts();
        let fields = head
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        let body = body.collect().await.unwrap().to_bytes();
        Response { status: head.status, fields, body: String::from_utf8(body.to_vec()).unwrap() }
    }

    /// Gets a page from a cell, as a user or as a visitor without a session.
    pub(crate) async fn get(&self, cell: &CellId, target: &str, who: Option<&str>) -> Response {
        self.ask(cell, &self.as_user(Ask::get(target), who).await).await
    }

    /// Sends a form to a cell, as a user or as a visitor without a session.
    pub(crate) async fn post(
        &self,
        cell: &CellId,
        target: &str,
        form: &[(&str, &str)],
        who: Option<&str>,
    ) -> Response {
        self.ask(cell, &self.as_user(Ask::post(target, form), who).await).await
    }

    pub(crate) async fn as_user(&self, ask: Ask, who: Option<&str>) -> Ask {
        match who {
            Some(name) => ask.session(&self.installation.create_session(name).await.unwrap()),
            None => ask,
        }
    }

    /// All accesses to databases so far.
    pub(crate) fn accesses(&self) -> Vec<DatabaseAccess> {
        let accesses = self.journal.entries().into_iter().filter_map(|entry| match entry.event {
            Event::Database(access) => Some(access),
            _ => None,
        });
        accesses.collect()
    }

    pub(crate) fn writes(&self) -> Vec<DatabaseAccess> {
        self.accesses().into_iter().filter(|access| access.write).collect()
    }
}

/// A request.
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) target: String,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Ask {
    pub(crate) fn get(target: &str) -> Self {
        Self {
            method: Method::GET,
            target: target.to_owned(),
            fields: Vec::new(),
            body: String::new(),
        }
    }

    pub(crate) fn post(target: &str, form: &[(&str, &str)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let ask = Self { method: Method::POST, body, ..Self::get(target) };
        ask.field("content-type", "application/x-www-form-urlencoded")
    }

    pub(crate) fn json(target: &str, body: &serde_json::Value) -> Self {
        let ask = Self { method: Method::POST, body: body.to_string(), ..Self::get(target) };
        ask.field("content-type", "application/json")
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn session(self, session: &str) -> Self {
        self.field("cookie", &format!("_gitlab_session={session}"))
    }
}

#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn location(&self) -> &str {
        self.field("location").unwrap_or_default()
    }

    /// The session that the response sets.
    pub(crate) fn session(&self) -> Option<&str> {
        let (name, rest) = self.field("set-cookie")?.split_once('=')?;
        let value = rest.split(';').next()?;
        (name == "_gitlab_session" && !value.is_empty()).then_some(value)
    }

    pub(crate) fn shows(&self, text: &str) -> bool {
        self.body.contains(text)
    }

    pub(crate) fn heading(&self) -> &str {
        let heading = self.body.split_once("<h1>").and_then(|(_, rest)| rest.split_once("</h1>"));
        heading.map_or("", |(heading, _)| heading)
    }

    pub(crate) fn notices(&self) -> Vec<&str> {
        let parts = self.body.split("<p class=\"notice\">").skip(1);
        parts.filter_map(|part| part.split_once("</p>")).map(|(text, _)| text).collect()
    }
}

/// A cell of the documents, by its slug.
pub(crate) fn cell(spelling: &str) -> CellId {
    spelling.parse().unwrap()
}
