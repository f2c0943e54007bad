//! The head of a request, line by line (RFC 9112 3 to 6).

use super::RequestError;
use super::token::{is_host, is_token, is_value, list, trim};

/// Longest head, its last line included, in bytes (Z-47). Longer ones are refused, never cut.
pub(crate) const LONGEST_HEAD: usize = 64 * 1024;

/// Most field lines of a head; as many as the parser behind this takes.
pub(crate) const MOST_FIELDS: usize = 100;

/// What follows a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// The next request.
    Nothing,
    /// A body of so many bytes, at least one.
    Length(u64),
    /// A body in chunks.
    Chunked,
    /// Another protocol, where the response agrees to it; else the next request (Z-23).
    Upgrade,
}

/// What the lines so far contained.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    line: Option<RequestLine>,
    fields: usize,
    hosts: usize,
    length: Option<u64>,
    codings: usize,
    connection_upgrade: bool,
    websocket: bool,
    upgrades: usize,
}

#[derive(Clone, Copy, Debug)]
struct RequestLine {
    is_http_11: bool,
    is_get: bool,
}

impl Head {
    /// Whether nothing of a request has been seen.
    pub(super) fn is_blank(&self) -> bool {
        self.line.is_none()
    }

    /// Takes the next line, without its CRLF; gives what follows where it was the last.
    pub(super) fn line(&mut self, line: &[u8]) -> Result<Option<Framing>, RequestError> {
        match (&self.line, line) {
            // Empty lines before a request are left over from the one before (RFC 9112 2.2).
            (None, []) => Ok(None),
            (None, _) => {
                self.line = Some(request_line(line)?);
                Ok(None)
            }
            (Some(request), []) => self.framing(*request).map(Some),
            (Some(_), _) => self.field(line).map(|()| None),
        }
    }

    fn field(&mut self, line: &[u8]) -> Result<(), RequestError> {
        self.fields += 1;
        if self.fields > MOST_FIELDS {
            return Err(RequestError::TooLarge);
        }
        let (name, value) = field_line(line)?;
        // Few fields matter here, and their lengths tell most of the others apart.
        match name.len() {
            4 if name.eq_ignore_ascii_case(b"host") => {
                self.hosts += 1;
                if self.hosts > 1 || !is_host(value) {
                    return Err(RequestError::Host);
                }
            }
            7 if name.eq_ignore_ascii_case(b"upgrade") => {
                self.upgrades += 1;
                self.websocket = value.eq_ignore_ascii_case(b"websocket");
            }
            10 if name.eq_ignore_ascii_case(b"connection") => {
                self.connection_upgrade |=
                    list(value).any(|option| option.eq_ignore_ascii_case(b"upgrade"));
            }
            14 if name.eq_ignore_ascii_case(b"content-length") => {
                if self.length.is_some() {
                    return Err(RequestError::Length);
                }
                self.length = Some(number(value)?);
            }
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                self.codings += 1;
                if self.codings > 1 {
                    return Err(RequestError::Coding);
                }
                coding(value)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn framing(&self, request: RequestLine) -> Result<Framing, RequestError> {
        if self.hosts == 0 && request.is_http_11 {
            return Err(RequestError::Host);
        }
        match (self.codings > 0, self.length) {
            (true, Some(_)) => Err(RequestError::TwoFramings),
            (true, None) if !request.is_http_11 => Err(RequestError::Coding),
            (true, None) => Ok(Framing::Chunked),
            (false, Some(length)) if length > 0 => Ok(Framing::Length(length)),
            (false, _) => {
                let upgrade = request.is_http_11
                    && request.is_get
                    && self.connection_upgrade
                    && self.websocket
                    && self.upgrades == 1;
                Ok(if upgrade { Framing::Upgrade } else { Framing::Nothing })
            }
        }
    }
}

/// Name and value of a field line, which has neither its CRLF nor the blanks around the value.
pub(super) fn field_line(line: &[u8]) -> Result<(&[u8], &[u8]), RequestError> {
    let colon = line.iter().position(|&byte| byte == b':').ok_or(RequestError::FieldLine)?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    // A folded line begins with a blank, which no name has.
    if !is_token(name) {
        return Err(RequestError::FieldLine);
    }
    if !is_value(value) {
        return Err(RequestError::ControlByte);
    }
    Ok((name, trim(value)))
}

fn request_line(line: &[u8]) -> Result<RequestLine, RequestError> {
    let mut words = line.split(|&byte| byte == b' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(RequestError::RequestLine);
    };
    let is_http_11 = match version {
        b"HTTP/1.1" => true,
        b"HTTP/1.0" => false,
        _ => return Err(RequestError::RequestLine),
    };
    if !is_token(method)
        || target.is_empty()
        || target.iter().any(|&byte| byte <= b' ' || byte == 0x7f)
    {
        return Err(RequestError::RequestLine);
    }
    if method == b"CONNECT" || !is_target(target, method) {
        return Err(RequestError::Target);
    }
    Ok(RequestLine { is_http_11, is_get: method == b"GET" })
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
    let after_scheme = |scheme: &[u8]| {
        let (start, rest) = target.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    };
    after_scheme(b"http://").or_else(|| after_scheme(b"https://")).is_some_and(|rest| {
        let end = rest.iter().position(|byte| b"/?".contains(byte)).unwrap_or(rest.len());
        is_host(&rest[..end])
    })
}

/// A length: digits alone, no sign, no list.
fn number(value: &[u8]) -> Result<u64, RequestError> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(RequestError::Length);
    }
    let number = std::str::from_utf8(value).ok().and_then(|digits| digits.parse::<u64>().ok());
    // No body is that long; and the largest numbers have a meaning of their own in the parser.
    number.filter(|&number| number <= i64::MAX as u64).ok_or(RequestError::Length)
}

/// A transfer coding: `chunked` and nothing else.
fn coding(value: &[u8]) -> Result<(), RequestError> {
    if value.eq_ignore_ascii_case(b"chunked") {
        return Ok(());
    }
    let codings: Vec<&[u8]> = list(value).collect();
    let chunked = codings.iter().filter(|coding| coding.eq_ignore_ascii_case(b"chunked")).count();
    let last_is_chunked =
        codings.last().is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked"));
    // Where the last one is not `chunked`, nobody knows where the body ends (RFC 9112 6.3).
    if chunked == 1 && last_is_chunked && codings.iter().all(|coding| is_token(coding)) {
        Err(RequestError::UnknownCoding)
    } else {
        Err(RequestError::Coding)
    }
}
