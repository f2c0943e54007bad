//! The connections of users of one thread: counted, told to end, and closed where they wait and
//! others need their place. Other threads touch nothing of it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::metrics::{self, Count};

/// So many of the connections that wait longest are looked for at once.
const LOOKED_FOR: usize = 64;

/// A connection that has waited for less is not closed for others: a user who has just connected is
/// about to send a request.
const GRACE: Duration = Duration::from_millis(500);

/// The connections of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections(Rc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    count: Cell<usize>,
    /// Told to close, and not gone yet.
    closing: Cell<usize>,
    ending: Cell<bool>,
    none_left: Notify,
    queue: Arc<Queue>,
    open: RefCell<HashMap<u64, Rc<Listed>>>,
    of_addresses: RefCell<HashMap<IpAddr, usize>>,
    /// The connections that waited longest when this was filled, the longest last.
    longest: RefCell<Vec<(u64, u64)>>,
    next: Cell<u64>,
}

/// What connections that wait have in common.
#[derive(Debug)]
struct Queue {
    begun: Instant,
    /// Somebody needs a place.
    wanted: AtomicBool,
    /// A connection has ended, or waits since now.
    changed: Notify,
}

#[derive(Debug)]
struct Listed {
    address: Option<IpAddr>,
    waits: Waits,
    told: Notify,
    closes: Cell<bool>,
}

/// Says whether a connection waits for its user: it is idle, or the head of a request is not whole.
///
/// It moves to where a tunnel is copied, which asks for what threads can share.
#[derive(Clone, Debug)]
pub(crate) struct Waits {
    /// Since when it waits, in microseconds of the queue; zero while a request is under way.
    since: Arc<AtomicU64>,
    queue: Arc<Queue>,
}

/// One connection, counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    shared: Rc<Shared>,
    listed: Rc<Listed>,
    number: u64,
}

impl Connections {
    /// Counts one more, of this user; a tunnel has none.
    pub(crate) fn count(&self, address: Option<IpAddr>) -> Counted {
        let shared = &self.0;
        shared.count.set(shared.count.get() + 1);
        if let Some(address) = address {
            *shared.of_addresses.borrow_mut().entry(address).or_default() += 1;
        }
        metrics::count(Count::ConnectionOpened);
        let waits = Waits { since: Arc::default(), queue: Arc::clone(&shared.queue) };
        let listed =
            Rc::new(Listed { address, waits, told: Notify::new(), closes: Cell::new(false) });
        if address.is_some() {
            listed.waits.begin();
        }
        let number = shared.next.get();
        shared.next.set(number + 1);
        shared.open.borrow_mut().insert(number, Rc::clone(&listed));
        Counted { shared: Rc::clone(shared), listed, number }
    }

    /// Tells all of them to end, those too that are counted later.
    pub(crate) fn end(&self) {
        self.0.ending.set(true);
        self.0.open.borrow().values().for_each(|listed| listed.told.notify_one());
    }

    /// Returns when none is left.
    pub(crate) async fn none_left(&self) {
        while self.0.count.get() > 0 {
            self.0.none_left.notified().await;
        }
    }

    /// Returns when there are fewer than `limit`, and closes the connection that has waited for its
    /// user for longest where there are not. Only one may wait.
    pub(crate) async fn make_room(&self, limit: usize) {
        let shared = &self.0;
        while shared.count.get() >= limit {
            let soon = if shared.closing.get() == 0 { self.close_longest() } else { None };
            shared.queue.wanted.store(true, Ordering::Relaxed);
            let changed = shared.queue.changed.notified();
            match soon {
                // Whichever comes first, the connections are looked at again.
                Some(soon) => drop(tokio::time::timeout(soon, changed).await),
                None => changed.await,
            }
        }
        shared.queue.wanted.store(false, Ordering::Relaxed);
    }

    /// Whether this user may have one more connection, of `limit`; another one is closed for it
    /// where one waits.
    pub(crate) fn admits(&self, address: IpAddr, limit: usize) -> bool {
        let number = self.0.of_addresses.borrow().get(&address).copied().unwrap_or_default();
        if number < limit {
            return true;
        }
        let longest = {
            let open = self.0.open.borrow();
            let own = open.values().filter(|listed| listed.address == Some(address));
            own.filter_map(|listed| Some((listed.waiting()?, Rc::clone(listed))))
                .min_by_key(|it| it.0)
        };
        longest.is_some_and(|(_, listed)| self.close(&listed))
    }

    /// How many there are.
    pub(crate) fn number(&self) -> usize {
        self.0.count.get()
    }

    /// Closes the connection that waits for longest; the time until one may be closed, where none
    /// has waited for long enough.
    fn close_longest(&self) -> Option<Duration> {
        let shared = &self.0;
        for _ in 0..2 {
            loop {
                let next = shared.longest.borrow_mut().pop();
                let Some((since, number)) = next else { break };
                let listed = shared.open.borrow().get(&number).cloned();
                let Some(listed) = listed.filter(|listed| listed.waiting() == Some(since)) else {
                    continue;
                };
                let waits = shared.queue.now().saturating_sub(since);
                let left = GRACE.saturating_sub(Duration::from_micros(waits));
                if left.is_zero() {
                    self.close(&listed);
                    return None;
                }
                shared.longest.borrow_mut().push((since, number));
                return Some(left);
            }
            let mut waiting: Vec<_> = (shared.open.borrow().iter())
                .filter_map(|(number, listed)| Some((listed.waiting()?, *number)))
                .collect();
            waiting.sort_unstable();
            waiting.truncate(LOOKED_FOR);
            waiting.reverse();
            *shared.longest.borrow_mut() = waiting;
        }
        None
    }

    fn close(&self, listed: &Listed) -> bool {
        listed.closes.set(true);
        listed.told.notify_one();
        self.0.closing.set(self.0.closing.get() + 1);
        true
    }
}

impl Listed {
    /// Since when it waits for its user; none where it does not, or was told to close.
    fn waiting(&self) -> Option<u64> {
        let since = self.waits.since.load(Ordering::Relaxed);
        (since > 0 && !self.closes.get()).then_some(since)
    }
}

impl Waits {
    /// The connection waits from here on.
    pub(crate) fn begin(&self) {
        self.since.store(self.queue.now(), Ordering::Relaxed);
        if self.queue.wanted.load(Ordering::Relaxed) {
            self.queue.changed.notify_one();
        }
    }

    /// A request is under way.
    pub(crate) fn end(&self) {
        self.since.store(0, Ordering::Relaxed);
    }
}

impl Queue {
    /// The time, which is never zero.
    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX).max(1)
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self { begun: Instant::now(), wanted: AtomicBool::new(false), changed: Notify::new() }
    }
}

impl Default for Waits {
    /// Of a connection that nobody counts.
    fn default() -> Self {
        Self { since: Arc::default(), queue: Arc::default() }
    }
}

impl Counted {
    /// Where the connection says whether it waits.
    pub(crate) fn waits(&self) -> Waits {
        self.listed.waits.clone()
    }

    /// Whether the connection is to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.shared.ending.get() || self.is_closing()
    }

    /// Whether it is to end at once, because it waits and others need its place.
    pub(crate) fn is_closing(&self) -> bool {
        // A request may have begun in the meantime; it is served, and is the last.
        self.listed.closes.get() && self.listed.waits.since.load(Ordering::Relaxed) > 0
    }

    /// Returns when the connection is to end.
    pub(crate) async fn ending(&self) {
        while !self.shared.ending.get() && !self.listed.closes.get() {
            self.listed.told.notified().await;
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let shared = &self.shared;
        shared.open.borrow_mut().remove(&self.number);
        if let Some(address) = self.listed.address {
            let mut of_addresses = shared.of_addresses.borrow_mut();
            if let Some(number) = of_addresses.get_mut(&address) {
                *number -= 1;
                if *number == 0 {
                    of_addresses.remove(&address);
                }
            }
        }
        if self.listed.closes.get() {
            shared.closing.set(shared.closing.get() - 1);
        }
        shared.count.set(shared.count.get() - 1);
        metrics::count(Count::ConnectionClosed);
        shared.queue.changed.notify_one();
        if shared.count.get() == 0 {
            shared.none_left.notify_one();
        }
    }
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
