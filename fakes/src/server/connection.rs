//! One connection of a cell, from accept to close.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::sync::watch;

use super::ledger::Ledger;
use super::service::{OnConnection, Seat};
use super::socket::Socket;
use super::tap::{AfterAnswer, Tap};
use crate::fault::{ConnectionFault, Ending};

/// Serves a connection until it ends, or the fleet stops.
pub(super) async fn connection(socket: Arc<Socket>, seat: Arc<Seat>, activity: Arc<AtomicU64>, mut stopping: watch::Receiver<bool>) {
    let (mut is_read, mut after_answer) = (true, None);
    for fault in seat.trouble.of_connections(&seat.id) {
        match fault {
            ConnectionFault::ReadsNothing(_) => is_read = false,
            ConnectionFault::ClosesAfterOneAnswer(_) => after_answer = Some((AfterAnswer::Closes, seat.trouble.clone())),
            ConnectionFault::ClosesWhenUsedAgain(_) => after_answer = Some((AfterAnswer::ClosesWhenUsed, seat.trouble.clone())),
            ConnectionFault::Refuses(_) | ConnectionFault::ClosesBeforeReading(_) => {}
        }
    }
    if !is_read {
        tokio::select! {
            () = seat.trouble.ended() => {}
            () = told_to_stop(&mut stopping) => return,
        }
    }
    let ledger = Arc::new(Ledger::new(seat.id.clone(), seat.journal.clone(), seat.flow.clone()));
    let tap = Tap::new(socket.clone(), ledger.clone(), activity).with(after_answer);
    // No timer, so no time limit on heads or idle connections: a router is promised that cells close
    // only with `Connection: close` or after an error. Half-closed, a sender still gets its answer.
    let service = OnConnection { seat, ledger, socket: socket.clone() };
    let served = async {
        let served =
            http1::Builder::new().half_close(true).title_case_headers(true).serve_connection(TokioIo::new(tap), service).with_upgrades();
        tokio::pin!(served);
        tokio::select! {
            biased;
            ended = served.as_mut() => ended,
            () = told_to_stop(&mut stopping) => {
                served.as_mut().graceful_shutdown();
                served.as_mut().await
            }
        }
    };
    let ended = served.await;
    if let Err(error) = ended {
        // What the peer did wrong stands in the journal.
        tracing::debug!(%error, "a connection to a cell ended early");
        return;
    }
    // With another protocol on it, the connection is the application's, but it ends with the cell.
    tokio::select! {
        () = socket.let_go.notified() => {}
        () = told_to_stop(&mut stopping) => {
            socket.cut(Ending::Close);
            socket.let_go.notified().await;
        }
    }
}

/// Ends when the fleet stops, or is dropped.
pub(super) async fn told_to_stop(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}
