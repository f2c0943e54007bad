//! The chunks of a body (RFC 9112 7.1), followed byte by byte.

use bytes::{Buf as _, Bytes, BytesMut};

use super::error::HeadError;
use super::lines::{MOST_FIELDS, field_line};

/// Longest line of a chunk's size, its extensions included, in bytes.
const LONGEST_SIZE_LINE: usize = 1024;
/// All trailer fields together, in bytes.
const LONGEST_TRAILERS: usize = 8 * 1024;

/// State of a chunked body.
#[derive(Clone, Debug)]
pub(super) enum Chunks {
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
}

impl Chunks {
    /// The start of a body.
    pub(super) fn start() -> Self {
        Self::Size { size: 0, digits: 0 }
    }

    /// The next data; none where it has not arrived, or the body is over.
    pub(super) fn decode(&mut self, input: &mut BytesMut) -> Result<Option<Bytes>, HeadError> {
        let mut framing = 0;
        loop {
            if let Self::Data { left } = self {
                input.advance(framing);
                if input.is_empty() {
                    return Ok(None);
                }
                let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= taken as u64;
                if *left == 0 {
                    *self = Self::DataCr;
                }
                return Ok(Some(input.split_to(taken).freeze()));
            }
            if framing == input.len() || self.is_over() {
                input.advance(framing);
                return Ok(None);
            }
            self.byte(input[framing])?;
            framing += 1;
        }
    }

    /// Whether the body is complete.
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Self::Over)
    }

    /// A byte that is not data.
    fn byte(&mut self, byte: u8) -> Result<(), HeadError> {
        match self {
            Self::Size { size, digits } => match (byte, (byte as char).to_digit(16)) {
                // Fifteen digits are more than any body has, and fit.
                (_, Some(digit)) if *digits < 15 => {
                    *size = *size * 16 + u64::from(digit);
                    *digits += 1;
                }
                (b'\r', _) if *digits > 0 => *self = Self::SizeEnd { size: *size },
                (b';', _) if *digits > 0 => *self = Self::Extension { size: *size, length: 0 },
                _ => return Err(HeadError::Chunk),
            },
            Self::Extension { size, length } => match byte {
                b'\r' => *self = Self::SizeEnd { size: *size },
                b'\t' | b' '..=b'~' | 0x80.. if *length < LONGEST_SIZE_LINE => *length += 1,
                _ => return Err(HeadError::Chunk),
            },
            Self::SizeEnd { size } => match (byte, *size) {
                (b'\n', 0) => *self = Self::Trailers { line: Vec::new(), length: 0, fields: 0 },
                (b'\n', left) => *self = Self::Data { left },
                _ => return Err(HeadError::Chunk),
            },
            Self::DataCr if byte == b'\r' => *self = Self::DataLf,
            Self::DataLf if byte == b'\n' => *self = Self::start(),
            Self::Trailers { line, length, fields } => {
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
                    *self = Self::Over;
                } else {
                    *fields += 1;
                    if *fields >= MOST_FIELDS || field_line(line).is_err() {
                        return Err(HeadError::Chunk);
                    }
                    line.clear();
                }
            }
            Self::DataCr | Self::DataLf | Self::Data { .. } | Self::Over => {
                return Err(HeadError::Chunk);
            }
        }
        Ok(())
    }
}
