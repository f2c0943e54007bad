//! The memory of failures. A correct router has none; only mutations use it (Z-15, Z-16).

use http::{Response, StatusCode};

use crate::base::body::Body;
use crate::base::outcome::{Failure, Refusal};
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::kind::Mutation;

/// Whether this cell may be tried now; the mutation never tries a cell again that could not be
/// reached once.
pub(crate) fn may_send(router: &Router, cell: usize) -> Result<(), Failure> {
    match router.has(Mutation::BansCellsForever) && router.extra().banned.contains(&cell) {
        true => Err(Failure::Unreachable),
        false => Ok(()),
    }
}

/// Records the outcome of a request to a cell.
pub(crate) fn note(router: &Router, cell: usize, response: &Result<Response<Body>, Failure>) {
    if matches!(response, Err(Failure::Unreachable))
        && (router.has(Mutation::BansCellsForever) || router.has(Mutation::OneDeadCellBlocksAll))
    {
        router.extra().banned.insert(cell);
    }
}

/// Records how a request for this path ended, for the mutations that use it.
pub(crate) fn remember_end(router: &Router, ask: &Ask, status: StatusCode) {
    let remembered = match router.mutation() {
        Some(Mutation::RemembersMissingPlaces) => status == StatusCode::NOT_FOUND,
        Some(Mutation::RemembersFailedPreFlights) => status == StatusCode::BAD_GATEWAY,
        _ => false,
    };
    if remembered {
        router.extra().failed.insert(ask.path().to_owned(), status);
    }
}

/// The response of a mutant that repeats an earlier failure.
pub(crate) fn refuses(router: &Router, ask: &Ask) -> Option<Refusal> {
    let extra = router.extra();
    if router.has(Mutation::OneDeadCellBlocksAll) && !extra.banned.is_empty() {
        return Some(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "not all is well"));
    }
    extra.failed.get(ask.path()).map(|status| Refusal::new(*status, "as before"))
}
