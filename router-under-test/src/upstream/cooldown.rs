//! Whether connections to a cell may be kept: not where it closes them without having said so,
//! because the next request could cross with the end of one, and would have to be refused because
//! nobody could tell whether it was read (Z-17).
//!
//! One target that makes a cell close says nothing of the others, and any user can ask for it. So
//! only that target gets connections of its own, and no connection of the whole cell is kept for a
//! while when several targets show it. A target that breaks a new connection too is broken itself.
//! It does not count, and speaks for the cell: other targets may be broken as well.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::link::PathHash;

/// When the kept connections of this many targets ended, the cell is taken to keep none ...
const SEVERAL: usize = 2;

/// ... and of so many more for each target that broke a new connection.
const MORE_FOR_BROKEN: usize = 4;

/// For how long no connection is kept then, and what a target has shown is remembered.
const COOLDOWN: Duration = Duration::from_secs(10);

/// How many targets of a kind are remembered at most.
const MOST: usize = 1024;

/// What one cell's connections have shown.
#[derive(Debug, Default)]
pub(super) struct Cooldown {
    /// Until when no connection is kept.
    until: Cell<Option<Instant>>,
    /// Targets whose kept connections ended.
    ended: RefCell<Targets>,
    /// Targets whose new connections ended as well.
    broken: RefCell<Targets>,
}

impl Cooldown {
    /// Whether a kept connection may be used for this path, and kept after it.
    pub(super) fn keeps(&self, path: PathHash) -> bool {
        let is_over = self.until.get().is_none_or(|until| until <= Instant::now());
        is_over && !self.ended.borrow().has(path) && !self.broken.borrow().has(path)
    }

    /// A kept connection ended that was last used for this path; whether no connection of the cell
    /// is kept from here on.
    pub(super) fn ended(&self, path: PathHash) -> bool {
        if self.broken.borrow().has(path) {
            return false;
        }
        self.ended.borrow_mut().add(path);
        let ends = self.is_the_cells_doing();
        if ends {
            self.until.set(Some(Instant::now() + COOLDOWN));
        }
        ends
    }

    /// A new connection ended instead of a response for this path.
    pub(super) fn broke(&self, path: PathHash) {
        self.ended.borrow_mut().0.remove(&path);
        self.broken.borrow_mut().add(path);
        if !self.is_the_cells_doing() {
            self.until.set(None);
        }
    }

    fn is_the_cells_doing(&self) -> bool {
        let [ended, broken] = [&self.ended, &self.broken].map(|kind| kind.borrow_mut().number());
        ended >= SEVERAL + MORE_FOR_BROKEN * broken
    }
}

/// Targets, and when each was last seen.
#[derive(Debug, Default)]
struct Targets(HashMap<PathHash, Instant>);

impl Targets {
    fn add(&mut self, path: PathHash) {
        if self.number() < MOST {
            self.0.insert(path, Instant::now());
        }
    }

    fn has(&self, path: PathHash) -> bool {
        self.0.get(&path).is_some_and(is_recent)
    }

    /// How many were seen within the cooldown; the others are forgotten.
    fn number(&mut self) -> usize {
        self.0.retain(|_, seen| is_recent(seen));
        self.0.len()
    }
}

fn is_recent(seen: &Instant) -> bool {
    seen.elapsed() < COOLDOWN
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
    fn a_target_that_breaks_new_connections_speaks_for_the_cell() {
        let cooldown = Cooldown::default();
        assert!(!cooldown.ended(path("/bad")));
        cooldown.broke(path("/bad"));
        assert!(!cooldown.ended(path("/bad")));
        for other in 1..6 {
            assert!(!cooldown.ended(path(&format!("/{other}"))), "{other}");
        }
        assert!(cooldown.keeps(path("/good")) && !cooldown.keeps(path("/bad")));
        assert!(cooldown.ended(path("/6")) && !cooldown.keeps(path("/good")));
        // Another one that is broken itself ends it.
        cooldown.broke(path("/7"));
        assert!(cooldown.keeps(path("/good")));
        for number in 0..2 * MOST {
            cooldown.broke(path(&number.to_string()));
        }
        assert_eq!(cooldown.broken.borrow().0.len(), MOST);
    }
}
