//! What can be wrong with the bytes of a message.

use std::fmt;

/// Why a message, and everything after it on its connection, is not passed on (Z-48, Z-54).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadError {
    /// The status line is not valid (RFC 9112 4).
    StatusLine,
    /// A line of the head ends in LF alone, or has a CR within (RFC 9112 2.2).
    LineEnd,
    /// The request line is not valid HTTP/1.0 or HTTP/1.1 (RFC 9112 3).
    RequestLine,
    /// `CONNECT`, a target in authority form, or one with a fragment: no tunnel is opened here
    /// (Z-42).
    Target,
    /// A field line without a name, with blank before the colon, or a folded one (Z-50).
    FieldLine,
    /// A control byte in a field value (RFC 9110 5.5).
    ControlByte,
    /// No `Host` in HTTP/1.1, several, or an invalid one (RFC 9112 3.2).
    Host,
    /// A `Content-Length` that is not a single number (RFC 9112 6.3).
    Length,
    /// `Content-Length` and `Transfer-Encoding` in one head (RFC 9112 6.3).
    TwoFramings,
    /// `Transfer-Encoding` without `chunked` at its end, with it twice, or in HTTP/1.0 (RFC 9112
    /// 6.1).
    Coding,
    /// A transfer coding beside `chunked` (RFC 9112 6.1: 501).
    UnknownCoding,
    /// The request line alone is longer than a head may be.
    TargetTooLong,
    /// The head has too many bytes or fields (Z-47).
    TooLarge,
    /// The chunks of a body are not framed as RFC 9112 7.1 asks. The head is gone by then, so that
    /// the body breaks off instead.
    Chunk,
}

impl fmt::Display for HeadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StatusLine => "malformed status line",
            Self::LineEnd => "a line that does not end in CRLF",
            Self::RequestLine => "malformed request line",
            Self::Target => "target that cannot be forwarded",
            Self::FieldLine => "malformed field line",
            Self::ControlByte => "control byte in a field value",
            Self::Host => "not exactly one valid host",
            Self::Length => "content length that is not a single number",
            Self::TwoFramings => "content length beside a transfer coding",
            Self::Coding => "transfer coding that does not end in one chunked",
            Self::UnknownCoding => "unknown transfer coding",
            Self::TargetTooLong => "target too long",
            Self::TooLarge => "head too large",
            Self::Chunk => "malformed chunk",
        })
    }
}

impl std::error::Error for HeadError {}
