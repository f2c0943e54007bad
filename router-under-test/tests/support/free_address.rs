//! An address that nothing listens on until the test that took it does. The tests of the broken
//! routers have a link to this file.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, Ordering};

/// The next address of this process. Its host belongs to the process alone, since it is built from
/// the process id, and its port is below the range from which systems choose ports. So nobody else
/// takes it, before the test binds it or after.
pub(crate) fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(8_100);
    // A process id has 22 bits.
    let [_, a, b, c] = std::process::id().to_be_bytes();
    SocketAddr::from(([127, a | 0x80, b, c], NEXT.fetch_add(1, Ordering::Relaxed)))
}
