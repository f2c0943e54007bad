//! What can be wrong with the bytes of a message.

/// Why a message, and everything after it on its connection, is not passed on (Z-48, Z-54).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HeadError {
    /// The status line is not valid (RFC 9112 4).
    #[error("malformed status line")]
    StatusLine,
    /// A line of the head ends in LF alone, or has a CR within (RFC 9112 2.2).
    #[error("a line that does not end in CRLF")]
    LineEnd,
    /// The request line is not valid HTTP/1.0 or HTTP/1.1 (RFC 9112 3).
    #[error("malformed request line")]
    RequestLine,
    /// `CONNECT`, a target in authority form, or one with a fragment: no tunnel is opened here
    /// (Z-42).
    #[error("target that cannot be forwarded")]
    Target,
    /// A field line without a name, with blank before the colon, or a folded one (Z-50).
    #[error("malformed field line")]
    FieldLine,
    /// A control byte in a field value (RFC 9110 5.5).
    #[error("control byte in a field value")]
    ControlByte,
    /// No `Host` in HTTP/1.1, several, or an invalid one (RFC 9112 3.2).
    #[error("not exactly one valid host")]
    Host,
    /// A `Content-Length` that is not a single number (RFC 9112 6.3).
    #[error("content length that is not a single number")]
    Length,
    /// `Content-Length` and `Transfer-Encoding` in one head (RFC 9112 6.3).
    #[error("content length beside a transfer coding")]
    TwoFramings,
    /// `Transfer-Encoding` without `chunked` at its end, with it twice, or in HTTP/1.0 (RFC 9112
    /// 6.1).
    #[error("transfer coding that does not end in one chunked")]
    Coding,
    /// A transfer coding beside `chunked` (RFC 9112 6.1: 501).
    #[error("unknown transfer coding")]
    UnknownCoding,
    /// The request line alone is longer than a head may be.
    #[error("target too long")]
    TargetTooLong,
    /// The head has too many bytes or fields (Z-47).
    #[error("head too large")]
    TooLarge,
    /// The chunks of a body are not framed as RFC 9112 7.1 asks. The head is gone by then, so that
    /// the body breaks off instead.
    #[error("malformed chunk")]
    Chunk,
}
