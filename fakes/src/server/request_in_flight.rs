//! One request in flight at a cell: its faults, its response, and how the response leaves.

use std::convert::Infallible;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt;
use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, Version};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::body::{OnFailure, RequestBody, ResponseBody, UnreadBody};
use super::connection_log::{ConnectionLog, Unclaimed};
use super::errors::{CellError, panic_message};
use super::frame::{Payload, fields, frame, pad, seen_in};
use super::node::Node;
use super::request_faults::RequestFaults;
use super::sending::Sending;
use super::socket::Socket;
use crate::fault::{Delivery, EARLY_HINTS, FaultContext, Replacement, ResponsePart};
use crate::journal::{Event, HopId, ResponseSeen};
use crate::release::Release;
use crate::streamed::Streamed;

/// Why the server sends no response to a request. The connection ends.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoResponse {
    /// The journal did not see the request.
    #[error(transparent)]
    Unclaimed(Unclaimed),
    /// A fault of the plan ends the connection.
    #[error("a fault of the plan ends the connection")]
    ByFault,
}

/// One request at one cell.
pub(super) struct RequestInFlight<'r> {
    pub(super) node: &'r Arc<Node>,
    pub(super) connection_log: &'r ConnectionLog,
    pub(super) socket: &'r Arc<Socket>,
    pub(super) hop: HopId,
    pub(super) label: RequestLabel,
}

impl RequestInFlight<'_> {
    pub(super) async fn serve(
        self,
        request: Request<Incoming>,
    ) -> Result<Response<ResponseBody>, NoResponse> {
        let node = self.node;
        let waits = request
            .headers()
            .get(EXPECT)
            .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
        let knows_interim = request.version() >= Version::HTTP_11;
        let request_faults =
            RequestFaults::for_request(&node.active_faults, &request, &node.id, &node.casting);
        if request_faults.leaves_body_unread() {
            Release::new(node.active_faults.released(), || ()).wait().await;
        }
        let (parts, incoming) = request.into_parts();
        let (body, leavings) = RequestBody::new(incoming);
        let request = Request::from_parts(parts, Body::new(body));

        let mut response = match request_faults.instead() {
            Some(instead) => self.instead(request, instead, &request_faults).await?,
            None => {
                let responded = AssertUnwindSafe(self.response(request)).catch_unwind().await;
                responded.unwrap_or_else(|payload| {
                    let (cell, request, message) =
                        (node.id.clone(), self.label.to_string(), panic_message(&*payload));
                    node.errors.record(CellError::Panicked { cell, request, message });
                    broken("the fake cell panicked\n")
                })
            }
        };
        for (name, value) in request_faults.fields() {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
        if let Payload::Whole(bytes) = response.body_mut() {
            request_faults.pads().for_each(|length| pad(bytes, length));
        }
        request_faults.wait().await;

        let mut left = leavings.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if waits && left.as_ref().is_some_and(|left| !left.touched) {
            // The sender never got `100 Continue` and need not send the body, so the start of its
            // next request would be ambiguous (RFC 9110 10.1.1).
            left = None;
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        self.leave(response, left, &request_faults, knows_interim).await
    }

    /// Enters the response in the journal and returns it for the server to send.
    async fn leave(
        self,
        mut response: Response<Payload>,
        left: Option<UnreadBody>,
        request_faults: &RequestFaults<'_>,
        knows_interim: bool,
    ) -> Result<Response<ResponseBody>, NoResponse> {
        let has_body = self.label.method != Method::HEAD
            && matches!(response.body(), Payload::Whole(bytes) if !bytes.is_empty());
        let delivery = request_faults.delivery(has_body);
        let chunked = matches!(delivery, Some(Delivery::BreaksOff { chunked: true, .. }));
        frame(&mut response, &self.label.method, chunked);
        let node = self.node;
        self.record(ResponseSeen {
            hop: self.hop,
            cell: node.id.clone(),
            status: response.status().as_u16(),
            fields: fields(response.headers()),
            body: response.body().seen(),
        });
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            self.connection_log.fall_silent();
        }
        if knows_interim && request_faults.hints() {
            // A peer that is gone reads neither the interim response nor the final one.
            let _ = self.socket.send(EARLY_HINTS).await;
        }
        for (bytes, after) in request_faults.strays() {
            let (bytes, socket) = (bytes.to_vec(), self.socket.clone());
            tokio::spawn(async move {
                // A peer that is gone gets nothing more.
                let _ = socket.send_after_response(&bytes, after).await;
            });
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
                match delivery {
                    Some(Delivery::BreaksOff { part: ResponsePart::Body, .. }) if chunked => {
                        let first = bytes.slice(..half.max(1));
                        let on_the_wire = format!("{:X}\r\n\r\n", first.len()).len() + first.len();
                        self.socket.response_begins(
                            delivery,
                            on_the_wire as u64,
                            sending(true, Some(first.len() as u64)),
                        );
                        ResponseBody::in_chunks([first, bytes.slice(half.max(1)..)], left)
                            .followed_by(self.socket.clone())
                    }
                    Some(Delivery::BreaksOff { part, .. }) => {
                        let limit = if part == ResponsePart::Body { half } else { 0 };
                        self.socket.response_begins(
                            delivery,
                            half as u64,
                            sending(true, Some(limit as u64)),
                        );
                        ResponseBody::new(bytes, left).followed_by(self.socket.clone())
                    }
                    Some(_) => {
                        self.socket.response_begins(
                            delivery,
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
                self.socket.response_begins(delivery, 0, sending(seen.is_some(), None));
                let (cell, request) = (node.id.clone(), self.label.to_string());
                let errors = node.errors.clone();
                let failed = move |message| {
                    errors.record(CellError::BodyFailed {
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

    /// What a fault does instead of the application's response.
    async fn instead(
        &self,
        request: Request<Body>,
        instead: Replacement<'_>,
        request_faults: &RequestFaults<'_>,
    ) -> Result<Response<Payload>, NoResponse> {
        let (parts, body) = request.into_parts();
        read_to_the_end(body).await;
        match instead {
            Replacement::Response(response) => {
                let (journal, hop) = (self.node.journal.clone(), self.hop);
                let release = Release::new(self.node.active_faults.released(), move || {
                    journal.append(Event::ResponseRest { hop });
                });
                let advertised = self.node.advertised.clone();
                let response = response(&parts, FaultContext { advertised, release });
                return Ok(self.collect(response).await);
            }
            Replacement::Nothing => self.node.active_faults.stopped().await,
            Replacement::Ends(ending) => {
                request_faults.wait().await;
                self.socket.will_end(ending);
            }
            Replacement::Bytes(bytes) => {
                request_faults.wait().await;
                if let Some(seen) = seen_in(bytes, self.hop, &self.node.id) {
                    self.record(seen);
                }
                // A peer that is gone does not get the bytes, and needs none.
                let _ = self.socket.send(bytes).await;
            }
        }
        self.connection_log.fall_silent();
        Err(NoResponse::ByFault)
    }

    /// The response of the scripts or of the application.
    async fn response(&self, request: Request<Body>) -> Response<Payload> {
        let node = self.node;
        let directions = node.scripts.for_request(&request, &node.id, &node.casting);
        let mut response = match directions.response() {
            // As the application: a sender that gets a response may stop sending.
            Some(scripted) => {
                read_to_the_end(request.into_body()).await;
                scripted
            }
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

    /// The response with its body collected, unless the body is streamed.
    async fn collect(&self, response: Response<Body>) -> Response<Payload> {
        let (mut parts, body) = response.into_parts();
        if let Some(Streamed { body: seen }) = parts.extensions.remove() {
            return Response::from_parts(parts, Payload::Streamed(body, seen));
        }
        match body.collect().await {
            Ok(collected) => Response::from_parts(parts, Payload::Whole(collected.to_bytes())),
            Err(error) => {
                let (cell, request, message) =
                    (self.node.id.clone(), self.label.to_string(), error.to_string());
                self.node.errors.record(CellError::BodyFailed { cell, request, message });
                broken("the fake cell could not finish its response\n")
            }
        }
    }

    fn record(&self, response: ResponseSeen) {
        self.node.journal.append(Event::Response(response));
    }
}

/// Reads a body to its end, or to where the sender stopped. The journal says which.
async fn read_to_the_end(mut body: Body) {
    while let Some(Ok(_)) = body.frame().await {}
}

fn broken(text: &'static str) -> Response<Payload> {
    let mut response = Response::new(Payload::Whole(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}

/// Method and target, which name a request in an error.
pub(super) struct RequestLabel {
    method: Method,
    target: http::Uri,
}

impl RequestLabel {
    pub(super) fn of<B>(request: &Request<B>) -> Self {
        Self { method: request.method().clone(), target: request.uri().clone() }
    }
}

impl fmt::Display for RequestLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.target)
    }
}
