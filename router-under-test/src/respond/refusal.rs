//! Why the router responds itself.

use http::StatusCode;

use crate::http1::HeadError;
use crate::upstream::{LinkError, SendError, Unreachable};

/// Why the router responds itself. The user reads the text, which names no cell (Z-58); metrics and
/// the access log have the name of the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Refusal {
    /// The user: the head could be read in more than one way (Z-55, Z-56).
    #[error("the request is malformed")]
    Malformed,
    /// The user: a transfer coding other than `chunked`.
    #[error("the transfer coding is unknown")]
    UnknownCoding,
    /// The user: the request line is too long.
    #[error("the request target is too long")]
    TargetTooLong,
    /// The user: the head is too long (Z-47).
    #[error("the request head is too large")]
    HeadTooLarge,
    /// The user: the target cannot be forwarded.
    #[error("the request target cannot be forwarded")]
    BadTarget,
    /// The user: no `Host`, or several.
    #[error("the request needs exactly one Host")]
    BadHost,
    /// The user: the body is truncated.
    #[error("the request body ended early")]
    BrokenBody,
    /// The user: pre-flights are for routers (Z-10).
    #[error("not found")]
    Internal,
    /// The user: the body is longer than what can be kept (Z-20).
    #[error("the request body is too large")]
    BodyTooLarge,
    /// The user's body was too long to be kept, and the cell that got it was not the owner. The
    /// next time it goes to the owner (Z-82).
    #[error("the request body cannot be sent on, send it again")]
    BodyGone,
    /// The user: an `OPTIONS` that may go no further (RFC 9110 7.6.2).
    #[error("this is a proxy, and the request may go no further")]
    LastHop,
    /// The user: a `TRACE` that may go no further; the router echoes nothing.
    #[error("this proxy echoes no request")]
    NoTrace,
    /// The router: the body could not be kept.
    #[error("the request body could not be kept")]
    NoRoom,
    /// The router: too many requests are under way.
    #[error("too many requests are under way, try again shortly")]
    Overloaded,
    /// The cell has its share of requests; there is room for others (Z-91).
    #[error("too many requests wait for the upstream server, try again shortly")]
    CellFull,
    /// The cell that owns the path cannot be reached.
    #[error("the upstream server cannot be reached")]
    Unreachable,
    /// None of the cells that could be asked can be reached.
    #[error("no upstream server can be reached")]
    NoneReachable,
    /// No connection, or no response, in time.
    #[error("the upstream server did not respond in time")]
    TooLate,
    /// The connection broke before the response, or the bytes are not HTTP.
    #[error("the upstream server broke the connection")]
    BrokenResponse,
    /// The redirect header is malformed.
    #[error("the upstream server gave a malformed internal redirect")]
    MalformedRedirect,
    /// A redirect header or a learn response names a cell that does not exist (Z-02).
    #[error("the upstream server named an unknown destination")]
    UnknownCell,
    /// A cell redirects although it was named as the owner by a pre-flight.
    #[error("the upstream server gave an unexpected internal redirect")]
    UnexpectedRedirect,
    /// No cell gave a usable learn response (Z-14).
    #[error("no upstream server could tell where the request belongs")]
    NotLearnt,
    /// Cells sent the request from one to another too often (Z-01).
    #[error("the request was redirected internally too often")]
    TooManyHops,
}

impl Refusal {
    /// The status of the response.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::Malformed | Self::BadTarget | Self::BadHost | Self::BrokenBody => {
                StatusCode::BAD_REQUEST
            }
            Self::UnknownCoding => StatusCode::NOT_IMPLEMENTED,
            Self::TargetTooLong => StatusCode::URI_TOO_LONG,
            Self::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::Internal => StatusCode::NOT_FOUND,
            Self::LastHop => StatusCode::OK,
            Self::NoTrace => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTooLarge | Self::BodyGone => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NoRoom | Self::Overloaded | Self::CellFull | Self::NoneReachable => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::TooLate => StatusCode::GATEWAY_TIMEOUT,
            Self::TooManyHops => StatusCode::LOOP_DETECTED,
            Self::Unreachable
            | Self::BrokenResponse
            | Self::MalformedRedirect
            | Self::UnknownCell
            | Self::UnexpectedRedirect
            | Self::NotLearnt => StatusCode::BAD_GATEWAY,
        }
    }
}

impl From<HeadError> for Refusal {
    fn from(error: HeadError) -> Self {
        match error {
            HeadError::Host => Self::BadHost,
            HeadError::Target => Self::BadTarget,
            HeadError::UnknownCoding => Self::UnknownCoding,
            HeadError::TargetTooLong => Self::TargetTooLong,
            HeadError::TooLarge => Self::HeadTooLarge,
            HeadError::Chunk => Self::BrokenBody,
            HeadError::StatusLine
            | HeadError::LineEnd
            | HeadError::RequestLine
            | HeadError::FieldLine
            | HeadError::ControlByte
            | HeadError::Length
            | HeadError::TwoFramings
            | HeadError::Coding => Self::Malformed,
        }
    }
}

/// What the user gets if no other cell may be asked.
impl From<SendError> for Refusal {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Unsent(Unreachable::TimedOut, _) | SendError::TimedOut => Self::TooLate,
            SendError::Unsent(..) => Self::Unreachable,
            SendError::Full(_) => Self::CellFull,
            SendError::Local(_) => Self::Overloaded,
            SendError::Broken(LinkError::Body(_)) => Self::BrokenBody,
            SendError::Broken(_) | SendError::Bad(_) => Self::BrokenResponse,
        }
    }
}
