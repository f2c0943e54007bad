//! Whether connections to a cell may be kept: not where it closes them without having said so,
//! because the next request could cross with the end of one, and would have to be refused because
//! nobody could tell whether it was read (Z-17).
//!
//! One target that makes a cell close says nothing of the others, and any user can ask for it. So
//! only that target gets connections of its own, and no connection of the whole cell is kept for a while when several
//! targets show it. A target that breaks a new connection too is broken itself, and does not count.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use super::link::PathHash;

/// When the kept connections of this many targets ended, the cell is taken to keep none.
const SEVERAL: usize = 2;

/// For how long no connection is kept then, and what a target has shown is remembered.
const COOLDOWN: Duration = Duration::from_secs(10);

/// How many broken targets are remembered at most.
const MOST_BROKEN: usize = 8;

/// What one cell's connections have shown.
#[derive(Debug, Default)]
pub(super) struct Cooldown {
    /// Until when no connection is kept.
    until: Cell<Option<Instant>>,
    /// Targets whose kept connections ended, and when.
    ended: RefCell<Vec<Seen>>,
    /// Targets whose new connections ended as well.
    broken: RefCell<Vec<Seen>>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    path: PathHash,
    at: Instant,
}

impl Cooldown {
    /// Whether a kept connection may be used for this path, and kept after it.
    pub(super) fn keeps(&self, path: PathHash) -> bool {
        if self.until.get().is_some_and(|until| Instant::now() < until) {
            return false;
        }
        let (ended, broken) = (self.ended.borrow(), self.broken.borrow());
        // The usual case looks no further.
        (ended.is_empty() && broken.is_empty()) || {
            !ended.iter().chain(broken.iter()).any(|seen| seen.path == path && seen.is_recent())
        }
    }

    /// A kept connection ended that was last used for this path; whether no connection
    /// of the cell is kept from here on.
    pub(super) fn ended(&self, path: PathHash) -> bool {
        if self.broken.borrow().iter().any(|seen| seen.path == path && seen.is_recent()) {
            return false;
        }
        let mut ended = self.ended.borrow_mut();
        ended.retain(|seen| seen.is_recent() && seen.path != path);
        ended.push(Seen { path, at: Instant::now() });
        if ended.len() < SEVERAL {
            return false;
        }
        ended.clear();
        self.until.set(Some(Instant::now() + COOLDOWN));
        true
    }

    /// A new connection ended instead of a response for this path.
    pub(super) fn broke(&self, path: PathHash) {
        self.ended.borrow_mut().retain(|seen| seen.path != path);
        let mut broken = self.broken.borrow_mut();
        broken.retain(|seen| seen.is_recent() && seen.path != path);
        if broken.len() >= MOST_BROKEN {
            broken.remove(0);
        }
        broken.push(Seen { path, at: Instant::now() });
    }
}

impl Seen {
    fn is_recent(&self) -> bool {
        self.at.elapsed() < COOLDOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> PathHash {
        PathHash::of(path)
    }

    #[test]
    fn one_target_speaks_for_itself_alone() {
        let cooldown = Cooldown::default();
        for _ in 0..5 {
            assert!(!cooldown.ended(path("/bad")));
            assert!(!cooldown.keeps(path("/bad")) && cooldown.keeps(path("/good")));
        }
        assert!(cooldown.ended(path("/other")));
        assert!(!cooldown.keeps(path("/good")));
    }

    #[test]
    fn a_target_that_breaks_new_connections_does_not_count() {
        let cooldown = Cooldown::default();
        assert!(!cooldown.ended(path("/bad")));
        cooldown.broke(path("/bad"));
        assert!(!cooldown.ended(path("/other")));
        assert!(!cooldown.ended(path("/bad")));
        assert!(cooldown.keeps(path("/good")) && !cooldown.keeps(path("/bad")));
        for number in 0..20 {
            cooldown.broke(path(&format!("/{number}")));
        }
        assert_eq!(cooldown.broken.borrow().len(), MOST_BROKEN);
    }
}
