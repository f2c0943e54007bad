//! Why the router responds itself.

use http::StatusCode;

use crate::http1::HeadError;
use crate::upstream::{LinkError, SendError, Unreachable};

/// Why the router responds itself. The text names no cell (Z-58).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason().trim_end())]
pub(crate) enum Refusal {
    /// The user: the head could be read in more than one way (Z-55, Z-56).
    Malformed,
    /// The user: a transfer coding other than `chunked`.
    UnknownCoding,
    /// The user: the request line is too long.
    TargetTooLong,
    /// The user: the head is too long (Z-47).
    HeadTooLarge,
    /// The user: the target cannot be forwarded.
    BadTarget,
    /// The user: no `Host`, or several.
    BadHost,
    /// The user: the body is truncated.
    BrokenBody,
    /// The user: pre-flights are for routers (Z-10).
    Internal,
    /// The user: the body is longer than what can be kept (Z-20).
    BodyTooLarge,
    /// The user's body was too long to be kept, and the cell that got it was not the owner. The
    /// next time it goes to the owner (Z-82).
    BodyGone,
    /// The user: an `OPTIONS` that may go no further (RFC 9110 7.6.2).
    LastHop,
    /// The user: a `TRACE` that may go no further; the router echoes nothing.
    NoTrace,
    /// The router: the body could not be kept.
    NoRoom,
    /// The router: too many requests are under way.
    Overloaded,
    /// The cell has its share of requests; there is room for others (Z-91).
    CellFull,
    /// The cell that owns the path cannot be reached.
    Unreachable,
    /// None of the cells that could be asked can be reached.
    NoneReachable,
    /// No connection, or no response, in time.
    TooLate,
    /// The connection broke before the response, or the bytes are not HTTP.
    BrokenResponse,
    /// The redirect header is malformed.
    MalformedRedirect,
    /// A redirect header or a learn response names a cell that does not exist (Z-02).
    UnknownCell,
    /// A cell redirects although it was named as the owner by a pre-flight.
    UnexpectedRedirect,
    /// No cell gave a usable learn response (Z-14).
    NotLearnt,
    /// Cells sent the request from one to another too often (Z-01).
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

    /// A name for metrics.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::UnknownCoding => "unknown_coding",
            Self::TargetTooLong => "target_too_long",
            Self::HeadTooLarge => "head_too_large",
            Self::BadTarget => "bad_target",
            Self::BadHost => "bad_host",
            Self::BrokenBody => "broken_body",
            Self::Internal => "internal",
            Self::BodyTooLarge => "body_too_large",
            Self::BodyGone => "body_gone",
            Self::LastHop => "last_hop",
            Self::NoTrace => "no_trace",
            Self::NoRoom => "no_room",
            Self::Overloaded => "overloaded",
            Self::CellFull => "cell_full",
            Self::Unreachable => "unreachable",
            Self::NoneReachable => "none_reachable",
            Self::TooLate => "too_late",
            Self::BrokenResponse => "broken_response",
            Self::MalformedRedirect => "malformed_redirect",
            Self::UnknownCell => "unknown_cell",
            Self::UnexpectedRedirect => "unexpected_redirect",
            Self::NotLearnt => "not_learnt",
            Self::TooManyHops => "too_many_hops",
        }
    }

    /// What the user reads.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Malformed => "the request is malformed\n",
            Self::UnknownCoding => "the transfer coding is unknown\n",
            Self::TargetTooLong => "the request target is too long\n",
            Self::HeadTooLarge => "the request head is too large\n",
            Self::BadTarget => "the request target cannot be forwarded\n",
            Self::BadHost => "the request needs exactly one Host\n",
            Self::BrokenBody => "the request body ended early\n",
            Self::Internal => "not found\n",
            Self::BodyTooLarge => "the request body is too large\n",
            Self::BodyGone => "the request body cannot be sent on, send it again\n",
            Self::LastHop => "this is a proxy, and the request may go no further\n",
            Self::NoTrace => "this proxy echoes no request\n",
            Self::NoRoom => "the request body could not be kept\n",
            Self::Overloaded => "too many requests are under way, try again shortly\n",
            Self::CellFull => "too many requests wait for the upstream server, try again shortly\n",
            Self::Unreachable => "the upstream server cannot be reached\n",
            Self::NoneReachable => "no upstream server can be reached\n",
            Self::TooLate => "the upstream server did not respond in time\n",
            Self::BrokenResponse => "the upstream server broke the connection\n",
            Self::MalformedRedirect => "the upstream server gave a malformed internal redirect\n",
            Self::UnknownCell => "the upstream server named an unknown destination\n",
            Self::UnexpectedRedirect => {
                "the upstream server gave an unexpected internal redirect\n"
            }
            Self::NotLearnt => "no upstream server could tell where the request belongs\n",
            Self::TooManyHops => "the request was redirected internally too often\n",
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
