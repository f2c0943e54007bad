//! Literal messages and bytes in the doc strings of scenarios.

use bytes::Bytes;
use cell_fleet::ScriptedResponse;

/// A request that a person sends.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// The request target, byte for byte.
    pub target: String,
    /// Fields, in addition to those that the client sets.
    pub fields: Vec<(String, String)>,
    pub body: Bytes,
}

impl Request {
    pub fn get(target: impl Into<String>) -> Self {
        Self {
            method: "GET".to_owned(),
            target: target.into(),
            fields: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// Parses a request: `POST /path?query`, field lines, a blank line, the body.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (first, fields, body) = split(text, OF_REQUESTS)?;
        let (method, target) = first
            .split_once(' ')
            .filter(|(_, target)| target.starts_with('/'))
            .ok_or_else(|| format!("`{first}` is not a request line; expected `METHOD /target`"))?;
        let (method, target) = (method.to_owned(), target.to_owned());
        Ok(Self { method, target, fields, body: Bytes::from(body) })
    }

    pub fn form(target: impl Into<String>, pairs: &[(&str, &str)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let fields =
            vec![("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
        Self { method: "POST".to_owned(), target: target.into(), fields, body: body.into() }
    }
}

/// Parses a response: `302`, field lines, a blank line, the body without the line break at its end.
pub(crate) fn scripted_response(text: &str) -> Result<ScriptedResponse, String> {
    let (first, fields, body) = split(text, OF_RESPONSES)?;
    let status = first.parse().ok().filter(|status| (100..1000).contains(status));
    let status = status.ok_or_else(|| {
        format!("`{first}` is not a status; a response begins with one, such as `302`")
    })?;
    Ok(ScriptedResponse { status, fields, body })
}

pub fn field_lines(text: &str) -> Result<Vec<(String, String)>, String> {
    text.trim_matches('\n').lines().map(field_line).collect()
}

fn field_line(line: &str) -> Result<(String, String), String> {
    let (name, value) = line
        .split_once(':')
        .ok_or_else(|| format!("`{line}` is not a field; expected `Name: value`"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

type Split<'a> = (&'a str, Vec<(String, String)>, String);

/// Splits a message into its first line, its fields and its body. A line `{every field 3}` stands
/// for all of these fields, with this number in each value, and `{90 fields}` for that many short
/// ones.
fn split<'t>(text: &'t str, every: &[(&str, &str)]) -> Result<Split<'t>, String> {
    let text = text.trim_start_matches('\n');
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let (first, rest) = head.split_once('\n').unwrap_or((head, ""));
    let mut fields = Vec::new();
    for line in rest.lines().filter(|line| !line.trim().is_empty()) {
        match every_field(line, every).or_else(|| many_fields(line)) {
            Some(all) => fields.extend(all),
            None => fields.push(field_line(line)?),
        }
    }
    Ok((first.trim(), fields, body.strip_suffix('\n').unwrap_or(body).to_owned()))
}

/// Parses requests with their people. Each begins with a line `anna sends POST /path`; field lines,
/// a blank line and the body follow.
pub(crate) fn shared_requests(text: &str) -> Result<Vec<(String, Request)>, String> {
    let mut messages: Vec<(&str, String)> = Vec::new();
    for line in text.trim_matches('\n').lines() {
        match (begun(line), messages.last_mut()) {
            (Some((person, first)), _) => messages.push((person, first.to_owned())),
            (None, Some((_, message))) => {
                message.push('\n');
                message.push_str(line);
            }
            (None, None) => {
                return Err(format!(
                    "`{line}` does not say who sends what; expected `anna sends GET /path`"
                ));
            }
        }
    }
    let parsed = messages
        .into_iter()
        .map(|(person, message)| Ok((person.to_owned(), Request::parse(&message)?)));
    parsed.collect()
}

/// The person and the request line, where a line begins a request.
fn begun(line: &str) -> Option<(&str, &str)> {
    let (person, request) = line.split_once(" sends ")?;
    let is_name = person.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name.then_some((person, request))
}

/// A chunk of one byte with an extension of a hundred letters: what `{90 chunks}` in raw bytes stands
/// for, many times.
pub(crate) fn extended_chunk() -> Vec<u8> {
    format!("1;{:x<100}\r\nx\r\n", "").into_bytes()
}

/// Returns the bytes for which a doc string stands. CRLF follows each line that does not end in a
/// backslash, and `\r`, `\n`, `\t`, `\0`, `\xHH` and `\\` stand for one byte each.
pub fn wire_bytes(text: &str) -> Result<Vec<u8>, String> {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() + 64);
    for line in text.split('\n') {
        let mut rest = line.chars();
        let mut is_continued = false;
        while let Some(next) = rest.next() {
            if next != '\\' {
                bytes.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            match rest.next() {
                None => is_continued = true,
                Some('r') => bytes.push(b'\r'),
                Some('n') => bytes.push(b'\n'),
                Some('t') => bytes.push(b'\t'),
                Some('0') => bytes.push(0),
                Some('\\') => bytes.push(b'\\'),
                Some('x') => {
                    let hex =
                        rest.as_str().get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
                    bytes.push(
                        hex.ok_or_else(|| format!("`{line}`: `\\x` needs two hexadecimal digits"))?,
                    );
                    rest = rest.as_str()[2..].chars();
                }
                Some(other) => {
                    return Err(format!("`{line}`: unknown escape `\\{other}`"));
                }
            }
        }
        if !is_continued {
            bytes.extend_from_slice(b"\r\n");
        }
    }
    Ok(bytes)
}

/// The fields of a request. `#` stands for its number.
const OF_REQUESTS: &[(&str, &str)] = &[
    ("Accept", "text/html;q=0.#, */*;q=0.1"),
    ("Accept-Encoding", "gzip;q=0.#"),
    ("Accept-Language", "nb;q=0.#"),
    ("Authorization", "Bearer glpat-#"),
    ("Cache-Control", "max-age=#"),
    ("CDN-Loop", "edge-#.example"),
    ("Cookie", "flavor=plain-#; size=#"),
    ("Docker-Distribution-Api-Version", "registry/#.0"),
    ("Idempotency-Key", "key-#"),
    ("If-Match", "\"a-#\""),
    ("If-Modified-Since", "Wed, 2# Oct 2015 07:28:00 GMT"),
    ("Job-Token", "job-#"),
    ("Origin", "https://pages-#.example"),
    ("Pragma", "p-#"),
    ("Private-Token", "glpat-#"),
    ("Range", "bytes=0-#"),
    ("Sec-Purpose", "prefetch;n=#"),
    ("User-Agent", "Example/#.0"),
    ("X-Csrf-Token", "csrf-#"),
    ("X-Field", "of #"),
    ("X-Request-Id", "01JA#"),
    ("X-Requested-With", "XMLHttpRequest#"),
    ("X-Twice", "#, first"),
    ("X-Twice", "#, second"),
];

/// The fields of a response. `#` stands for its number.
const OF_RESPONSES: &[(&str, &str)] = &[
    ("Accept-Ranges", "bytes, x-#"),
    ("Cache-Control", "max-age=#, private"),
    ("Content-Disposition", "inline; filename=\"#.zip\""),
    ("Content-Encoding", "x-of-#"),
    ("Content-Language", "nb, x-#"),
    ("Content-Location", "/acme/#"),
    ("Content-Security-Policy", "default-src 'self' #.example"),
    ("Content-Type", "text/plain; of=#"),
    ("Docker-Distribution-Api-Version", "registry/#.0"),
    ("ETag", "\"page-#\""),
    ("Expires", "Mon, 0# Jan 2035 00:00:00 GMT"),
    ("Last-Modified", "Mon, 0# Jan 2024 00:00:00 GMT"),
    ("Location", "/acme/a/#"),
    ("Pragma", "p-#"),
    ("Refresh", "#; url=/a"),
    ("Retry-After", "13#"),
    ("Set-Cookie", "a=#; Path=/"),
    ("Set-Cookie", "b=#; Path=/; HttpOnly"),
    ("Vary", "Accept, X-#"),
    ("WWW-Authenticate", "Basic realm=\"#\""),
    ("X-Gitlab-Last-Update", "5d4#"),
    ("X-Next-Page", "#"),
    ("X-Request-Id", "01JA#"),
    ("X-Runtime", "0.#"),
    ("X-Thrice", "#"),
    ("X-Thrice", "0"),
    ("X-Thrice", "1#"),
    ("X-Total", "3#"),
    ("X-Twice", "#, first"),
    ("X-Twice", "second, #"),
];

/// The fields for which a line `{every field 3}` stands, if it is one.
fn every_field(line: &str, every: &[(&str, &str)]) -> Option<Vec<(String, String)>> {
    let number = line.trim().strip_prefix("{every field ")?.strip_suffix('}')?;
    let filled = |(name, value): &(&str, &str)| ((*name).to_owned(), value.replace('#', number));
    Some(every.iter().map(filled).collect())
}

/// The fields for which a line `{90 fields}` stands, each with a name of its own.
fn many_fields(line: &str) -> Option<Vec<(String, String)>> {
    let number: u16 = line.trim().strip_prefix('{')?.strip_suffix(" fields}")?.parse().ok()?;
    Some((1..=number).map(|at| (format!("X-Many-{at}"), "x".to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_parsed_unchanged() {
        let request = Request::parse("\nPOST /a?b=c\nX-A: 1\nX-A: 2\n\n{\"x\": 1}\n").unwrap();
        assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/a?b=c"));
        assert_eq!(request.fields, [("X-A".into(), "1".into()), ("X-A".into(), "2".into())]);
        assert_eq!(request.body, "{\"x\": 1}");
        let response = scripted_response("302\nX-Gitlab-Cell-Redirect: {cell:Cell EU9}\n").unwrap();
        assert_eq!(response.fields[0].1, "{cell:Cell EU9}");
        assert_eq!(response.body, "");
    }

    #[test]
    fn a_line_stands_for_every_field_with_its_number() {
        let ScriptedResponse { fields, .. } =
            scripted_response("404\nA: b\n{every field 7}\n\nbody\n").unwrap();
        assert_eq!(fields.len(), 1 + OF_RESPONSES.len());
        assert!(fields.contains(&("ETag".into(), "\"page-7\"".into())), "{fields:?}");
        let many = scripted_response("200\n{90 fields}\n").unwrap().fields;
        assert_eq!((many.len(), many[89].0.as_str()), (90, "X-Many-90"));
    }

    #[test]
    fn invalid_messages_are_refused() {
        assert!(Request::parse("POST").is_err());
        assert!(Request::parse("POST a").is_err());
        assert!(scripted_response("fine").is_err());
        assert!(scripted_response("200\nno field").is_err());
    }

    #[test]
    fn each_request_has_its_person_fields_and_body() {
        let text = "\nanna sends POST /a?b\nX-A: 1\n\nbody\nof two lines\n\n\
                    visitor sends GET /c\nnina sends GET /d\nX-Who: anna sends\n";
        let parsed = shared_requests(text).unwrap();
        let people: Vec<_> = parsed.iter().map(|(person, _)| person.as_str()).collect();
        assert_eq!(people, ["anna", "visitor", "nina"]);
        let first = &parsed[0].1;
        assert_eq!((first.method.as_str(), first.target.as_str()), ("POST", "/a?b"));
        assert_eq!(first.body, "body\nof two lines");
        assert!(parsed[1].1.fields.is_empty() && parsed[1].1.body.is_empty());
        assert_eq!(parsed[2].1.fields.len(), 1);
    }

    #[test]
    fn a_text_without_a_person_is_refused() {
        assert!(shared_requests("GET /a").unwrap_err().contains("who sends what"));
        assert!(shared_requests("anna sends nothing").is_err());
    }

    #[test]
    fn lines_end_in_crlf_unless_a_backslash_ends_them() {
        assert_eq!(
            wire_bytes("\nGET / HTTP/1.1\nA: b\n\n").unwrap(),
            b"GET / HTTP/1.1\r\nA: b\r\n\r\n"
        );
        assert_eq!(wire_bytes("\na\\\nb\\n\\\n").unwrap(), b"ab\n");
        assert_eq!(wire_bytes(r"\r\n\t\0\xfF\\").unwrap(), b"\r\n\t\0\xff\\\r\n");
        assert_eq!(wire_bytes(r"end\\").unwrap(), b"end\\\r\n");
        assert!(
            wire_bytes(r"\q").is_err()
                && wire_bytes(r"\x1").is_err()
                && wire_bytes(r"\xgg").is_err()
        );
    }
}
