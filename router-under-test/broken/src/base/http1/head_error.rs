//! Why a head is refused.

use http::StatusCode;

/// Why a head is refused: a status for users, and a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeadError {
    pub(crate) status: StatusCode,
    pub(crate) reason: &'static str,
}

pub(super) const fn bad(reason: &'static str) -> HeadError {
    HeadError { status: StatusCode::BAD_REQUEST, reason }
}
