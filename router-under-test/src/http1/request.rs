//! The head of a request, line by line (RFC 9112 3 to 6).

use std::ops::Range;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{Method, Request, Uri, Version};

use super::body::Framing;
use super::error::HeadError;
use super::lines::{Fields, LineError, Lines};
use super::token::{is_host, is_token, list};

/// Reads the heads of one connection.
#[derive(Debug, Default)]
pub(crate) struct RequestReader {
    lines: Lines,
    line: Option<RequestLine>,
    fields: Fields,
    seen: Seen,
}

/// Where the words of a request line are.
#[derive(Clone, Debug)]
struct RequestLine {
    method: Range<usize>,
    target: Range<usize>,
    is_http_11: bool,
}

/// What the fields so far have said of the message.
#[derive(Debug, Default)]
struct Seen {
    host: bool,
    length: Option<u64>,
    chunked: bool,
}

impl RequestReader {
    /// Reads on in these bytes, the first of which are those of the last call; gives the length of
    /// the head once it is whole.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<Option<usize>, HeadError> {
        loop {
            let line = self.lines.next(bytes).map_err(|error| match error {
                LineError::TooLong if self.line.is_none() => HeadError::TargetTooLong,
                LineError::TooLong => HeadError::TooLarge,
                LineError::Ending => HeadError::LineEnd,
            })?;
            let Some(line) = line else { return Ok(None) };
            match &self.line {
                // Empty lines before a request are left over from the one before (RFC 9112 2.2).
                None if line.is_empty() => {}
                None => self.line = Some(request_line(bytes, line)?),
                Some(request) if line.is_empty() => {
                    if !self.seen.host && request.is_http_11 {
                        return Err(HeadError::Host);
                    }
                    match (self.seen.chunked, self.seen.length) {
                        (true, Some(_)) => return Err(HeadError::TwoFramings),
                        (true, None) if !request.is_http_11 => return Err(HeadError::Coding),
                        _ => return Ok(Some(self.lines.length())),
                    }
                }
                Some(_) => {
                    let (name, value) = self.fields.line(bytes, line)?;
                    self.seen.field(name, value)?;
                }
            }
        }
    }

    /// The request whose head these bytes are, and what follows it. The next head is another one.
    pub(crate) fn finish(&mut self, head: &Bytes) -> Result<(Request<()>, Framing), HeadError> {
        let headers = self.fields.of(head);
        let (line, seen) = (self.line.take(), std::mem::take(&mut self.seen));
        self.fields.clear();
        self.lines = Lines::default();
        let line = line.ok_or(HeadError::RequestLine)?;
        let mut request = Request::new(());
        *request.method_mut() =
            Method::from_bytes(&head[line.method]).map_err(|_| HeadError::RequestLine)?;
        *request.uri_mut() = uri(head.slice(line.target), request.method())?;
        *request.version_mut() = if line.is_http_11 { Version::HTTP_11 } else { Version::HTTP_10 };
        *request.headers_mut() = headers?;
        let framing = match seen {
            Seen { chunked: true, .. } => Framing::Chunked,
            Seen { length, .. } => Framing::Length(length.unwrap_or_default()),
        };
        Ok((request, framing))
    }
}

impl Seen {
    fn field(&mut self, name: &[u8], value: &[u8]) -> Result<(), HeadError> {
        // Few fields matter here, and their lengths tell most of the others apart.
        match name.len() {
            4 if name.eq_ignore_ascii_case(b"host") => {
                if self.host || !is_host(value) {
                    return Err(HeadError::Host);
                }
                self.host = true;
            }
            14 if name.eq_ignore_ascii_case(b"content-length") => {
                if self.length.is_some() {
                    return Err(HeadError::Length);
                }
                self.length = Some(number(value)?);
            }
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                if self.chunked {
                    return Err(HeadError::Coding);
                }
                coding(value)?;
                self.chunked = true;
            }
            _ => {}
        }
        Ok(())
    }
}

fn request_line(bytes: &[u8], line: Range<usize>) -> Result<RequestLine, HeadError> {
    let mut words = bytes[line.clone()].split(|&byte| byte == b' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(HeadError::RequestLine);
    };
    let is_http_11 = match version {
        b"HTTP/1.1" => true,
        b"HTTP/1.0" => false,
        _ => return Err(HeadError::RequestLine),
    };
    if !is_token(method)
        || target.is_empty()
        || target.iter().any(|&byte| byte <= b' ' || byte == 0x7f)
    {
        return Err(HeadError::RequestLine);
    }
    if method == b"CONNECT" || !is_target(target, method) {
        return Err(HeadError::Target);
    }
    let target_from = line.start + method.len() + 1;
    Ok(RequestLine {
        method: line.start..line.start + method.len(),
        target: target_from..target_from + target.len(),
        is_http_11,
    })
}

/// Whether a target is in origin or absolute form, or the `*` of OPTIONS (RFC 9112 3.2).
fn is_target(target: &[u8], method: &[u8]) -> bool {
    // The parser would cut off a fragment silently.
    if target.contains(&b'#') {
        return false;
    }
    if target.starts_with(b"/") {
        return true;
    }
    if target == b"*" {
        return method == b"OPTIONS";
    }
    authority_and_rest(target).is_some_and(|(authority, _)| is_host(authority))
}

/// The authority of a target in absolute form, and its path and query.
fn authority_and_rest(target: &[u8]) -> Option<(&[u8], &[u8])> {
    let after = |scheme: &[u8]| {
        let (start, rest) = target.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    };
    let rest = after(b"http://").or_else(|| after(b"https://"))?;
    Some(rest.split_at(rest.iter().position(|byte| b"/?".contains(byte)).unwrap_or(rest.len())))
}

/// The target as a URI. An absolute one of `OPTIONS` without path and query asks about the whole
/// server, and the last proxy sends `*` (RFC 9112 3.2.4).
fn uri(target: Bytes, method: &Method) -> Result<Uri, HeadError> {
    let asks_server = method == Method::OPTIONS
        && authority_and_rest(&target).is_some_and(|(_, rest)| rest.is_empty());
    let uri = Uri::from_maybe_shared(target).map_err(|_| HeadError::Target)?;
    if !asks_server {
        return Ok(uri);
    }
    let mut parts = uri.into_parts();
    parts.path_and_query = Some(PathAndQuery::from_static("*"));
    Uri::from_parts(parts).map_err(|_| HeadError::Target)
}

/// A length: digits alone, no sign, no list.
fn number(value: &[u8]) -> Result<u64, HeadError> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(HeadError::Length);
    }
    let number = std::str::from_utf8(value).ok().and_then(|digits| digits.parse::<u64>().ok());
    // No body is that long; and the largest numbers have a meaning of their own in the parser.
    number.filter(|&number| number <= i64::MAX as u64).ok_or(HeadError::Length)
}

/// A transfer coding: `chunked` and nothing else.
fn coding(value: &[u8]) -> Result<(), HeadError> {
    if value.eq_ignore_ascii_case(b"chunked") {
        return Ok(());
    }
    let codings: Vec<&[u8]> = list(value).collect();
    let chunked = codings.iter().filter(|coding| coding.eq_ignore_ascii_case(b"chunked")).count();
    let last_is_chunked =
        codings.last().is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked"));
    // Where the last one is not `chunked`, nobody knows where the body ends (RFC 9112 6.3).
    if chunked == 1 && last_is_chunked && codings.iter().all(|coding| is_token(coding)) {
        Err(HeadError::UnknownCoding)
    } else {
        Err(HeadError::Coding)
    }
}
