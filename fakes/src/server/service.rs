//! One request's way through a cell: journal, scripts, application, journal; and on the way, what
//! the faults make of it.

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
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, Version};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::active_faults::ActiveFaults;
use super::body::{Left, OnFailure, RequestBody, ResponseBody};
use super::connection_log::{ConnectionLog, Disagreement};
use super::faults::{CellFault, Faults, panic_message};
use super::frame::{Payload, fields, frame, pad, seen_in};
use super::in_flight::RequestInFlight;
use super::neighbour;
use super::scripted::Scripts;
use super::sending::Sending;
use super::socket::{FlowCounters, Socket};
use crate::fault::{EarlyHints, Instead, Manner, Part, Surroundings};
use crate::journal::{Event, HopId, Journal, ResponseSeen};
use crate::release::Release;
use crate::streamed::Streamed;
use crate::{Casting, CellId, wire};

/// One cell: who it is, and what it does with a request.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: CellId,
    pub(crate) address: SocketAddr,
    pub(crate) application: axum::Router,
    pub(crate) journal: Arc<Journal>,
    pub(crate) casting: Arc<Casting>,
    pub(crate) scripts: Arc<Scripts>,
    pub(crate) active_faults: Arc<ActiveFaults>,
    pub(crate) flow: Arc<FlowCounters>,
    pub(crate) faults: Arc<Faults>,
    /// Broken: a cell that is asked for a part of each page.
    pub(crate) neighbour: Option<SocketAddr>,
}

/// A cell as one connection meets it.
#[derive(Debug)]
pub(super) struct OnConnection {
    pub(super) node: Arc<Node>,
    pub(super) connection_log: Arc<ConnectionLog>,
    pub(super) socket: Arc<Socket>,
}

/// Why a request gets no response of the server: the connection ends.
#[derive(Debug)]
pub(super) enum Unanswered {
    Disagreement(Disagreement),
    /// A fault wants it so.
    Meant,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disagreement(disagreement) => disagreement.fmt(f),
            Self::Meant => f.write_str("a fault of the plan ends the connection"),
        }
    }
}

impl std::error::Error for Unanswered {}

impl Service<Request<Incoming>> for OnConnection {
    type Response = Response<ResponseBody>;
    type Error = Unanswered;
    type Future = BoxFuture<'static, Result<Self::Response, Unanswered>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        // Entered here, not in the future: a request that was read stands in the journal even if
        // the connection breaks before anything else happens.
        let claimed = self.connection_log.claim(request.method());
        self.socket.request_begins();
        let (node, connection_log, socket) =
            (self.node.clone(), self.connection_log.clone(), self.socket.clone());
        async move {
            match claimed {
                Ok(hop) => {
                    Exchange {
                        node: &node,
                        connection_log: &connection_log,
                        socket: &socket,
                        hop,
                        line: Line::of(&request),
                    }
                    .serve(request)
                    .await
                }
                Err(disagreement) => {
                    let request = Line::of(&request).to_string();
                    node.faults.record(CellFault::Unrecorded { cell: node.id.clone(), request });
                    Err(Unanswered::Disagreement(disagreement))
                }
            }
        }
        .boxed()
    }
}

/// One request at one cell.
struct Exchange<'e> {
    node: &'e Arc<Node>,
    connection_log: &'e ConnectionLog,
    socket: &'e Arc<Socket>,
    hop: HopId,
    line: Line,
}

impl Exchange<'_> {
    async fn serve(self, request: Request<Incoming>) -> Result<Response<ResponseBody>, Unanswered> {
        let node = self.node;
        let waits = request
            .headers()
            .get(EXPECT)
            .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
        let knows_interim = request.version() >= Version::HTTP_11;
        let in_flight = RequestInFlight::of(&node.active_faults, &request, &node.id, &node.casting);
        if in_flight.leaves_body_unread() {
            Release::new(node.active_faults.released(), || ()).wait().await;
        }
        let (parts, incoming) = request.into_parts();
        let (body, leavings) = RequestBody::new(incoming);
        let mut request = Request::from_parts(parts, Body::new(body));
        request.extensions_mut().insert(self.hop);

        let mut response = match in_flight.instead() {
            Some(instead) => self.instead(request, instead, &in_flight).await?,
            None => {
                let responded = AssertUnwindSafe(self.response(request)).catch_unwind().await;
                responded.unwrap_or_else(|payload| {
                    let (cell, request, message) =
                        (node.id.clone(), self.line.to_string(), panic_message(&*payload));
                    node.faults.record(CellFault::Panicked { cell, request, message });
                    broken("the fake cell panicked\n")
                })
            }
        };
        for (name, value) in in_flight.fields() {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
        if let Payload::Whole(bytes) = response.body_mut() {
            in_flight.pads().for_each(|length| pad(bytes, length));
        }
        in_flight.wait().await;

        let mut left = leavings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if waits && left.as_ref().is_some_and(|left| !left.touched) {
            // The sender was never asked for the body and need not send it, so nobody could tell
            // where its next request begins (RFC 9110 10.1.1).
            left = None;
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        self.leave(response, left, &in_flight, knows_interim).await
    }

    /// Enters the response in the journal and hands it to the server.
    async fn leave(
        self,
        mut response: Response<Payload>,
        left: Option<Left>,
        in_flight: &RequestInFlight<'_>,
        knows_interim: bool,
    ) -> Result<Response<ResponseBody>, Unanswered> {
        let has_body = self.line.method != Method::HEAD
            && matches!(response.body(), Payload::Whole(bytes) if !bytes.is_empty());
        let manner = in_flight.manner(has_body);
        let chunked = matches!(manner, Some(Manner::BreaksOff { chunked: true, .. }));
        frame(&mut response, &self.line.method, chunked);
        let node = self.node;
        self.enter(ResponseSeen {
            hop: self.hop,
            cell: node.id.clone(),
            status: response.status().as_u16(),
            fields: fields(response.headers()),
            body: response.body().seen(),
        });
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            self.connection_log.fall_silent();
        }
        if knows_interim && in_flight.hints() {
            // Nobody to read it means nobody to read the response either.
            let _ = self.socket.send(EarlyHints::BYTES).await;
        }
        let length = response
            .headers()
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse().ok());
        let sending =
            |known, limit| Some(Sending::new(self.hop, node.journal.clone(), known, length, limit));
        let (parts, payload) = response.into_parts();
        let body = match payload {
            Payload::Whole(bytes) => {
                let half = bytes.len() / 2;
                match manner {
                    Some(Manner::BreaksOff { part: Part::Body, .. }) if chunked => {
                        let first = bytes.slice(..half.max(1));
                        let on_the_wire = format!("{:X}\r\n\r\n", first.len()).len() + first.len();
                        self.socket.response_begins(
                            manner,
                            on_the_wire as u64,
                            sending(true, Some(first.len() as u64)),
                        );
                        ResponseBody::in_chunks([first, bytes.slice(half.max(1)..)], left)
                            .followed_by(self.socket.clone())
                    }
                    Some(Manner::BreaksOff { part, .. }) => {
                        let limit = if part == Part::Body { half } else { 0 };
                        self.socket.response_begins(
                            manner,
                            half as u64,
                            sending(true, Some(limit as u64)),
                        );
                        ResponseBody::new(bytes, left).followed_by(self.socket.clone())
                    }
                    Some(_) => {
                        self.socket.response_begins(
                            manner,
                            bytes.len() as u64,
                            sending(true, None),
                        );
                        ResponseBody::new(bytes, left).followed_by(self.socket.clone())
                    }
                    None => {
                        self.socket.response_begins(None, 0, None);
                        ResponseBody::new(bytes, left)
                    }
                }
            }
            Payload::Streamed(body, seen) => {
                self.socket.response_begins(manner, 0, sending(seen.is_some(), None));
                let (cell, request) = (node.id.clone(), self.line.to_string());
                let faults = node.faults.clone();
                let failed = move |message| {
                    faults.record(CellFault::BodyFailed {
                        cell: cell.clone(),
                        request: request.clone(),
                        message,
                    });
                };
                ResponseBody::streamed(body, OnFailure(Box::new(failed)), left)
                    .followed_by(self.socket.clone())
            }
        };
        Ok(Response::from_parts(parts, body))
    }

    /// What a fault has in place of the application's response.
    async fn instead(
        &self,
        request: Request<Body>,
        instead: Instead<'_>,
        in_flight: &RequestInFlight<'_>,
    ) -> Result<Response<Payload>, Unanswered> {
        let (parts, mut body) = request.into_parts();
        // Read to its end, or to where the sender broke it off; the journal says which.
        while let Some(Ok(_)) = body.frame().await {}
        match instead {
            Instead::Response(response) => {
                let (journal, hop) = (self.node.journal.clone(), self.hop);
                let release = Release::new(self.node.active_faults.released(), move || {
                    journal.append(Event::ResponseRest { hop });
                });
                let response =
                    response(&parts, Surroundings { address: self.node.address, release });
                return Ok(self.collect(response).await);
            }
            Instead::Nothing => self.node.active_faults.stopped().await,
            Instead::Ends(ending) => {
                in_flight.wait().await;
                self.socket.will_end(ending);
            }
            Instead::Bytes(bytes) => {
                in_flight.wait().await;
                if let Some(seen) = seen_in(bytes, self.hop, &self.node.id) {
                    self.enter(seen);
                }
                // A peer that is gone does not get them; there is nothing else to do about it.
                let _ = self.socket.send(bytes).await;
            }
        }
        self.connection_log.fall_silent();
        Err(Unanswered::Meant)
    }

    /// The response of the scripts or of the application.
    async fn response(&self, request: Request<Body>) -> Response<Payload> {
        let node = self.node;
        if let Some(neighbour) =
            node.neighbour.filter(|_| request.headers().contains_key(wire::CONFORMANCE_ID))
        {
            neighbour::ask(neighbour).await;
        }
        let directions = node.scripts.directions(&request, &node.id, &node.casting);
        let mut response = match directions.response() {
            Some(answer) => answer,
            None => {
                let responded: Result<_, Infallible> =
                    TowerToHyperService::new(node.application.clone()).call(request).await;
                responded.unwrap_or_else(|never| match never {})
            }
        };
        directions.edit(&mut response);
        directions.held().await;
        self.collect(response).await
    }

    /// The response with its body at hand, unless it is to be sent as it comes.
    async fn collect(&self, response: Response<Body>) -> Response<Payload> {
        let (mut parts, body) = response.into_parts();
        if let Some(Streamed { body: seen }) = parts.extensions.remove() {
            return Response::from_parts(parts, Payload::Streamed(body, seen));
        }
        match body.collect().await {
            Ok(collected) => Response::from_parts(parts, Payload::Whole(collected.to_bytes())),
            Err(error) => {
                let (cell, request, message) =
                    (self.node.id.clone(), self.line.to_string(), error.to_string());
                self.node.faults.record(CellFault::BodyFailed { cell, request, message });
                broken("the fake cell could not finish its response\n")
            }
        }
    }

    fn enter(&self, response: ResponseSeen) {
        self.node.journal.append(Event::Response(response));
    }
}

fn broken(text: &'static str) -> Response<Payload> {
    let mut response = Response::new(Payload::Whole(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
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
