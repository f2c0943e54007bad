//! What every connection has, a user's and one to a cell: its options, and a limit on waiting for the
//! other side.

mod wait;

use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

pub(crate) use wait::{IdleTimeout, Wait};

/// After this long without a byte, TCP keep-alive probes the other side: a pause within a response
/// has no limit, another side that is gone has.
const SILENCE: Duration = Duration::from_secs(30);

/// How much of what is written the system keeps that it cannot send yet. More would hide for minutes
/// whether a slow reader takes anything.
const UNSENT: u32 = 32 * 1024;

/// Nothing waits for more bytes to be sent with it, and the other side is probed.
pub(crate) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_notsent_lowat(UNSENT)?;
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(SILENCE))
}
