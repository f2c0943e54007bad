//! What the user gets where no cell's response can be given.

use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Response, StatusCode};

use crate::response::{self, UserBody};

/// Why the router responds itself. The user reads the text, which names no cell (Z-58).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The user: a transfer coding other than `chunked`.
    #[error("the transfer coding is unknown")]
    UnknownCoding,
    /// The user: the target cannot be forwarded.
    #[error("the request target cannot be forwarded")]
    BadTarget,
    /// The user: no `Host`, or several.
    #[error("the request needs exactly one Host")]
    BadHost,
    /// The user: escaped for a pre-flight, the target is too long.
    #[error("the request target is too long")]
    TargetTooLong,
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
    NotLearned,
    /// Cells sent the request from one to another too often (Z-01).
    #[error("the request was redirected internally too often")]
    TooManyHops,
}

impl Refusal {
    /// The status of the response.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            Self::BadTarget | Self::BadHost | Self::BrokenBody => StatusCode::BAD_REQUEST,
            Self::UnknownCoding => StatusCode::NOT_IMPLEMENTED,
            Self::TargetTooLong => StatusCode::URI_TOO_LONG,
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
            | Self::NotLearned => StatusCode::BAD_GATEWAY,
        }
    }

    /// The router's own response. Where the body of the request was not read, it is the last
    /// one on its connection, and says so (Z-57).
    #[must_use]
    pub fn response(self, is_last: bool) -> Response<UserBody> {
        let mut response = Response::new(response::whole(format!("{self}\n")));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if is_last {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        // RFC 9110 9.3.7 and 15.5.6.
        if matches!(self, Self::LastHop | Self::NoTrace) {
            headers.insert(ALLOW, HeaderValue::from_static("OPTIONS"));
        }
        // The same request may succeed shortly: a 413 that is temporary says so (RFC 9110 15.5.14).
        if matches!(self, Self::Overloaded | Self::NoRoom | Self::CellFull | Self::BodyGone) {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
