//! Bodies that are kept, changed, or held.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::Frame;
use http_body_util::Either;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::learn::believed;
use crate::around::bytes::incoming;
use crate::around::prelude::*;

super::wrong! {
    "refuses-bodies-at-the-limit": Buffering, "Z-20",
        "a body of exactly the allowed size is refused" =>
        &[Limits(|config| config.topology.limits.max_buffered_body_bytes -= 1)];
    "cuts-bodies-for-known-cells": Buffering, "Z-61",
        "a body beyond the limit is truncated and sent if a cache entry names the cell" =>
        &[ToCellLater(|at, step, request, _| Box::pin(async move {
            let limit = at.ask.topology.limits.max_buffered_body_bytes as usize;
            if step.known {
                changed(request, |body| body.slice(..body.len().min(limit))).await;
            }
        }))];
    "counts-bodies-of-a-connection-together": Buffering, "Z-96",
        "the limit for a body counts all bodies of a connection" =>
        &[RefuseIf(|at| {
            let mut sums = at.state.texts();
            let sum = sums.entry(at.user()).or_default();
            let longer = sum.parse().unwrap_or(0) + length(at);
            *sum = longer.to_string();
            (longer > at.ask.topology.limits.max_buffered_body_bytes).then_some(413)
        })];
    "buffers-the-body": Learning, "LN-12",
        "the body is read to its end before the request is sent" =>
        &[ToCellLater(|_, _, request, _| Box::pin(changed(request, |body| body)))];
    "rewrites-forms": Buffering, "BF-14",
        "form bodies are decoded and encoded again before they are sent" =>
        &[ToCellLater(|_, _, request, _| Box::pin(async move {
            if text(request.headers(), "content-type").starts_with("application/x-www-form") {
                // A map of fields has no order of its own.
                changed(request, |body| {
                    let mut pairs: Vec<_> = body.split(|byte| *byte == b'&').collect();
                    pairs.sort_unstable();
                    String::from_utf8_lossy(&pairs.join(&b'&')).replace('+', "%20").into()
                })
                .await;
            }
        }))];
    "decompresses-requests": Both, "Z-68", "the HTTP library decompresses the body of a request" =>
        &[ToCellLater(|_, _, request, _| Box::pin(async move {
            if text(request.headers(), "content-encoding") == "gzip" {
                request.headers_mut().remove(CONTENT_ENCODING);
                changed(request, |body| inflated(&body).unwrap_or(body)).await;
            }
        }))];
    "drops-the-body-of-the-moved": Buffering, "BF-04",
        "a body is not sent again after a bounce from a cached cell" =>
        &[ToCell(|_, step, request| {
            if step.known && step.sent == 1 {
                put(request, Bytes::new());
            }
        })];
    "drops-chunked-bodies-on-resend": Buffering, "Z-21", "a body in chunks is not resent" =>
        &[ToCell(|_, step, request| {
            let has_length = request.headers().contains_key(CONTENT_LENGTH);
            if step.sent > 0 && !has_length && !request.body().is_end_stream() {
                put(request, Bytes::new());
            }
        })];
    "one-body-for-all-requests": Buffering, "BF-04",
        "the body is kept in one field, so that a request is sent again with the body of the last \
         one that came" =>
        &[ToCellLater(|at, step, request, _| Box::pin(async move {
            if step.sent == 0 {
                *at.state.bytes() = all_of(request.body_mut()).await.to_vec();
            }
            put(request, at.state.bytes().clone().into());
        }))];
    "takes-half-a-learn-response": Learning, "Z-14", "a truncated learn response is used" =>
        &[PreFlightLater(|at, cell, question, cells| Box::pin(async move {
            let again = bare(&question, Method::GET);
            let Ok(response) = cells.send(cell, question).await else {
                return Question::Send(again);
            };
            let (head, mut body) = response.into_parts();
            let limit = at.ask.topology.limits.response_timeout;
            let body = timeout(limit, all_of(&mut body)).await.unwrap_or_default();
            believed(at, &head, &body).map_or(Question::Send(again), Question::Known)
        }))];
    "sends-a-body-to-head": Both, "Z-21",
        "HEAD is sent to the cell as GET, and its response has a body" =>
        &[UserBytes(|| incoming(|head| match head.strip_prefix(b"HEAD ") {
            Some(rest) => [b"GET ", rest].concat(),
            None => head,
        }))];
    "times-whole-downloads": Both, "Z-97",
        "a response that takes longer than the response timeout is cut off" =>
        &[ToUser(|at, _, _, response| {
            give(response, 1, at.ask.topology.limits.response_timeout, false);
        })];
    "reads-responses-ahead": Both, "Z-25",
        "a response is read as fast as the cell sends, even when the user does not read" =>
        &[ToUser(|_, _, _, response| give(response, 1 << 20, Duration::MAX, false))];
    "buffers-responses": Both, "Z-59",
        "a response is read to its end before its first byte is forwarded" =>
        &[ToUserLater(|_, response| Box::pin(async move {
            if response.body().is_end_stream() {
                return response;
            }
            let (head, body) = response.into_parts();
            match body.collect().await {
                Ok(body) => Response::from_parts(head, whole(body.to_bytes())),
                Err(_) => page(502, "the upstream server broke the connection\n"),
            }
        }))];
    "ends-cut-chunks-well": Both, "Z-41",
        "a truncated chunked response gets its last chunk from the router" =>
        &[ToUser(|_, _, _, response| {
            let is_chunked = !response.headers().contains_key(CONTENT_LENGTH);
            give(response, 1, Duration::MAX, is_chunked);
        })];
    "decompresses-responses": Both, "Z-77",
        "the HTTP library decompresses the body of a response" =>
        &[ToUserLater(|_, mut response| Box::pin(async move {
            let is_coded = text(response.headers(), "content-encoding") == "gzip";
            if !is_coded || response.body().is_end_stream() {
                return response;
            }
            let body = all_of(response.body_mut()).await;
            response.headers_mut().remove(CONTENT_ENCODING);
            response.headers_mut().remove(CONTENT_LENGTH);
            response.map(|_| whole(inflated(&body).unwrap_or(body)))
        }))];
    "knows-four-methods-with-content": Both, "Z-61",
        "content is sent on with POST, PUT, PATCH and DELETE alone" =>
        &[ToCellLater(|at, _, request, _| Box::pin(async move {
            let known = [Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
            if !known.contains(&at.note().method) {
                changed(request, |_| Bytes::new()).await;
            }
        }))];
}

super::variants! {
    "chunked-bodies": Both, "bodies are chunked in both directions" =>
        &[
            ToCell(|_, _, request| {
                chunk(request.body().is_end_stream(), request.headers_mut());
            }),
            ToUser(|_, _, _, response| {
                chunk(response.body().is_end_stream(), response.headers_mut());
            }),
        ];
    "known-lengths": Both, "a response that arrives at once is sent with Content-Length" =>
        &[ToUserLater(|_, response| Box::pin(measured(response)))];
    "refuses-uploads": Buffering,
        "a body whose length is beyond the limit is refused even where an entry names the cell" =>
        &[LookUp(|at| {
            let limit = at.ask.topology.limits.max_buffered_body_bytes;
            at.ask.cache.entry(at.path()).filter(|_| length(at) <= limit)
        })];
}

/// A longer body does not arrive at once.
const LONGEST: usize = 256 * 1024;

async fn measured(response: Response<UserBody>) -> Response<UserBody> {
    if response.body().is_end_stream() || response.headers().contains_key(CONTENT_LENGTH) {
        return response;
    }
    let (head, mut body) = response.into_parts();
    let (mut parts, mut length) = (Vec::new(), 0);
    while length < LONGEST
        && let Ok(part) = timeout(Duration::from_millis(10), next(&mut body)).await
    {
        let Some(part) = part else {
            let all: Vec<Bytes> = parts.into_iter().flatten().collect();
            return Response::from_parts(head, whole(all.concat()));
        };
        // Where it broke, nothing more comes.
        length += part.as_ref().map_or(LONGEST, Bytes::len);
        parts.push(part);
    }
    Response::from_parts(head, given(parts, body, 1, Duration::MAX, false))
}

/// What the router makes of a body once it is here as a whole.
async fn changed(request: &mut Request<Outgoing>, change: impl FnOnce(Bytes) -> Bytes) {
    let body = all_of(request.body_mut()).await;
    put(request, change(body));
}

/// Replaces a body, and its length if it has one.
pub(super) fn put(request: &mut Request<Outgoing>, body: Bytes) {
    let headers = request.headers_mut();
    let is_longer = !body.is_empty() && !headers.contains_key(TRANSFER_ENCODING);
    if is_longer || headers.contains_key(CONTENT_LENGTH) {
        headers.insert(CONTENT_LENGTH, body.len().into());
    }
    *request.body_mut() = Outgoing::whole(body);
}

/// The length that a user tells.
fn length(at: &At<'_>) -> u64 {
    text(&at.note().headers, "content-length").parse().unwrap_or_default()
}

/// What gzip has packed without a name or a comment (RFC 1952 2.3).
fn inflated(bytes: &[u8]) -> Option<Bytes> {
    let deflated = bytes.get(10..)?;
    miniz_oxide::inflate::decompress_to_vec(deflated).ok().map(Bytes::from)
}

/// Hides the length of a body.
fn chunk(is_empty: bool, headers: &mut HeaderMap) {
    if !is_empty {
        headers.remove(CONTENT_LENGTH);
        headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    }
}

/// Lets a separate task read the body, at most `ahead` parts before the user takes them and for at
/// most `limit`. With `is_forgiving`, a body that breaks off looks complete.
fn give(response: &mut Response<UserBody>, ahead: usize, limit: Duration, is_forgiving: bool) {
    if !response.body().is_end_stream() {
        let body = std::mem::replace(response.body_mut(), whole(""));
        *response.body_mut() = given(Vec::new(), body, ahead, limit, is_forgiving);
    }
}

/// These parts and the body that goes on behind them, given likewise.
fn given(
    start: Vec<io::Result<Bytes>>,
    body: UserBody,
    ahead: usize,
    limit: Duration,
    is_forgiving: bool,
) -> UserBody {
    let (sender, parts) = mpsc::channel(ahead);
    tokio::spawn(async move {
        for part in start {
            let _ = sender.send(part).await;
        }
        let outcome = timeout(limit, pass(body, &sender)).await;
        let outcome = outcome.unwrap_or_else(|late| Err(late.into()));
        if let Some(error) = outcome.err().filter(|_| !is_forgiving) {
            let _ = sender.send(Err(error)).await;
        }
    });
    Either::Right(Received(parts).boxed_unsync())
}

/// Passes a body on, until it ends or the user has left.
async fn pass(mut body: UserBody, sender: &mpsc::Sender<io::Result<Bytes>>) -> io::Result<()> {
    loop {
        let part = tokio::select! {
            part = next(&mut body) => part,
            () = sender.closed() => None,
        };
        let Some(part) = part else { return Ok(()) };
        let _ = sender.send(Ok(part?)).await;
    }
}

async fn next(body: &mut UserBody) -> Option<io::Result<Bytes>> {
    let frame = body.frame().await?;
    Some(frame.map(|frame| frame.into_data().unwrap_or_default()).map_err(io::Error::other))
}

struct Received(mpsc::Receiver<io::Result<Bytes>>);

impl Body for Received {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.poll_recv(cx).map(|part| part.map(|part| part.map(Frame::data)))
    }
}
