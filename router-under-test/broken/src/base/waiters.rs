//! Requests that come while a pre-flight about their path is under way. A correct router may let
//! them wait for its response; some mutations fail them.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;

use crate::base::outcome::Refusal;
use crate::base::owner::{Way, ask_region, decide};
use crate::base::pick::{self, Spelling};
use crate::base::pre_flight::Said;
use crate::base::router::Router;
use crate::base::routes;
use crate::base::target::{Ask, leading};
use crate::kind::Mutation;

/// Simultaneous misses of one path share a pre-flight: the first sends it, the others wait and look
/// again.
pub(crate) async fn single_flight(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let key = format!("{} {}", ask.method, ask.path());
    let flight = router.extra().flights.entry(key.clone()).or_default().clone();
    let guard = flight.lock().await;
    if let Some(cell) = routes::recall(router, ask) {
        return Ok(Way { cell, known: true, drawn: false, unowned: false });
    }
    let response = ask_region(router, ask, Bytes::new()).await;
    router.extra().flights.remove(&key);
    drop(guard);
    let (first, said) = response?;
    decide(router, ask, first, said)
}

/// The mutation of single flight whose followers are told by the first user's request alone: where
/// that one is given up, nobody tells them.
pub(crate) async fn abandoning(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let key = ask.path().to_owned();
    let flight = router.extra().followers.get(&key).cloned();
    if let Some(flight) = flight {
        flight.notified().await;
        if let Some(cell) = routes::recall(router, ask) {
            return Ok(Way { cell, known: true, drawn: false, unowned: false });
        }
        let (first, said) = ask_region(router, ask, Bytes::new()).await?;
        return decide(router, ask, first, said);
    }
    router.extra().followers.insert(key.clone(), Arc::default());
    let response = ask_region(router, ask, Bytes::new()).await;
    let way = response.and_then(|(first, said)| decide(router, ask, first, said));
    if let Some(flight) = router.extra().followers.remove(&key) {
        flight.notify_waiters();
    }
    way
}

/// The mutation of single flight that forgets its waiters.
pub(crate) async fn turning_away(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let flight = router.extra().flights.entry(ask.path().to_owned()).or_default().clone();
    let waits = flight.try_lock().is_err();
    let _guard = flight.lock().await;
    if waits {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "come again"));
    }
    let (first, said) = ask_region(router, ask, Bytes::new()).await?;
    decide(router, ask, first, said)
}

/// The mutations of requests that arrive while a pre-flight is in flight.
pub(crate) async fn crowded(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let joins = router.has(Mutation::JoinsPreFlightsByTopLevel);
    let key = if joins { leading(ask.path(), 1) } else { ask.path() }.to_owned();
    if !joins {
        if router.extra().learning.contains_key(&key) {
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "already being asked for"));
        }
        router.extra().learning.insert(key.clone(), 0);
        let response = ask_region(router, ask, Bytes::new()).await;
        router.extra().learning.remove(&key);
        let (first, said) = response?;
        return decide(router, ask, first, said);
    }
    let flight = router.extra().flights.entry(key.clone()).or_default().clone();
    let mut shared = flight.lock().await;
    if let Some(learnt) = shared.clone() {
        let cell = pick::named(router, &learnt.cell, Spelling::Id)?;
        return Ok(Way { cell, known: true, drawn: false, unowned: false });
    }
    let response = ask_region(router, ask, Bytes::new()).await;
    router.extra().flights.remove(&key);
    let (first, said) = response?;
    if let Said::Owner(learnt) = &said {
        *shared = Some(learnt.clone());
    }
    decide(router, ask, first, said)
}
