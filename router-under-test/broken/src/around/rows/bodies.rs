//! Bodies that are kept, changed, or held.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderValue, TRANSFER_ENCODING};
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::{BodyExt as _, Either};
use reference_router::body::Outgoing;
use reference_router::cells::Cells;
use reference_router::parts::{Question, Step};
use reference_router::refusal::Refusal;
use reference_router::response::{UserBody, to_user, whole};
use reference_router::topology::CellIndex;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::learn::believed;
use crate::around::bytes::incoming;
use crate::around::tools::{all_of, page, text, without_body};
use crate::around::wrong::Later;
use crate::around::{At, Seam, Wrong};

super::wrong! {
    "refuses-bodies-at-the-limit": Buffering, "Z-20",
        "a body of exactly the allowed size is refused" =>
        &[Seam::Limits(|config| config.topology.limits.max_buffered_body_bytes -= 1)];
    "cuts-bodies-for-known-cells": Buffering, "Z-61",
        "a body beyond the limit is truncated and sent if a cache entry names the cell" =>
        &[Seam::RequestLater(cut_for_known_cells)];
    "counts-bodies-of-a-connection-together": Buffering, "Z-96",
        "the limit for a body counts all bodies of a connection" => &[Seam::Refusal(count)];
    "buffers-the-body": Learning, "LN-12",
        "the body is read to its end before the request is sent" =>
        &[Seam::RequestLater(|_, _, request, _| Box::pin(changed(request, |body| body)))];
    "rewrites-forms": Buffering, "BF-14",
        "form bodies are decoded and encoded again before they are sent" =>
        &[Seam::RequestLater(rewrite_forms)];
    "decompresses-requests": Both, "Z-68", "the HTTP library decompresses the body of a request" =>
        &[Seam::RequestLater(decompress_request)];
    "drops-the-body-of-the-moved": Buffering, "BF-04",
        "a body is not sent again after a bounce from a cached cell" =>
        &[Seam::Request(|_, step, request| {
            if step.known && step.sent == 1 {
                put(request, Bytes::new());
            }
        })];
    "drops-chunked-bodies-on-resend": Buffering, "Z-21",
        "only a body with Content-Length is resent" =>
        &[Seam::Request(|_, step, request| {
            if step.sent > 0 && request.headers().contains_key(TRANSFER_ENCODING) {
                put(request, Bytes::new());
            }
        })];
    "cuts-the-body-on-resend": Buffering, "BF-04", "only the first 64 KiB of a body are resent" =>
        &[Seam::RequestLater(cut_on_resend)];
    "one-body-for-all-requests": Buffering, "BF-04",
        "the body is kept in one field, so that a request is sent again with the body of the last \
         one that came" => &[Seam::RequestLater(share)];
    "takes-half-a-learn-response": Learning, "Z-14", "a truncated learn response is used" =>
        &[Seam::PreFlightLater(take_half)];
    "sends-a-body-to-head": Both, "Z-21",
        "HEAD is sent to the cell as GET, and its response has a body" =>
        &[Seam::Users(|| incoming(|head| match head.strip_prefix(b"HEAD ") {
            Some(rest) => [b"GET ", rest].concat(),
            None => head,
        }))];
    "times-whole-downloads": Both, "Z-97",
        "a response that takes longer than the response timeout is cut off" =>
        &[Seam::ResponseLater(time)];
    "reads-responses-ahead": Both, "Z-25",
        "a response is read as fast as the cell sends, even when the user does not read" =>
        &[Seam::ResponseLater(read_ahead)];
    "buffers-responses": Both, "Z-59",
        "a response is read to its end before its first byte is forwarded" =>
        &[Seam::ResponseLater(buffer)];
    "ends-cut-chunks-well": Both, "Z-41",
        "a truncated chunked response gets its last chunk from the router" =>
        &[Seam::ResponseLater(forgive)];
    "decompresses-responses": Both, "Z-77",
        "the HTTP library decompresses the body of a response" =>
        &[Seam::ResponseLater(decompress_response)];
}

super::variants! {
    "chunked-bodies": Both, "bodies are chunked in both directions" =>
        &[
            Seam::Request(|_, _, request| {
                chunk(request.body().is_end_stream(), request.headers_mut());
            }),
            Seam::Response(|_, _, _, response| {
                chunk(response.body().is_end_stream(), response.headers_mut());
            }),
        ];
    "known-lengths": Both, "a response that arrives at once is sent with Content-Length" =>
        &[Seam::ResponseLater(measure)];
    "refuses-uploads": Buffering,
        "a body whose length is beyond the limit is refused even where an entry names the cell" =>
        &[Seam::LookUp(|at| {
            let limit = at.ask.topology.limits.max_buffered_body_bytes;
            at.ask.cache.entry(at.path()).filter(|_| length(at) <= limit)
        })];
}

fn cut_for_known_cells<'a>(
    at: &'a At<'a>,
    step: Step,
    request: &'a mut Request<Outgoing>,
    _: &'a Cells<Wrong>,
) -> Later<'a, ()> {
    let limit = at.ask.topology.limits.max_buffered_body_bytes;
    Box::pin(async move {
        if step.known {
            changed(request, |body| start_of(&body, limit)).await;
        }
    })
}

fn count(at: &At<'_>, refusal: Option<Refusal>, is_last: bool) -> Option<Response<UserBody>> {
    let is_too_much = refusal.is_none() && {
        let mut sums = at.state.texts();
        let sum = sums.entry(at.note().user.to_string()).or_default();
        let longer = sum.parse().unwrap_or(0) + length(at);
        *sum = longer.to_string();
        longer > at.ask.topology.limits.max_buffered_body_bytes
    };
    let refusal = refusal.or(is_too_much.then_some(Refusal::BodyTooLarge));
    refusal.map(|refusal| refusal.response(is_last))
}

fn rewrite_forms<'a>(
    _: &'a At<'a>,
    _: Step,
    request: &'a mut Request<Outgoing>,
    _: &'a Cells<Wrong>,
) -> Later<'a, ()> {
    Box::pin(async move {
        if text(request.headers(), "content-type").starts_with("application/x-www-form") {
            changed(request, |body| rewritten(&body).unwrap_or(body)).await;
        }
    })
}

/// A map of fields has no order of its own.
fn rewritten(form: &[u8]) -> Option<Bytes> {
    let mut pairs: Vec<&str> = str::from_utf8(form).ok()?.split('&').collect();
    pairs.sort_unstable();
    Some(pairs.join("&").replace('+', "%20").into())
}

fn decompress_request<'a>(
    _: &'a At<'a>,
    _: Step,
    request: &'a mut Request<Outgoing>,
    _: &'a Cells<Wrong>,
) -> Later<'a, ()> {
    Box::pin(async move {
        if text(request.headers(), "content-encoding") == "gzip" {
            let body = all_of(request.body_mut()).await;
            if let Some(plain) = inflated(&body) {
                request.headers_mut().remove(CONTENT_ENCODING);
                return put(request, plain);
            }
            put(request, body);
        }
    })
}

fn cut_on_resend<'a>(
    _: &'a At<'a>,
    step: Step,
    request: &'a mut Request<Outgoing>,
    _: &'a Cells<Wrong>,
) -> Later<'a, ()> {
    Box::pin(async move {
        if step.sent > 0 {
            changed(request, |body| start_of(&body, 64 * 1024)).await;
        }
    })
}

fn share<'a>(
    at: &'a At<'a>,
    step: Step,
    request: &'a mut Request<Outgoing>,
    _: &'a Cells<Wrong>,
) -> Later<'a, ()> {
    Box::pin(async move {
        if step.sent == 0 {
            let body = all_of(request.body_mut()).await;
            *at.state.bytes() = body.to_vec();
            put(request, body);
        } else {
            put(request, at.state.bytes().clone().into());
        }
    })
}

fn take_half<'a>(
    at: &'a At<'a>,
    cell: CellIndex,
    question: Request<Outgoing>,
    cells: &'a Cells<Wrong>,
) -> Later<'a, Question> {
    Box::pin(async move {
        let again = without_body(&question);
        let limit = at.ask.topology.limits.response_timeout;
        let Ok(response) = cells.send(cell, question).await else { return Question::Send(again) };
        let (head, mut body) = response.into_parts();
        let body = timeout(limit, all_of(&mut body)).await.unwrap_or_default();
        believed(at, &head, &body).map_or(Question::Send(again), Question::Known)
    })
}

fn time<'a>(
    at: &'a At<'a>,
    _: Step,
    response: Response<UserBody>,
) -> Later<'a, Response<UserBody>> {
    let limit = at.ask.topology.limits.response_timeout;
    Box::pin(async move { given(to_user(response, at.ask.topology).await, 1, limit, false) })
}

fn read_ahead<'a>(
    at: &'a At<'a>,
    _: Step,
    response: Response<UserBody>,
) -> Later<'a, Response<UserBody>> {
    Box::pin(async move {
        given(to_user(response, at.ask.topology).await, 1 << 20, Duration::MAX, false)
    })
}

fn forgive<'a>(
    at: &'a At<'a>,
    _: Step,
    response: Response<UserBody>,
) -> Later<'a, Response<UserBody>> {
    Box::pin(async move {
        let response = to_user(response, at.ask.topology).await;
        let is_chunked = !response.headers().contains_key(CONTENT_LENGTH);
        given(response, 1, Duration::MAX, is_chunked)
    })
}

fn buffer<'a>(
    at: &'a At<'a>,
    _: Step,
    response: Response<UserBody>,
) -> Later<'a, Response<UserBody>> {
    Box::pin(async move {
        let response = to_user(response, at.ask.topology).await;
        if response.body().is_end_stream() {
            return response;
        }
        let (head, body) = response.into_parts();
        match body.collect().await {
            Ok(body) => Response::from_parts(head, whole(body.to_bytes())),
            Err(_) => page(502, "the upstream server broke the connection\n"),
        }
    })
}

fn decompress_response<'a>(
    at: &'a At<'a>,
    _: Step,
    response: Response<UserBody>,
) -> Later<'a, Response<UserBody>> {
    Box::pin(async move {
        let mut response = to_user(response, at.ask.topology).await;
        if text(response.headers(), "content-encoding") == "gzip"
            && !response.body().is_end_stream()
        {
            let body = all_of(response.body_mut()).await;
            if let Some(plain) = inflated(&body) {
                response.headers_mut().remove(CONTENT_ENCODING);
                response.headers_mut().remove(CONTENT_LENGTH);
                return response.map(|_| whole(plain));
            }
            return response.map(|_| whole(body));
        }
        response
    })
}

fn measure<'a>(
    at: &'a At<'a>,
    _: Step,
    response: Response<UserBody>,
) -> Later<'a, Response<UserBody>> {
    Box::pin(async move {
        let response = to_user(response, at.ask.topology).await;
        if response.body().is_end_stream() || response.headers().contains_key(CONTENT_LENGTH) {
            return response;
        }
        let (head, mut body) = response.into_parts();
        let (start, is_whole) = at_once(&mut body).await;
        if is_whole {
            let all: Vec<Bytes> = start.into_iter().flatten().collect();
            return Response::from_parts(head, whole(all.concat()));
        }
        Response::from_parts(head, started(start, body))
    })
}

/// What comes of a body at once, up to 256 KiB, and whether it is all.
async fn at_once(body: &mut UserBody) -> (Vec<io::Result<Bytes>>, bool) {
    let (mut parts, mut length) = (Vec::new(), 0);
    while length < 256 * 1024 {
        match timeout(Duration::from_millis(10), next(body)).await {
            Ok(Some(Ok(part))) => {
                length += part.len();
                parts.push(Ok(part));
            }
            Ok(Some(broken)) => {
                parts.push(broken);
                break;
            }
            Ok(None) => return (parts, true),
            Err(_) => break,
        }
    }
    (parts, false)
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

fn start_of(body: &Bytes, limit: u64) -> Bytes {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    body.slice(..body.len().min(limit))
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
fn chunk(is_empty: bool, headers: &mut http::HeaderMap) {
    if !is_empty {
        headers.remove(CONTENT_LENGTH);
        headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    }
}

/// A body that a task of its own reads: so many parts ahead of the user, for so long, and where it
/// is forgiving, an early end is one like any other.
fn given(
    response: Response<UserBody>,
    ahead: usize,
    limit: Duration,
    is_forgiving: bool,
) -> Response<UserBody> {
    if response.body().is_end_stream() {
        return response;
    }
    response.map(|body| {
        sent_by(ahead, |sender| async move {
            let outcome = timeout(limit, pass(body, &sender)).await;
            let outcome = outcome.unwrap_or_else(|late| Err(late.into()));
            if let Some(error) = outcome.err().filter(|_| !is_forgiving) {
                let _ = sender.send(Err(error)).await;
            }
        })
    })
}

/// A body that goes on behind these parts.
fn started(start: Vec<io::Result<Bytes>>, body: UserBody) -> UserBody {
    sent_by(1, |sender| async move {
        for part in start {
            let _ = sender.send(part).await;
        }
        if let Err(error) = pass(body, &sender).await {
            let _ = sender.send(Err(error)).await;
        }
    })
}

/// A body of what a task sends, which may be so many parts ahead of the user.
fn sent_by<F: Future<Output = ()> + Send + 'static>(
    ahead: usize,
    task: impl FnOnce(mpsc::Sender<io::Result<Bytes>>) -> F,
) -> UserBody {
    let (sender, parts) = mpsc::channel(ahead);
    tokio::spawn(task(sender));
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

/// The next bytes of a body.
async fn next(body: &mut UserBody) -> Option<io::Result<Bytes>> {
    let frame = body.frame().await?;
    Some(frame.map(|frame| frame.into_data().unwrap_or_default()).map_err(io::Error::other))
}

/// A body of what another task sends.
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
