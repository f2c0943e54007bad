//! How much users' bodies may take at once, in memory and in files together.

use std::cell::Cell;
use std::rc::Rc;

/// The bytes that the bodies of one thread may take.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Rc<Cell<u64>>);

/// What one body has reserved of it, until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    left: Rc<Cell<u64>>,
    held: u64,
}

impl Budget {
    /// So many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Rc::new(Cell::new(bytes)))
    }

    /// A reservation of nothing yet.
    pub(crate) fn reservation(&self) -> Reservation {
        Reservation { left: Rc::clone(&self.0), held: 0 }
    }
}

impl Reservation {
    /// Holds so many bytes from here on, more or fewer; false where so many are not left.
    #[must_use]
    pub(crate) fn hold(&mut self, bytes: u64) -> bool {
        let Some(left) = (self.left.get() + self.held).checked_sub(bytes) else { return false };
        self.left.set(left);
        self.held = bytes;
        true
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.left.set(self.left.get() + self.held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_comes_back() {
        let budget = Budget::new(10);
        let (mut one, mut other) = (budget.reservation(), budget.reservation());
        assert!(one.hold(4) && other.hold(6));
        assert!(!one.hold(5) && one.hold(4) && one.hold(1));
        assert!(other.hold(9) && !one.hold(2));
        drop(other);
        assert!(one.hold(10) && !one.hold(11));
    }
}
