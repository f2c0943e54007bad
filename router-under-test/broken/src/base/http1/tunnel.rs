//! Upgraded connections: WebSockets (Z-23), and the tunnels that CONNECT must not open (Z-42).

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncWriteExt;
use tokio::net::tcp::OwnedWriteHalf;

use crate::base::deviate::changed;
use crate::base::http1::connection::Connection;
use crate::base::http1::frame::Reader;
use crate::base::router::Router;
use crate::deviation::{Element, Seam};
use crate::kind::Mutation;

/// A cell's connection after a 101, on its way to the user's side.
#[derive(Debug, Clone)]
pub(crate) struct Tunnel(Arc<Mutex<Option<Connection>>>);

impl Tunnel {
    pub(crate) fn new(connection: Connection) -> Self {
        Self(Arc::new(Mutex::new(Some(connection))))
    }

    pub(crate) fn take(&self) -> Option<Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Copies bytes in both directions until both sides have ended.
pub(crate) async fn carry(router: &Router, user: Connection, cell: Connection) {
    let (deaf, brief) =
        (router.has(Mutation::TakesFramesForRequests), router.has(Mutation::ClosesWebsocketsSoon));
    let there = pipe(Element::FromUser, user.reader, cell.writer, deaf.then_some(0));
    let back = pipe(Element::FromCell, cell.reader, user.writer, brief.then_some(1));
    if deaf || brief {
        tokio::select! {
            () = there => {}
            () = back => {}
        }
        return;
    }
    tokio::join!(there, back);
}

/// One direction; `blocks` bounds how many pass.
async fn pipe(way: Element, mut from: Reader, mut to: OwnedWriteHalf, mut blocks: Option<usize>) {
    loop {
        let here = changed(Seam::Tunnel, way, from.buffer.split().freeze());
        if !here.is_empty() {
            if blocks == Some(0) || to.write_all(&here).await.is_err() {
                return;
            }
            blocks = blocks.map(|blocks| blocks - 1);
            if blocks == Some(0) {
                return;
            }
        }
        if !from.fill().await.unwrap_or(false) {
            let _ = to.shutdown().await;
            return;
        }
    }
}
