//! What is remembered of a path, in eight bytes.

use crate::config::CellIndex;

/// Bits 0 to 15 are the owner, bits 18 to 63 the expiry.
const EXACT: u64 = 1 << 16;
const USED: u64 = 1 << 17;
const EXPIRY_AT: u32 = 18;

/// Milliseconds since the cache began, rounded down: an entry ends up to a millisecond early, and
/// never late. There is room for two thousand years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Millis(u64);

impl Millis {
    /// Never reached.
    pub(super) const NEVER: Self = Self(u64::MAX >> EXPIRY_AT);

    /// So many milliseconds, or as many as can be told from [`Self::NEVER`].
    pub(super) fn new(millis: u64) -> Self {
        Self(millis.min(Self::NEVER.0 - 1))
    }

    /// How many these are.
    pub(super) fn count(self) -> u64 {
        self.0
    }
}

/// The owner of a path, whether it owns this path alone, until when, and whether the path was asked
/// for since the clock's hand last passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(u64);

impl Packed {
    pub(super) fn new(exact: bool, cell: CellIndex, expires: Millis) -> Self {
        let exact = if exact { EXACT } else { 0 };
        Self(cell.index() as u64 | exact | expires.0 << EXPIRY_AT)
    }

    pub(super) fn cell(self) -> CellIndex {
        CellIndex::nth(usize::from(self.0 as u16))
    }

    pub(super) fn is_exact(self) -> bool {
        self.0 & EXACT != 0
    }

    /// When it expires, or [`Millis::NEVER`].
    pub(super) fn expires(self) -> Millis {
        Millis(self.0 >> EXPIRY_AT)
    }

    pub(super) fn is_over(self, now: Millis) -> bool {
        self.expires() <= now
    }

    /// Notes that the path was asked for.
    pub(super) fn use_now(&mut self) {
        // Nothing is written that is there already.
        if self.0 & USED == 0 {
            self.0 |= USED;
        }
    }

    /// Whether the path was asked for since this was last asked.
    pub(super) fn take_used(&mut self) -> bool {
        let used = self.0 & USED != 0;
        self.0 &= !USED;
        used
    }

    /// The same, with another owner.
    pub(super) fn with_cell(self, cell: CellIndex) -> Self {
        Self(self.0 & !u64::from(u16::MAX) | cell.index() as u64)
    }

    /// The same, with another end.
    pub(super) fn with_expiry(self, expires: Millis) -> Self {
        Self(self.0 & ((1 << EXPIRY_AT) - 1) | expires.0 << EXPIRY_AT)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_is_kept_apart(
            exact: bool,
            used: bool,
            cells: [u16; 2],
            ends in [0..=Millis::NEVER.0, 0..=Millis::NEVER.0].prop_map(|e| e.map(Millis)),
        ) {
            let cells = cells.map(CellIndex::at);
            let mut packed = Packed::new(exact, cells[0], ends[0]);
            if used {
                packed.use_now();
                packed.use_now();
            }
            prop_assert_eq!((packed.is_exact(), packed.cell()), (exact, cells[0]));
            prop_assert_eq!(packed.expires(), ends[0]);
            let mut later = packed.with_cell(cells[1]).with_expiry(ends[1]);
            prop_assert_eq!((later.is_exact(), later.cell()), (exact, cells[1]));
            prop_assert_eq!(later.expires(), ends[1]);
            prop_assert_eq!(later.take_used(), used);
            prop_assert!(!later.take_used());
            prop_assert_eq!(later, Packed::new(exact, cells[1], ends[1]));
        }
    }

    #[test]
    fn an_end_is_reached_unless_it_is_never() {
        let packed = Packed::new(false, CellIndex::at(0), Millis::new(5));
        assert!(!packed.is_over(Millis::new(4)));
        assert!(packed.is_over(Millis::new(5)));
        let packed = packed.with_expiry(Millis::NEVER);
        assert!(!packed.is_over(Millis::new(u64::MAX)));
    }
}
