//! Responses of CGI programs (RFC 3875 6): a head of field lines, then the body.

use std::io;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// The largest head that is read, in bytes. That of `git http-backend` has about 200.
const LARGEST_HEAD: u64 = 16 * 1024;

/// The field that carries the status of the response (RFC 3875 6.3.3).
const STATUS: HeaderName = HeaderName::from_static("status");

/// The status and the field lines of a response.
#[derive(PartialEq, Eq, Debug)]
pub(in crate::rails) struct CgiHead {
    pub(in crate::rails) status: StatusCode,
    pub(in crate::rails) fields: HeaderMap,
}

/// An output that is not a valid CGI response.
#[derive(Debug, thiserror::Error)]
pub(in crate::rails) enum CgiHeadError {
    /// The output cannot be read.
    #[error("its output cannot be read: {0}")]
    Read(io::Error),
    /// The output ended before the empty line, or the head is too large.
    #[error("its output ended before its response began")]
    Unfinished,
    /// A line is not a valid field line, or not a valid status.
    #[error("its response has the line {0:?} where a field was expected")]
    Line(String),
}

/// Reads up to the empty line, and leaves the body in the reader.
pub(in crate::rails) async fn read_head(
    output: &mut (impl AsyncBufRead + Unpin),
) -> Result<CgiHead, CgiHeadError> {
    let mut head = CgiHead { status: StatusCode::OK, fields: HeaderMap::new() };
    let mut output = output.take(LARGEST_HEAD);
    let mut line = Vec::new();
    loop {
        line.clear();
        output.read_until(b'\n', &mut line).await.map_err(CgiHeadError::Read)?;
        let Some(text) = line.strip_suffix(b"\n") else { return Err(CgiHeadError::Unfinished) };
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.is_empty() {
            return Ok(head);
        }
        head.add(text)
            .ok_or_else(|| CgiHeadError::Line(String::from_utf8_lossy(text).into_owned()))?;
    }
}

impl CgiHead {
    fn add(&mut self, line: &[u8]) -> Option<()> {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = line[colon + 1..].trim_ascii();
        if name == STATUS {
            // The reason phrase after the code is ignored.
            let code = value.split(|byte| *byte == b' ').next()?;
            self.status =
                StatusCode::from_bytes(code).ok().filter(|status| !status.is_informational())?;
        } else {
            self.fields.append(name, HeaderValue::from_bytes(value).ok()?);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(mut output: &[u8]) -> (Result<CgiHead, CgiHeadError>, &[u8]) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let head = runtime.block_on(read_head(&mut output));
        (head, output)
    }

    #[test]
    fn a_head_has_a_status_and_fields() {
        let (head, body) =
            read(b"Status: 404 Not Found\r\nContent-Type: text/plain\r\n\r\nno such thing");
        let head = head.unwrap();
        assert_eq!((head.status, body), (StatusCode::NOT_FOUND, &b"no such thing"[..]));
        assert_eq!(head.fields["content-type"], "text/plain");
        assert_eq!(head.fields.len(), 1);
    }

    #[test]
    fn without_a_status_all_is_well() {
        let (head, body) = read(b"X-A: 1\nX-A:2\n\n\n");
        let head = head.unwrap();
        assert_eq!((head.status, body), (StatusCode::OK, &b"\n"[..]));
        assert_eq!(head.fields.get_all("x-a").iter().collect::<Vec<_>>(), ["1", "2"]);
    }

    #[test]
    fn an_invalid_head_is_refused() {
        let error_of = |output: &[u8]| read(output).0.unwrap_err().to_string();
        assert_eq!(error_of(b""), "its output ended before its response began");
        assert_eq!(error_of(b"Status: 200 OK\r\n"), "its output ended before its response began");
        assert_eq!(error_of(&[b'a'; 20_000]), "its output ended before its response began");
        for line in ["fatal", "Status: fine", "Status: 100 Continue", "a b: c", "Status:", ": x"] {
            assert!(error_of(format!("{line}\n\n").as_bytes()).contains(line), "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_output_is_too_strange(output in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&output);
        }

        #[test]
        fn a_body_stays_as_it_is(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let output = [b"A: b\r\n\r\n", body.as_slice()].concat();
            let (head, left) = read(&output);
            prop_assert!(head.is_ok());
            prop_assert_eq!(left, body.as_slice());
        }
    }
}
