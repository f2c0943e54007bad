//! The head of a request, byte for byte, and what RFC 9112 forbids in it.
//!
//! A line may end with a lone LF (RFC 9112 2.2), and a target may have bytes that a URI may not
//! have: routers forward it as it came (Z-13). Both are well-formed here.

use super::chunks::Chunks;
use crate::journal::{Field, Text};

/// Header lines that a head, or the trailers of a body, can have.
pub(super) const MAX_FIELDS: usize = 100;
/// The longest head, in bytes.
const LONGEST: usize = 408 * 1024;
/// The longest target, in bytes.
const LONGEST_TARGET: usize = u16::MAX as usize - 1;

/// A head as it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// The request line without its line break.
    pub(super) request_line: Text,
    pub(super) method: Text,
    pub(super) target: Text,
    pub(super) http_10: bool,
    pub(super) fields: Vec<Field>,
    pub(super) framing: Framing,
}

/// The framing of the body after a head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Framing {
    /// This many bytes are still to come.
    Length(u64),
    Chunked(Chunks),
}

/// Why bytes are no head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    pub(super) status: u16,
    /// What breaks HTTP/1.1; none where there is only too much of it.
    pub(super) why: Option<&'static str>,
}

impl From<&'static str> for Refusal {
    fn from(why: &'static str) -> Self {
        Self { status: 400, why: Some(why) }
    }
}

/// Bytes without the line breaks that may precede a request (RFC 9112 2.2).
pub(super) fn without_breaks(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"\r\n").or_else(|| bytes.strip_prefix(b"\n")) {
        bytes = rest;
    }
    bytes
}

/// The head that `bytes` begin with, and its length; none where its end has not arrived.
pub(super) fn parse(bytes: &[u8]) -> Result<Option<(Head, usize)>, Refusal> {
    let begun = without_breaks(bytes);
    let mut length = bytes.len() - begun.len();
    let (mut request_line, mut fields) = (None, Vec::new());
    for line in begun.split_inclusive(|byte| *byte == b'\n') {
        length += line.len();
        let Some(text) = line.strip_suffix(b"\n") else {
            // What is no text, such as the first bytes of TLS, may have no line break at all.
            let text = line.strip_suffix(b"\r").unwrap_or(line);
            if text.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
                return Err("a control byte in a line".into());
            }
            break;
        };
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        match &request_line {
            None => request_line = Some(RequestLine::parse(text)?),
            Some(request_line) if text.is_empty() => {
                return Ok(Some((request_line.with(fields)?, length)));
            }
            Some(_) if fields.len() == MAX_FIELDS => {
                return Err(Refusal { status: 431, why: None });
            }
            Some(_) => fields.push(field(text)?),
        }
    }
    if bytes.len() > LONGEST { Err(Refusal { status: 431, why: None }) } else { Ok(None) }
}

/// The parts of a request line (RFC 9112 3).
struct RequestLine<'b> {
    line: &'b [u8],
    method: &'b [u8],
    target: &'b [u8],
    http_10: bool,
}

impl<'b> RequestLine<'b> {
    fn parse(line: &'b [u8]) -> Result<Self, Refusal> {
        let parts: Vec<_> = line.split(|byte| *byte == b' ').collect();
        let [method, target, version] = parts[..] else {
            return Err("a request line of other than three parts".into());
        };
        if !is_token(method) {
            Err("a method that is no token".into())
        } else if !matches!(version, b"HTTP/1.1" | b"HTTP/1.0") {
            Err("a version that is neither HTTP/1.1 nor HTTP/1.0".into())
        } else if target.iter().any(u8::is_ascii_control) {
            Err("a control byte in the target".into())
        } else if !has_a_form(method, target) {
            Err("a target of no form".into())
        } else if target.len() > LONGEST_TARGET {
            Err(Refusal { status: 414, why: None })
        } else {
            Ok(Self { line, method, target, http_10: version == b"HTTP/1.0" })
        }
    }

    fn with(&self, fields: Vec<Field>) -> Result<Head, Refusal> {
        check_host(&fields, self.http_10)?;
        Ok(Head {
            request_line: self.line.into(),
            method: self.method.into(),
            target: self.target.into(),
            http_10: self.http_10,
            framing: framing(&fields, self.http_10)?,
            fields,
        })
    }
}

/// Whether a target has one of the forms of RFC 9112 3.2.
fn has_a_form(method: &[u8], target: &[u8]) -> bool {
    let scheme = target.iter().position(|byte| !byte.is_ascii_alphanumeric());
    target.starts_with(b"/")
        || scheme.is_some_and(|end| end > 0 && target[end..].starts_with(b"://"))
        || (method == b"OPTIONS" && target == b"*")
        || method == b"CONNECT"
}

/// A field line (RFC 9112 5, RFC 9110 5.5).
pub(super) fn field(line: &[u8]) -> Result<Field, &'static str> {
    if line.starts_with(b" ") || line.starts_with(b"\t") {
        return Err("a folded field line");
    }
    if line.contains(&b'\r') {
        return Err("a bare CR in a field line");
    }
    let Some(colon) = line.iter().position(|byte| *byte == b':') else {
        return Err("a field line without a colon");
    };
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    if name.ends_with(b" ") || name.ends_with(b"\t") {
        Err("a blank before the colon")
    } else if !is_token(name) {
        Err("a field name that is no token")
    } else if value.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        Err("a control byte in a field value")
    } else {
        Ok(Field { name: name.into(), value: value.trim_ascii().into() })
    }
}

fn is_token(bytes: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !bytes.is_empty() && bytes.iter().all(is_part)
}

/// RFC 9112 3.2.
fn check_host(fields: &[Field], http_10: bool) -> Result<(), &'static str> {
    let mut hosts = fields.iter().filter(|field| field.is("host"));
    match (hosts.next(), hosts.next()) {
        (None, _) if !http_10 => Err("no Host"),
        (_, Some(_)) => Err("more than one Host"),
        (Some(host), None) if !is_host(host.value.as_bytes()) => {
            Err("a Host that cannot be a host")
        }
        _ => Ok(()),
    }
}

/// Whether a value of `Host` is a host, perhaps with a port, or empty (RFC 9110 7.2).
fn is_host(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(byte);
    let (host, port) = match value.iter().rposition(|byte| *byte == b':') {
        Some(colon) if !value.ends_with(b"]") => (&value[..colon], &value[colon + 1..]),
        _ => (value, &[][..]),
    };
    let address = host.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
    port.iter().all(u8::is_ascii_digit)
        && match address {
            Some(address) => address.iter().all(|byte| is_part(byte) || *byte == b':'),
            None => host.iter().all(is_part),
        }
}

/// The framing of the body (RFC 9112 6.3).
fn framing(fields: &[Field], http_10: bool) -> Result<Framing, &'static str> {
    let (mut length, mut codings) = (None, Vec::new());
    for field in fields {
        if field.is("transfer-encoding") {
            if http_10 {
                return Err("a transfer coding in HTTP/1.0");
            }
            codings.extend(field.value.as_bytes().split(|byte| *byte == b','));
        } else if field.is("content-length") && codings.is_empty() {
            let value =
                digits(field.value.as_bytes()).ok_or("a length that is no number of 64 bits")?;
            if length.is_some_and(|earlier| earlier != value) {
                return Err("two lengths");
            }
            length = Some(value);
        }
    }
    let is_chunked = |coding: &&[u8]| coding.trim_ascii().eq_ignore_ascii_case(b"chunked");
    if codings.iter().any(|coding| !coding.is_ascii()) {
        return Err("a coding that is no token");
    }
    match codings.last() {
        None => Ok(Framing::Length(length.unwrap_or(0))),
        Some(last) if !is_chunked(last) => Err("a last coding that is not chunked"),
        // RFC 9112 6.1.
        Some(_) if codings.iter().filter(|coding| is_chunked(coding)).count() > 1 => {
            Err("chunked twice")
        }
        Some(_) => Ok(Framing::Chunked(Chunks::Size)),
    }
}

fn digits(value: &[u8]) -> Option<u64> {
    let all_digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(value).ok().filter(|_| all_digits)?.parse().ok()
}
