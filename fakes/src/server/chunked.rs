//! The chunks of a body: where they begin and end (RFC 9112 7.1).
//!
//! The limits are those of the HTTP server behind the tap, and the grammar is as strict or stricter:
//! a blank behind a size has a `;` behind it, and extensions have no control bytes (RFC 9112 7.1.1).
//! Both must agree on the byte at which the next request begins.

use super::grammar;
use super::head::MAX_FIELDS;

/// Bytes of chunk extensions that one body may have.
const EXTENSIONS: u64 = 16 * 1024;
/// Bytes of trailer fields that one body may have.
const TRAILERS: usize = 16 * 1024;

/// Follows one chunked body through its bytes.
#[derive(Debug, Default)]
pub(super) struct Chunked {
    state: ChunkState,
    /// Bytes of the current chunk that are still to come.
    remaining: u64,
    extensions: u64,
    trailers: Vec<u8>,
    trailer_fields: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ChunkState {
    #[default]
    Start,
    Size,
    SizeBlank,
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    Trailer,
    TrailerLf,
    EndCr,
    EndLf,
    Finished,
}

/// What the next bytes of a chunked body are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// This many bytes belong to the framing.
    Framing(usize),
    /// This many bytes are content.
    Content(usize),
    /// This many bytes end the body.
    End(usize),
    /// The bytes from here on are not a chunked body, for this reason; none where a limit ends it.
    Broken(Option<&'static str>),
}

impl Chunked {
    /// Consumes the bytes that are of one kind. `bytes` must not be empty.
    pub(super) fn step(&mut self, bytes: &[u8]) -> Step {
        if self.state == ChunkState::Data {
            let here = self.remaining.min(bytes.len() as u64);
            self.remaining -= here;
            if self.remaining == 0 {
                self.state = ChunkState::DataCr;
            }
            return Step::Content(here as usize);
        }
        for (index, byte) in bytes.iter().enumerate() {
            let Some(state) = self.next(*byte) else { return Step::Broken(self.why(*byte)) };
            self.state = state;
            match state {
                ChunkState::Data => return Step::Framing(index + 1),
                ChunkState::Finished if self.trailers_are_fields() => return Step::End(index + 1),
                ChunkState::Finished => return Step::Broken(self.why(*byte)),
                _ => {}
            }
        }
        Step::Framing(bytes.len())
    }

    /// The state after a byte of framing; `None` where the byte breaks the grammar.
    fn next(&mut self, byte: u8) -> Option<ChunkState> {
        Some(match (self.state, byte) {
            (ChunkState::Start | ChunkState::Size, _) if byte.is_ascii_hexdigit() => {
                let digit = u64::from(char::from(byte).to_digit(16)?);
                self.remaining = self.remaining.checked_mul(16)?.checked_add(digit)?;
                ChunkState::Size
            }
            (ChunkState::Size | ChunkState::SizeBlank, b'\t' | b' ') => ChunkState::SizeBlank,
            (ChunkState::Size | ChunkState::SizeBlank, b';') => ChunkState::Extension,
            (ChunkState::Size | ChunkState::Extension, b'\r') => ChunkState::SizeLf,
            (ChunkState::Extension, _) if byte.is_ascii_control() && byte != b'\t' => return None,
            (ChunkState::Extension, _) => {
                self.extensions += 1;
                if self.extensions >= EXTENSIONS {
                    return None;
                }
                ChunkState::Extension
            }
            (ChunkState::SizeLf, b'\n') if self.remaining == 0 => ChunkState::EndCr,
            (ChunkState::SizeLf, b'\n') => ChunkState::Data,
            (ChunkState::DataCr, b'\r') => ChunkState::DataLf,
            (ChunkState::DataLf, b'\n') => ChunkState::Start,
            // The last line break belongs to no trailer; with trailers it ends their block.
            (ChunkState::EndCr, b'\r') if self.trailers.is_empty() => ChunkState::EndLf,
            (ChunkState::EndLf, b'\n') if self.trailers.is_empty() => ChunkState::Finished,
            (
                ChunkState::EndCr | ChunkState::EndLf | ChunkState::Trailer | ChunkState::TrailerLf,
                _,
            ) => {
                return self.trailer(byte);
            }
            _ => return None,
        })
    }

    fn trailer(&mut self, byte: u8) -> Option<ChunkState> {
        // A carriage return after the last chunk without a line feed is not a trailer.
        if self.state == ChunkState::EndLf && self.trailers.is_empty() {
            return None;
        }
        self.trailers.push(byte);
        if self.trailers.len() >= TRAILERS {
            return None;
        }
        Some(match (self.state, byte) {
            (ChunkState::EndCr, b'\r') => ChunkState::EndLf,
            (ChunkState::EndLf, b'\n') => ChunkState::Finished,
            (ChunkState::EndCr, _) => ChunkState::Trailer,
            (ChunkState::Trailer, b'\r') => ChunkState::TrailerLf,
            (ChunkState::Trailer, _) => ChunkState::Trailer,
            (ChunkState::TrailerLf, b'\n') if self.trailer_fields < MAX_FIELDS => {
                self.trailer_fields += 1;
                ChunkState::EndCr
            }
            _ => return None,
        })
    }

    /// Why this byte breaks the grammar in this state; `None` where a limit is reached.
    fn why(&self, byte: u8) -> Option<&'static str> {
        Some(match self.state {
            ChunkState::Size if byte == b'\n' => "a bare LF behind a chunk size",
            ChunkState::Start | ChunkState::Size => {
                "a chunk size that is no hexadecimal number of 64 bits"
            }
            ChunkState::SizeBlank => "a blank behind a chunk size without an extension",
            ChunkState::Extension if self.extensions >= EXTENSIONS => return None,
            ChunkState::Extension => "a control byte in chunk extensions",
            ChunkState::SizeLf => "a bare CR behind a chunk size",
            ChunkState::Data | ChunkState::DataCr | ChunkState::DataLf => {
                "a chunk without CRLF behind its data"
            }
            _ if self.trailers.len() >= TRAILERS || self.trailer_fields >= MAX_FIELDS => {
                return None;
            }
            _ => grammar::field_lines(&self.trailers).unwrap_or("trailers without their end"),
        })
    }

    fn trailers_are_fields(&self) -> bool {
        let mut fields = vec![httparse::EMPTY_HEADER; self.trailer_fields];
        self.trailers.is_empty()
            || (grammar::field_lines(&self.trailers).is_none()
                && matches!(
                    httparse::parse_headers(&self.trailers, &mut fields),
                    Ok(httparse::Status::Complete(_))
                ))
    }
}
