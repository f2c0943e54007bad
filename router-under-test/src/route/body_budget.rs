//! What users' bodies take of the budget on their way to a cell.

use http_body::Body as _;

use crate::body::Reservation;
use crate::http1::MOST_OF_A_USER;
use crate::respond::Refusal;
use crate::user::RequestBody;

/// Holds what a body takes that is passed on as it comes, beside what is kept of it.
pub(super) fn reserve_stream(
    reservation: &mut Reservation,
    kept: u64,
    rest: &RequestBody,
) -> Result<(), Refusal> {
    let read_at_once = MOST_OF_A_USER as u64;
    let rest = rest.size_hint().exact().map_or(read_at_once, |rest| rest.min(read_at_once));
    if reservation.hold(kept + rest) { Ok(()) } else { Err(no_room()) }
}

/// The refusal of a body for which there is no budget.
pub(super) fn no_room() -> Refusal {
    tracing::warn!("users' bodies take too much to take another one");
    Refusal::NoRoom
}
