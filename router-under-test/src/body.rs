//! The bodies of requests on their way to a cell: streamed from the user, or kept so that they can
//! be sent again (BF-04).

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::refusal::Refusal;
use crate::stream::{Link, Timer, poll_limit};

/// Bodies up to this many bytes stay in memory; longer ones go to an unnamed temporary file ...
const IN_MEMORY: usize = 262_144;
/// ... in parts of at least this many bytes, and are read from it in parts of this many.
const PART: usize = 65_536;
/// What kept bodies are counted in, in bytes.
pub(crate) const UNIT: u64 = 4096;

/// Why a body ended early.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The user did not send all of it, or it is malformed.
    #[error("the user's body ended early: {0}")]
    User(#[source] hyper::Error),
    /// The user sent nothing for too long.
    #[error("the user sent nothing of the body for too long")]
    Silent,
    /// The temporary file could not be written or read.
    #[error("a body cannot be kept in a file: {0}")]
    Spool(#[from] io::Error),
    /// Too much of other bodies is kept.
    #[error("too much of other bodies is kept")]
    NoRoom,
}

/// What the user gets whose body cannot be kept.
impl From<BodyError> for Refusal {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::User(_) | BodyError::Silent => Self::BrokenBody,
            BodyError::NoRoom | BodyError::Spool(_) => Self::NoRoom,
        }
    }
}

/// The body that a user sends.
#[derive(Debug)]
pub struct Upload {
    incoming: Incoming,
    link: Arc<Link>,
    silence: Duration,
    /// Runs while the user sends nothing although something is awaited.
    waits: Timer,
}

impl Upload {
    /// `silence` is how long the user may send nothing.
    pub(crate) fn new(incoming: Incoming, link: Arc<Link>, silence: Duration) -> Self {
        if incoming.is_end_stream() {
            link.request_is_read();
        }
        Self { incoming, link, silence, waits: None }
    }
}

impl Body for Upload {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut this.incoming).poll_frame(cx) else {
            ready!(poll_limit(&mut this.waits, this.silence, cx));
            return Poll::Ready(Some(Err(BodyError::Silent)));
        };
        this.waits = None;
        // Trailers are discarded; nothing follows them.
        let frame = frame.filter(|frame| !frame.as_ref().is_ok_and(Frame::is_trailers));
        if frame.is_none() || this.incoming.is_end_stream() {
            this.link.request_is_read();
        }
        Poll::Ready(frame.map(|frame| frame.map_err(BodyError::User)))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

/// The body of one request to a cell; by default there is none.
#[derive(Debug, Default)]
pub struct Outgoing {
    /// What is in a file; sent first.
    spooled: Option<Reader>,
    /// What is in memory; sent after that.
    memory: Bytes,
    /// What the user still sends; sent last.
    rest: Option<Upload>,
    /// Dropped with the body, once hyper has taken the last byte: from then on the cell has to
    /// respond.
    sending: Option<oneshot::Sender<()>>,
}

impl Outgoing {
    /// A body that is here as a whole.
    #[must_use]
    pub fn whole(memory: Bytes) -> Self {
        Self { memory, ..Self::default() }
    }

    /// A body that is passed on as the user sends it (LN-12).
    pub fn streamed(upload: Upload) -> Self {
        Self { rest: Some(upload), ..Self::default() }
    }

    /// Resolves when the last byte was taken.
    pub(crate) fn sent(&mut self) -> oneshot::Receiver<()> {
        let (sending, sent) = oneshot::channel();
        self.sending = Some(sending).filter(|_| !self.is_end_stream());
        sent
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = &mut *self;
        Poll::Ready(if let Some(reader) = &mut this.spooled {
            let part = ready!(reader.poll_part(cx));
            this.spooled.take_if(|reader| reader.left() == 0);
            Some(part.map(Frame::data).map_err(BodyError::Spool))
        } else if !this.memory.is_empty() {
            Some(Ok(Frame::data(std::mem::take(&mut this.memory))))
        } else if let Some(rest) = &mut this.rest {
            ready!(Pin::new(rest).poll_frame(cx))
        } else {
            None
        })
    }

    fn is_end_stream(&self) -> bool {
        self.spooled.is_none()
            && self.memory.is_empty()
            && self.rest.as_ref().is_none_or(Body::is_end_stream)
    }
}

/// A user's body under buffering: all of it, or the beginning of one that is too long to be kept.
#[derive(Debug)]
pub struct Replay {
    /// Its beginning, where it is too long for memory.
    spool: Option<Spool>,
    /// What follows that.
    memory: Bytes,
    /// Whether that is all, so that it can be sent any number of times.
    is_whole: bool,
    /// What the user still sends, otherwise; none once it was sent.
    rest: Option<Upload>,
    /// What it takes of the room for bodies.
    _held: OwnedSemaphorePermit,
}

impl Replay {
    /// Keeps a body of up to `limit` bytes, and of a longer one the beginning; an error where the
    /// user does not send all of it, or it cannot be kept.
    pub(crate) async fn keep(
        mut upload: Upload,
        limit: u64,
        room: &Arc<Semaphore>,
    ) -> Result<Self, BodyError> {
        let room_for = |units: u64| {
            let units = u32::try_from(units).map_err(|_| BodyError::NoRoom)?;
            Arc::clone(room).try_acquire_many_owned(units).map_err(|_| BodyError::NoRoom)
        };
        let mut held = room_for(0)?;
        let (mut memory, mut spool, mut length) = (Vec::new(), None, 0);
        // A length beyond the limit is known before the body is read.
        let mut is_whole = upload.size_hint().lower() <= limit;
        while is_whole && let Some(frame) = upload.frame().await {
            let data = frame?.into_data().unwrap_or_default();
            length += data.len() as u64;
            held.merge(room_for(length.div_ceil(UNIT).saturating_sub(held.num_permits() as u64))?);
            memory.extend_from_slice(&data);
            if memory.len() > if spool.is_some() { PART } else { IN_MEMORY } {
                spool = Some(append(spool, std::mem::take(&mut memory)).await?);
            }
            is_whole = length <= limit;
        }
        let rest = Some(upload).filter(|_| !is_whole);
        Ok(Self { spool, memory: memory.into(), is_whole, rest, _held: held })
    }

    /// The body for the next time that the request is sent; none where it is gone.
    pub(crate) fn outgoing(&mut self) -> Option<Outgoing> {
        let rest = self.rest.take();
        let spooled = self.spool.clone().map(|spool| Reader { spool, at: 0, reading: None });
        let is_there = self.is_whole || rest.is_some();
        let kept = Outgoing::whole(self.memory.clone());
        is_there.then_some(Outgoing { spooled, rest, ..kept })
    }

    /// Whether there is always a next time.
    pub(crate) fn can_be_sent_again(&self) -> bool {
        self.is_whole
    }
}

/// A temporary file without a name: gone with the process, however that ends. Clones share it.
#[derive(Clone, Debug)]
struct Spool {
    file: Arc<File>,
    length: u64,
}

/// Writes to the end of a file, of a new one where there is none; on a thread that may wait for the
/// disk.
async fn append(spool: Option<Spool>, part: Vec<u8>) -> io::Result<Spool> {
    spawn_blocking(move || {
        let mut spool = match spool {
            Some(spool) => spool,
            None => Spool { file: Arc::new(tempfile::tempfile()?), length: 0 },
        };
        spool.file.write_all_at(&part, spool.length)?;
        spool.length += part.len() as u64;
        Ok(spool)
    })
    .await?
}

/// Reads a file once.
#[derive(Debug)]
struct Reader {
    spool: Spool,
    at: u64,
    reading: Option<JoinHandle<io::Result<Bytes>>>,
}

impl Reader {
    fn left(&self) -> u64 {
        self.spool.length - self.at
    }

    /// The next bytes. There are some.
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Bytes>> {
        let (file, at) = (&self.spool.file, self.at);
        let length = self.left().min(PART as u64);
        let reading = self.reading.get_or_insert_with(|| {
            let file = Arc::clone(file);
            spawn_blocking(move || {
                let mut part = vec![0; length as usize];
                file.read_exact_at(&mut part, at)?;
                Ok(part.into())
            })
        });
        let part = ready!(Pin::new(reading).poll(cx)).unwrap_or_else(|error| Err(error.into()));
        self.reading = None;
        self.at += length;
        Poll::Ready(part)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::convert::Infallible;

    use http::request::Parts;
    use http::{Request, Response};
    use hyper::server::conn::http1::Builder;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use tokio::io::AsyncWriteExt as _;
    use tokio::sync::mpsc;

    use super::*;

    const SILENCE: Duration = Duration::from_millis(200);

    /// A request as it arrives in these bytes, from a user who sends no more.
    pub(crate) async fn arrived(bytes: impl Into<Vec<u8>>) -> (Parts, Upload) {
        let bytes = bytes.into();
        let (mut user, router) = tokio::io::duplex(PART);
        tokio::spawn(async move {
            user.write_all(&bytes).await.expect("the router reads");
            std::future::pending::<()>().await;
        });
        let (give, mut given) = mpsc::unbounded_channel();
        let service = service_fn(move |request: Request<Incoming>| {
            give.send(request).expect("somebody waits");
            std::future::pending::<Result<Response<String>, Infallible>>()
        });
        tokio::spawn(Builder::new().serve_connection(TokioIo::new(router), service));
        let (head, incoming) = given.recv().await.expect("it is a request").into_parts();
        (head, Upload::new(incoming, Arc::default(), SILENCE))
    }

    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|index| (index * 31 % 251) as u8).collect()
    }

    async fn with_length(body: &[u8]) -> Upload {
        let head = format!("PUT / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", body.len());
        arrived([head.as_bytes(), body].concat()).await.1
    }

    async fn in_chunks(body: &[u8], size: usize) -> Upload {
        let mut all = b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        for chunk in body.chunks(size) {
            all.extend(format!("{:x}\r\n", chunk.len()).bytes().chain(chunk.iter().copied()));
            all.extend(b"\r\n");
        }
        all.extend(b"0\r\nTrailer: discarded\r\n\r\n");
        arrived(all).await.1
    }

    async fn kept(upload: Upload, limit: usize) -> Replay {
        let room = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        Replay::keep(upload, limit as u64, &room).await.expect("it can be kept")
    }

    async fn sent(replay: &mut Replay) -> Option<Vec<u8>> {
        let body = replay.outgoing()?.collect().await.expect("it can be read");
        assert!(body.trailers().is_none());
        Some(body.to_bytes().to_vec())
    }

    #[tokio::test]
    async fn bodies_of_all_lengths_can_be_sent_twice() {
        for length in [0, 1, IN_MEMORY - 1, IN_MEMORY, IN_MEMORY + 1, 3 * IN_MEMORY + 17] {
            let body = bytes(length);
            for upload in [with_length(&body).await, in_chunks(&body, 70_000).await] {
                let mut replay = kept(upload, length).await;
                assert_eq!(replay.spool.is_some(), length > IN_MEMORY, "{length}");
                for _ in 0..2 {
                    assert!(replay.can_be_sent_again());
                    let outgoing = replay.outgoing().unwrap();
                    assert_eq!(outgoing.is_end_stream(), length == 0);
                    assert!(sent(&mut replay).await.as_ref() == Some(&body), "{length}");
                }
            }
        }
    }

    #[tokio::test]
    async fn a_body_beyond_the_limit_is_sent_whole_and_once() {
        for (length, limit) in [(1, 0), (1000, 500), (2 * IN_MEMORY, IN_MEMORY + PART)] {
            let body = bytes(length);
            for (upload, knows_length) in
                [(with_length(&body).await, true), (in_chunks(&body, 64).await, false)]
            {
                let mut replay = kept(upload, limit).await;
                assert!(!replay.can_be_sent_again(), "{length}");
                let rest = replay.rest.as_ref().unwrap();
                assert_eq!(rest.size_hint().exact().is_some(), knows_length);
                // Where the length is known, nothing of it is kept.
                assert_eq!(replay.memory.is_empty() && replay.spool.is_none(), knows_length);
                assert!(sent(&mut replay).await == Some(body.clone()), "{length}");
                assert!(sent(&mut replay).await.is_none());
            }
        }
    }

    #[tokio::test]
    async fn a_user_who_sends_nothing_for_too_long_ends_the_body() {
        let (_, upload) = arrived("PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab").await;
        let error = Outgoing::streamed(upload).collect().await.unwrap_err();
        assert!(matches!(error, BodyError::Silent), "{error}");
    }
}
