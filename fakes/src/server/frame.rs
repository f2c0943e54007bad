//! The framing of a response before it leaves.

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};

use crate::CellId;
use crate::journal::{BodySeen, Field, HopId, ResponseSeen, Text};

/// The member that pads a JSON object.
const PADDING: &str = "padding";

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

/// The response that these bytes begin with; `None` where they do not begin with a response's head.
pub(super) fn seen_in(bytes: &[u8], hop: HopId, cell: &CellId) -> Option<ResponseSeen> {
    let mut storage = [httparse::EMPTY_HEADER; super::head::MAX_FIELDS];
    let mut head = httparse::Response::new(&mut storage);
    let Ok(httparse::Status::Complete(end)) = head.parse(bytes) else { return None };
    let fields: Vec<_> = head
        .headers
        .iter()
        .map(|field| Field { name: field.name.into(), value: Text::from(field.value) })
        .collect();
    let framed = |name: &str| fields.iter().find(|field| field.is(name));
    let body = match framed(CONTENT_LENGTH.as_str()) {
        // Chunks are not decoded here: they may be invalid.
        _ if framed(TRANSFER_ENCODING.as_str()).is_some() => BodySeen::unknown(0),
        Some(length) => {
            let length = std::str::from_utf8(length.value.as_bytes())
                .ok()
                .and_then(|text| text.parse().ok())
                .unwrap_or(usize::MAX);
            BodySeen::of(&Bytes::copy_from_slice(
                &bytes[end..end.saturating_add(length).min(bytes.len())],
            ))
        }
        None => BodySeen::of(&Bytes::copy_from_slice(&bytes[end..])),
    };
    Some(ResponseSeen { hop, cell: cell.clone(), status: head.code?, fields, body })
}

/// The header lines as the server sends them: capitalized, as the documents spell them.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire;

    #[test]
    fn names_are_capitalised_like_the_wire_names() {
        for name in [wire::CELL_REDIRECT, wire::CELL_CACHE, wire::CONFORMANCE_ID] {
            assert_eq!(capitalised(&name.to_ascii_lowercase()), name);
        }
    }

    #[test]
    fn a_padded_object_has_its_length_and_keeps_its_members() {
        let mut bytes = Bytes::from_static(br#"{"path": "/a", "cell": "cell_eu0"}"#);
        pad(&mut bytes, 5000);
        assert_eq!(bytes.len(), 5000);
        let object: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(object["cell"], "cell_eu0");
        for (text, length) in [("[1]", 100), ("no JSON", 100), ("{}", 3)] {
            let mut bytes = Bytes::from_static(text.as_bytes());
            pad(&mut bytes, length);
            assert_eq!(bytes, text);
        }
    }

    #[test]
    fn bytes_with_the_head_of_a_response_are_a_response() {
        let seen = |bytes: &[u8]| {
            seen_in(bytes, HopId(1), &CellId::eu(0)).map(|seen| (seen.status, seen.body.text()))
        };
        assert_eq!(
            seen(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc"),
            Some((200, "ab".to_owned()))
        );
        assert_eq!(seen(b"HTTP/1.1 302 Found\r\n\r\nabc"), Some((302, "abc".to_owned())));
        assert_eq!(seen(b"HTTP/1.1 200 OK\r\nContent-"), None);
        assert_eq!(seen(b"220 mail.example ESMTP\r\n\r\n"), None);
    }
}
