//! The lines of a head, as they arrive.

use std::ops::Range;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use memchr::memchr;

use super::error::HeadError;
use super::token::{is_token, is_value, trim};

/// Longest head, its last line included, in bytes (Z-47, Z-48). Longer ones are refused, never cut.
pub(crate) const LONGEST_HEAD: usize = 64 * 1024;

/// Most field lines of a head.
pub(crate) const MOST_FIELDS: usize = 100;

/// Finds lines; no byte is looked at twice.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Where the next line begins.
    next: usize,
    /// How many bytes were looked at.
    scanned: usize,
}

impl Lines {
    /// Where the next line is, without its CRLF; none where it has not arrived as a whole.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Result<Option<Range<usize>>, LineError> {
        let Some(end) = memchr(b'\n', &bytes[self.scanned..]).map(|at| self.scanned + at) else {
            self.scanned = bytes.len();
            return if bytes.len() >= LONGEST_HEAD { Err(LineError::TooLong) } else { Ok(None) };
        };
        if end >= LONGEST_HEAD {
            return Err(LineError::TooLong);
        }
        let line = self.next..end.saturating_sub(1);
        if end == self.next
            || bytes[end - 1] != b'\r'
            || memchr(b'\r', &bytes[line.clone()]).is_some()
        {
            return Err(LineError::Ending);
        }
        (self.next, self.scanned) = (end + 1, end + 1);
        Ok(Some(line))
    }

    /// The length of the lines so far.
    pub(super) fn length(&self) -> usize {
        self.next
    }
}

/// Why there is no next line.
#[derive(Clone, Copy, Debug)]
pub(super) enum LineError {
    /// The head is too long.
    TooLong,
    /// The line ends in LF alone, or has a CR within (RFC 9112 2.2).
    Ending,
}

/// Where name and value of each field line are.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<[u32; 4]>);

impl Fields {
    /// Takes the field line in this range; gives name and value.
    pub(super) fn line<'a>(
        &mut self,
        bytes: &'a [u8],
        line: Range<usize>,
    ) -> Result<(&'a [u8], &'a [u8]), HeadError> {
        if self.0.len() >= MOST_FIELDS {
            return Err(HeadError::TooLarge);
        }
        let text = &bytes[line.clone()];
        let (name, value) = field_line(text)?;
        // A value without the blanks around it begins somewhere after the colon.
        let begins = text.len() - text[name.len() + 1..].trim_ascii_start().len();
        // Heads are short.
        let [from, name_end, value_from, value_end] = [
            line.start,
            line.start + name.len(),
            line.start + begins,
            line.start + begins + value.len(),
        ]
        .map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        self.0.push([from, name_end, value_from, value_end]);
        Ok((name, value))
    }

    /// The fields of this head, whose bytes they share.
    pub(super) fn of(&self, head: &Bytes) -> Result<HeaderMap, HeadError> {
        let mut headers = HeaderMap::with_capacity(self.0.len() + ADDED);
        for span in &self.0 {
            let [from, name_end, value_from, value_end] = span.map(|at| at as usize);
            let name =
                HeaderName::from_bytes(&head[from..name_end]).map_err(|_| HeadError::FieldLine)?;
            let value = HeaderValue::from_maybe_shared(head.slice(value_from..value_end))
                .map_err(|_| HeadError::ControlByte)?;
            headers.append(name, value);
        }
        Ok(headers)
    }

    /// Forgets them, for the next head.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The router adds so many fields: there is room for them from the start.
const ADDED: usize = 5;

/// Name and value of a field line, which has neither its CRLF nor the blanks around the value.
pub(super) fn field_line(line: &[u8]) -> Result<(&[u8], &[u8]), HeadError> {
    let colon = memchr(b':', line).ok_or(HeadError::FieldLine)?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    // A folded line begins with a blank, which no name has.
    if !is_token(name) {
        return Err(HeadError::FieldLine);
    }
    if !is_value(value) {
        return Err(HeadError::ControlByte);
    }
    Ok((name, trim(value)))
}
