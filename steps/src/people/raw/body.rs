//! The framing of message bodies (RFC 9112 6).

use bytes::{Buf, BytesMut};
use cell_fleet::{Digester, Field};

/// The longest line in chunked coding.
const LINE: usize = 64 * 1024;

/// What of a body has not come yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Framing {
    Length(u64),
    Chunked(Chunk),
    /// Everything until the connection is closed.
    Close,
}

/// The position of the parser in chunked coding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chunk {
    /// Before the size of a chunk.
    Size,
    /// Within a chunk, with this many bytes to come.
    Data(u64),
    /// Before the line break after a chunk.
    Break,
    /// Before a trailer field or the blank line after them.
    Trailers,
}

/// The progress that more bytes allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    Nothing,
    /// Something was taken; there may be more.
    Some,
    End,
}

impl Framing {
    /// The framing of a response with a body.
    pub(super) fn of_response(fields: &[Field]) -> Result<Self, String> {
        Ok(Self::stated(fields)?.unwrap_or(Self::Close))
    }

    pub(super) fn of_request(fields: &[Field]) -> Result<Self, String> {
        Ok(Self::stated(fields)?.unwrap_or(Self::Length(0)))
    }

    fn stated(fields: &[Field]) -> Result<Option<Self>, String> {
        let values = |name: &'static str| {
            fields.iter().filter(move |field| field.is(name)).map(|field| field.value.to_string())
        };
        let coding = values("Transfer-Encoding").collect::<Vec<_>>().join(",");
        if !coding.is_empty() {
            let last = coding.rsplit(',').next().unwrap_or_default().trim();
            return Ok(Some(if last.eq_ignore_ascii_case("chunked") {
                Self::Chunked(Chunk::Size)
            } else {
                Self::Close
            }));
        }
        let mut length = None;
        for value in values("Content-Length") {
            for one in value.split(',').map(str::trim) {
                let is_number = !one.is_empty() && one.bytes().all(|byte| byte.is_ascii_digit());
                let one = one
                    .parse::<u64>()
                    .ok()
                    .filter(|_| is_number)
                    .ok_or_else(|| format!("its length is `{value}`"))?;
                if length.is_some_and(|length| length != one) {
                    return Err("it states two lengths".to_owned());
                }
                length = Some(one);
            }
        }
        Ok(length.map(Self::Length))
    }

    /// Takes the available part of the body.
    pub(super) fn take(
        &mut self,
        buffer: &mut BytesMut,
        body: &mut Digester,
    ) -> Result<Taken, String> {
        match self {
            Self::Length(0) => Ok(Taken::End),
            Self::Length(left) => Ok(pour(buffer, left, body)),
            Self::Close => {
                let mut left = u64::MAX;
                Ok(pour(buffer, &mut left, body))
            }
            Self::Chunked(chunk) => chunk.take(buffer, body),
        }
    }
}

impl Chunk {
    fn take(&mut self, buffer: &mut BytesMut, body: &mut Digester) -> Result<Taken, String> {
        match self {
            Self::Size => match httparse::parse_chunk_size(buffer) {
                Ok(httparse::Status::Complete((end, size))) => {
                    buffer.advance(end);
                    *self = if size == 0 { Self::Trailers } else { Self::Data(size) };
                    Ok(Taken::Some)
                }
                Ok(httparse::Status::Partial) if buffer.len() <= LINE => Ok(Taken::Nothing),
                _ => Err("a chunk has no size".to_owned()),
            },
            Self::Data(left) => {
                let taken = pour(buffer, left, body);
                if *left == 0 {
                    *self = Self::Break;
                }
                Ok(taken)
            }
            Self::Break => match buffer.first_chunk::<2>() {
                Some(b"\r\n") => {
                    buffer.advance(2);
                    *self = Self::Size;
                    Ok(Taken::Some)
                }
                None => Ok(Taken::Nothing),
                Some(_) => Err("a chunk is longer than its size".to_owned()),
            },
            Self::Trailers => match buffer.iter().position(|byte| *byte == b'\n') {
                Some(end) => {
                    let line = buffer.split_to(end + 1);
                    Ok(if line.trim_ascii().is_empty() { Taken::End } else { Taken::Some })
                }
                None if buffer.len() <= LINE => Ok(Taken::Nothing),
                None => Err("a trailer field has no end".to_owned()),
            },
        }
    }
}

fn pour(buffer: &mut BytesMut, left: &mut u64, body: &mut Digester) -> Taken {
    let take = usize::try_from(*left).unwrap_or(usize::MAX).min(buffer.len());
    if take == 0 {
        return Taken::Nothing;
    }
    body.update(&buffer[..take]);
    buffer.advance(take);
    *left -= take as u64;
    Taken::Some
}
