//! Faults: what goes wrong at the cells of a fleet, and what is correct but unusual.
//!
//! Each fault is a variant, whose documentation says what a router meets. A plan lists the faults
//! ([`FleetPlan::faults`](crate::FleetPlan::faults)); no header of a request triggers one.
//!
//! There are two kinds. A fault of *connections* names a cell as the topology does, since a router
//! meets it before the cell knows the request. A fault of *responses* applies to the requests for
//! one path, at a cell as the documents name it (its role), like a [`Script`](crate::Script).
//!
//! A fault is part of the plan. An error of the fleet itself is a [`CellError`](crate::CellError).

use std::time::Duration;

use axum::body::Body;
use http::header::{HOST, LOCATION};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Response, StatusCode};

use crate::streamed::{Release, events, generated};
use crate::{Authority, CellId};

/// One fault of one cell, or of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    Connections {
        /// The cell, as the topology names it; `None` is every cell.
        cell: Option<CellId>,
        /// What is wrong.
        fault: ConnectionFault,
    },
    /// A fault of the responses to some requests.
    Responses {
        /// The cell, as the documents name it (its role); `None` is every cell.
        cell: Option<CellId>,
        /// The requests.
        at: At,
        /// The number of responses that it changes, over all its cells; `None` is all responses. A
        /// response that the fault cannot change (it cuts a body, and there is none) is not
        /// counted.
        times: Option<u32>,
        /// What is wrong.
        fault: ResponseFault,
    },
}

impl Fault {
    pub fn of_connections(cell: Option<CellId>, fault: ConnectionFault) -> Self {
        Self::Connections { cell, fault }
    }

    pub fn of_responses(
        cell: Option<CellId>,
        at: At,
        times: Option<u32>,
        fault: ResponseFault,
    ) -> Self {
        Self::Responses { cell, at, times, fault }
    }

    /// Its cell; `None` for a fault of all cells.
    pub fn cell(&self) -> Option<&CellId> {
        match self {
            Self::Connections { cell, .. } | Self::Responses { cell, .. } => cell.as_ref(),
        }
    }
}

/// The requests that a fault of responses applies to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// Requests for this path, without the query, compared byte for byte.
    Path(String),
    /// Pre-flights about this path, compared with the decoded `path_info` (LN-03). The buffering
    /// protocol has none.
    PreFlight(String),
}

/// The end of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// In order, as at the end of a stream (FIN).
    Close,
    /// By a reset (RST).
    Reset,
}

/// What can be wrong with the connections of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConnectionFault {
    /// The cell refuses connections: its address stays reserved without a listener (Z-16).
    ///
    /// A router's attempt to connect fails at once (`ECONNREFUSED`).
    /// [`Fleet::bring_back`](crate::Fleet::bring_back) ends the fault for one cell;
    /// [`Fleet::take_down`](crate::Fleet::take_down) has the same effect while the fleet runs.
    Refuses,
    /// The cell does not answer attempts to connect, like a host behind a firewall that drops
    /// packets (router contract, Limits: `connect_timeout_ms`).
    ///
    /// Its listener has room for one connection, which the fleet itself takes, so that the
    /// operating system drops every other attempt.
    AnswersNoConnection,
    /// The cell accepts connections and reads nothing from them, like a hanging process (Z-14,
    /// Z-16).
    ///
    /// When the faults end, it reads and responds to the requests that have arrived.
    ReadsNothing,
    /// The cell closes each connection after one response, without `Connection: close` (which
    /// RFC 9112 9.5 allows).
    ClosesAfterOneResponse,
    /// The cell closes each kept-alive connection when it is used again (Z-17).
    ///
    /// The bytes of the next request arrive, none is read, and the connection is reset. Only in
    /// this case can a router retry a request. The journal does not have that request.
    ClosesWhenUsedAgain,
    /// The cell closes connections before it reads anything from them (Z-17).
    ClosesBeforeReading {
        /// The number of connections of each cell, from the first one accepted.
        connections: u32,
    },
}

/// What can be wrong, or unusual, with a response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResponseFault {
    /// The cell reads the complete request and never responds (Z-14).
    ///
    /// The journal has the request and no response. The connection stays open until the fleet
    /// stops.
    NeverResponds,
    /// The cell reads the complete request and ends the connection instead of responding (Z-14,
    /// LN-10, LN-25, Z-17, Z-52).
    ///
    /// The journal has the request and no response.
    HangsUp { ending: Ending },
    /// The connection ends within the head of the response, after half of it (Z-48).
    ///
    /// The journal has the complete response.
    BreaksOffInHead { ending: Ending },
    /// The connection ends within the body of the response, after half of it (Z-41, RFC 9112 8).
    ///
    /// The journal has the complete response, and the number of bytes that were sent. A response
    /// without a body is not changed.
    BreaksOffInBody {
        /// Whether the body is sent in chunks, without the last one. Otherwise `Content-Length`
        /// states the complete length.
        chunked: bool,
        ending: Ending,
    },
    /// The head of the response leaves in four pieces, cut within lines (RFC 9112 2.2).
    HeadInPieces {
        /// Time between two pieces.
        apart: Duration,
    },
    /// The body of the response leaves in up to four pieces (Z-25). A response without a body is
    /// not changed.
    BodyInPieces {
        /// Time between two pieces.
        apart: Duration,
    },
    /// The cell sends these bytes instead of a response and closes the connection (Z-48, Z-49).
    ///
    /// The journal has a response only where the bytes begin with the head of one.
    RawBytes { bytes: Vec<u8> },
    /// The response has one more header, `X-Long`, with a long value (Z-48).
    LongField {
        /// The length of its value in bytes.
        length: usize,
    },
    /// The response is delayed (Z-14, Z-24). Concurrent requests wait concurrently.
    Late { by: Duration },
    /// The response is 200 with a large body, which is generated while the router reads it (Z-25).
    ///
    /// The journal has the digest of a body up to 64 MiB, and only the length of a longer one.
    ManyBytes {
        /// The length of the body in bytes.
        length: u64,
        /// Whether the body is sent in chunks instead of with `Content-Length`.
        chunked: bool,
        /// Whether the second half waits for the release (Z-25, Z-41, Z-59), which the journal
        /// records as [`Event::ResponseRest`](crate::Event::ResponseRest).
        second_half_waits: bool,
    },
    /// The response is a stream of two events (`text/event-stream`, in chunks). The second one
    /// waits for the release (Z-25), which the journal records as
    /// [`Event::ResponseRest`](crate::Event::ResponseRest).
    TwoEvents,
    /// The cell does not read the request's body until the release (Z-25).
    ///
    /// Bytes that come in the same segments as the head, and bytes that the operating system
    /// buffers, still arrive.
    BodyUnread,
    /// The cell responds when it has read the head of the request (RFC 9112 9.5).
    ///
    /// It reads the body afterwards, unless another fault ends the connection.
    AheadOfBody,
    /// The cell sends 103 with a `Link` before its response (RFC 8297, RFC 9110 15.2).
    EarlyHints,
    /// The cell redirects the user to its own address, like an application that knows no public
    /// name: 302 to `http://<its address><path>/there` (Z-26, RT-12).
    RedirectsToItself,
    /// The cell redirects the user to the host that it received: 302 to an absolute URL made of
    /// `X-Forwarded-Proto` (or `http`), `X-Forwarded-Host` (or `Host`), the path and `/there`
    /// (Z-26).
    RedirectsToReceivedHost,
    /// The response's JSON object gets one more member that makes it long (Z-30).
    ///
    /// A response that is not a JSON object, or that is longer already, is not changed.
    Padded {
        /// The length of the whole body in bytes.
        length: usize,
    },
    /// The cell gives users its own address in fields of a response, like an application that knows
    /// no public name (Z-87).
    OwnAddress {
        /// The fields. `{address}` in a value is where routers reach the cell.
        fields: Vec<(String, String)>,
    },
    /// The cell sends bytes that belong to no response, on the connection of its response and after
    /// it (Z-86). It sends none once a further request has come on the connection.
    StrayBytes {
        bytes: Vec<u8>,
        /// How long after the response.
        after: Duration,
    },
}

/// What replaces the application's response. The request is read completely before, unless the
/// response precedes its body.
pub(crate) enum Replacement<'f> {
    /// Nothing, until the fleet stops.
    Nothing,
    /// The connection ends.
    Ends(Ending),
    /// These bytes are sent, and the connection is closed.
    Bytes(&'f [u8]),
    Response(MakeResponse<'f>),
}

/// Makes a response that replaces the application's.
pub(crate) type MakeResponse<'f> =
    Box<dyn FnOnce(&Parts, FaultContext) -> Response<Body> + Send + 'f>;

/// What such a response may depend on.
pub(crate) struct FaultContext {
    /// Where routers reach the cell.
    pub(crate) advertised: Authority,
    /// Waits for the release and enters it in the journal.
    pub(crate) release: Release,
}

/// The interim response of [`ResponseFault::EarlyHints`].
pub(crate) const EARLY_HINTS: &[u8] =
    b"HTTP/1.1 103 Early Hints\r\nLink: </assets/page.css>; rel=preload; as=style\r\n\r\n";

impl ResponseFault {
    /// What the cell does instead of what its application responds.
    pub(crate) fn replacement(&self) -> Option<Replacement<'_>> {
        Some(match self {
            Self::NeverResponds => Replacement::Nothing,
            Self::HangsUp { ending } => Replacement::Ends(*ending),
            Self::RawBytes { bytes } => Replacement::Bytes(bytes),
            Self::ManyBytes { length, chunked, second_half_waits } => {
                responds(move |_, context| {
                    let release = second_half_waits.then_some(context.release);
                    generated(*length, *chunked, release)
                })
            }
            Self::TwoEvents => {
                responds(|_, context| events(["data: one\n\n", "data: two\n\n"], context.release))
            }
            Self::RedirectsToItself => responds(|request, context| {
                redirect("http", &context.advertised.to_string(), request.uri.path())
            }),
            Self::RedirectsToReceivedHost => responds(|request, _| to_received_host(request)),
            Self::OwnAddress { fields } => {
                responds(move |_, context| with_address(fields, &context.advertised))
            }
            _ => return None,
        })
    }

    /// Whether the response does not leave at once, or not completely; a fault of the body needs
    /// one.
    pub(crate) fn is_of_delivery(&self, has_body: bool) -> bool {
        match self {
            Self::BreaksOffInHead { .. } | Self::HeadInPieces { .. } => true,
            Self::BreaksOffInBody { .. } | Self::BodyInPieces { .. } => has_body,
            _ => false,
        }
    }
}

fn responds<'f>(
    respond: impl FnOnce(&Parts, FaultContext) -> Response<Body> + Send + 'f,
) -> Replacement<'f> {
    Replacement::Response(Box::new(respond))
}

fn to_received_host(request: &Parts) -> Response<Body> {
    let received = |name: &str| request.headers.get(name).and_then(|value| value.to_str().ok());
    let scheme = received("x-forwarded-proto").unwrap_or("http");
    let host = received("x-forwarded-host").or_else(|| received(HOST.as_str())).unwrap_or_default();
    redirect(scheme, host, request.uri.path())
}

/// 302 to an absolute URL below a path.
fn redirect(scheme: &str, authority: &str, path: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    if let Ok(location) = HeaderValue::try_from(format!("{scheme}://{authority}{path}/there")) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

fn with_address(fields: &[(String, String)], address: &Authority) -> Response<Body> {
    let mut response = Response::new(Body::from("see the fields\n"));
    for (name, value) in fields {
        let value = value.replace("{address}", &address.to_string());
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    response
}
