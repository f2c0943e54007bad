//! Changes of bodies and of their flow. A correct router streams them unchanged (Z-25, Z-41, Z-59).

use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::sync::mpsc;

use crate::base::body::{Body, BoxError, full, polled, what_came};
use crate::kind::Mutation;

/// The block size of the mutation that gathers bytes.
const BLOCK: usize = 64 * 1024;

/// A response's body as a router with this mutation forwards it.
pub(crate) fn response(mutation: Option<Mutation>, body: Body) -> Body {
    if body.is_end_stream() {
        return body;
    }
    match mutation {
        Some(Mutation::ReadsResponsesAhead) => ahead(body),
        Some(Mutation::GathersResponsesIntoBlocks) => gathered(body),
        Some(Mutation::StaysOnePartBehind) => behind(body),
        Some(Mutation::EndsCutChunksWell) if body.size_hint().exact().is_none() => {
            forgiving(body, false)
        }
        Some(Mutation::FillsUpCutResponses) if body.size_hint().exact().is_some() => {
            forgiving(body, true)
        }
        _ => body,
    }
}

/// The mutation of a time limit for a whole body.
pub(crate) fn timed(mut body: Body, limit: Duration) -> Body {
    let mut limit = Box::pin(tokio::time::sleep(limit));
    polled(body.size_hint(), move |context| {
        if limit.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err("the response took too long".into())));
        }
        Pin::new(&mut body).poll_frame(context)
    })
}

/// Reads all bytes as they arrive, whether or not the user reads.
pub(crate) fn ahead(body: Body) -> Body {
    changed(body, async |mut body, sender| {
        while let Some(part) = next(&mut body).await {
            let _ = sender.send(part);
        }
    })
}

fn gathered(body: Body) -> Body {
    changed(body, async |mut body, sender| {
        let mut block = BytesMut::new();
        loop {
            match next(&mut body).await {
                Some(Ok(part)) => block.extend_from_slice(&part),
                Some(Err(error)) => {
                    let _ = sender.send(Err(error));
                    return;
                }
                None => {
                    let _ = sender.send(Ok(block.freeze()));
                    return;
                }
            }
            if block.len() >= BLOCK && sender.send(Ok(block.split().freeze())).is_err() {
                return;
            }
        }
    })
}

fn behind(body: Body) -> Body {
    changed(body, async |mut body, sender| {
        let mut held = None;
        while let Some(part) = next(&mut body).await {
            if let Some(part) = held.replace(part)
                && sender.send(part).is_err()
            {
                return;
            }
        }
        let _ = held.map(|part| sender.send(part));
    })
}

fn forgiving(body: Body, filling: bool) -> Body {
    let length = body.size_hint().exact().unwrap_or_default();
    changed(body, async move |mut body, sender| {
        let mut sent = 0;
        while let Some(Ok(part)) = next(&mut body).await {
            sent += part.len() as u64;
            if sender.send(Ok(part)).is_err() {
                return;
            }
        }
        if filling && sent < length {
            let _ = sender.send(Ok(vec![b' '; (length - sent) as usize].into()));
        }
    })
}

type Part = Result<Bytes, BoxError>;

async fn next(body: &mut Body) -> Option<Part> {
    loop {
        match body.frame().await? {
            Ok(frame) => match frame.into_data() {
                Ok(data) => return Some(Ok(data)),
                Err(_) => continue,
            },
            Err(error) => return Some(Err(error)),
        }
    }
}

/// The body as `work` changes it, with its original length.
fn changed(
    body: Body,
    work: impl AsyncFnOnce(Body, mpsc::UnboundedSender<Part>) + 'static,
) -> Body {
    let (sender, mut parts) = mpsc::unbounded_channel();
    let size = body.size_hint();
    tokio::task::spawn_local(async move { work(body, sender).await });
    polled(size, move |context| {
        parts.poll_recv(context).map(|part| part.map(|part: Part| part.map(Frame::data)))
    })
}

/// The mutation of an HTTP library that decompresses a body.
pub(crate) async fn decompressed(headers: &mut HeaderMap, body: Body) -> Body {
    /// The head of gzip without a name or a comment (RFC 1952 2.3).
    const HEAD: usize = 10;
    if headers.get(CONTENT_ENCODING).is_none_or(|coding| coding != "gzip") {
        return body;
    }
    let bytes = what_came(body).await;
    let plain = bytes.get(HEAD..).map(miniz_oxide::inflate::decompress_to_vec);
    match plain {
        Some(Ok(plain)) => {
            headers.remove(CONTENT_ENCODING);
            headers.remove(CONTENT_LENGTH);
            full(plain)
        }
        _ => full(bytes),
    }
}

/// A body of known length if it is short and its end arrives at once; otherwise the bytes so far,
/// then the rest as it arrives.
pub(crate) async fn measured(mut body: Body) -> Body {
    const AT_ONCE: Duration = Duration::from_millis(10);
    const LONG: usize = 256 * 1024;
    let mut bytes = BytesMut::new();
    while bytes.len() < LONG {
        match tokio::time::timeout(AT_ONCE, body.frame()).await {
            Ok(None) => return full(bytes.freeze()),
            Ok(Some(Ok(frame))) => {
                bytes.extend_from_slice(frame.data_ref().unwrap_or(&Bytes::new()))
            }
            // A truncated response stays truncated.
            Ok(Some(Err(error))) => {
                let mut error = Some(error);
                body = polled(SizeHint::default(), move |_| Poll::Ready(error.take().map(Err)));
                break;
            }
            Err(_) => break,
        }
    }
    let mut start = Some(bytes.freeze()).filter(|bytes| !bytes.is_empty());
    polled(SizeHint::default(), move |context| match start.take() {
        Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
        None => Pin::new(&mut body).poll_frame(context),
    })
}
