//! One request's way through a cell: journal, scripts, application, journal.

use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::body::{AnswerBody, RequestBody};
use super::faults::{CellFault, Faults, panic_message};
use super::ledger::{Disagreement, Ledger};
use super::neighbour;
use super::scripted::Scripts;
use crate::journal::{AnswerSeen, BodySeen, Event, Field, HopId, Journal, Text};
use crate::{Casting, CellId, wire};

/// One cell: who it is, and what it does with a request.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) id: CellId,
    pub(crate) application: axum::Router,
    pub(crate) journal: Arc<Journal>,
    pub(crate) casting: Arc<Casting>,
    pub(crate) scripts: Arc<Scripts>,
    pub(crate) faults: Arc<Faults>,
    /// Broken: a cell that is asked for a part of each page.
    pub(crate) neighbour: Option<SocketAddr>,
}

/// A cell as one connection meets it.
#[derive(Debug)]
pub(super) struct OnConnection {
    pub(super) seat: Arc<Seat>,
    pub(super) ledger: Arc<Ledger>,
}

impl Service<Request<Incoming>> for OnConnection {
    type Response = Response<AnswerBody>;
    type Error = Disagreement;
    type Future = BoxFuture<'static, Result<Self::Response, Disagreement>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        // Entered here, not in the future: a request that was read stands in the journal even if
        // the connection breaks before anything else happens.
        let claimed = self.ledger.claim(request.method());
        let seat = self.seat.clone();
        async move {
            match claimed {
                Ok(hop) => Ok(seat.serve(hop, request).await),
                Err(disagreement) => {
                    let request = Line::of(&request).to_string();
                    seat.faults.record(CellFault::Unrecorded { cell: seat.id.clone(), request });
                    Err(disagreement)
                }
            }
        }
        .boxed()
    }
}

impl Seat {
    async fn serve(&self, hop: HopId, request: Request<Incoming>) -> Response<AnswerBody> {
        let line = Line::of(&request);
        let waits = request.headers().get(EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
        let (parts, incoming) = request.into_parts();
        let (body, leavings) = RequestBody::new(incoming);
        let mut request = Request::from_parts(parts, Body::new(body));
        request.extensions_mut().insert(hop);

        let answered = AssertUnwindSafe(self.answer(request, &line)).catch_unwind().await;
        let mut response = answered.unwrap_or_else(|payload| {
            let message = panic_message(&*payload);
            self.faults.record(CellFault::Panicked { cell: self.id.clone(), request: line.to_string(), message });
            broken("the fake cell panicked\n")
        });

        let mut left = leavings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if waits && left.as_ref().is_some_and(|left| !left.touched) {
            // The sender was never asked for the body and need not send it, so nobody could tell
            // where its next request begins (RFC 9110 10.1.1).
            left = None;
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        let body = frame(&mut response, &line.method);
        self.journal.append(Event::Answer(AnswerSeen {
            hop,
            cell: self.id.clone(),
            status: response.status().as_u16(),
            fields: fields(response.headers()),
            body: BodySeen::of(&body),
        }));
        response.map(|_| AnswerBody::new(body, left))
    }

    /// The answer of the scripts or of the application, whole.
    async fn answer(&self, request: Request<Body>, line: &Line) -> Response<Bytes> {
        if let Some(neighbour) = self.neighbour.filter(|_| request.headers().contains_key(wire::CONFORMANCE_ID)) {
            neighbour::ask(neighbour).await;
        }
        let directions = self.scripts.directions(&request, &self.id, &self.casting);
        let mut response = match directions.answer() {
            Some(answer) => answer,
            None => {
                let answered: Result<_, Infallible> = TowerToHyperService::new(self.application.clone()).call(request).await;
                answered.unwrap_or_else(|never| match never {})
            }
        };
        directions.edit(&mut response);
        directions.held().await;
        let (parts, body) = response.into_parts();
        match body.collect().await {
            Ok(collected) => Response::from_parts(parts, collected.to_bytes()),
            Err(error) => {
                let (cell, request, message) = (self.id.clone(), line.to_string(), error.to_string());
                self.faults.record(CellFault::BodyFailed { cell, request, message });
                broken("the fake cell could not finish its answer\n")
            }
        }
    }
}

/// States the length of the answer's body, and answers with the bytes that are really sent: none
/// where the method or the status forbids a body (RFC 9112 6.3).
fn frame(response: &mut Response<Bytes>, method: &Method) -> Bytes {
    let length = response.body().len();
    match response.status() {
        StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED => return Bytes::new(),
        _ if method == Method::HEAD => {
            response.headers_mut().entry(CONTENT_LENGTH).or_insert(HeaderValue::from(length));
            return Bytes::new();
        }
        _ => response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length)),
    };
    response.body().clone()
}

fn broken(text: &'static str) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from_static(text.as_bytes()));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}

/// The field lines as the server sends them: names with capitals, as the documents spell them.
fn fields(headers: &HeaderMap) -> Vec<Field> {
    headers.iter().map(|(name, value)| Field { name: capitalised(name.as_str()), value: Text::from(value.as_bytes()) }).collect()
}

fn capitalised(name: &str) -> Text {
    let mut bytes = name.as_bytes().to_vec();
    let mut first = true;
    for byte in &mut bytes {
        if first {
            byte.make_ascii_uppercase();
        }
        first = *byte == b'-';
    }
    Text(bytes)
}

/// Method and target, to name a request in a fault.
struct Line {
    method: Method,
    target: http::Uri,
}

impl Line {
    fn of<B>(request: &Request<B>) -> Self {
        Self { method: request.method().clone(), target: request.uri().clone() }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_entered_as_the_wire_words_spell_them() {
        for name in [wire::CELL_REDIRECT, wire::CELL_CACHE, wire::CONFORMANCE_ID] {
            assert_eq!(capitalised(&name.to_ascii_lowercase()), name);
        }
    }
}
