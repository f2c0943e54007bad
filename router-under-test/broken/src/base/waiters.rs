//! Requests that come while a pre-flight about their path is under way. A correct router may let
//! them wait for its response; some mutations fail them.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;

use crate::base::outcome::Refusal;
use crate::base::owner::{Way, ask_region, decide, learn};
use crate::base::pick::{self, Spelling};
use crate::base::pre_flight::Said;
use crate::base::router::Router;
use crate::base::routes;
use crate::base::target::{Ask, leading};

/// Simultaneous misses of one path share a pre-flight: the first sends it, the others wait and look
/// again.
pub(crate) async fn single_flight(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let key = format!("{} {}", ask.method, ask.path());
    let flight = router.extra().flights.entry(key.clone()).or_default().clone();
    let guard = flight.lock().await;
    if let Some(cell) = routes::recall(router, ask) {
        return Ok(Way::known(cell));
    }
    let way = learn(router, ask).await;
    router.extra().flights.remove(&key);
    drop(guard);
    way
}

/// The mutation of single flight whose followers are told by the first user's request alone: where
/// that one is given up, nobody tells them.
pub(crate) async fn abandoning(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let key = ask.path().to_owned();
    let flight = router.extra().followers.get(&key).cloned();
    if let Some(flight) = flight {
        flight.notified().await;
        if let Some(cell) = routes::recall(router, ask) {
            return Ok(Way::known(cell));
        }
        return learn(router, ask).await;
    }
    router.extra().followers.insert(key.clone(), Arc::default());
    let way = learn(router, ask).await;
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
    learn(router, ask).await
}

/// The mutation that refuses requests about a path that is being asked about.
pub(crate) async fn refusing(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    if !router.extra().learning.insert(ask.path().to_owned()) {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "already being asked for"));
    }
    let way = learn(router, ask).await;
    router.extra().learning.remove(ask.path());
    way
}

/// The mutation that takes the response about one path for all below its first segment.
pub(crate) async fn joining(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let key = leading(ask.path(), 1).to_owned();
    let flight = router.extra().flights.entry(key.clone()).or_default().clone();
    let mut shared = flight.lock().await;
    if let Some(learnt) = shared.clone() {
        return pick::named(router, &learnt.cell, Spelling::Id).map(Way::known);
    }
    let response = ask_region(router, ask, Bytes::new()).await;
    router.extra().flights.remove(&key);
    let (first, said) = response?;
    if let Said::Owner(learnt) = &said {
        *shared = Some(learnt.clone());
    }
    decide(router, ask, first, said)
}
