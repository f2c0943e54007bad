//! A connection that no longer speaks HTTP: bytes are copied both ways (Z-23).

use std::cell::Cell;
use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::BytesMut;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, split};
use tokio::time::Instant;

use crate::connections::Counted;

/// How long one side may go on after the other has ended.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// What is read at once, from each side.
const BUFFER: usize = 8 * 1024;

/// Copies bytes between a user and a cell as soon as both have changed the protocol, until one of
/// them ends, neither says anything for `idle`, or the router stops.
///
/// Bytes are read from one side only as the other takes them, so no more than a few kilobytes are
/// buffered. When one side ends, the other is told and has a short time to finish.
pub(crate) fn join(user: OnUpgrade, cell: OnUpgrade, counted: Counted, idle: Duration) {
    tokio::task::spawn_local(async move {
        let outcome = tokio::select! {
            outcome = converse(user, cell, idle) => outcome,
            () = counted.ending() => Ok(()),
        };
        if let Err(error) = outcome {
            tracing::debug!(%error, "tunnel broke");
        }
    });
}

async fn converse(user: OnUpgrade, cell: OnUpgrade, idle: Duration) -> io::Result<()> {
    let upgraded =
        async |side: OnUpgrade| side.await.map(TokioIo::<Upgraded>::new).map_err(io::Error::other);
    let (from_user, to_user) = split(upgraded(user).await?);
    let (from_cell, to_cell) = split(upgraded(cell).await?);
    let last = Cell::new(Instant::now());
    let mut there = pin!(pass_on(from_user, to_cell, &last));
    let mut back = pin!(pass_on(from_cell, to_user, &last));
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
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    last: &Cell<Instant>,
) -> io::Result<()> {
    let mut buffer = BytesMut::with_capacity(BUFFER);
    while from.read_buf(&mut buffer).await? > 0 {
        to.write_all(&buffer).await?;
        to.flush().await?;
        buffer.clear();
        last.set(Instant::now());
    }
    to.shutdown().await
}
