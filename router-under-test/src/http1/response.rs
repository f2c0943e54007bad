//! The head of a response, line by line (RFC 9112 4).

use bytes::Bytes;
use http::{Response, StatusCode, Version};

use super::error::HeadError;
use super::lines::{Fields, LineError, Lines};
use super::token::is_value;

/// A reason phrase that is not the usual one of its status.
#[derive(Clone, Debug)]
pub(crate) struct Reason(pub(crate) Bytes);

/// Reads the heads of one connection.
#[derive(Debug, Default)]
pub(crate) struct ResponseReader {
    lines: Lines,
    /// The version, the status, and where the reason phrase begins and ends.
    line: Option<(Version, StatusCode, usize, usize)>,
    fields: Fields,
}

impl ResponseReader {
    /// Reads on in these bytes, the first of which are those of the last call; gives the length of
    /// the head once it is whole.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<Option<usize>, HeadError> {
        loop {
            let line = self.lines.next(bytes).map_err(|error| match error {
                LineError::TooLong => HeadError::TooLarge,
                LineError::Ending => HeadError::LineEnd,
            })?;
            let Some(line) = line else { return Ok(None) };
            match self.line {
                None => {
                    let text = &bytes[line.clone()];
                    let (version, status) = status_line(text).ok_or(HeadError::StatusLine)?;
                    let reason = line.end.min(line.start + REASON_AT);
                    self.line = Some((version, status, reason, line.end));
                }
                Some(_) if line.is_empty() => return Ok(Some(self.lines.length())),
                Some(_) => {
                    self.fields.line(bytes, line)?;
                }
            }
        }
    }

    /// The response whose head these bytes are. The next head is another one.
    pub(crate) fn finish(&mut self, head: &Bytes) -> Result<Response<()>, HeadError> {
        let headers = self.fields.of(head);
        self.fields.clear();
        self.lines = Lines::default();
        let (version, status, from, to) = self.line.take().ok_or(HeadError::StatusLine)?;
        let mut response = Response::new(());
        *response.version_mut() = version;
        *response.status_mut() = status;
        *response.headers_mut() = headers?;
        if status.canonical_reason().map(str::as_bytes) != Some(&head[from..to]) {
            response.extensions_mut().insert(Reason(head.slice(from..to)));
        }
        Ok(response)
    }
}

/// Where a reason phrase begins: behind `HTTP/1.1 200 `.
const REASON_AT: usize = 13;

fn status_line(line: &[u8]) -> Option<(Version, StatusCode)> {
    let (version, rest) = match line.split_at_checked(9)? {
        (b"HTTP/1.1 ", rest) => (Version::HTTP_11, rest),
        (b"HTTP/1.0 ", rest) => (Version::HTTP_10, rest),
        _ => return None,
    };
    let (status, reason) = rest.split_at_checked(3)?;
    // A phrase may be missing, and the blank ahead of it with it.
    let reason_is_fine = reason.is_empty() || (reason[0] == b' ' && is_value(reason));
    let status = StatusCode::from_bytes(status).ok()?;
    reason_is_fine.then_some((version, status))
}
