//! Places for requests that wait for a cell. A correct router of this size needs none; only mutations
//! have them (Z-91, Z-92).

use std::sync::Arc;

use crate::base::outcome::Failure;
use crate::base::router::Router;
use crate::kind::Mutation;

/// How many requests may wait.
const PLACES: usize = 64;

/// A place, until this is dropped.
pub(crate) struct Place {
    router: Arc<Router>,
    waits_for: Option<usize>,
}

/// Takes a place where the mutation asks for one.
pub(crate) fn take(router: &Arc<Router>, cell: usize) -> Result<Option<Place>, Failure> {
    let waits_for = match router.mutation() {
        Some(Mutation::OneLimitForAllCells) => None,
        Some(Mutation::KeepsPlacesOfUsersWhoLeft) => Some(cell),
        _ => return Ok(None),
    };
    let mut extra = router.extra();
    let taken = extra.waiting.entry(waits_for).or_default();
    if *taken >= PLACES {
        return Err(Failure::Late);
    }
    *taken += 1;
    drop(extra);
    Ok(Some(Place { router: Arc::clone(router), waits_for }))
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(taken) = self.router.extra().waiting.get_mut(&self.waits_for) {
            *taken -= 1;
        }
    }
}
