//! The ways in which a mutant differs from a correct cell: each takes the place of one part, and is
//! a function of the table.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode, request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use cell_fleet::inside::{
    Asked, Call, Cell, CorrectParts, Form, PageResult, Parts, RouteDecision, RowPage, StoreError,
    Viewer, Visit,
};
use cell_fleet::{CellId, FleetPlan};

/// Makes a type of mutants around a function, which has no better debug form than the type's name.
macro_rules! way {
    ($(#[$doc:meta])* $name:ident($function:ty)) => {
        $(#[$doc])*
        pub(crate) struct $name(pub(crate) $function);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

way! {
    /// Is told something else about its installation.
    Planned(fn(&mut FleetPlan))
}

impl Parts for Planned {
    fn plan(&self, mut plan: FleetPlan) -> FleetPlan {
        (self.0)(&mut plan);
        plan
    }
}

way! {
    /// Changes the head of each response, knowing the head of the request.
    Responds(fn(&Arc<Cell>, &request::Parts, &mut Response))
}

#[async_trait]
impl Parts for Responds {
    async fn wrap(&self, cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        let (head, body) = request.into_parts();
        let asked = copy(&head);
        let mut response = application.run(Request::from_parts(head, body)).await;
        (self.0)(cell, &asked, &mut response);
        Ok(response)
    }
}

way! {
    /// Responds 503 to whatever reaches a cell like this.
    Refuses(fn(&Cell) -> bool)
}

#[async_trait]
impl Parts for Refuses {
    async fn wrap(&self, cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        let is_refused = (self.0)(cell);
        Ok(if is_refused { unavailable(request).await } else { application.run(request).await })
    }
}

/// A 503, once the request is read to its end, so that its connection can be used again.
pub(crate) async fn unavailable(request: Request) -> Response {
    let status = match Visit::read(request).await {
        Ok(_) => StatusCode::SERVICE_UNAVAILABLE,
        Err(_) => StatusCode::BAD_REQUEST,
    };
    status.into_response()
}

/// A head without the extensions of the server.
fn copy(head: &request::Parts) -> request::Parts {
    let mut copy = Request::new(()).into_parts().0;
    copy.method = head.method.clone();
    copy.uri = head.uri.clone();
    copy.headers = head.headers.clone();
    copy
}

way! {
    /// Changes the text of each page, knowing what is asked and by whom.
    Writes(fn(&Call, String) -> String)
}

#[async_trait]
impl Parts for Writes {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let response = page.run(call.clone()).await;
        Ok(rewritten(response, |text| (self.0)(&call, text)).await)
    }
}

/// A response with another text. What is no text stays as it is.
pub(crate) async fn rewritten(
    response: Response,
    rewrite: impl FnOnce(String) -> String,
) -> Response {
    let (mut head, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let body = match String::from_utf8(bytes.to_vec()) {
        Ok(text) => Body::from(rewrite(text)),
        Err(_) => Body::from(bytes),
    };
    // The server writes the length of what it sends.
    head.headers.remove(CONTENT_LENGTH);
    Response::from_parts(head, body)
}

pub(crate) fn without_lines(text: &str, begin: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with(begin)).collect()
}

/// A form with something else in place of what it asks to choose from.
pub(crate) fn with_choice(text: String, instead: &str) -> String {
    let before = text.split_once("<fieldset>");
    match before.and_then(|(before, rest)| Some((before, rest.split_once("</fieldset>\n")?.1))) {
        Some((before, after)) => format!("{before}{instead}{after}"),
        None => text,
    }
}

way! {
    /// Changes the head of each page, knowing what is asked and by whom.
    Serves(fn(&Call, &mut Response))
}

#[async_trait]
impl Parts for Serves {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let mut response = page.run(call.clone()).await;
        (self.0)(&call, &mut response);
        Ok(response)
    }
}

way! {
    /// Makes each page as if something else were asked, or somebody else asked.
    Mistakes(fn(&mut Call))
}

#[async_trait]
impl Parts for Mistakes {
    async fn page(&self, mut call: Call, page: RowPage) -> PageResult {
        (self.0)(&mut call);
        Ok(page.run(call).await)
    }
}

way! {
    /// Takes another form for the one that was sent.
    Misreads(fn(&Call, &mut Form))
}

#[async_trait]
impl Parts for Misreads {
    async fn page(&self, mut call: Call, page: RowPage) -> PageResult {
        let sent = call.visit.form();
        let mut read = sent.clone();
        (self.0)(&call, &mut read);
        if read != sent {
            call = with_form(&call, &read).await;
        }
        Ok(page.run(call).await)
    }
}

pub(crate) async fn with_form(call: &Call, form: &Form) -> Call {
    let mut request = Request::new(Body::from(serde_json::json!(form.0).to_string()));
    *request.method_mut() = call.visit.method.clone();
    *request.uri_mut() = call.visit.target().parse().unwrap_or_default();
    request.headers_mut().clone_from(&call.visit.headers);
    request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    match Visit::read(request).await {
        Ok((visit, _)) => Call { visit: Arc::new(visit), ..call.clone() },
        Err(_) => unreachable!("a body at hand is not cut off"),
    }
}

way! {
    /// Responds in place of a page where the function does.
    Pages(fn(&Call) -> Option<Response>)
}

#[async_trait]
impl Parts for Pages {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        match (self.0)(&call) {
            Some(response) => Ok(response),
            None => Ok(page.run(call).await),
        }
    }
}

way! {
    /// Changes who owns what is asked for; a pre-flight has no sender.
    Decides(fn(&Cell, &Asked, Option<&Viewer>, &mut RouteDecision))
}

#[async_trait]
impl Parts for Decides {
    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Result<RouteDecision, StoreError> {
        let mut decision = CorrectParts.decision(cell, asked, by).await?;
        (self.0)(cell, asked, by.map(|(_, viewer)| viewer), &mut decision);
        Ok(decision)
    }
}

/// The cell after another one in the topology.
pub(crate) fn beside(cell: &Cell, other: &CellId) -> CellId {
    let cells = &cell.installation.plan.topology.cells;
    let place = cells.iter().position(|cell| cell == other).map_or(0, |place| place + 1);
    cells[place % cells.len()].clone()
}
