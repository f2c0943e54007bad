//! Where a body ends (RFC 9112 6 and 7).

use bytes::{Bytes, BytesMut};

use super::chunks::Chunks;
use super::error::HeadError;

/// How the end of a body is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// So many bytes; none where there is no body.
    Length(u64),
    /// Chunks.
    Chunked,
    /// The end of the connection, which only a response may leave it to.
    UntilEnd,
}

/// Takes a body out of the bytes of a connection.
#[derive(Debug)]
pub(crate) struct Decoder(State);

#[derive(Debug)]
enum State {
    /// So many bytes are left.
    Length(u64),
    Chunked(Chunks),
    /// Until the connection ends, which it has or not.
    UntilEnd(bool),
}

impl Decoder {
    /// At the start of a body.
    pub(crate) fn new(framing: Framing) -> Self {
        Self(match framing {
            Framing::Length(length) => State::Length(length),
            Framing::Chunked => State::Chunked(Chunks::start()),
            Framing::UntilEnd => State::UntilEnd(false),
        })
    }

    /// The next bytes of the body; none where they have not arrived, or there are no more.
    pub(crate) fn decode(&mut self, input: &mut BytesMut) -> Result<Option<Bytes>, HeadError> {
        let taken = match &mut self.0 {
            State::Chunked(chunks) => return chunks.decode(input),
            State::Length(left) => {
                let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= taken as u64;
                taken
            }
            State::UntilEnd(_) => input.len(),
        };
        Ok((taken > 0).then(|| input.split_to(taken).freeze()))
    }

    /// The connection has ended; whether the body is complete.
    pub(crate) fn end(&mut self) -> bool {
        if let State::UntilEnd(ended) = &mut self.0 {
            *ended = true;
        }
        self.is_over()
    }

    /// Whether all of the body was taken out.
    pub(crate) fn is_over(&self) -> bool {
        match &self.0 {
            State::Length(left) => *left == 0,
            State::Chunked(chunks) => chunks.is_over(),
            State::UntilEnd(ended) => *ended,
        }
    }

    /// How many bytes are left, where that is known.
    pub(crate) fn left(&self) -> Option<u64> {
        match &self.0 {
            State::Length(left) => Some(*left),
            _ => self.is_over().then_some(0),
        }
    }
}
