//! The bytes of connections of users.

use crate::around::bytes::*;
use crate::around::prelude::*;

const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
/// Stands for a NUL, which hyper refuses. No UTF-8 has it.
const STANDS_FOR_NUL: u8 = 0xFF;
/// Stands for `Content-Length`, which hyper takes out of a 101.
const KEPT_LENGTH: &str = "x-kept-length";

super::wrong! {
    "limits-chunk-extensions-one-by-one": Both, "Z-93",
        "chunk extensions are limited in each chunk, and not in a body" =>
        &[UserBytes(|| Box::new(Heads {
            scanner: Scanner::without_extensions(),
            ..Heads::default()
        }))];
    "knows-chunked-in-lower-case": Both, "Z-21",
        "a user's Transfer-Encoding: CHUNKED is taken for a coding that the router does not know" =>
        &[UserBytes(|| incoming(|head| change(&head, "transfer-encoding", |coding| {
            // Such a one is unknown to hyper.
            let is_known = coding == coding.to_lowercase();
            if is_known { coding.to_owned() } else { format!("x-{coding}") }
        })))];
    "never-sends-100": Both, "Z-21",
        "a user who waits for 100 before sending a body gets nothing" =>
        &[UserBytes(|| Box::new(Silent))];
    "loses-folded-codings": Both, "Z-95",
        "a folded Transfer-Encoding of a request is dropped, and the length beside it counts" =>
        &[UserBytes(|| incoming(without_folded_codings))];
    "ignores-bodies-of-gets": Both, "Z-54", "the body of a GET is read as the next request" =>
        &[UserBytes(|| incoming(|head| {
            let is_get = head.starts_with(b"GET ");
            let is_length = |name: &str| name == "content-length" || name == "transfer-encoding";
            keep(&head, |name, _| !is_get || !is_length(name))
        }))];
    "serves-what-follows-close": Both, "Z-57",
        "a request behind one with Connection: close is served" =>
        &[UserBytes(|| incoming(|head| keep(&head, |name, value| {
            name != "connection" || !value.eq_ignore_ascii_case(b"close")
        })))];
    "accepts-length-with-chunks": Both, "Z-54",
        "of Content-Length and chunked in a request the chunks count, and the rest is a request" =>
        &[UserBytes(|| incoming(|head| {
            let has_chunks = has_chunks(&head);
            keep(&head, |name, _| !has_chunks || name != "content-length")
        }))];
    "accepts-two-lengths": Both, "Z-56",
        "of two Content-Length fields of a request the first counts" =>
        &[UserBytes(|| incoming(with_the_first_length))];
    "reads-chunks-with-parameters": Both, "Z-94",
        "a request whose coding is chunked with a parameter is read as chunks" =>
        &[UserBytes(|| incoming(|head| change(&head, "transfer-encoding", |coding| {
            coding.split(';').next().unwrap_or_default().to_owned()
        })))];
    "keeps-the-length-of-a-101": Both, "Z-78", claims "upgrade",
        "Content-Length of a 101 is forwarded to the user" =>
        &[
            ToUser(|_, _, original, response| {
                if let Some(length) = original.get(CONTENT_LENGTH)
                    && response.status() == 101
                {
                    set(response.headers_mut(), KEPT_LENGTH, length);
                }
            }),
            UserBytes(|| outgoing(|head| {
                String::from_utf8_lossy(&head).replace(KEPT_LENGTH, "content-length").into()
            })),
        ];
    "passes-nul-bytes-on": Both, "Z-63", "a NUL in a field's value is forwarded" =>
        &[
            UserBytes(|| incoming(|head| replaced(head, 0, STANDS_FOR_NUL))),
            CellBytes(|| outgoing(|head| replaced(head, STANDS_FOR_NUL, 0))),
        ];
    "drops-pipelined-requests": Both, "Z-43", "bytes read after a request are dropped" =>
        &[UserBytes(|| Box::new(OneByOne::default()))];
    "asks-old-users-for-the-body": Both, "Z-44", claims "http10-clients",
        "an HTTP/1.0 user that sends Expect gets 100" =>
        &[UserBytes(|| Box::new(AsksOldUsers::default()))];
    "takes-folded-lines-for-fields": Both, "Z-50",
        "a folded line is read as a field of its own" =>
        &[UserBytes(|| incoming(|head| {
            let lines = lines(&head);
            head_of(&lines.iter().map(|line| line.trim_ascii().to_vec()).collect::<Vec<_>>())
        }))];
    "drops-queries-behind-a-host": Both, "Z-42",
        "of an absolute target without a path the query is lost" =>
        &[UserBytes(|| incoming(|head| {
            let text = String::from_utf8_lossy(&head);
            let target = text.split(' ').nth(1).unwrap_or_default();
            let host = target.strip_prefix("http://").and_then(|rest| rest.split_once('?'));
            match host.filter(|(host, _)| !host.contains('/')) {
                Some((host, _)) => text.replacen(target, &format!("http://{host}"), 1).into(),
                None => head,
            }
        }))];
    "knows-schemes-in-small-letters": Both, "Z-42",
        "an absolute target whose scheme is in capitals is malformed" =>
        &[UserBytes(|| incoming(|head| {
            let text = String::from_utf8_lossy(&head);
            if text.contains(" HTTP://") { text.replacen("HTTP://", "<>", 1).into() } else { head }
        }))];
    "takes-trailers-of-requests-for-fields": Both, "Z-101",
        "the trailers of a request are added to its fields" =>
        &[UserBytes(|| Box::new(super::to_cells::TrailersFirst::default()))];
    "loses-what-follows-an-early-response": Learning, "Z-43",
        "what a user sends of a request after its response has begun is lost, and so is what follows" =>
        &[UserBytes(|| Box::new(LosesTheRest::default()))];
    "explains-the-refusal-of-a-head": Both, "Z-21", "the refusal of a HEAD has a body" =>
        &[UserBytes(|| Box::new(ExplainsToHead::default()))];
    "keeps-old-connections-unsaid": Both, "Z-108", claims "http10-clients",
        "the response to an HTTP/1.0 user whose connection is kept does not say so" =>
        &[UserBytes(|| outgoing(|head| keep(&head, |name, value| {
            name != "connection" || value != b"keep-alive"
        })))];
    "expects-heads-in-one-piece": Both, "Z-21",
        "a request whose head does not come in one piece is refused" =>
        &[UserBytes(|| Box::new(OnePiece::default()))];
}

super::variants! {
    "lenient-framing": Both, warned_of ["Z-55"],
        "a request that RFC 9112 lets a server repair is repaired, not refused" =>
        &[UserBytes(|| incoming(repaired))];
}

fn without_folded_codings(head: Vec<u8>) -> Vec<u8> {
    let lines = lines(&head);
    let is_coding = |line| field(line).is_some_and(|(name, _)| name == "transfer-encoding");
    let lost = lines.windows(2).position(|pair| is_coding(&pair[0]) && is_folded(&pair[1]));
    let kept = lines.into_iter().enumerate();
    let kept = kept.filter(|(at, _)| lost.is_none_or(|lost| *at != lost && *at != lost + 1));
    head_of(&kept.map(|(_, line)| line).collect::<Vec<_>>())
}

/// Also for the heads of responses.
pub(super) fn with_the_first_length(head: Vec<u8>) -> Vec<u8> {
    let mut lengths = 0;
    keep(&head, |name, _| {
        lengths += usize::from(name == "content-length");
        name != "content-length" || lengths == 1
    })
}

/// The head with one byte in place of another.
fn replaced(mut head: Vec<u8>, old: u8, new: u8) -> Vec<u8> {
    head.iter_mut().filter(|byte| **byte == old).for_each(|byte| *byte = new);
    head
}

#[derive(Default)]
struct LosesTheRest {
    scanner: Scanner,
    has_responded: bool,
}

impl Filter for LosesTheRest {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        if self.has_responded { Vec::new() } else { self.scanner.comes(&bytes, |head| head) }
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.has_responded |= !self.scanner.is_between() && !bytes.starts_with(CONTINUE);
        bytes
    }
}

#[derive(Default)]
struct ExplainsToHead(Scanner);

impl Filter for ExplainsToHead {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.0.comes(&bytes, |head| head)
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let is_to_head = self.0.asks_for_a_head();
        self.0.goes(&bytes, |head| match is_to_head && head.starts_with(b"HTTP/1.1 502") {
            true => [&*head, b"upstream failed\n"].concat(),
            false => head,
        })
    }
}

struct Silent;

impl Filter for Silent {
    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        bytes.strip_prefix(CONTINUE).map(<[u8]>::to_vec).unwrap_or(bytes)
    }
}

#[derive(Default)]
struct OneByOne(Scanner);

impl Filter for OneByOne {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        for byte in bytes {
            out.extend(self.0.comes(&[byte], |head| head));
            if self.0.is_between() {
                break;
            }
        }
        out
    }
}

#[derive(Default)]
struct AsksOldUsers {
    scanner: Scanner,
    is_asked: bool,
}

impl Filter for AsksOldUsers {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.scanner.comes(&bytes, |head| {
            let text = String::from_utf8_lossy(&head).to_lowercase();
            self.is_asked = text.contains(" http/1.0\r\n") && text.contains("\nexpect:");
            head
        })
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let is_asked = std::mem::take(&mut self.is_asked);
        if is_asked { [CONTINUE, &bytes].concat() } else { bytes }
    }
}

/// Folded lines are one, and so are equal lengths; a length beside chunks goes, and so does the
/// connection.
fn repaired(head: Vec<u8>) -> Vec<u8> {
    let mut lines = unfolded(&head);
    let has_chunks = has_chunks(&head_of(&lines));
    let values = lines.iter().filter_map(|line| length(line)).flat_map(|(_, value)| {
        value.split(|byte| *byte == b',').map(|value| value.trim_ascii().to_vec())
    });
    let mut values: Vec<_> = values.collect();
    values.dedup();
    if values.len() == 1 || has_chunks && !values.is_empty() {
        lines.retain(|line| length(line).is_none());
        let one = [b"Content-Length: ", &*values[0]].concat();
        lines.push(if has_chunks { b"Connection: close".to_vec() } else { one });
    }
    head_of(&lines)
}

fn length(line: &[u8]) -> Option<(String, &[u8])> {
    field(line).filter(|(name, _)| name == "content-length")
}

/// The lines of a head, each with those that are folded behind it.
fn unfolded(head: &[u8]) -> Vec<Vec<u8>> {
    let mut whole: Vec<Vec<u8>> = Vec::new();
    for line in lines(head) {
        match whole.last_mut().filter(|_| is_folded(&line)) {
            Some(last) => *last = [last, &b" "[..], line.trim_ascii()].concat(),
            None => whole.push(line),
        }
    }
    whole
}

fn is_folded(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

/// Whether `Transfer-Encoding` is there, and ends in `chunked`.
fn has_chunks(head: &[u8]) -> bool {
    lines(head).iter().filter_map(|line| field(line)).any(|(name, value)| {
        name == "transfer-encoding" && value.to_ascii_lowercase().ends_with(b"chunked")
    })
}

/// In place of a head that was cut comes one that nobody can read.
#[derive(Default)]
struct OnePiece(Scanner);

impl Filter for OnePiece {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let is_head = self.0.is_between() && bytes.len() < 4096 && !bytes.trim_ascii().is_empty();
        if is_head && !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
            return b"\0\r\n\r\n".to_vec();
        }
        self.0.comes(&bytes, |head| head)
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.0.goes(&bytes, |head| head)
    }
}
