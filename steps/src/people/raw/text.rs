//! Placeholders in raw bytes, and the requests in raw bytes.

use std::borrow::Cow;
use std::time::Duration;

use super::body::{Framing, Taken};
use bytes::BytesMut;
use cell_fleet::{BodySeen, Digester, Field, Text};

use crate::literal::extended_chunk;
use crate::people::browser;

/// The most bytes for which one placeholder stands.
const MOST: usize = 64 * 1024 * 1024;

/// The most fields for which one placeholder stands, and the most bytes in each of them.
const MOST_FIELDS: usize = 1000;

/// The most chunks for which one placeholder stands.
const MOST_CHUNKS: usize = 100_000;

/// The longest pause for which one placeholder stands, in milliseconds.
const LONGEST_PAUSE: usize = 2000;

/// Bytes whose placeholders are filled in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct Filled {
    pub(in super::super) bytes: Vec<u8>,
    /// The ids in the bytes, with their offsets.
    pub(in super::super) ids: Vec<(usize, String)>,
    /// The pauses between the bytes, with their offsets.
    pub(in super::super) pauses: Vec<(usize, Duration)>,
}

/// Fills in the placeholders `{id}` (the next conformance id), `{host}`, `{host and id}` (the field
/// lines of both), `{cookies}` (what a browser would send to `/`), `{browser fields}` (what a browser
/// says of itself), `{500 bytes}` (that many letters x), `{90 fields}` (that many short field lines,
/// each with its own name), `{90 fields of 20 bytes}`, `{90 chunks}` (that many chunks of one byte,
/// each with an extension of a hundred letters) and `{200 ms}` (a pause before the bytes that
/// follow). Other text in braces is left alone.
pub(in super::super) fn fill(
    text: &[u8],
    host: &str,
    cookies: &str,
    mut next_id: impl FnMut() -> String,
) -> Filled {
    let mut filled = Filled::default();
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'{') {
        filled.bytes.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let end = rest.iter().take(32).position(|byte| *byte == b'}');
        let word = end.and_then(|end| std::str::from_utf8(&rest[1..end]).ok()).unwrap_or_default();
        match word {
            "id" | "host and id" => {
                if word != "id" {
                    let lines = format!("Host: {host}\r\nX-Conformance-Id: ");
                    filled.bytes.extend_from_slice(lines.as_bytes());
                }
                let id = next_id();
                filled.ids.push((filled.bytes.len(), id.clone()));
                filled.bytes.extend_from_slice(id.as_bytes());
            }
            "host" => filled.bytes.extend_from_slice(host.as_bytes()),
            "cookies" => filled.bytes.extend_from_slice(cookies.as_bytes()),
            "browser fields" => filled.bytes.extend_from_slice(browser::lines().as_bytes()),
            _ => {
                if let Some(number) = number_of(word, " bytes", MOST) {
                    filled.bytes.resize(filled.bytes.len() + number, b'x');
                } else if let Some((number, length)) = many_fields(word) {
                    let value = "x".repeat(length);
                    let lines: Vec<_> =
                        (1..=number).map(|at| format!("X-Many-{at}: {value}")).collect();
                    filled.bytes.extend_from_slice(lines.join("\r\n").as_bytes());
                } else if let Some(number) = number_of(word, " chunks", MOST_CHUNKS) {
                    filled.bytes.extend_from_slice(&extended_chunk().repeat(number));
                } else if let Some(number) = number_of(word, " ms", LONGEST_PAUSE) {
                    let pause = Duration::from_millis(number as u64);
                    filled.pauses.push((filled.bytes.len(), pause));
                } else {
                    filled.bytes.push(b'{');
                    rest = &rest[1..];
                    continue;
                }
            }
        }
        rest = &rest[word.len() + 2..];
    }
    filled.bytes.extend_from_slice(rest);
    filled
}

/// How many fields `{90 fields}` or `{90 fields of 20 bytes}` stands for, and the length of their
/// values.
fn many_fields(word: &str) -> Option<(usize, usize)> {
    let (fields, length) = word.split_once(" of ").unwrap_or((word, "1 bytes"));
    Some((number_of(fields, " fields", MOST_FIELDS)?, number_of(length, " bytes", MOST_FIELDS)?))
}

/// The number before this unit, unless it is greater than the limit.
fn number_of(word: &str, unit: &str, most: usize) -> Option<usize> {
    word.strip_suffix(unit)?.parse().ok().filter(|number| *number <= most)
}

/// A request as far as it can be found in bytes that need not be valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct FoundRequest {
    pub(in super::super) method: String,
    pub(in super::super) target: Text,
    pub(in super::super) fields: Vec<Field>,
    pub(in super::super) body: BodySeen,
}

/// Finds the request around an offset. It begins with the last line before the offset that has an
/// HTTP version, or with the first line.
pub(in super::super) fn find_request(bytes: &[u8], offset: usize) -> FoundRequest {
    let before = &bytes[..offset.min(bytes.len())];
    let mut begin = 0;
    let mut line = 0;
    for end in before
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .chain([before.len()])
    {
        if is_request_line(&bytes[line..end]) {
            begin = line;
        }
        line = end;
    }
    let message = &bytes[begin..];
    let (head, body) = match [&b"\r\n\r\n"[..], b"\n\n"]
        .iter()
        .find_map(|blank| find(message, blank).map(|at| (at, at + blank.len())))
    {
        Some((head, body)) => (&message[..head], &message[body..]),
        None => (message, &b""[..]),
    };
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.next().unwrap_or_default();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let method_end = first.iter().position(is_blank).unwrap_or(first.len());
    let target_end = first
        .iter()
        .rposition(is_blank)
        .filter(|end| *end > method_end && contains(&first[*end..], b"HTTP/"));
    let target = first[method_end..target_end.unwrap_or(first.len())].trim_ascii();
    let fields: Vec<Field> = lines.filter_map(field).collect();
    // Without valid framing, the body cannot be told from what follows.
    let body = Framing::of_request(&fields)
        .map_or_else(|_| BodySeen::default(), |framing| body_in(framing, body));
    FoundRequest {
        method: String::from_utf8_lossy(&first[..method_end]).into_owned(),
        target: Text::from(&*origin_form(target)),
        fields,
        body,
    }
}

/// The body at the beginning of some bytes. One that breaks off is not known: no cell can have the
/// whole of it.
fn body_in(mut framing: Framing, bytes: &[u8]) -> BodySeen {
    let (mut rest, mut digester) = (BytesMut::from(bytes), Digester::default());
    loop {
        match framing.take(&mut rest, &mut digester) {
            Ok(Taken::Some) => {}
            Ok(Taken::Nothing) => return BodySeen::unknown(digester.finish().length),
            // A router may repair what is malformed.
            Ok(Taken::End) | Err(_) => return digester.finish(),
        }
    }
}

/// Whether a line is one of a request: a method, which is a token, and an HTTP version. The value
/// of a field can look like the rest.
fn is_request_line(line: &[u8]) -> bool {
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let method = line.iter().take_while(|byte| is_of_token(byte)).count();
    let is_ended = line.get(method).is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    method > 0 && is_ended && contains(line, b" HTTP/")
}

/// A target in origin form, as a cell receives it (RFC 9112 3.2.2).
fn origin_form(target: &[u8]) -> Cow<'_, [u8]> {
    const SCHEME: &[u8] = b"http://";
    match target.get(..SCHEME.len()) {
        Some(scheme) if scheme.eq_ignore_ascii_case(SCHEME) => {
            let rest = &target[SCHEME.len()..];
            let path = rest.iter().position(|byte| b"/?".contains(byte)).unwrap_or(rest.len());
            match &rest[path..] {
                path @ [b'/', ..] => path.into(),
                query => [b"/", query].concat().into(),
            }
        }
        _ => target.into(),
    }
}

fn field(line: &[u8]) -> Option<Field> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    Some(Field { name: line[..colon].into(), value: line[colon + 1..].trim_ascii().into() })
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    find(bytes, wanted).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::literal::wire_bytes;

    #[test]
    fn a_field_that_looks_like_a_request_line_is_none() {
        let bytes = b"GET /a HTTP/1.1\r\nX-Field: a HTTP/1.1\nX-Conformance-Id: 1\r\n\r\n";
        let found = find_request(bytes, bytes.len() - 5);
        assert_eq!((found.method.as_str(), found.target.to_string().as_str()), ("GET", "/a"));
        let cut = b"GET /a\n HTTP/1.1\nX-Conformance-Id: 1\r\n\r\n";
        assert_eq!(find_request(cut, cut.len() - 5).method, "GET");
    }

    #[test]
    fn placeholders_are_filled_in() {
        let mut number = 0;
        let next = || {
            number += 1;
            format!("anna.{number}")
        };
        let filled = fill(b"{id} {host} {id}{cookies} {3 bytes} {a} {", "h:1", "c=d", next);
        assert_eq!(String::from_utf8(filled.bytes).unwrap(), "anna.1 h:1 anna.2c=d xxx {a} {");
        assert_eq!(filled.ids, [(0, "anna.1".to_owned()), (11, "anna.2".to_owned())]);
        let filled = fill(b"{host and id}", "h:1", "", || "anna.1".to_owned());
        assert_eq!(filled.bytes, b"Host: h:1\r\nX-Conformance-Id: anna.1");
        assert_eq!(filled.ids, [(29, "anna.1".to_owned())]);
        let filled = fill(b"{2 fields of 3 bytes}\r\n{20 ms}{20 s}", "h:1", "", String::new);
        assert_eq!(filled.bytes, b"X-Many-1: xxx\r\nX-Many-2: xxx\r\n{20 s}");
        assert_eq!(filled.pauses, [(30, Duration::from_millis(20))]);
        let filled = fill(b"{2 chunks}0", "h:1", "", String::new);
        let chunk = format!("1;{:x<100}\r\nx\r\n", "");
        assert_eq!(filled.bytes, format!("{chunk}{chunk}0").into_bytes());
    }

    #[test]
    fn pipelined_requests_are_found_one_by_one() {
        let bytes = b"POST /a HTTP/1.1\r\nContent-Length: 2\r\nX: 1\r\n\r\n\
         hiGET  /b c HTTP/1.1\r\nX: 2\r\n\r\n";
        let first = find_request(bytes, 39);
        assert_eq!(
            (first.method.as_str(), first.target, first.body.text().as_str()),
            ("POST", "/a".into(), "hi")
        );
        let second = find_request(bytes, bytes.len() - 5);
        assert_eq!((second.target, second.fields.len(), second.body.length), ("/b c".into(), 1, 0));
        assert_eq!(find_request(b"nonsense", 3).method, "nonsense");
        for cut in ["Content-Length: 3\r\n\r\nhi", "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n"]
        {
            let body = find_request(format!("PUT /a HTTP/1.1\r\n{cut}").as_bytes(), 15).body;
            assert_eq!((body.is_known(), body.length), (false, 2), "{cut}");
        }
        for (target, origin) in [("http://a.test:1/b?c", "/b?c"), ("HTTP://a?b/c", "/?b/c")] {
            let bytes = format!("GET {target} HTTP/1.1\r\n\r\n");
            assert_eq!(find_request(bytes.as_bytes(), 8).target, origin);
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_filled_in_and_searched(
            text in "[\\PC\n\\\\{}]{0,60}",
            place in 0usize..80,
        ) {
            if let Ok(bytes) = wire_bytes(&text) {
                let filled = fill(&bytes, "h", "c", || "i".to_owned());
                find_request(&filled.bytes, place);
            }
        }

        #[test]
        fn any_bytes_can_be_searched(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            place in 0usize..300,
        ) {
            find_request(&fill(&bytes, "", "", String::new).bytes, place);
        }
    }
}
