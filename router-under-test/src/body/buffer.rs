//! Keeps a body so that the request can be sent again (BF-04).

use std::io;
use std::pin::Pin;
use std::rc::Rc;

use bytes::Bytes;
use http_body::Body;
use http_body_util::BodyExt as _;

use super::budget::Reservation;
use super::outgoing::{Outgoing, Source};
use super::spool::Spool;
use crate::user::RequestBody;

/// Bodies up to this many bytes stay in memory; longer ones go to a temporary file ...
const IN_MEMORY: usize = 256 * 1024;

/// ... in parts of about so many bytes.
const PART: usize = 64 * 1024;

/// Most bytes of a block in memory.
const BLOCK: usize = 16 * 1024;

/// Bytes of the first block of a body whose length is not announced.
const FIRST_BLOCK: usize = 1024;

/// A body, or the start of one, that can be sent more than once.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    /// No body, or an empty one.
    Nothing,
    /// In memory, in pieces.
    Memory(Rc<[Bytes]>),
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

    /// How many bytes are kept.
    pub(crate) fn length(&self) -> u64 {
        self.source().length()
    }

    fn source(&self) -> Source {
        match self {
            Self::Nothing => Source::Nothing,
            Self::Memory(blocks) => Source::Memory(Rc::clone(blocks), 0),
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
    let announced = body.size_hint().exact().unwrap_or_default();
    let (spool, blocks, last) = (None, Vec::new(), Vec::new());
    let mut collector = Collector { reservation, announced, spool, blocks, last };
    while let Some(frame) = Pin::new(&mut body).frame().await {
        let Ok(data) = frame.map_err(CollectError::User)?.into_data() else {
            // Trailers are discarded.
            continue;
        };
        collector.add(&data).await?;
        if collector.length() > limit {
            let kept = collector.finish().await?;
            return Ok(Collected::TooLong(kept, body));
        }
    }
    collector.finish().await.map(Collected::Whole)
}

/// Collects a body, first in memory. It lies in blocks of its own: what a piece of it was read into
/// is larger, and is free for the next.
struct Collector<'a> {
    /// What memory and file are counted by.
    reservation: &'a mut Reservation,
    /// Bytes that were announced, or 0.
    announced: u64,
    spool: Option<Spool>,
    /// Blocks that are full.
    blocks: Vec<Bytes>,
    last: Vec<u8>,
}

impl Collector<'_> {
    async fn add<E>(&mut self, mut data: &[u8]) -> Result<(), CollectError<E>> {
        while !data.is_empty() {
            if self.last.len() == self.last.capacity() && !self.begin_block() {
                return Err(CollectError::NoRoom);
            }
            let (now, later) =
                data.split_at(data.len().min(self.last.capacity() - self.last.len()));
            self.last.extend_from_slice(now);
            data = later;
        }
        let is_long = self.spool.is_some() || self.announced > IN_MEMORY as u64;
        let most = if is_long { PART } else { IN_MEMORY };
        if self.in_memory() > most { self.flush().await } else { Ok(()) }
    }

    /// Makes room for more; false where there is none.
    fn begin_block(&mut self) -> bool {
        let length = self.length();
        let size = match usize::try_from(self.announced.saturating_sub(length)) {
            Ok(0) => usize::try_from(length).unwrap_or(BLOCK).clamp(FIRST_BLOCK, BLOCK),
            Ok(left) => left.min(BLOCK),
            Err(_) => BLOCK,
        };
        self.end_block();
        let has_room = self.reservation.hold(length + size as u64);
        if has_room {
            self.last = Vec::with_capacity(size);
        }
        has_room
    }

    fn end_block(&mut self) {
        self.last.shrink_to_fit();
        if !self.last.is_empty() {
            self.blocks.push(std::mem::take(&mut self.last).into());
        }
    }

    async fn flush<E>(&mut self) -> Result<(), CollectError<E>> {
        self.end_block();
        let blocks = std::mem::take(&mut self.blocks);
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(Spool::create().await.map_err(CollectError::Spool)?),
        };
        spool.append(blocks).await.map_err(CollectError::Spool)
    }

    fn in_memory(&self) -> usize {
        self.blocks.iter().map(Bytes::len).sum::<usize>() + self.last.len()
    }

    fn length(&self) -> u64 {
        self.spool.as_ref().map_or(0, Spool::length) + self.in_memory() as u64
    }

    async fn finish<E>(mut self) -> Result<Kept, CollectError<E>> {
        self.end_block();
        if self.spool.is_some() {
            self.flush().await?;
        }
        // It held room for more.
        let _ = self.reservation.hold(self.length());
        Ok(match self.spool {
            Some(spool) => Kept::Spooled(spool),
            None if self.blocks.is_empty() => Kept::Nothing,
            None => Kept::Memory(self.blocks.into()),
        })
    }
}

#[cfg(test)]
#[path = "buffer_tests.rs"]
mod tests;
