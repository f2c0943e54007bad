//! A connection that no longer speaks HTTP: bytes are copied both ways (Z-23).

use std::cell::Cell;
use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::upstream::Link;
use crate::user::Counted;

/// How long one side may go on after the other has ended.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// What is read at once, from each side.
const BUFFER: usize = 8 * 1024;

/// One side: its connection, and what was read from it together with the last message of HTTP.
type Side = (TcpStream, Bytes);

/// Copies bytes between a user and a cell, which have changed the protocol, until one of them ends,
/// neither says anything for `idle`, or the router stops.
///
/// Bytes are read from one side only as the other takes them, so no more than a few kilobytes are
/// buffered. When one side ends, the other is told and has a short time to finish.
pub(crate) async fn join(user: Side, cell: Box<Link>, counted: Counted, idle: Duration) {
    let outcome = tokio::select! {
        outcome = cell.over(|cell| converse(user, cell, idle)) => outcome,
        () = counted.ending() => Ok(()),
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "tunnel broke");
    }
}

async fn converse(user: Side, cell: Side, idle: Duration) -> io::Result<()> {
    let ((mut user, from_user), (mut cell, from_cell)) = (user, cell);
    let (user_reads, user_writes) = user.split();
    let (cell_reads, cell_writes) = cell.split();
    let last = Cell::new(Instant::now());
    let mut there = pin!(pass_on(from_user, user_reads, cell_writes, &last));
    let mut back = pin!(pass_on(from_cell, cell_reads, user_writes, &last));
    let rest = async {
        tokio::select! {
            outcome = there.as_mut() => {
                outcome?;
                tokio::time::timeout(LAST_WORDS, back).await
            }
            outcome = back.as_mut() => {
                outcome?;
                tokio::time::timeout(LAST_WORDS, there).await
            }
        }
        .unwrap_or(Ok(()))
    };
    tokio::select! {
        outcome = rest => outcome,
        () = silence(&last, idle) => {
            Err(io::Error::new(io::ErrorKind::TimedOut, "neither side said anything"))
        }
    }
}

/// Returns when nothing was passed on for so long.
async fn silence(last: &Cell<Instant>, idle: Duration) {
    loop {
        let end = last.get() + idle;
        if Instant::now() >= end {
            return;
        }
        tokio::time::sleep_until(end).await;
    }
}

/// Copies until the end, and passes that on too. Notes when it last did.
async fn pass_on(
    first: Bytes,
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    last: &Cell<Instant>,
) -> io::Result<()> {
    to.write_all(&first).await?;
    drop(first);
    let mut buffer = BytesMut::with_capacity(BUFFER);
    while from.read_buf(&mut buffer).await? > 0 {
        to.write_all(&buffer).await?;
        buffer.clear();
        last.set(Instant::now());
    }
    to.shutdown().await
}
