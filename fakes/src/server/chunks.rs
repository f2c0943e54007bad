//! The chunks of a body: where they begin and end (RFC 9112 7.1).

use super::head::{MAX_FIELDS, field};

/// Bytes that the line of a chunk's size, or all trailers, may have.
const LONGEST: usize = 16 * 1024;

/// What comes next in a chunked body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chunks {
    Size,
    /// This many bytes of content.
    Data(u64),
    DataEnd,
    Trailers,
}

/// What the next bytes of a body are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// What they are shows with the bytes behind them.
    Waits,
    /// This many bytes belong to the framing.
    Framing(usize),
    /// This many bytes are content.
    Content(usize),
    /// This many bytes end the body.
    End(usize),
}

impl Chunks {
    /// What the next bytes are. An error says why they are no chunks; none where they are too many.
    pub(super) fn step(&mut self, bytes: &[u8]) -> Result<Step, Option<&'static str>> {
        match *self {
            Self::Data(0) => {
                *self = Self::DataEnd;
                self.step(bytes)
            }
            Self::Data(left) => {
                let here = left.min(bytes.len() as u64);
                *self = Self::Data(left - here);
                Ok(if here == 0 { Step::Waits } else { Step::Content(here as usize) })
            }
            Self::DataEnd => match bytes {
                [b'\r', b'\n', ..] => {
                    *self = Self::Size;
                    Ok(Step::Framing(2))
                }
                [] | [b'\r'] => Ok(Step::Waits),
                _ => Err(Some("a chunk without CRLF behind its data")),
            },
            Self::Size => {
                let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
                    return waits(bytes);
                };
                let size = size(&bytes[..end])?;
                *self = if size == 0 { Self::Trailers } else { Self::Data(size) };
                Ok(Step::Framing(end + 1))
            }
            Self::Trailers => trailers(bytes),
        }
    }
}

fn waits(bytes: &[u8]) -> Result<Step, Option<&'static str>> {
    if bytes.len() < LONGEST { Ok(Step::Waits) } else { Err(None) }
}

/// The size in a line, which has no LF any more.
fn size(line: &[u8]) -> Result<u64, &'static str> {
    const NO_SIZE: &str = "a chunk size that is no hexadecimal number of 64 bits";
    let (digits, rest) =
        line.split_at(line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count());
    match rest {
        [b'\r'] | [b';', .., b'\r'] => {}
        [] if !digits.is_empty() => return Err("a bare LF behind a chunk size"),
        [b'\r', ..] => return Err("a bare CR behind a chunk size"),
        [b' ' | b'\t', ..] if rest.trim_ascii_start().first() == Some(&b';') => {}
        [b' ' | b'\t', ..] if !digits.is_empty() => {
            return Err("a blank behind a chunk size without an extension");
        }
        [b';', ..] => {}
        _ => return Err(NO_SIZE),
    }
    let extension = rest.strip_suffix(b"\r").unwrap_or(b"\n");
    if extension.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        return Err("a control byte in chunk extensions");
    }
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    u64::from_str_radix(digits, 16).map_err(|_| NO_SIZE)
}

/// The block behind the last chunk, up to its empty line.
fn trailers(bytes: &[u8]) -> Result<Step, Option<&'static str>> {
    let mut length = 0;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        length += line.len();
        match line.strip_suffix(b"\r\n") {
            Some(b"") => return Ok(Step::End(length)),
            _ if index == MAX_FIELDS => return Err(None),
            Some(line) => _ = field(line)?,
            None if line.ends_with(b"\n") => return Err(Some("trailers without their end")),
            None if line[..line.len() - 1].contains(&b'\r') => {
                return Err(Some("trailers without their end"));
            }
            None => {}
        }
    }
    waits(bytes)
}
