//! The chunks of a body (RFC 9112 7.1), followed byte by byte.

use bytes::{Buf as _, Bytes, BytesMut};

use super::error::HeadError;
use super::lines::{MOST_FIELDS, field_line};

/// Longest line of a chunk's size, its extensions included, in bytes.
const LONGEST_SIZE_LINE: usize = 1024;
/// All trailer fields together, in bytes.
const LONGEST_TRAILERS: usize = 8 * 1024;

/// Bytes of all size lines together beyond what is usual: 16 for each chunk, and twice its data. A
/// sender who gives little data in many chunks would keep the router busy for nothing
/// (CVE-2023-39326, whose repair in Go has the same numbers).
const MOST_OVERHEAD: u64 = 16 * 1024;
const USUAL_OVERHEAD: u64 = 16;

/// A chunked body, as far as it has come.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    state: State,
    /// Bytes of size lines beyond the usual.
    overhead: u64,
}

/// Where in a chunked body the next byte is.
#[derive(Clone, Debug)]
enum State {
    /// In the digits of a size.
    Size {
        size: u64,
        digits: usize,
    },
    /// In the extensions behind a size.
    Extension {
        size: u64,
        length: usize,
    },
    /// Behind the CR of a size line.
    SizeEnd {
        size: u64,
        /// Of the line, without its end.
        length: u64,
    },
    /// In the data; the number of bytes left.
    Data {
        left: u64,
    },
    /// Behind the data.
    DataCr,
    DataLf,
    /// After the last chunk: bytes read of the trailer line, and of all trailers.
    Trailers {
        line: Vec<u8>,
        length: usize,
        fields: usize,
    },
    /// The body is complete.
    Over,
    /// It is malformed: nobody knows where it ends, however often its bytes are read.
    Malformed,
}

impl Chunks {
    /// The start of a body.
    pub(super) fn start() -> Self {
        Self { state: State::next(), overhead: 0 }
    }

    /// The next data; none where it has not arrived, or the body is over.
    pub(super) fn decode(&mut self, input: &mut BytesMut) -> Result<Option<Bytes>, HeadError> {
        let mut framing = 0;
        loop {
            if let State::Data { left } = &mut self.state {
                input.advance(framing);
                if input.is_empty() {
                    return Ok(None);
                }
                let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= taken as u64;
                if *left == 0 {
                    self.state = State::DataCr;
                }
                return Ok(Some(input.split_to(taken).freeze()));
            }
            if framing == input.len() || self.is_over() {
                input.advance(framing);
                return Ok(None);
            }
            if let Err(fault) = self.byte(input[framing]) {
                self.state = State::Malformed;
                return Err(fault);
            }
            framing += 1;
        }
    }

    /// Whether the body is complete.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// A byte that is not data.
    fn byte(&mut self, byte: u8) -> Result<(), HeadError> {
        match &mut self.state {
            State::Size { size, digits } => match (byte, (byte as char).to_digit(16)) {
                // Fifteen digits are more than any body has, and fit.
                (_, Some(digit)) if *digits < 15 => {
                    *size = *size * 16 + u64::from(digit);
                    *digits += 1;
                }
                (b'\r', _) if *digits > 0 => {
                    self.state = State::SizeEnd { size: *size, length: *digits as u64 };
                }
                (b';', _) if *digits > 0 => {
                    self.state = State::Extension { size: *size, length: *digits };
                }
                _ => return Err(HeadError::Chunk),
            },
            State::Extension { size, length } => match byte {
                b'\r' => {
                    self.state = State::SizeEnd { size: *size, length: *length as u64 };
                }
                b'\t' | b' '..=b'~' | 0x80.. if *length < LONGEST_SIZE_LINE => *length += 1,
                _ => return Err(HeadError::Chunk),
            },
            State::SizeEnd { size, length } => {
                let (size, length) = (*size, *length);
                let usual = USUAL_OVERHEAD.saturating_add(size.saturating_mul(2));
                self.overhead = (self.overhead + length).saturating_sub(usual);
                if self.overhead > MOST_OVERHEAD {
                    return Err(HeadError::Chunk);
                }
                match (byte, size) {
                    (b'\n', 0) => {
                        self.state = State::Trailers { line: Vec::new(), length: 0, fields: 0 }
                    }
                    (b'\n', left) => self.state = State::Data { left },
                    _ => return Err(HeadError::Chunk),
                }
            }
            State::DataCr if byte == b'\r' => self.state = State::DataLf,
            State::DataLf if byte == b'\n' => self.state = State::next(),
            State::Trailers { line, length, fields } => {
                *length += 1;
                if *length > LONGEST_TRAILERS {
                    return Err(HeadError::Chunk);
                }
                if byte != b'\n' {
                    // What follows a CR is the end of the line, or the line is malformed.
                    if line.last() == Some(&b'\r') {
                        return Err(HeadError::Chunk);
                    }
                    line.push(byte);
                } else if line.pop() != Some(b'\r') {
                    return Err(HeadError::Chunk);
                } else if line.is_empty() {
                    self.state = State::Over;
                } else {
                    *fields += 1;
                    if *fields >= MOST_FIELDS || field_line(line).is_err() {
                        return Err(HeadError::Chunk);
                    }
                    line.clear();
                }
            }
            State::DataCr | State::DataLf | State::Data { .. } | State::Over | State::Malformed => {
                return Err(HeadError::Chunk);
            }
        }
        Ok(())
    }
}

impl State {
    /// Before a size line.
    fn next() -> Self {
        Self::Size { size: 0, digits: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_once_is_not_read_again() {
        let long = format!("2\r\nab\r\n44c;{}\r\n0\r\n\r\n", "x".repeat(1096));
        for body in ["2\r\nab\r\n0G:x\r\n\r\n", "1\r\na\r\n4 ;\r\n0\r\n\r\n", &long] {
            let (mut chunks, mut input) = (Chunks::start(), BytesMut::from(body));
            assert!(chunks.decode(&mut input).unwrap().is_some());
            for _ in 0..3 {
                assert_eq!(chunks.decode(&mut input), Err(HeadError::Chunk), "{body}");
                assert!(!chunks.is_over());
            }
        }
    }
}
