//! The time of a response (RFC 9110 6.6.1), made once a second on each thread.

use std::cell::RefCell;
use std::time::{Duration, SystemTime};

thread_local! {
    static LAST: RefCell<(u64, String)> = const { RefCell::new((0, String::new())) };
}

/// Writes the time as `Date` has it.
pub(super) fn write_now(out: &mut Vec<u8>) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    LAST.with_borrow_mut(|(second, text)| {
        if *second != now.as_secs() || text.is_empty() {
            *second = now.as_secs();
            *text = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + now);
        }
        out.extend_from_slice(text.as_bytes());
    });
}
