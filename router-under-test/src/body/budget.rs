//! How much of users' bodies may be kept at once, in memory and in files together.

use std::cell::Cell;
use std::rc::Rc;

/// The bytes that one thread may keep.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Rc<Cell<u64>>);

/// What one body has reserved of it, until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    left: Rc<Cell<u64>>,
    taken: u64,
}

impl Budget {
    /// So many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Rc::new(Cell::new(bytes)))
    }

    /// A reservation of nothing yet.
    pub(crate) fn reservation(&self) -> Reservation {
        Reservation { left: Rc::clone(&self.0), taken: 0 }
    }
}

impl Reservation {
    /// Takes so many bytes more; whether they were left.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        let Some(left) = self.left.get().checked_sub(bytes) else { return false };
        self.left.set(left);
        self.taken += bytes;
        true
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.left.set(self.left.get() + self.taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_comes_back() {
        let budget = Budget::new(10);
        let (mut one, mut other) = (budget.reservation(), budget.reservation());
        assert!(one.take(4) && other.take(6));
        assert!(!one.take(1) && one.take(0));
        drop(other);
        assert!(one.take(6) && !one.take(1));
    }
}
