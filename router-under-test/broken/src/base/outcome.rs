//! What came of a request: a response, a refusal of the router, or no response of a cell.

use http::response::Parts;
use http::{Response, StatusCode};

use crate::base::body::Body;

/// A response that the router gives by itself.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// Names no cell (Z-58).
    pub(crate) reason: &'static str,
    pub(crate) cell: Option<usize>,
    /// The redirect target for the user; only mutants have one.
    pub(crate) location: Option<String>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: &'static str) -> Self {
        Self { status, reason, cell: None, location: None }
    }

    pub(crate) fn bad_gateway(reason: &'static str) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, reason)
    }
}

/// A cell's response, and how the router got it.
pub(crate) struct Routed {
    pub(crate) response: Response<Body>,
    /// The cell that responded.
    pub(crate) cell: usize,
    /// The cell came from the cache.
    pub(crate) known: bool,
    /// Fields of responses that were not for the user, such as `Set-Cookie`; only mutations read
    /// them.
    pub(crate) bounces: Vec<Parts>,
}

/// The reason of a refusal where the user's request broke off, or went wrong, on its way.
pub(crate) const HALF_ASKED: &str = "the request broke off";

/// Why a cell gave no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No connection: the cell has not read anything.
    Unreachable,
    /// No response in time.
    Late,
    /// The connection ended before a byte of the response.
    Silent,
    /// Something else went wrong on the way.
    Broken,
    /// The user's request was truncated while it was forwarded.
    HalfAsked,
}

impl Failure {
    pub(crate) fn refusal(self, cell: usize) -> Refusal {
        let (status, reason) = match self {
            Self::Unreachable => {
                (StatusCode::BAD_GATEWAY, "no connection to the place that has this")
            }
            Self::Late => (StatusCode::GATEWAY_TIMEOUT, "no response in time"),
            Self::Silent => (StatusCode::BAD_GATEWAY, "the connection ended without a response"),
            Self::Broken => (StatusCode::BAD_GATEWAY, "the response broke off"),
            Self::HalfAsked => (StatusCode::BAD_REQUEST, HALF_ASKED),
        };
        Refusal { cell: Some(cell), ..Refusal::new(status, reason) }
    }
}
