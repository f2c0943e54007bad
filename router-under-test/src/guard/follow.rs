//! Follows the bytes of a connection from request to request.

use super::RequestError;
use super::chunks::Chunks;
use super::head::{Framing, Head, LONGEST_HEAD};

/// Position in the stream of a user's bytes.
///
/// Fed with all bytes that were not let through yet, it says how many of them may be. A head is let
/// through as a whole or not at all; a body, as far as its framing is right.
#[derive(Debug)]
pub(super) struct Follower {
    state: State,
    /// Heads that were let through.
    requests: u64,
}

#[derive(Debug)]
enum State {
    /// In a head, of which so many bytes were looked at and so many are whole lines.
    Head { head: Head, scanned: usize, lines: usize },
    /// In a body of known length.
    Body { left: u64 },
    /// In a body of chunks.
    Chunked(Chunks),
    /// Behind a request for another protocol; the response decides.
    Undecided,
    /// Another protocol is spoken.
    Tunnel,
    /// The rest is not HTTP.
    Faulty(RequestError),
}

impl Follower {
    /// Before the first byte.
    pub(super) fn new() -> Self {
        Self { state: State::next(), requests: 0 }
    }

    /// How many requests were let through.
    pub(super) fn requests(&self) -> u64 {
        self.requests
    }

    /// Whether the next byte is one of a body, and not of its framing.
    #[cfg(test)]
    pub(super) fn is_in_data(&self) -> bool {
        matches!(self.state, State::Body { .. } | State::Chunked(Chunks::Data { .. }))
    }

    /// Whether the request that was let through last has more bytes to come.
    pub(super) fn is_in_body(&self) -> bool {
        match &self.state {
            State::Body { .. } | State::Chunked(_) => true,
            State::Faulty(fault) => *fault == RequestError::Chunk,
            _ => false,
        }
    }

    /// Whether the last request is here as a whole, and HTTP is still spoken.
    pub(super) fn is_between_requests(&self) -> bool {
        matches!(self.state, State::Head { .. } | State::Undecided)
    }

    /// Whether the response to the last request decides what its successors are.
    pub(super) fn is_undecided(&self) -> bool {
        matches!(self.state, State::Undecided)
    }

    /// The bytes that follow are let through unseen, where the last request received 101; else
    /// they are the next request.
    pub(super) fn decide(&mut self, tunnel: bool) {
        if tunnel {
            self.state = State::Tunnel;
        } else if self.is_undecided() {
            self.state = State::next();
        }
    }

    /// How many of these bytes, which begin behind those let through before, may be let through;
    /// and what is wrong with those behind them.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> (usize, Option<RequestError>) {
        let mut passed = 0;
        loop {
            let rest = &bytes[passed..];
            match &mut self.state {
                State::Head { head, scanned, lines } => match read_head(head, scanned, lines, rest)
                {
                    Ok(Some((length, framing))) => {
                        passed += length;
                        self.requests += 1;
                        self.state = match framing {
                            Framing::Nothing => State::next(),
                            Framing::Length(left) => State::Body { left },
                            Framing::Chunked => State::Chunked(Chunks::start()),
                            Framing::Upgrade => State::Undecided,
                        };
                    }
                    Ok(None) => return (passed, None),
                    Err(fault) => self.state = State::Faulty(fault),
                },
                State::Body { left } => {
                    let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    passed += taken;
                    *left -= taken as u64;
                    if *left > 0 {
                        return (passed, None);
                    }
                    self.state = State::next();
                }
                State::Chunked(chunks) => {
                    let (taken, fault) = chunks.advance(rest);
                    passed += taken;
                    match (fault, &chunks) {
                        (Some(fault), _) => self.state = State::Faulty(fault),
                        (None, Chunks::Over) => self.state = State::next(),
                        (None, _) => return (passed, None),
                    }
                }
                State::Undecided => return (passed, None),
                State::Tunnel => return (bytes.len(), None),
                State::Faulty(fault) => return (passed, Some(*fault)),
            }
        }
    }
}

impl State {
    /// Before a head.
    fn next() -> Self {
        Self::Head { head: Head::default(), scanned: 0, lines: 0 }
    }
}

/// Reads on in a head; gives its length and what follows once it is whole. Each byte is looked at
/// once.
fn read_head(
    head: &mut Head,
    scanned: &mut usize,
    lines: &mut usize,
    bytes: &[u8],
) -> Result<Option<(usize, Framing)>, RequestError> {
    let too_large = |head: &Head| {
        if head.is_blank() { RequestError::TargetTooLong } else { RequestError::TooLarge }
    };
    while let Some(end) =
        bytes[*scanned..].iter().position(|&byte| byte == b'\n').map(|at| *scanned + at)
    {
        if end >= LONGEST_HEAD {
            return Err(too_large(head));
        }
        let line = bytes[*lines..end]
            .strip_suffix(b"\r")
            .filter(|line| !line.contains(&b'\r'))
            .ok_or(RequestError::LineEnd)?;
        (*scanned, *lines) = (end + 1, end + 1);
        if let Some(framing) = head.line(line)? {
            return Ok(Some((end + 1, framing)));
        }
    }
    *scanned = bytes.len();
    if bytes.len() >= LONGEST_HEAD {
        return Err(too_large(head));
    }
    Ok(None)
}
