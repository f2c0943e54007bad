//! Heads of requests and responses, read strictly (RFC 9112 2.2, 5).

use http::header::{CONNECTION, EXPECT, HOST};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use crate::base::alike;
use crate::base::http1::frame::Framing;
use crate::base::http1::framing::request_framing;
use crate::base::http1::head_error::{HeadError, bad};
use crate::kind::Mutation;

/// The longest head; a longer one is refused whole (Z-47).
pub(crate) const MAX_HEAD: usize = 128 * 1024;

/// What stands for a NUL between reading and writing, where a mutation passes it on: no value of the
/// libraries' types may hold one.
pub(crate) const STANDS_FOR_NUL: u8 = 0xff;

/// A user's request up to its body.
#[derive(Debug, Clone)]
pub(crate) struct RequestHead {
    pub(crate) method: Method,
    pub(crate) target: String,
    /// The user speaks HTTP/1.0 (Z-44).
    pub(crate) old: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) framing: Framing,
    /// The field names as the user wrote them.
    pub(crate) names: Vec<String>,
    /// How long the head was, in bytes.
    pub(crate) size: usize,
}

impl RequestHead {
    /// Whether another request may follow on the connection.
    pub(crate) fn keeps_open(&self) -> bool {
        !self.old && !has_option(&self.headers, "close")
    }

    /// Whether the user waits for 100 before it sends the body.
    pub(crate) fn waits(&self) -> bool {
        !self.old
            && self.framing != Framing::None
            && self
                .headers
                .get(EXPECT)
                .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
    }
}

/// A cell's response up to its body.
#[derive(Debug)]
pub(crate) struct ResponseHead {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) keeps_open: bool,
}

/// Reads a request at the start of `bytes`: with its length, or `None` if its end has not arrived.
pub(crate) fn request(
    bytes: &[u8],
    mutation: Option<Mutation>,
) -> Result<Option<(RequestHead, usize)>, HeadError> {
    // Empty lines before a request do not count (RFC 9112 2.2).
    let blank = bytes.chunks(2).take_while(|pair| *pair == b"\r\n").count() * 2;
    let Some(size) = end(&bytes[blank..], mutation)? else { return Ok(None) };
    let lines = lines(&bytes[blank..blank + size], mutation);
    let line =
        lines.first().map(|line| String::from_utf8_lossy(line).into_owned()).unwrap_or_default();
    let words: Vec<&str> = line.split(' ').collect();
    let [method, target, version] = words[..] else {
        return Err(bad("the request line has not three words"));
    };
    let method =
        Method::from_bytes(method.as_bytes()).map_err(|_| bad("the method is not a token"))?;
    if target.is_empty()
        || !target.bytes().all(|byte| byte.is_ascii_graphic())
        || target.contains('#')
    {
        return Err(bad("the target has signs that no target has"));
    }
    let old = match version {
        "HTTP/1.1" => false,
        "HTTP/1.0" => true,
        _ => {
            return Err(HeadError {
                status: StatusCode::HTTP_VERSION_NOT_SUPPORTED,
                reason: "another version",
            });
        }
    };
    let headers = fields(&lines[1..], mutation)?;
    if mutation != Some(Mutation::AcceptsAnyHost) {
        one_host(&headers, old)?;
    }
    let framing = match (request_framing(&headers, old, mutation)?, mutation) {
        (_, Some(Mutation::IgnoresBodiesOfGets)) if method == Method::GET => Framing::None,
        (framing, _) => framing,
    };
    let names = names(&lines[1..]);
    let head =
        RequestHead { method, target: target.to_owned(), old, headers, framing, names, size };
    Ok(Some((head, blank + size)))
}

/// Reads a response at the start of `bytes`, as `request` does.
pub(crate) fn response(
    bytes: &[u8],
    mutation: Option<Mutation>,
    skips_bad_fields: bool,
) -> Result<Option<(ResponseHead, usize)>, HeadError> {
    let Some(size) = end(bytes, None)? else { return Ok(None) };
    let lines = lines(&bytes[..size], None);
    let line = String::from_utf8_lossy(lines.first().copied().unwrap_or_default()).into_owned();
    let rest = line.strip_prefix("HTTP/1.").ok_or(bad("no status line"))?;
    let (minor, rest) = rest.split_once(' ').ok_or(bad("no status"))?;
    let status =
        rest.split(' ').next().filter(|word| word.len() == 3 && ["0", "1"].contains(&minor));
    let status = status
        .and_then(|word| StatusCode::from_bytes(word.as_bytes()).ok())
        .filter(|status| status.as_u16() < 600);
    let status = status.ok_or(bad("no status"))?;
    let is_read = |line: &&&[u8]| !skips_bad_fields || field(line, None).is_ok();
    let read: Vec<&[u8]> = lines[1..].iter().filter(is_read).copied().collect();
    let mut headers = fields(&read, None)?;
    alike::respell_fields(mutation, &names(&lines[1..]), &mut headers);
    let keeps_open = minor == "1" && !has_option(&headers, "close");
    Ok(Some((ResponseHead { status, headers, keeps_open }, size)))
}

/// Where the head's empty line ends. An invalid line is found before that, so that no reader waits
/// for an end that never arrives.
fn end(bytes: &[u8], mutation: Option<Mutation>) -> Result<Option<usize>, HeadError> {
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\r'
                if mutation != Some(Mutation::AcceptsBareCarriageReturns)
                    && bytes.get(at + 1).is_some_and(|next| *next != b'\n') =>
            {
                return Err(bad("a carriage return within a line"));
            }
            b'\n' => {
                let ended_well = at > 0 && bytes[at - 1] == b'\r';
                if !ended_well && mutation != Some(Mutation::AcceptsBareLineFeeds) {
                    return Err(bad("a line that ends in a line feed alone"));
                }
                if at - usize::from(ended_well) == start && start > 0 {
                    return Ok(Some(at + 1));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    match bytes.len() > MAX_HEAD {
        true => Err(HeadError {
            status: StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            reason: "the fields are too long",
        }),
        false => Ok(None),
    }
}

/// The lines of a head whose line ends are known to be valid.
fn lines(head: &[u8], mutation: Option<Mutation>) -> Vec<&[u8]> {
    let ended = |line| <[u8]>::strip_suffix(line, b"\r").unwrap_or(line);
    let lines = head.split(|byte| *byte == b'\n').map(ended).filter(|line| !line.is_empty());
    let lines: Vec<&[u8]> = lines.collect();
    match mutation {
        Some(Mutation::DropsFoldedLines) => {
            lines.into_iter().filter(|line| !b" \t".contains(&line[0])).collect()
        }
        Some(Mutation::LosesFoldedCodings) => {
            let is_coding = |line: &&[u8]| {
                line.get(..18).is_some_and(|name| name.eq_ignore_ascii_case(b"transfer-encoding:"))
            };
            let folded = lines
                .windows(2)
                .position(|pair| is_coding(&pair[0]) && b" \t".contains(&pair[1][0]));
            let is_lost = |at: usize| folded.is_some_and(|first| at == first || at == first + 1);
            let kept = lines.into_iter().enumerate().filter(|(at, _)| !is_lost(*at));
            kept.map(|(_, line)| line).collect()
        }
        _ => lines,
    }
}

fn fields(lines: &[&[u8]], mutation: Option<Mutation>) -> Result<HeaderMap, HeadError> {
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = field(line, mutation)?;
        headers.append(name, value);
    }
    Ok(headers)
}

/// The field names as they were written, for the mutations that depend on them.
fn names(lines: &[&[u8]]) -> Vec<String> {
    let names = lines.iter().filter_map(|line| line.split(|byte| *byte == b':').next());
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

fn field(line: &[u8], mutation: Option<Mutation>) -> Result<(HeaderName, HeaderValue), HeadError> {
    let line = match mutation {
        Some(Mutation::TakesFoldedLinesForFields) => line.trim_ascii_start(),
        _ => line,
    };
    if line.first().is_none_or(|byte| b" \t".contains(byte)) {
        return Err(bad("a folded line"));
    }
    let colon = line.iter().position(|byte| *byte == b':').ok_or(bad("a field without a colon"))?;
    let name = match mutation {
        Some(Mutation::AcceptsABlankBeforeTheColon) => line[..colon].trim_ascii_end(),
        _ => &line[..colon],
    };
    let name = HeaderName::from_bytes(name).map_err(|_| bad("a field name is not a token"))?;
    let mut value = line[colon + 1..].trim_ascii().to_vec();
    if mutation == Some(Mutation::AcceptsBareCarriageReturns) {
        value.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b' ');
    }
    if mutation == Some(Mutation::PassesNulBytesOn) {
        value.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = STANDS_FOR_NUL);
    }
    let value =
        HeaderValue::from_bytes(&value).map_err(|_| bad("a field's value has control signs"))?;
    Ok((name, value))
}

/// Requires one valid host; only HTTP/1.0 users may leave it out (RFC 9112 3.2).
fn one_host(headers: &HeaderMap, old: bool) -> Result<(), HeadError> {
    let mut lines = headers.get_all(HOST).iter();
    match (lines.next(), lines.next()) {
        (None, _) if old => Ok(()),
        (Some(host), None)
            if host
                .as_bytes()
                .iter()
                .all(|byte| byte.is_ascii_graphic() && !b"/?#@,\\".contains(byte)) =>
        {
            Ok(())
        }
        _ => Err(bad("no host, or more than one")),
    }
}

/// Whether `Connection` has this option.
pub(crate) fn has_option(headers: &HeaderMap, option: &str) -> bool {
    let lines = headers.get_all(CONNECTION).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|word| word.trim().eq_ignore_ascii_case(option))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::http1::framing::response_framing;

    fn read(text: &str) -> Result<Option<(RequestHead, usize)>, HeadError> {
        request(text.as_bytes(), None)
    }

    #[test]
    fn a_request_is_parsed() {
        let text = "\r\nPOST /a?b HTTP/1.1\r\nHost: g\r\nX: \tone \r\nContent-Length: 3\r\n\r\nabc";
        let (head, size) = read(text).unwrap().unwrap();
        assert_eq!(
            (head.method, head.target.as_str(), head.framing),
            (Method::POST, "/a?b", Framing::Length(3))
        );
        assert_eq!(head.headers["x"], "one");
        assert_eq!(&text[size..], "abc");
        assert!(read("GET / HTTP/1.1\r\nHost: g\r\n").unwrap().is_none());
    }

    #[test]
    fn invalid_heads_are_refused() {
        for text in [
            "GET / HTTP/1.1\nHost: g\n\n",
            "GET / HTTP/1.1\r\nHost: g\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\rX: y\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : g\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nA: b\r\n c\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\n A: b\r\n\r\n",
            "GET /\0 HTTP/1.1\r\nHost: g\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nA: \0\r\n\r\n",
            "GET  / HTTP/1.1\r\nHost: g\r\n\r\n",
            "GET / HTTP/2.0\r\nHost: g\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nContent-Length: 1, 1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nContent-Length: +1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: g\r\nHost: g\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn responses_are_parsed() {
        let read = |text: &str| {
            let read = response(text.as_bytes(), None, false).ok()??;
            response_framing(read.0.status, &read.0.headers, &Method::GET, None).ok()
        };
        assert_eq!(read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), Some(Framing::Length(3)));
        assert_eq!(
            read("HTTP/1.1 200\r\nTransfer-Encoding: Chunked\r\n\r\n"),
            Some(Framing::Chunked)
        );
        assert_eq!(read("HTTP/1.0 200 OK\r\n\r\n"), Some(Framing::UntilClose));
        assert_eq!(
            read("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n"),
            Some(Framing::None)
        );
        for bad in [
            "hello\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.1 999 OK\r\n\r\n",
            "HTTP/2.0 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..80),
            line in "[GT /H\r\n:a1.]{0,40}",
        ) {
            for bytes in [&bytes[..], line.as_bytes()] {
                let _ = request(bytes, None);
                let _ = response(bytes, None, false);
                let _ = request(bytes, Some(Mutation::TakesFoldedLinesForFields));
            }
        }
    }
}
