//! A connection that no longer speaks HTTP: bytes are copied both ways (Z-23).

use http::Response;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::copy_bidirectional;

use crate::response::UserBody;

/// Copies bytes between a user and a cell, which have agreed to change the protocol, until both
/// have ended or the router stops. Bytes are read from one side only as the other takes them. What
/// it takes of the limits is its connection: it is no request any more.
pub(crate) fn open(user: OnUpgrade, response: &mut Response<UserBody>) {
    let cell = hyper::upgrade::on(&mut *response);
    tokio::spawn(async move {
        let sides = tokio::try_join!(user, cell);
        let (user, cell) = match sides {
            Ok(sides) => sides,
            Err(error) => return tracing::debug!(%error, "protocol was not changed"),
        };
        let outcome = copy_bidirectional(&mut TokioIo::new(user), &mut TokioIo::new(cell)).await;
        if let Err(error) = outcome {
            tracing::debug!(%error, "tunnel broke");
        }
    });
}
