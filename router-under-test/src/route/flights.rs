//! Pre-flights that are under way, one for all who ask the same at the same time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::rc::Rc;

use http::Method;
use tokio::sync::OnceCell;

/// The pre-flights that are under way on this thread, and what comes of each.
///
/// Users on other threads ask for themselves: the same path is asked about once for each thread at
/// most, and threads do not wait for each other.
#[derive(Debug)]
pub(super) struct Flights<T>(RefCell<HashMap<Key, Rc<Flight<T>>>>);

/// The method and the path that are asked about.
type Key = (Method, String);

/// One pre-flight. Where the user who began it goes away, another who waits takes it over; where it
/// fails, it has failed for all who waited.
type Flight<T> = OnceCell<T>;

/// A waiter of a flight: the user who makes the request, or one who waits for it.
#[derive(Debug)]
pub(super) struct Waiter<'a, T> {
    flights: &'a Flights<T>,
    key: Key,
    flight: Rc<Flight<T>>,
}

impl<T: Copy> Flights<T> {
    /// None is under way.
    pub(super) fn new() -> Self {
        Self(RefCell::default())
    }

    /// Joins the flight for this key, or begins it.
    pub(super) fn join(&self, key: Key) -> Waiter<'_, T> {
        let flight = Rc::clone(self.0.borrow_mut().entry(key.clone()).or_default());
        Waiter { flights: self, key, flight }
    }
}

impl<T: Copy> Waiter<'_, T> {
    /// What comes of the flight; who is the first to wait makes it, by asking.
    pub(super) async fn outcome<F: Future<Output = T>>(&self, ask: impl FnOnce() -> F) -> T {
        *self.flight.get_or_init(ask).await
    }
}

impl<T> Drop for Waiter<'_, T> {
    fn drop(&mut self) {
        // Nobody joins a flight that is over: what it found is in the cache, and a failure is not
        // remembered (Z-15). One without waiters is removed too: the table holds one reference and
        // this waiter the other. A new flight with the same key is another one's.
        let mut flights = self.flights.0.borrow_mut();
        let is_over = self.flight.initialized() || Rc::strong_count(&self.flight) <= 2;
        if is_over
            && flights.get(&self.key).is_some_and(|current| Rc::ptr_eq(current, &self.flight))
        {
            flights.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        (Method::GET, "/a".to_owned())
    }

    const FAILED: Result<u8, ()> = Err(());

    #[tokio::test(flavor = "current_thread")]
    async fn a_failure_is_shared_by_its_waiters_alone() {
        let flights = Flights::<Result<u8, ()>>::new();
        let (first, second) = (flights.join(key()), flights.join(key()));
        assert_eq!(*first.flight.get_or_init(|| async { FAILED }).await, FAILED);
        assert_eq!(*second.flight.get_or_init(|| async { panic!("it is over") }).await, FAILED);
        drop(first);
        // The flight is over although somebody still looks at what it brought.
        assert_eq!(*flights.join(key()).flight.get_or_init(|| async { Ok(1) }).await, Ok(1));
        drop(second);
        assert!(flights.0.borrow().is_empty());
    }

    #[tokio::test(flavor = "current_thread")]
    async fn an_abandoned_waiter_does_not_affect_the_others() {
        let flights = Flights::<Result<u8, ()>>::new();
        let (first, second) = (flights.join(key()), flights.join(key()));
        {
            let mut asking = Box::pin(first.flight.get_or_init(std::future::pending));
            let mut waiting = Box::pin(second.flight.get_or_init(|| async { Ok(1) }));
            tokio::select! {
                biased;
                _ = asking.as_mut() => panic!("it never ends"),
                _ = waiting.as_mut() => panic!("another one asks"),
                () = tokio::task::yield_now() => {}
            }
            drop(asking);
            assert_eq!(*waiting.await, Ok(1));
        }
        drop(first);
        drop(second);
        assert!(flights.0.borrow().is_empty());
    }

    #[test]
    fn a_flight_without_waiters_is_dropped() {
        let flights = Flights::<Result<u8, ()>>::new();
        let (first, second) = (flights.join(key()), flights.join(key()));
        drop(first);
        assert_eq!(flights.0.borrow().len(), 1);
        drop(second);
        assert!(flights.0.borrow().is_empty());
    }
}
