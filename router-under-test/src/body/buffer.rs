//! Keeps a body so that the request can be sent again (BF-04).

use std::io;
use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt as _;

use super::budget::Reservation;
use super::outgoing::{Outgoing, Source};
use super::spool::Spool;
use crate::user::RequestBody;

/// Bodies up to this many bytes stay in memory; longer ones go to a temporary file.
const IN_MEMORY: usize = 256 * 1024;

/// A body, or the start of one, that can be sent more than once.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    /// No body, or an empty one.
    Nothing,
    /// In memory.
    Memory(Bytes),
    /// In a temporary file.
    Spooled(Spool),
}

/// The result of buffering a body.
#[derive(Debug)]
pub(crate) enum Collected<B> {
    /// All of it is here.
    Whole(Kept),
    /// It is longer than the limit: the start of it, and where the rest comes from.
    TooLong(Kept, B),
}

/// Why a body could not be buffered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CollectError<E> {
    /// The user did not send all of it.
    #[error("user's body ended early: {0}")]
    User(E),
    /// It could not be written to a file.
    #[error("body cannot be spooled: {0}")]
    Spool(io::Error),
    /// Too much of other bodies is kept.
    #[error("too much of other bodies is kept")]
    NoRoom,
}

impl Kept {
    /// The body of one request.
    pub(crate) fn outgoing(&self) -> Outgoing {
        Outgoing::new(self.source(), None)
    }

    /// The body of one request of which the rest is passed on as it comes.
    pub(crate) fn outgoing_with(&self, rest: RequestBody) -> Outgoing {
        Outgoing::new(self.source(), Some(rest))
    }

    fn source(&self) -> Source {
        match self {
            Self::Nothing => Source::Nothing,
            Self::Memory(bytes) => Source::Memory(bytes.clone()),
            Self::Spooled(spool) => Source::Spooled(spool.reader()),
        }
    }
}

/// Reads a body to its end, or until it is longer than `limit` bytes (inclusive). What is kept is
/// counted by `reservation`.
pub(crate) async fn collect<B>(
    mut body: B,
    limit: u64,
    reservation: &mut Reservation,
) -> Result<Collected<B>, CollectError<B::Error>>
where
    B: Body<Data = Bytes> + Unpin,
{
    if body.is_end_stream() {
        return Ok(Collected::Whole(Kept::Nothing));
    }
    let expected = body.size_hint().exact().unwrap_or_default();
    let mut collector = Collector { expected, ..Collector::default() };
    while let Some(frame) = Pin::new(&mut body).frame().await {
        let Ok(data) = frame.map_err(CollectError::User)?.into_data() else {
            // Trailers are discarded.
            continue;
        };
        if !reservation.take(data.len()) {
            return Err(CollectError::NoRoom);
        }
        collector.add(data).await.map_err(CollectError::Spool)?;
        if collector.length() > limit {
            let kept = collector.finish().await.map_err(CollectError::Spool)?;
            return Ok(Collected::TooLong(kept, body));
        }
    }
    collector.finish().await.map(Collected::Whole).map_err(CollectError::Spool)
}

/// Collects chunks, first in memory.
#[derive(Default)]
struct Collector {
    /// The only chunk so far: most bodies come in one, and need not be copied.
    single: Bytes,
    /// Chunks that are in memory, in one piece.
    memory: BytesMut,
    spool: Option<Spool>,
    /// Bytes that were announced, or 0.
    expected: u64,
}

impl Collector {
    async fn add(&mut self, data: Bytes) -> io::Result<()> {
        if self.length() == 0 {
            self.single = data;
        } else {
            self.merge();
            self.memory.extend_from_slice(&data);
        }
        if self.memory.len() + self.single.len() > IN_MEMORY {
            self.flush().await?;
        }
        Ok(())
    }

    /// More than one chunk from here on.
    fn merge(&mut self) {
        if !self.single.is_empty() {
            // Growing would take up to twice as much.
            let expected = usize::try_from(self.expected).unwrap_or(usize::MAX);
            self.memory.reserve(expected.min(IN_MEMORY + 1).max(self.single.len()));
            self.memory.extend_from_slice(&self.single);
            self.single = Bytes::new();
        }
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.merge();
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(Spool::create().await?),
        };
        spool.append(self.memory.split().freeze()).await
    }

    fn length(&self) -> u64 {
        let in_memory = (self.single.len() + self.memory.len()) as u64;
        self.spool.as_ref().map_or(0, Spool::length) + in_memory
    }

    async fn finish(mut self) -> io::Result<Kept> {
        if self.spool.is_some() {
            self.flush().await?;
        }
        Ok(match self.spool {
            Some(spool) => Kept::Spooled(spool),
            None if self.length() == 0 => Kept::Nothing,
            None if self.single.is_empty() => Kept::Memory(self.memory.freeze()),
            None => Kept::Memory(self.single),
        })
    }
}

#[cfg(test)]
#[path = "buffer_tests.rs"]
mod tests;
