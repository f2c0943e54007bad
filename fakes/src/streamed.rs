//! Responses that are not sent at once: bodies that are generated meanwhile, and other protocols.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, Response};
use tokio::io::DuplexStream;
use tokio::sync::watch;

use crate::journal::{BodySeen, Digester};
use crate::lock::Lock;

/// Bytes that are generated at a time.
const BLOCK: u64 = 64 * 1024;
/// The longest generated body that is digested, in bytes.
const DIGESTED: u64 = 64 * 1024 * 1024;

/// Marks a response whose body is streamed instead of collected. It belongs into the response's
/// extensions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streamed {
    /// The body, where it is known beforehand; otherwise it is digested while it is sent.
    pub(crate) body: Option<BodySeen>,
}

/// In the extensions of a response with 101: the other side of the connection from then on.
#[derive(Clone, Debug)]
pub(crate) struct Upgraded(Arc<Lock<Option<DuplexStream>>>);

impl Upgraded {
    /// The mark of a response, and the stream that takes up the connection.
    pub(crate) fn new() -> (Self, DuplexStream) {
        let (near, far) = tokio::io::duplex(64 * 1024);
        (Self(Arc::new(Lock::new(Some(near)))), far)
    }

    /// The side of the connection.
    pub(crate) fn take(&self) -> Option<DuplexStream> {
        self.0.lock().take()
    }
}

/// 200 with a generated body of `length` bytes. With `rest`, its second half waits for the release.
pub(crate) fn generated(length: u64, chunked: bool, rest: Option<Release>) -> Response<Body> {
    let half = if rest.is_some() { length / 2 } else { length };
    let second = stream::once(async move {
        if let Some(release) = rest {
            release.wait().await;
        }
        blocks(half, length)
    });
    let body = blocks(0, half).chain(second.flatten());
    let mut response = streamed(
        Body::from_stream(body.map(Ok::<_, Infallible>)),
        "application/octet-stream",
        digested(length),
    );
    if !chunked {
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    response
}

/// 200 with two events, the second of which waits for the release.
pub(crate) fn events(events: [&'static str; 2], release: Release) -> Response<Body> {
    let [first, second] = events;
    let rest = stream::once(async move {
        release.wait().await;
        Bytes::from_static(second.as_bytes())
    });
    let body = stream::iter([Bytes::from_static(first.as_bytes())]).chain(rest);
    let seen = BodySeen::of(&events.concat().into());
    streamed(Body::from_stream(body.map(Ok::<_, Infallible>)), "text/event-stream", seen)
}

fn streamed(body: Body, kind: &'static str, seen: BodySeen) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.extensions_mut().insert(Streamed { body: Some(seen) });
    response
}

/// The bytes of the pattern from one offset to another.
fn blocks(from: u64, to: u64) -> impl futures_util::Stream<Item = Bytes> {
    let starts = std::iter::successors((from < to).then_some(from), move |at| {
        let next = at - at % BLOCK + BLOCK;
        (next < to).then_some(next)
    });
    stream::iter(starts.map(move |at| {
        let end = to.min(at - at % BLOCK + BLOCK);
        block(at / BLOCK).slice((at % BLOCK) as usize..(end - 1) as usize % BLOCK as usize + 1)
    }))
}

/// One block of the pattern. No two blocks are equal, so that a lost or repeated block shows.
fn block(index: u64) -> Bytes {
    static REST: LazyLock<Vec<u8>> =
        LazyLock::new(|| (8..BLOCK).map(|place| ((place * 31) >> 3) as u8).collect());
    let mut block = BytesMut::with_capacity(BLOCK as usize);
    block.extend_from_slice(&index.to_be_bytes());
    block.extend_from_slice(&REST);
    block.freeze()
}

/// A generated body of this length as the journal records it. Each length is digested once.
fn digested(length: u64) -> BodySeen {
    static KNOWN: Lock<BTreeMap<u64, BodySeen>> = Lock::new(BTreeMap::new());
    if length > DIGESTED {
        return BodySeen::unknown(length);
    }
    let mut known = KNOWN.lock();
    let digest = || {
        let mut digester = Digester::default();
        for index in 0..length.div_ceil(BLOCK) {
            digester.update(&block(index)[..BLOCK.min(length - index * BLOCK) as usize]);
        }
        digester.finish()
    };
    known.entry(length).or_insert_with(digest).clone()
}

/// The release, as one held response waits for it.
pub(crate) struct Release {
    released: watch::Receiver<bool>,
    on_release: Box<dyn FnOnce() + Send>,
}

impl Release {
    pub(crate) fn new(
        released: watch::Receiver<bool>,
        on_release: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self { released, on_release: Box::new(on_release) }
    }

    /// Waits for the release, then reports it.
    pub(crate) async fn wait(mut self) {
        // The sender lives as long as the cells; without it, nothing is held.
        let _ = self.released.wait_for(|released| *released).await;
        (self.on_release)();
    }
}
