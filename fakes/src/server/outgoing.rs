//! How the bytes of responses leave a connection: at once, or, where a fault says so, in pieces or
//! cut off.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Sleep;

use crate::fault::{Delivery, Ending, ResponsePart};

/// The number of pieces that a part of a response is split into.
const PIECES: u64 = 4;

#[derive(Debug, Default)]
pub(super) struct Outgoing {
    phase: Phase,
    /// Bytes of the current part that have left.
    offset: u64,
    delivery: Option<Delivery>,
    /// Bytes of the body on the wire, where the delivery affects the body.
    body_length: u64,
    stops: VecDeque<Stop>,
    pause: Option<Pin<Box<Sleep>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    /// Between responses, or in an interim response.
    #[default]
    Between,
    /// In the head; this many bytes of its final empty line have left.
    Head(usize),
    Body,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stop {
    part: ResponsePart,
    at: u64,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    Pause(Duration),
    End(Ending),
}

/// How many of the given bytes may leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leave {
    /// This many may leave now.
    Now(usize),
    /// None of them may leave anymore, since the connection ends.
    Never(Ending),
}

impl Outgoing {
    /// Begins after a request: bytes before its response are not part of a response.
    pub(super) fn between(&mut self) {
        *self = Self::default();
    }

    /// Begins a response with the next byte. `body_length` is the length of its body on the wire,
    /// where `delivery` affects the body.
    pub(super) fn begin(&mut self, delivery: Option<Delivery>, body_length: u64) {
        *self = Self { phase: Phase::Head(0), delivery, body_length, ..Self::default() };
    }

    /// Whether a part of a response has left.
    pub(super) fn has_begun(&self) -> bool {
        self.phase == Phase::Body || self.offset > 0
    }

    /// Bytes of the response's body that have left, as counted on the wire.
    pub(super) fn body_bytes(&self) -> u64 {
        if self.phase == Phase::Body { self.offset } else { 0 }
    }

    /// Whether [`allow`](Self::allow) limits the bytes that may leave.
    pub(super) fn is_restrained(&self) -> bool {
        self.delivery.is_some() || !self.stops.is_empty()
    }

    /// Returns how many of these bytes may leave now; pending while the response pauses.
    pub(super) fn allow(&mut self, bytes: &[u8], cx: &mut Context<'_>) -> Poll<Leave> {
        if let (Phase::Head(matched), Some(delivery)) = (self.phase, self.delivery.take()) {
            // The server writes a head from one buffer, so it is complete here.
            let head = end_of_head(matched, bytes).unwrap_or(bytes.len());
            self.stops = stops(delivery, &bytes[..head], self.body_length);
        }
        let Some(stop) = self.stops.front().copied() else {
            return Poll::Ready(Leave::Now(bytes.len()));
        };
        let before = match (self.phase, stop.part) {
            (Phase::Head(matched), ResponsePart::Body) => {
                end_of_head(matched, bytes).unwrap_or(bytes.len()) as u64
            }
            _ => 0,
        };
        let offset = if before > 0 { 0 } else { self.offset };
        let room = before + stop.at.saturating_sub(offset);
        if room > 0 {
            return Poll::Ready(Leave::Now(
                usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len()),
            ));
        }
        match stop.then {
            Then::End(ending) => Poll::Ready(Leave::Never(ending)),
            Then::Pause(duration) => {
                let pause =
                    self.pause.get_or_insert_with(|| Box::pin(tokio::time::sleep(duration)));
                std::task::ready!(pause.as_mut().poll(cx));
                self.pause = None;
                self.stops.pop_front();
                self.allow(bytes, cx)
            }
        }
    }

    /// Counts bytes that were sent, and returns how many of them belong to a body.
    pub(super) fn sent(&mut self, bytes: &[u8]) -> u64 {
        let of_body = match self.phase {
            Phase::Between => 0,
            Phase::Body => bytes.len(),
            Phase::Head(matched) => match end_of_head(matched, bytes) {
                Some(end) => {
                    (self.phase, self.offset) = (Phase::Body, 0);
                    bytes.len() - end
                }
                None => {
                    self.phase = Phase::Head(matched_after(matched, bytes));
                    self.offset += bytes.len() as u64;
                    return 0;
                }
            },
        };
        self.offset += of_body as u64;
        of_body as u64
    }
}

fn stops(delivery: Delivery, head: &[u8], body_length: u64) -> VecDeque<Stop> {
    let length = |part| if part == ResponsePart::Head { head.len() as u64 } else { body_length };
    match delivery {
        Delivery::InPieces { part, apart } => {
            let at = (1..PIECES).map(|piece| length(part) * piece / PIECES).filter(|at| *at > 0);
            // A head is cut within its lines, which is harder to read than a cut between two lines.
            let within = |at: u64| {
                if part == ResponsePart::Head && head.get(at as usize - 1) == Some(&b'\n') {
                    at + 1
                } else {
                    at
                }
            };
            let mut stops: VecDeque<_> =
                at.map(|at| Stop { part, at: within(at), then: Then::Pause(apart) }).collect();
            stops.make_contiguous().sort_by_key(|stop| stop.at);
            stops
        }
        Delivery::BreaksOff { part, ending, .. } => {
            let at = if part == ResponsePart::Head { length(part) / 2 } else { body_length };
            [Stop { part, at, then: Then::End(ending) }].into()
        }
    }
}

/// The offset of the head's end in these bytes, where `matched` bytes of its final empty line
/// precede them.
fn end_of_head(mut matched: usize, bytes: &[u8]) -> Option<usize> {
    for (index, byte) in bytes.iter().enumerate() {
        matched = next(matched, *byte);
        if matched == END.len() {
            return Some(index + 1);
        }
    }
    None
}

/// The number of bytes of a head's final empty line that these bytes end with.
fn matched_after(matched: usize, bytes: &[u8]) -> usize {
    bytes.iter().fold(matched, |matched, byte| next(matched, *byte))
}

const END: &[u8] = b"\r\n\r\n";

fn next(matched: usize, byte: u8) -> usize {
    match byte {
        _ if END.get(matched) == Some(&byte) => matched + 1,
        b'\r' => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::task::noop_waker;
    use proptest::prelude::*;

    use super::*;

    const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody";

    fn allowed(outgoing: &mut Outgoing, bytes: &[u8]) -> Leave {
        match outgoing.allow(bytes, &mut Context::from_waker(&noop_waker())) {
            Poll::Ready(leave) => leave,
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn a_response_without_a_delivery_leaves_at_once() {
        let mut outgoing = Outgoing::default();
        outgoing.begin(None, 0);
        assert!(!outgoing.is_restrained());
        assert_eq!(allowed(&mut outgoing, RESPONSE), Leave::Now(RESPONSE.len()));
        assert_eq!(outgoing.sent(RESPONSE), 4);
        assert_eq!(outgoing.body_bytes(), 4);
        outgoing.between();
        assert_eq!(outgoing.sent(b"HTTP/1.1 100 Continue\r\n\r\n"), 0);
    }

    #[test]
    fn a_response_breaks_off_in_the_given_part() {
        for (part, kept) in [(ResponsePart::Head, 13), (ResponsePart::Body, 27)] {
            let mut outgoing = Outgoing::default();
            outgoing.begin(
                Some(Delivery::BreaksOff { part, chunked: false, ending: Ending::Close }),
                2,
            );
            assert_eq!(
                allowed(&mut outgoing, RESPONSE),
                Leave::Now(kept - usize::from(part == ResponsePart::Head)),
                "{part:?}"
            );
            let kept = kept - usize::from(part == ResponsePart::Head);
            outgoing.sent(&RESPONSE[..kept]);
            assert_eq!(allowed(&mut outgoing, &RESPONSE[kept..]), Leave::Never(Ending::Close));
        }
    }

    proptest! {
        #[test]
        fn the_bytes_of_bodies_are_counted_for_any_cuts(
            cuts in proptest::collection::vec(1..9_usize, 1..40)
        ) {
            let mut outgoing = Outgoing::default();
            outgoing.begin(None, 0);
            let (mut rest, mut counted) = (RESPONSE, 0);
            for cut in cuts.into_iter().chain([usize::MAX]) {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                counted += outgoing.sent(now);
                rest = later;
            }
            prop_assert_eq!(counted, 4);
        }
    }
}
