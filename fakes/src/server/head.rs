//! The head of a request, byte for byte, and the framing of the body that follows.

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
    /// Chunks.
    Chunked,
}

/// The result of parsing a head.
#[derive(Debug)]
pub(super) enum Parsed {
    /// The head is not complete yet.
    Partial,
    /// The bytes are not a head.
    Broken,
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
        Err(_) => return Parsed::Broken,
    };
    let (Some(method), Some(target), Some(version)) =
        (request.method, request.path, request.version)
    else {
        return Parsed::Broken;
    };
    let fields: Vec<_> = request
        .headers
        .iter()
        .map(|field| Field { name: field.name.into(), value: Text::from(field.value) })
        .collect();
    match framing(&fields, version == 1) {
        Some(framing) => {
            let raw = bytes[..length].to_vec();
            let (method, target) = (method.into(), target.into());
            Parsed::Head(
                Head { request_line: first_line(&raw), raw, method, target, fields },
                length,
                framing,
            )
        }
        None => Parsed::Broken,
    }
}

/// The first line that is not empty (RFC 9112 2.2).
fn first_line(raw: &[u8]) -> Text {
    let from = raw.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(raw.len());
    let line = raw[from..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.strip_suffix(b"\r").unwrap_or(line).into()
}

/// The framing (RFC 9112 6.3) as the server behind the tap reads it; `None` where it refuses the
/// request.
fn framing(fields: &[Field], http_11: bool) -> Option<Framing> {
    let (mut length, mut coding) = (None, None);
    for field in fields {
        if field.is("transfer-encoding") {
            if !http_11 {
                return None;
            }
            coding = Some(ends_in_chunked(field.value.as_bytes()));
        } else if field.is("content-length") && coding.is_none() {
            let value = digits(field.value.as_bytes())?;
            if length.is_some_and(|earlier| earlier != value) {
                return None;
            }
            length = Some(value);
        }
    }
    match coding {
        Some(true) => Some(Framing::Chunked),
        Some(false) => None,
        None => Some(Framing::Length(length.unwrap_or(0))),
    }
}

fn ends_in_chunked(value: &[u8]) -> bool {
    let visible = value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let last = value.rsplit(|byte| *byte == b',').next().unwrap_or_default();
    visible && last.trim_ascii().eq_ignore_ascii_case(b"chunked")
}

fn digits(value: &[u8]) -> Option<u64> {
    let all_digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(value).ok().filter(|_| all_digits)?.parse().ok()
}
