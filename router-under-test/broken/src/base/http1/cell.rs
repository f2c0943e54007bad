//! One request to a cell and its response.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Buf;
use http::header::{CONTENT_LENGTH, HOST};
use http::uri::Authority;
use http::{HeaderValue, Method, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::base::body::{Body, full};
use crate::base::deviate::changed;
use crate::base::http1::connection::Connection;
use crate::base::http1::frame::{Framing, Incoming, Reader, Source};
use crate::base::http1::framing::response_framing;
use crate::base::http1::head::{self, ResponseHead};
use crate::base::http1::tunnel::Tunnel;
use crate::base::http1::write::{self, Coding, Stopped};
use crate::base::outcome::Failure;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::deviation::{Element, Seam};
use crate::kind::{Mutation, Variation};

/// A connection is reused only after a pause, so that a close that came with the response is seen.
const PAUSE: Duration = Duration::from_millis(25);
async fn connection(router: &Router, host: &Authority) -> Result<Connection, Failure> {
    // The runtime updates the state of idle connections in between.
    tokio::task::yield_now().await;
    let careless = router.has(Mutation::KeepsUsingClosedConnections);
    while let Some(mut connection) =
        router.kept.take(host, if careless { Duration::ZERO } else { PAUSE })
    {
        let is_quiet = changed(Seam::CellConnections, Element::Quiet, connection.is_quiet());
        if is_quiet && !changed(Seam::CellConnections, Element::Reuse, true) {
            break;
        }
        if careless || is_quiet {
            return Ok(connection);
        }
        if router.has(Mutation::TakesStrayBytesForResponses) && connection.has_come() {
            return Ok(connection);
        }
    }
    let address = (host.host(), host.port_u16().unwrap_or(80));
    let limit = changed(Seam::Timers, Element::ConnectTime, router.config.connect_timeout);
    let stream = tokio::time::timeout(limit, TcpStream::connect(address)).await;
    stream.ok().and_then(Result::ok).map(Connection::new).ok_or(Failure::Unreachable)
}

/// The task that writes a request, and the half of the connection that it returns.
struct Writing {
    task: JoinHandle<()>,
    outcome: oneshot::Receiver<Result<OwnedWriteHalf, Stopped>>,
    /// The outcome, once it was read.
    writer: Option<OwnedWriteHalf>,
}

impl Writing {
    fn start(mut writer: OwnedWriteHalf, head: Vec<u8>, body: Body, coding: Coding) -> Self {
        let (done, outcome) = oneshot::channel();
        let task = tokio::task::spawn_local(async move {
            let result = match write::bytes(&mut writer, &head).await {
                Ok(()) => write::body(&mut writer, body, coding).await,
                Err(stopped) => Err(stopped),
            };
            let _ = done.send(result.map(|()| writer));
        });
        Self { task, outcome, writer: None }
    }

    /// The half of the connection, if the request was written completely.
    fn finished(mut self) -> Option<OwnedWriteHalf> {
        self.writer.take().or_else(|| self.outcome.try_recv().ok()?.ok())
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Sends a request and waits for the head of the response.
pub(crate) async fn exchange(
    router: &Arc<Router>,
    host: &Authority,
    ask: &Ask,
    body: Body,
) -> Result<Response<Body>, Failure> {
    let Connection { mut reader, writer } = connection(router, host).await?;
    let (bytes, coding) = request_head(router, host, ask, &body);
    let mut writing = Writing::start(writer, bytes, body, coding);
    let answer = {
        let read = read_head(router, &mut reader);
        tokio::pin!(read);
        tokio::select! {
            answer = &mut read => answer,
            outcome = &mut writing.outcome => match outcome {
                // The timeout starts at the request's last byte.
                Ok(Ok(writer)) => {
                    writing.writer = Some(writer);
                    tokio::time::timeout(limit(router, ask), read).await.map_err(|_| Failure::Late)?
                }
                // The cell may have responded before it stopped reading.
                Ok(Err(Stopped::Gone)) => {
                    tokio::time::timeout(limit(router, ask), read).await.map_err(|_| Failure::Late)?
                }
                Ok(Err(Stopped::Cut)) => return Err(Failure::HalfAsked),
                Err(_) => return Err(Failure::Broken),
            },
        }
    };
    let head = match answer {
        Ok(head) => head,
        Err(NoResponse::Closed) if reader.buffer.is_empty() => return Err(Failure::Silent),
        Err(NoResponse::Closed) => return Err(Failure::Broken),
        Err(NoResponse::NotHttp) => return not_http(router, reader),
    };
    let Ok(framing) = response_framing(head.status, &head.headers, &ask.method, router.mutation())
    else {
        return not_http(router, reader);
    };
    let mut response = Response::new(());
    *response.status_mut() = head.status;
    *response.headers_mut() = head.headers;
    if head.status == StatusCode::SWITCHING_PROTOCOLS {
        let Some(writer) = writing.finished().filter(|_| ask.upgrade.is_some()) else {
            return Err(Failure::Broken);
        };
        response.extensions_mut().insert(Tunnel::new(Connection { reader, writer }));
        return Ok(response.map(|()| full("")));
    }
    let reusable = head.keeps_open
        && framing != Framing::UntilClose
        && !router.differs(Variation::ConnectionPerHop);
    let reusable = changed(Seam::CellConnections, Element::Keeping, reusable);
    let (keeper, host) = (router.clone(), host.clone());
    let source = Arc::new(Mutex::new(Source::new(reader, framing)));
    let at_end = move |source: &mut Source| {
        let writer = writing.finished();
        if let (true, Some(writer), Some(reader)) = (reusable, writer, source.reader.take()) {
            keeper.kept.give(host, Connection { reader, writer });
        }
    };
    let body = Incoming::new(source, None, Some(Box::new(at_end))).boxed_unsync();
    if router.has(Mutation::WaitsForBodiesThatDoNotCome)
        && (ask.method == Method::HEAD || response.status() == StatusCode::NOT_MODIFIED)
    {
        let rest = tokio::time::timeout(router.config.response_timeout, body.collect()).await;
        let rest = rest.map_err(|_| Failure::Late)?.map_err(|_| Failure::Broken)?;
        return Ok(response.map(|()| full(rest.to_bytes())));
    }
    Ok(response.map(|()| body))
}

fn limit(router: &Router, ask: &Ask) -> Duration {
    let own = if ask.is_pre_flight { Element::PreFlightTime } else { Element::ResponseTime };
    let limit = match router.mutation() {
        Some(Mutation::CutsLongPolls) => router.config.response_timeout / 3,
        Some(Mutation::WaitsForeverForPreFlights) if ask.is_pre_flight => Duration::from_secs(3600),
        _ => router.config.response_timeout,
    };
    changed(Seam::Timers, own, limit)
}

enum NoResponse {
    Closed,
    NotHttp,
}

/// Reads up to the head of the final response; interim responses are skipped.
async fn read_head(router: &Router, reader: &mut Reader) -> Result<ResponseHead, NoResponse> {
    loop {
        let skips = router.differs(Variation::SkipsMalformedFields);
        match head::response(&reader.buffer, router.mutation(), skips) {
            Ok(Some((head, size))) => {
                let interim = head.status.is_informational()
                    && head.status != StatusCode::SWITCHING_PROTOCOLS;
                if interim
                    || response_framing(head.status, &head.headers, &Method::GET, router.mutation())
                        .is_ok()
                {
                    reader.buffer.advance(size);
                }
                if !interim {
                    return Ok(head);
                }
            }
            Ok(None) => {
                if !reader.fill().await.unwrap_or(false) {
                    return complete(router, reader).ok_or(NoResponse::Closed);
                }
            }
            Err(_) => return Err(NoResponse::NotHttp),
        }
    }
}

/// The mutation of accepting a truncated head.
fn complete(router: &Router, reader: &mut Reader) -> Option<ResponseHead> {
    if !router.has(Mutation::TakesCutHeadsForResponses) {
        return None;
    }
    let lines = reader.buffer.iter().rposition(|byte| *byte == b'\n')?;
    let text = [&reader.buffer[..=lines], b"\r\n"].concat();
    reader.buffer.clear();
    let (mut head, _) = head::response(&text, None, false).ok()??;
    head.headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    Some(head)
}

/// Bytes that are not a response are a failure; the mutations pass them to the user.
fn not_http(router: &Router, reader: Reader) -> Result<Response<Body>, Failure> {
    let source = Arc::new(Mutex::new(Source::new(reader, Framing::UntilClose)));
    let mut response = Response::new(Incoming::new(source, None, None).boxed_unsync());
    match router.mutation() {
        Some(Mutation::PassesMalformedResponsesOn) => {
            response.extensions_mut().insert(Raw);
            Ok(response)
        }
        Some(Mutation::TakesGarbageFor200) => Ok(response),
        _ => Err(Failure::Broken),
    }
}

/// Marks a response whose body goes to the user as it is, without a head.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw;

fn request_head(router: &Router, host: &Authority, ask: &Ask, body: &Body) -> (Vec<u8>, Coding) {
    let mut head = format!("{} {} HTTP/1.1\r\n", ask.method, ask.target).into_bytes();
    if !ask.headers.contains_key(HOST) {
        write::field(&mut head, "host", host.as_str().as_bytes());
    }
    write::fields(&mut head, &ask.headers, router.differs(Variation::TitleCaseNames));
    if let Some(protocol) = &ask.upgrade {
        write::field(&mut head, "connection", b"upgrade");
        write::field(&mut head, "upgrade", protocol.as_bytes());
    }
    let mut coding = match (body.is_end_stream(), body.size_hint().exact()) {
        (true, _) => Coding::Nothing,
        (false, Some(length)) => Coding::Length(length),
        (false, None) => Coding::Chunked,
    };
    if router.has(Mutation::SendsChunksInChunks) && ask.chunked && coding != Coding::Nothing {
        coding = Coding::ChunksInChunks;
    }
    if router.has(Mutation::KeepsTheLengthBesideChunks) && ask.chunked {
        coding = Coding::Chunked;
    }
    match coding {
        Coding::Length(length) => {
            write::field(&mut head, "content-length", length.to_string().as_bytes());
        }
        Coding::Chunked | Coding::ChunksInChunks => {
            write::field(&mut head, "transfer-encoding", b"chunked")
        }
        _ if !ask.is_safe() && !router.has(Mutation::DropsLengthsOfZero) => {
            write::field(&mut head, "content-length", b"0")
        }
        _ => {}
    }
    head.extend_from_slice(b"\r\n");
    if router.has(Mutation::PassesNulBytesOn) {
        head.iter_mut().filter(|byte| **byte == head::STANDS_FOR_NUL).for_each(|byte| *byte = 0);
    }
    (head, coding)
}
