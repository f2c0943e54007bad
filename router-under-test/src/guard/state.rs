//! What the guard of a connection and the service behind it tell each other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::RequestError;
use super::follow::Follower;

/// What the guard of a connection and the service behind it tell each other.
#[derive(Clone, Debug)]
pub(crate) struct GuardState(Arc<Mutex<Shared>>);

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) follower: Follower,
    /// The number of the substituted request, and why it is refused.
    refused: Option<(u64, RequestError)>,
    /// Who waits for the response to a request for another protocol.
    pub(super) waiting: Option<Waker>,
    /// The end of the connection may be that of a response, and has not come as such.
    pub(super) ends_unmarked: bool,
}

impl GuardState {
    /// Before the first byte.
    pub(super) fn new() -> (Self, Arc<Mutex<Shared>>) {
        let shared = Arc::new(Mutex::new(Shared {
            follower: Follower::new(),
            refused: None,
            waiting: None,
            ends_unmarked: false,
        }));
        (Self(Arc::clone(&shared)), shared)
    }

    /// Why the request of this number (the first is 1) is refused, if it is.
    pub(crate) fn on(&self, number: u64) -> Option<RequestError> {
        lock(&self.0).refused.filter(|(refused, _)| *refused == number).map(|(_, fault)| fault)
    }

    /// Tells whether the request of this number received a change of protocol. To be called for
    /// every request: what comes behind one that asks for it waits for this.
    pub(crate) fn decide(&self, number: u64, tunnel: bool) {
        let mut shared = lock(&self.0);
        // An earlier one decides nothing about the last.
        if shared.follower.requests() == number {
            shared.follower.decide(tunnel);
            if let Some(waker) = shared.waiting.take() {
                waker.wake();
            }
        }
    }

    /// Tells whether the user knows no chunks (HTTP/1.0), so that the end of the connection may
    /// stand for the end of a response. A response that is not whole ends with a reset then (Z-41).
    pub(crate) fn ends_unmarked(&self, unmarked: bool) {
        lock(&self.0).ends_unmarked = unmarked;
    }

    /// Whether the last request has a body whose end has not arrived.
    pub(crate) fn is_in_body(&self) -> bool {
        lock(&self.0).follower.is_in_body()
    }
}

impl Shared {
    /// How many of these bytes may go; notes which request is at fault.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> (usize, Option<RequestError>) {
        let (passed, fault) = self.follower.advance(bytes);
        if let Some(fault) = fault.filter(|fault| *fault != RequestError::Chunk) {
            tracing::debug!(%fault, "request refused");
            self.refused = Some((self.follower.requests() + 1, fault));
        }
        (passed, fault)
    }
}

/// No code panics while holding it; and if one did, its content is consistent.
pub(super) fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
