//! How much of users' bodies may be kept at once, in memory and in files together.

use std::cell::Cell;
use std::rc::Rc;

/// The bytes that one thread may keep.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Rc<Cell<u64>>);

/// What one body takes of it, until this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    left: Rc<Cell<u64>>,
    taken: u64,
}

impl Budget {
    /// So many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Rc::new(Cell::new(bytes)))
    }

    /// Nothing yet.
    pub(crate) fn share(&self) -> Share {
        Share { left: Rc::clone(&self.0), taken: 0 }
    }
}

impl Share {
    /// Takes so many bytes more; whether they were left.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        let Some(left) = self.left.get().checked_sub(bytes) else { return false };
        self.left.set(left);
        self.taken += bytes;
        true
    }
}

impl Drop for Share {
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
        let (mut one, mut other) = (budget.share(), budget.share());
        assert!(one.take(4) && other.take(6));
        assert!(!one.take(1) && one.take(0));
        drop(other);
        assert!(one.take(6) && !one.take(1));
    }
}
