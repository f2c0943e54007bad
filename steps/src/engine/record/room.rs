//! How much a report may grow while it is read. Rows of tables and runs of one character stand in
//! it once, and are in memory wherever it refers to them.

use std::cell::Cell;

/// What a report of any length may take, in bytes.
const LEAST: usize = 64 << 20;
/// What a longer one may take, in multiples of its length. One of the journeys takes 1.5.
const TIMES: usize = 20;
/// What none may take more than.
const MOST: usize = 2 << 30;

thread_local! {
    /// What may still be taken; everything outside of [`with_room`].
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Reads a report of this length, with the room that it may take.
pub(super) fn with_room<T>(length: usize, read: impl FnOnce() -> T) -> T {
    let before = LEFT.replace(length.saturating_mul(TIMES).clamp(LEAST, MOST));
    let read = read();
    LEFT.set(before);
    read
}

/// Takes room for something of this size that stands elsewhere in the report.
///
/// # Errors
///
/// If none is left.
pub(super) fn take(bytes: usize) -> Result<(), String> {
    let left = LEFT.get().checked_sub(bytes);
    LEFT.set(left.unwrap_or(0));
    left.map(drop).ok_or_else(why)
}

/// Why a report is refused that needed more than its room; `None` if it did not. What reads it may
/// have put other words in place of these.
pub(super) fn used_up() -> Option<String> {
    (LEFT.get() == 0).then(why)
}

fn why() -> String {
    format!(
        "it repeats rows or characters so often that it would take more than {TIMES} times its length, \
         and more than {} MiB, of memory; no run writes such a report",
        LEAST >> 20
    )
}
