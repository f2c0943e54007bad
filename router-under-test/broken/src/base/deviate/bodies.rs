//! Deviations of bodies, as streams.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use http_body::{Body as _, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::DELAY;
use super::engine::{exchanged, fired_in_body};
use crate::base::body::{Body, full, polled};
use crate::deviation::{Element, Operation};

/// What happens to a body.
pub(super) struct Change {
    pub(super) element: Element,
    pub(super) operation: Operation,
    /// The key under which the body of the request before is kept.
    pub(super) key: String,
    pub(super) holds: bool,
}

/// A body as a deviation leaves it. Where its condition does not hold, the body passes unchanged;
/// an operation that needs the body of the request before keeps it all the same.
pub(super) fn changed(body: Body, change: Change) -> Body {
    let Change { element, operation, key, holds } = change;
    match (element, operation) {
        (_, Operation::Swap(_)) => swapped(body, key, holds),
        _ if !holds => body,
        (Element::Length, operation) => announced(body, operation),
        (Element::Body, Operation::LeaveOut) => {
            fired_in_body(true);
            full("")
        }
        (Element::Body, Operation::Double) => {
            let size = body.size_hint().exact().map(|size| 2 * size);
            collected(body, hint(size), |bytes| {
                fired_in_body(!bytes.is_empty());
                [&bytes[..], &bytes[..]].concat().into()
            })
        }
        (Element::Body, Operation::Reorder) => reordered(body),
        (Element::Body, _) => delayed(body),
        (element, operation) => at_place(body, element, operation),
    }
}

fn hint(size: Option<u64>) -> SizeHint {
    size.map_or_else(SizeHint::default, SizeHint::with_exact)
}

type Polled = Poll<Option<Result<Frame<Bytes>, crate::base::body::BoxError>>>;

fn poll(body: &mut Body, context: &mut Context<'_>) -> Polled {
    Pin::new(body).poll_frame(context)
}

/// The same bytes with another length in the head.
fn announced(mut body: Body, operation: Operation) -> Body {
    let size = body.size_hint().exact();
    let other = match (operation, size) {
        (Operation::LeaveOut, _) | (_, None) => None,
        (Operation::Alter, Some(size)) => Some(size + 1),
        (Operation::Cut, Some(size)) => Some(size / 2),
        (_, Some(_)) => Some(0),
    };
    if size.is_some() {
        fired_in_body(size != other);
    }
    polled(hint(other), move |context| poll(&mut body, context))
}

/// All bytes at once, as `make` leaves them.
fn collected(
    mut body: Body,
    size: SizeHint,
    make: impl FnOnce(Bytes) -> Bytes + Send + Unpin + 'static,
) -> Body {
    let (mut bytes, mut make) = (BytesMut::new(), Some(make));
    polled(size, move |context| {
        while make.is_some() {
            match ready!(poll(&mut body, context)) {
                Some(Ok(frame)) => {
                    bytes.extend_from_slice(frame.data_ref().unwrap_or(&Bytes::new()))
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    let made = make.take().map(|make| make(bytes.split().freeze()));
                    return Poll::Ready(made.map(|bytes| Ok(Frame::data(bytes))));
                }
            }
        }
        Poll::Ready(None)
    })
}

/// The body of the request before if the condition holds, otherwise this one. This one is kept.
fn swapped(body: Body, key: String, holds: bool) -> Body {
    let size = if holds { SizeHint::default() } else { body.size_hint() };
    collected(body, size, move |bytes| {
        let before = exchanged(&key, bytes.clone()).filter(|_| holds);
        if let Some(before) = &before {
            fired_in_body(*before != bytes);
        }
        before.unwrap_or(bytes)
    })
}

/// The second read comes before the first.
fn reordered(mut body: Body) -> Body {
    let (mut held, mut is_done) = (None, false);
    polled(body.size_hint(), move |context| {
        loop {
            if is_done && held.is_some() {
                return Poll::Ready(held.take());
            }
            match (ready!(poll(&mut body, context)), is_done) {
                (Some(first), false) if held.is_none() => held = Some(first),
                (Some(second), false) => {
                    is_done = true;
                    fired_in_body(true);
                    return Poll::Ready(Some(second));
                }
                (None, false) => is_done = true,
                (other, _) => return Poll::Ready(other.or_else(|| held.take())),
            }
        }
    })
}

fn delayed(mut body: Body) -> Body {
    fired_in_body(true);
    let mut pause = Box::pin(sleep(DELAY));
    polled(body.size_hint(), move |context| {
        if !pause.is_elapsed() {
            ready!(pause.as_mut().poll(context));
        }
        poll(&mut body, context)
    })
}

/// A piece of a body that is changed at one place.
enum Piece {
    Data(Bytes),
    Pause(Pin<Box<Sleep>>),
    End,
}

fn at_place(mut body: Body, element: Element, operation: Operation) -> Body {
    let size = body.size_hint().exact();
    let place = match (element, size) {
        (Element::FirstByte, _) => Some(0),
        (Element::MiddleByte, Some(size)) => Some(size / 2),
        (Element::LastByte, Some(size)) => size.checked_sub(1),
        _ => None,
    };
    let after = match (operation, place, size) {
        (Operation::Alter | Operation::Constant | Operation::Delay, ..) => size,
        (Operation::LeaveOut, Some(_), Some(size)) => size.checked_sub(1),
        (Operation::Double, Some(_), Some(size)) => Some(size + 1),
        (Operation::Cut, Some(place), Some(_)) => Some(place),
        _ => None,
    };
    let (mut seen, mut reads, mut is_done) = (0, 0, false);
    let mut pieces = VecDeque::new();
    polled(hint(after), move |context| {
        loop {
            match pieces.pop_front() {
                Some(Piece::Data(bytes)) => return Poll::Ready(Some(Ok(Frame::data(bytes)))),
                Some(Piece::End) => {
                    pieces.push_front(Piece::End);
                    return Poll::Ready(None);
                }
                Some(Piece::Pause(mut pause)) => {
                    if pause.as_mut().poll(context).is_pending() {
                        pieces.push_front(Piece::Pause(pause));
                        return Poll::Pending;
                    }
                    continue;
                }
                None => {}
            }
            let frame = match ready!(poll(&mut body, context)) {
                Some(Ok(frame)) => frame,
                other => return Poll::Ready(other),
            };
            let Ok(data) = frame.into_data() else { continue };
            let here = match (element, place) {
                _ if is_done || data.is_empty() => None,
                (_, Some(place)) => position(place, seen, data.len()),
                (Element::SecondRead, None) => (reads == 1).then_some(0),
                (Element::MiddleByte, None) => Some(data.len() / 2),
                (_, None) => Some(data.len() - 1),
            };
            seen += data.len() as u64;
            reads += 1;
            match here {
                Some(at) => {
                    is_done = true;
                    pieces.extend(operated(&data, at, operation));
                }
                None => pieces.push_back(Piece::Data(data)),
            }
        }
    })
}

/// Where in a read of this length a place of the whole body is.
fn position(place: u64, seen: u64, length: usize) -> Option<usize> {
    usize::try_from(place.checked_sub(seen)?).ok().filter(|at| *at < length)
}

/// A read of a body, changed at a byte.
fn operated(data: &Bytes, at: usize, operation: Operation) -> Vec<Piece> {
    let byte = data[at];
    let other = match operation {
        // Not what the suite fills long bodies with.
        Operation::Constant => b'!',
        _ => byte ^ 1,
    };
    fired_in_body(operation != Operation::Constant || byte != other);
    let (head, tail) = (data.slice(..at), data.slice(at + 1..));
    let with = |middle: &[u8]| vec![Piece::Data([&head[..], middle, &tail[..]].concat().into())];
    match operation {
        Operation::LeaveOut => with(&[]),
        Operation::Double => with(&[byte, byte]),
        Operation::Cut => vec![Piece::Data(head), Piece::End],
        Operation::Delay => vec![
            Piece::Data(head),
            Piece::Pause(Box::pin(sleep(DELAY))),
            Piece::Data(data.slice(at..)),
        ],
        _ => with(&[other]),
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;
    use crate::deviation::Before;

    /// A body of two reads, as a deviation leaves it.
    async fn of(element: Element, operation: Operation) -> (String, Option<u64>) {
        let mut reads = VecDeque::from(["abc", "de"]);
        let body = polled(SizeHint::with_exact(5), move |_| {
            Poll::Ready(reads.pop_front().map(|read| Ok(Frame::data(Bytes::from(read)))))
        });
        let key = "test".to_owned();
        let body = changed(body, Change { element, operation, key, holds: true });
        let size = body.size_hint().exact();
        let bytes = body.collect().await.unwrap().to_bytes();
        (String::from_utf8(bytes.to_vec()).unwrap(), size)
    }

    #[tokio::test]
    async fn places_are_changed_and_lengths_follow() {
        let cases = [
            (Element::FirstByte, Operation::LeaveOut, "bcde", Some(4)),
            (Element::MiddleByte, Operation::Double, "abccde", Some(6)),
            (Element::LastByte, Operation::Alter, "abcdd", Some(5)),
            (Element::LastByte, Operation::Cut, "abcd", Some(4)),
            (Element::SecondRead, Operation::Constant, "abc!e", Some(5)),
            (Element::SecondRead, Operation::LeaveOut, "abce", None),
            (Element::MiddleByte, Operation::Delay, "abcde", Some(5)),
            (Element::Body, Operation::LeaveOut, "", Some(0)),
            (Element::Body, Operation::Double, "abcdeabcde", Some(10)),
            (Element::Body, Operation::Reorder, "deabc", Some(5)),
            (Element::Body, Operation::Swap(Before::Any), "abcde", None),
            (Element::Length, Operation::Cut, "abcde", Some(2)),
            (Element::Length, Operation::LeaveOut, "abcde", None),
        ];
        for (element, operation, text, size) in cases {
            assert_eq!(
                of(element, operation).await,
                (text.to_owned(), size),
                "{element} {operation}"
            );
        }
    }
}
