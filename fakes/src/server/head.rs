//! The head of a request, byte for byte, and the framing of the body that follows.

use super::grammar;
use crate::journal::{Field, Text};

/// Header lines that a head, or the trailers of a body, can have: the limit of the server behind
/// the tap.
pub(super) const MAX_FIELDS: usize = 100;

/// A head as it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// All bytes since the end of the previous request.
    pub(super) raw: Vec<u8>,
    /// The request line without its line break.
    pub(super) request_line: Text,
    pub(super) method: Text,
    pub(super) target: Text,
    pub(super) fields: Vec<Field>,
}

/// The framing of the body after a head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Framing {
    /// This many bytes, or none.
    Length(u64),
    Chunked,
}

/// The result of parsing a head.
#[derive(Debug)]
pub(super) enum Parsed {
    /// The head is not complete yet.
    Partial,
    /// The bytes are not a head, for this reason; none where there is only too much of it.
    Broken(Option<&'static str>),
    /// A head of this many bytes.
    Head(Head, usize, Framing),
}

/// Parses the head that `bytes` begin with.
pub(super) fn parse(bytes: &[u8]) -> Parsed {
    let mut storage = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut storage);
    let length = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Parsed::Partial,
        Err(httparse::Error::TooManyHeaders) => return Parsed::Broken(None),
        Err(_) => return Parsed::Broken(grammar::fault(bytes).or(Some("no request of HTTP/1.1"))),
    };
    let (Some(method), Some(target), Some(version)) =
        (request.method, request.path, request.version)
    else {
        return Parsed::Broken(Some("no request of HTTP/1.1"));
    };
    let fields: Vec<_> = request
        .headers
        .iter()
        .map(|field| Field { name: field.name.into(), value: Text::from(field.value) })
        .collect();
    let http_11 = version == 1;
    let fault = grammar::fault(&bytes[..length]).or_else(|| host_fault(&fields, http_11));
    match fault.map_or_else(|| framing(&fields, http_11), Err) {
        Ok(framing) => {
            let raw = bytes[..length].to_vec();
            let (method, target) = (method.into(), target.into());
            Parsed::Head(
                Head { request_line: first_line(&raw), raw, method, target, fields },
                length,
                framing,
            )
        }
        Err(why) => Parsed::Broken(Some(why)),
    }
}

/// The first line that is not empty (RFC 9112 2.2).
fn first_line(raw: &[u8]) -> Text {
    let from = raw.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(raw.len());
    let line = raw[from..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.strip_suffix(b"\r").unwrap_or(line).into()
}

/// RFC 9112 3.2.
fn host_fault(fields: &[Field], http_11: bool) -> Option<&'static str> {
    let mut hosts = fields.iter().filter(|field| field.is("host"));
    match (hosts.next(), hosts.next()) {
        (None, _) if http_11 => Some("no Host"),
        (_, Some(_)) => Some("more than one Host"),
        (Some(host), None) if !grammar::is_host(host.value.as_bytes()) => {
            Some("a Host that cannot be a host")
        }
        _ => None,
    }
}

/// The framing (RFC 9112 6.3) as the server behind the tap reads it; an error where the request is
/// refused.
fn framing(fields: &[Field], http_11: bool) -> Result<Framing, &'static str> {
    let (mut length, mut codings) = (None, Vec::new());
    for field in fields {
        if field.is("transfer-encoding") {
            if !http_11 {
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
        Some(_) => Ok(Framing::Chunked),
    }
}

fn digits(value: &[u8]) -> Option<u64> {
    let all_digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(value).ok().filter(|_| all_digits)?.parse().ok()
}
