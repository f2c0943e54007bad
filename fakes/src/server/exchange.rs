//! One request at a cell: its faults, its response, and how the response leaves.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt;
use http::header::{CONNECTION, CONTENT_LENGTH};
use http::{HeaderName, Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;
use tokio::time::Instant;
use tower_service::Service;

use super::Node;
use super::active_faults::RequestFaults;
use super::connection::told_to_stop;
use super::errors::{CellError, panic_message};
use super::reader::{Reader, RequestBody};
use super::response::{Departure, Payload, Pieces, chunk, fields, frame, head_of, pad, seen_in};
use super::socket::Socket;
use crate::fault::{EARLY_HINTS, Ending, FaultContext, Replacement, ResponseFault};
use crate::journal::{Digester, Event, HopId, ResponseSeen};
use crate::streamed::{Release, Streamed, Upgraded};
use crate::wire;

/// One request at one cell.
pub(super) struct Exchange<'c> {
    pub(super) node: &'c Arc<Node>,
    pub(super) socket: &'c Arc<Socket>,
    pub(super) stopping: &'c watch::Receiver<bool>,
    pub(super) hop: HopId,
    pub(super) method: Method,
    /// Method and target, which name the request in an error.
    pub(super) label: String,
    pub(super) http_10: bool,
    /// Whether the connection can be used again.
    pub(super) keeps: bool,
}

/// What reads the next request, and bytes that come before it, each at its time.
pub(super) type Next = (Reader, Vec<(Instant, Vec<u8>)>);

impl Exchange<'_> {
    /// Serves a request. An error says how the connection ends.
    pub(super) async fn serve(
        mut self,
        request: Request<()>,
        reader: Reader,
    ) -> Result<Next, Ending> {
        let node = self.node;
        let request_faults =
            RequestFaults::for_request(&node.active_faults, &request, &node.id, &node.casting);
        if request_faults.has(&ResponseFault::BodyUnread) {
            Release::new(node.active_faults.released(), || ()).wait().await;
        }
        let (body, mut returned) = RequestBody::new(reader);
        let request = request.map(|()| match request_faults.has(&ResponseFault::AheadOfBody) {
            // The body is given back, and is read while the response leaves.
            true => Body::empty(),
            false => Body::new(body),
        });

        let mut response = match request_faults.instead() {
            Some(instead) => match self.instead(request, instead, &request_faults).await {
                Ok(response) => response,
                Err(ending) => {
                    if let Ok(mut reader) = returned.await {
                        reader.fall_silent();
                    }
                    return Err(ending);
                }
            },
            None => {
                let responded = AssertUnwindSafe(self.response(request)).catch_unwind().await;
                responded.unwrap_or_else(|payload| {
                    let (cell, request, message) =
                        (node.id.clone(), self.label.clone(), panic_message(&*payload));
                    node.errors.record(CellError::Panicked { cell, request, message });
                    broken("the fake cell panicked\n")
                })
            }
        };
        for value in request_faults.long_values() {
            response.headers_mut().insert(HeaderName::from_static("x-long"), value);
        }
        if let Payload::Whole(bytes) = response.body_mut() {
            request_faults.pads().for_each(|length| pad(bytes, length));
        }
        request_faults.wait().await;

        let reader = returned.try_recv().ok();
        // A sender that never got `100 Continue` need not send the body, so the start of its next
        // request would be ambiguous (RFC 9110 10.1.1).
        let is_lost = reader.as_ref().is_some_and(|reader| reader.continues() || reader.is_over());
        self.keeps &= !is_lost
            && !*self.stopping.borrow()
            && !wire::lists(response.headers(), CONNECTION, "close");
        let rest = async {
            let mut reader = match reader {
                Some(reader) => reader,
                // The application still reads the body.
                None => returned.await.map_err(|_| Ending::Close)?,
            };
            if !is_lost {
                reader.drain().await;
            }
            Ok(reader)
        };
        self.leave(response, &request_faults, rest).await
    }

    /// Enters the response in the journal and sends it, while the rest of the request is read.
    async fn leave(
        mut self,
        mut response: Response<Payload>,
        request_faults: &RequestFaults<'_>,
        rest: impl Future<Output = Result<Reader, Ending>>,
    ) -> Result<Next, Ending> {
        let has_body = self.method != Method::HEAD
            && matches!(response.body(), Payload::Whole(bytes) if !bytes.is_empty());
        let delivery = request_faults.delivery(has_body);
        let in_chunks =
            matches!(delivery, Some(ResponseFault::BreaksOffInBody { chunked: true, .. }));
        frame(&mut response, &self.method, in_chunks);
        let (mut parts, payload) = response.into_parts();
        self.record(ResponseSeen {
            hop: self.hop,
            cell: self.node.id.clone(),
            status: parts.status.as_u16(),
            fields: fields(&parts.headers),
            body: payload.seen(),
        });
        if !self.http_10 && request_faults.has(&ResponseFault::EarlyHints) {
            // A peer that is gone reads neither the interim response nor the final one.
            let _ = self.socket.send(EARLY_HINTS, drop).await;
        }
        let streams = matches!(payload, Payload::Streamed(..));
        let in_chunks = in_chunks || (streams && !parts.headers.contains_key(CONTENT_LENGTH));
        // Without chunks, the end of the connection is that of the body (RFC 9112 6.3).
        self.keeps &= !(in_chunks && self.http_10);
        let in_chunks = in_chunks && !self.http_10;
        let head = head_of(&mut parts, self.http_10, in_chunks, self.keeps);
        if parts.status == StatusCode::SWITCHING_PROTOCOLS {
            let mut reader = rest.await?;
            reader.fall_silent();
            self.socket.send(&head, drop).await.map_err(|_| Ending::Close)?;
            self.pass(reader, parts.extensions.remove()).await;
            return Err(Ending::Close);
        }
        let departure = Departure {
            node: self.node.clone(),
            socket: self.socket.clone(),
            hop: self.hop,
            followed: streams || delivery.is_some(),
            sent: 0,
            whole: false,
            digester: matches!(payload, Payload::Streamed(_, None)).then(Digester::default),
        };
        let left = self.send(departure, &head, payload, delivery, in_chunks);
        let ((), reader) = tokio::try_join!(left, rest)?;
        if !self.keeps || reader.is_over() {
            return Err(Ending::Close);
        }
        let now = Instant::now();
        let strays = request_faults.strays().map(|(bytes, after)| (now + after, bytes.to_vec()));
        Ok((reader, strays.collect()))
    }

    /// Sends a response. An error says how the connection ends.
    async fn send(
        &self,
        mut departure: Departure,
        head: &[u8],
        payload: Payload,
        delivery: Option<&ResponseFault>,
        in_chunks: bool,
    ) -> Result<(), Ending> {
        let (whole, streamed) = match payload {
            Payload::Whole(bytes) => (bytes, None),
            Payload::Streamed(body, _) => (Bytes::new(), Some(body)),
        };
        let Pieces { pieces, mut content, end } = Pieces::of(head, &whole, delivery);
        let mut before = head.len();
        for (piece, pause) in pieces {
            departure.send(&piece, &mut before, &mut content).await?;
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
        }
        if let Some(end) = end {
            return Err(end);
        }
        let Some(mut body) = streamed else {
            departure.whole = true;
            return Ok(());
        };
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| {
                let (cell, request) = (self.node.id.clone(), self.label.clone());
                let message = error.to_string();
                self.node.errors.record(CellError::BodyFailed { cell, request, message });
                Ending::Close
            })?;
            let Ok(piece) = frame.into_data() else { continue };
            if let Some(digester) = &mut departure.digester {
                digester.update(&piece);
            }
            let mut content = piece.len();
            if in_chunks {
                let chunk = chunk(&piece);
                let mut before = chunk.len() - piece.len() - b"\r\n".len();
                departure.send(&chunk, &mut before, &mut content).await?;
            } else {
                departure.send(&piece, &mut 0, &mut content).await?;
            }
        }
        if in_chunks {
            departure.send(b"0\r\n\r\n", &mut 0, &mut 0).await?;
        }
        departure.whole = true;
        Ok(())
    }

    /// Passes bytes between the peer and what has taken up the connection, until that ends it or
    /// the fleet stops.
    async fn pass(&self, mut reader: Reader, upgraded: Option<Upgraded>) {
        let Some(stream) = upgraded.and_then(|upgraded| upgraded.take()) else { return };
        let (mut from, mut to) = tokio::io::split(stream);
        let passed_in = async {
            loop {
                let bytes = reader.bytes().await;
                if bytes.is_empty() || to.write_all(&bytes).await.is_err() {
                    break;
                }
            }
            // It sees the end, and ends the connection.
            let _ = to.shutdown().await;
            std::future::pending().await
        };
        let passed_out = async {
            let mut bytes = vec![0; 16 * 1024];
            while let Ok(count @ 1..) = from.read(&mut bytes).await {
                if self.socket.send(&bytes[..count], drop).await.is_err() {
                    break;
                }
            }
        };
        let mut stopping = self.stopping.clone();
        tokio::select! {
            () = passed_in => {}
            () = passed_out => {}
            () = told_to_stop(&mut stopping) => {}
        }
    }

    /// What a fault does instead of the application's response. An error says how the connection
    /// ends.
    async fn instead(
        &self,
        request: Request<Body>,
        instead: Replacement<'_>,
        request_faults: &RequestFaults<'_>,
    ) -> Result<Response<Payload>, Ending> {
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
                Ok(self.collect(response).await)
            }
            Replacement::Nothing => {
                self.node.active_faults.stopped().await;
                Err(Ending::Close)
            }
            Replacement::Ends(ending) => {
                request_faults.wait().await;
                Err(ending)
            }
            Replacement::Bytes(bytes) => {
                request_faults.wait().await;
                if let Some(seen) = seen_in(bytes, self.hop, &self.node.id) {
                    self.record(seen);
                }
                // A peer that is gone does not get the bytes, and needs none.
                let _ = self.socket.send(bytes, drop).await;
                Err(Ending::Close)
            }
        }
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
                let responded = node.application.clone().call(request).await;
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
                    (self.node.id.clone(), self.label.clone(), error.to_string());
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
