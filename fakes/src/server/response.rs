//! A response on its way out: its framing, its head, and the pieces in which its bytes leave.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, response};

use super::Node;
use super::head;
use super::socket::Socket;
use crate::CellId;
use crate::fault::{Ending, ResponseFault};
use crate::journal::{BodySeen, Digester, Event, Field, HopId, ResponseSeen, Text};
use crate::wire;

/// The member that pads a JSON object.
const PADDING: &str = "padding";
/// The number of pieces that a part of a response is split into.
const PIECES: usize = 4;

/// The body of a response that leaves.
#[derive(Debug)]
pub(super) enum Payload {
    /// A complete body.
    Whole(Bytes),
    /// A body that is streamed, with what is known of it.
    Streamed(Body, Option<BodySeen>),
}

impl Payload {
    /// The body as the journal records it when the response begins.
    pub(super) fn seen(&self) -> BodySeen {
        match self {
            Self::Whole(bytes) => BodySeen::of(bytes),
            Self::Streamed(_, seen) => seen.clone().unwrap_or_else(|| BodySeen::unknown(0)),
        }
    }
}

/// Frames the response's body: adds its length where that is known, and removes the body where the
/// method or the status forbids one (RFC 9112 6.3).
pub(super) fn frame(response: &mut Response<Payload>, method: &Method, chunked: bool) {
    let length = match response.body() {
        Payload::Whole(bytes) => (!chunked).then_some(bytes.len()),
        Payload::Streamed(..) => None,
    };
    // RFC 9110 8.6.
    if response.status().is_informational() {
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    if response.status().is_informational()
        || matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
    {
        *response.body_mut() = Payload::Whole(Bytes::new());
    } else if method == Method::HEAD {
        if let Some(length) = length {
            response.headers_mut().entry(CONTENT_LENGTH).or_insert(HeaderValue::from(length));
        }
        *response.body_mut() = Payload::Whole(Bytes::new());
    } else if let Some(length) = length {
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    } else if chunked {
        response.headers_mut().remove(CONTENT_LENGTH);
    }
}

/// Pads a JSON object to this many bytes with one more member; anything else stays unchanged.
pub(super) fn pad(bytes: &mut Bytes, length: usize) {
    let Ok(serde_json::Value::Object(mut members)) = serde_json::from_slice(bytes) else { return };
    members.insert(PADDING.to_owned(), String::new().into());
    let least = serde_json::Value::Object(members.clone()).to_string().len();
    let Some(missing) = length.checked_sub(least) else { return };
    members.insert(PADDING.to_owned(), "x".repeat(missing).into());
    *bytes = serde_json::Value::Object(members).to_string().into();
}

/// The response that these bytes begin with, behind interim ones; `None` where they do not begin
/// with a response's head.
pub(super) fn seen_in(bytes: &[u8], hop: HopId, cell: &CellId) -> Option<ResponseSeen> {
    let (mut rest, mut status, mut fields) = (bytes, None, Vec::new());
    let status = loop {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        rest = &rest[end + 1..];
        match status {
            None => status = Some(status_in(line)?),
            Some(status) if line.is_empty() => break status,
            Some(_) => fields.push(head::field(line).ok()?),
        }
    };
    if (100..200).contains(&status) && status != 101 {
        return seen_in(rest, hop, cell);
    }
    let framed = |name: &str| fields.iter().find(|field: &&Field| field.is(name));
    let body = match framed(CONTENT_LENGTH.as_str()) {
        // Chunks are not decoded here: they may be invalid.
        _ if framed(TRANSFER_ENCODING.as_str()).is_some() => BodySeen::unknown(0),
        Some(length) => {
            // Equal lengths may stand in one line (RFC 9110 8.6).
            let first = std::str::from_utf8(&length.value).ok().and_then(|it| it.split(',').next());
            let length = first.and_then(|first| first.trim().parse().ok());
            match rest.get(..length.unwrap_or(usize::MAX)) {
                Some(body) => BodySeen::of(&Bytes::copy_from_slice(body)),
                // Perhaps the response to HEAD.
                None if rest.is_empty() => BodySeen::of(&Bytes::new()),
                None => BodySeen::unknown(rest.len() as u64),
            }
        }
        None => BodySeen::of(&Bytes::copy_from_slice(rest)),
    };
    Some(ResponseSeen { hop, cell: cell.clone(), status, fields, body })
}

fn status_in(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/1.1 ").or_else(|| line.strip_prefix(b"HTTP/1.0 "))?;
    let code = rest.split(|byte| *byte == b' ').next().filter(|code| code.len() == 3)?;
    std::str::from_utf8(code).ok()?.parse().ok()
}

/// The header lines as they are sent: capitalized, as the documents spell them.
pub(super) fn fields(headers: &HeaderMap) -> Vec<Field> {
    headers
        .iter()
        .map(|(name, value)| Field {
            name: capitalised(name.as_str()),
            value: Text::from(value.as_bytes()),
        })
        .collect()
}

fn capitalised(name: &str) -> Text {
    let mut bytes = name.as_bytes().to_vec();
    let mut first = true;
    for byte in &mut bytes {
        if first {
            byte.make_ascii_uppercase();
        }
        first = *byte == b'-';
    }
    Text(bytes.into())
}

/// The head of a response, with what it says of the connection. `keeps` is whether the connection
/// can be used again.
pub(super) fn head_of(
    parts: &mut response::Parts,
    http_10: bool,
    chunked: bool,
    keeps: bool,
) -> Vec<u8> {
    let (status, headers) = (parts.status, &mut parts.headers);
    let says = match (http_10, keeps) {
        (true, true) => Some("keep-alive"),
        (false, false) => Some("close"),
        _ => None,
    };
    if let Some(says) = says.filter(|says| !wire::lists(headers, CONNECTION, says)) {
        headers.append(CONNECTION, HeaderValue::from_static(says));
    }
    if chunked {
        headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    }
    if let Ok(now) = HeaderValue::try_from(httpdate::fmt_http_date(SystemTime::now())) {
        headers.entry(DATE).or_insert(now);
    }
    let (version, reason) = (u8::from(!http_10), status.canonical_reason().unwrap_or("<none>"));
    let mut head = format!("HTTP/1.{version} {} {reason}\r\n", status.as_str()).into_bytes();
    for Field { name, value } in fields(headers) {
        head.extend([name.as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    head.extend(b"\r\n");
    head
}

/// What leaves at once, and what then happens.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// Each piece, and how long nothing leaves behind it.
    pub(super) pieces: Vec<(Vec<u8>, Duration)>,
    /// How many bytes of the content are in them.
    pub(super) content: usize,
    /// How the connection ends behind them, where it does.
    pub(super) end: Option<Ending>,
}

impl Pieces {
    /// A head and a complete body, which may be in chunks where it breaks off.
    pub(super) fn of(head: &[u8], content: &[u8], fault: Option<&ResponseFault>) -> Self {
        let whole = [head, content].concat();
        let half = &content[..content.len() / 2];
        let broken = |bytes, content, ending| Self {
            pieces: vec![(bytes, Duration::ZERO)],
            content,
            end: Some(ending),
        };
        match fault {
            Some(&ResponseFault::BreaksOffInHead { ending }) => {
                broken(head[..head.len() / 2].to_vec(), 0, ending)
            }
            Some(&ResponseFault::BreaksOffInBody { chunked: false, ending }) => {
                broken([head, half].concat(), half.len(), ending)
            }
            Some(&ResponseFault::BreaksOffInBody { chunked: true, ending }) => {
                let half = &content[..half.len().max(1).min(content.len())];
                broken([head, &chunk(half)].concat(), half.len(), ending)
            }
            Some(&ResponseFault::HeadInPieces { apart }) => {
                // A cut within a line is harder to read than one between two lines.
                let is_end = |at: usize| head.get(at - 1) == Some(&b'\n');
                let cuts = quarters(head.len()).map(|at| at + usize::from(is_end(at)));
                Self { pieces: cut(&whole, cuts, apart), content: content.len(), end: None }
            }
            Some(&ResponseFault::BodyInPieces { apart }) => {
                let cuts = quarters(content.len()).map(|at| head.len() + at);
                Self { pieces: cut(&whole, cuts, apart), content: content.len(), end: None }
            }
            _ => {
                let pieces = vec![(whole, Duration::ZERO)];
                Self { pieces, content: content.len(), end: None }
            }
        }
    }
}

/// Where a part of this length is cut into pieces.
fn quarters(length: usize) -> impl Iterator<Item = usize> {
    (1..PIECES).map(move |piece| length * piece / PIECES).filter(|at| *at > 0)
}

/// Bytes cut at these places, with a pause behind each piece but the last.
fn cut(
    bytes: &[u8],
    cuts: impl Iterator<Item = usize>,
    apart: Duration,
) -> Vec<(Vec<u8>, Duration)> {
    let (mut pieces, mut begun) = (Vec::new(), 0);
    for at in cuts {
        pieces.push((bytes[begun..at].to_vec(), apart));
        begun = at;
    }
    pieces.push((bytes[begun..].to_vec(), Duration::ZERO));
    pieces
}

/// A piece of a body in chunks.
pub(super) fn chunk(content: &[u8]) -> Vec<u8> {
    [format!("{:X}\r\n", content.len()).as_bytes(), content, b"\r\n"].concat()
}

/// A response that leaves. Where the journal is to have its end, it is entered when this is
/// dropped.
#[derive(Debug)]
pub(super) struct Departure {
    pub(super) node: Arc<Node>,
    pub(super) socket: Arc<Socket>,
    pub(super) hop: HopId,
    pub(super) followed: bool,
    /// Bytes of the content that have left.
    pub(super) sent: u64,
    pub(super) whole: bool,
    /// Digests a body that is not known beforehand.
    pub(super) digester: Option<Digester>,
}

impl Departure {
    /// Sends bytes in which this much content is behind `before` bytes of a head or framing.
    pub(super) async fn send(
        &mut self,
        bytes: &[u8],
        before: &mut usize,
        content: &mut usize,
    ) -> Result<(), Ending> {
        let (sent, flow) = (&mut self.sent, &self.node.flow.sent);
        let left = |mut count: usize| {
            let of_head = count.min(*before);
            *before -= of_head;
            count = (count - of_head).min(*content);
            *content -= count;
            *sent += count as u64;
            flow.fetch_add(count as u64, Ordering::Relaxed);
        };
        // A peer that is gone gets nothing more.
        self.socket.send(bytes, left).await.map_err(|_| Ending::Close)
    }
}

impl Drop for Departure {
    fn drop(&mut self) {
        if self.followed {
            let body = self.digester.take().filter(|_| self.whole).map(Digester::finish);
            let (hop, sent, whole) = (self.hop, self.sent, self.whole);
            self.node.journal.append(Event::ResponseEnded { hop, sent, whole, body });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_with_the_head_of_a_response_are_a_response() {
        let seen = |bytes: &[u8]| {
            seen_in(bytes, HopId(1), &CellId::eu(0)).map(|seen| (seen.status, seen.body.text()))
        };
        for lengths in ["2", "2, 2", "2\r\nContent-Length: 2"] {
            let bytes = format!("HTTP/1.1 200 OK\r\nContent-Length: {lengths}\r\n\r\nabc");
            assert_eq!(seen(bytes.as_bytes()), Some((200, "ab".to_owned())), "{lengths}");
        }
        assert_eq!(seen(b"HTTP/1.1 302 Found\r\n\r\nabc"), Some((302, "abc".to_owned())));
        assert_eq!(seen(b"HTTP/1.1 200 OK\r\nContent-"), None);
        assert_eq!(seen(b"220 mail.example ESMTP\r\n\r\n"), None);
    }
}
