//! A connection that no longer speaks HTTP: bytes are copied both ways (Z-23).

use std::io;
use std::pin::pin;
use std::time::Duration;

use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, copy, split};

use crate::connections::Counted;

/// How long one side may go on after the other has ended.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Copies bytes between a user and a cell as soon as both have changed the protocol, until one of
/// them ends or the router stops.
///
/// Bytes are read from one side only as the other takes them, so no more than a few kilobytes are
/// buffered. When one side ends, the other is told and has a short time to finish.
pub(crate) fn join(user: OnUpgrade, cell: OnUpgrade, counted: Counted) {
    tokio::task::spawn_local(async move {
        let outcome = tokio::select! {
            outcome = converse(user, cell) => outcome,
            () = counted.ending() => Ok(()),
        };
        if let Err(error) = outcome {
            tracing::debug!(%error, "tunnel broke");
        }
    });
}

async fn converse(user: OnUpgrade, cell: OnUpgrade) -> io::Result<()> {
    let upgraded =
        async |side: OnUpgrade| side.await.map(TokioIo::<Upgraded>::new).map_err(io::Error::other);
    let (from_user, to_user) = split(upgraded(user).await?);
    let (from_cell, to_cell) = split(upgraded(cell).await?);
    let mut there = pin!(pass_on(from_user, to_cell));
    let mut back = pin!(pass_on(from_cell, to_user));
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
    rest.await
}

/// Copies until the end, and passes that on too.
async fn pass_on(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    copy(&mut from, &mut to).await?;
    to.shutdown().await
}
