//! One cell's listener and its connections.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

use super::faults::{CellFault, panic_message};
use super::ledger::Ledger;
use super::service::{OnConnection, Seat};
use super::tap::Tap;

/// How long a stop waits for answers that are under way. Idle connections close at once; only an
/// answer that somebody still holds back uses it up.
pub(super) const STOP_GRACE: Duration = Duration::from_millis(250);

/// Connections that the system may keep waiting for a cell: more than any scenario opens at once.
const BACKLOG: u32 = 1024;

/// Binds an address for a cell. An address that was used a moment ago can be bound again; one that
/// somebody listens on cannot.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves one cell until `stopping` turns true, then lets go of all its connections.
pub(super) async fn serve(listener: TcpListener, seat: Arc<Seat>, activity: Arc<AtomicU64>, mut stopping: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            // A connection that is waiting is taken before the stop is heard.
            biased;
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    activity.fetch_add(1, Ordering::Relaxed);
                    connections.spawn(connection(stream, seat.clone(), activity.clone(), stopping.clone()));
                }
                Err(error) => {
                    seat.faults.record(CellFault::Server { cell: seat.id.clone(), message: format!("it could not accept: {error}") });
                    // Out of descriptors, say: give others the time to close some instead of turning at once.
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            },
            Some(ended) = connections.join_next() => note(ended, &seat),
            () = told_to_stop(&mut stopping) => break,
        }
    }
    drop(listener);
    let finish = async {
        while let Some(ended) = connections.join_next().await {
            note(ended, &seat);
        }
    };
    if tokio::time::timeout(STOP_GRACE, finish).await.is_err() {
        connections.abort_all();
        while let Some(ended) = connections.join_next().await {
            note(ended, &seat);
        }
    }
}

async fn connection(stream: TcpStream, seat: Arc<Seat>, activity: Arc<AtomicU64>, mut stopping: watch::Receiver<bool>) {
    // Answers are written whole; waiting for more to fill a segment would only slow the suite.
    let _ = stream.set_nodelay(true);
    let ledger = Arc::new(Ledger::new(seat.id.clone(), seat.journal.clone()));
    let tap = Tap::new(stream, ledger.clone(), activity);
    // No timer, so no time limit on heads or idle connections: a router is promised that cells close
    // only with `Connection: close` or after an error. Half-closed, a sender still gets its answer.
    let served =
        http1::Builder::new().half_close(true).title_case_headers(true).serve_connection(TokioIo::new(tap), OnConnection { seat, ledger });
    tokio::pin!(served);
    let ended = tokio::select! {
        biased;
        ended = served.as_mut() => ended,
        () = told_to_stop(&mut stopping) => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        // What the peer did wrong stands in the journal.
        tracing::debug!(%error, "a connection to a cell ended early");
    }
}

/// Ends when the fleet stops, or is dropped.
async fn told_to_stop(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}

fn note(ended: Result<(), JoinError>, seat: &Seat) {
    if let Err(error) = ended
        && let Ok(payload) = error.try_into_panic()
    {
        seat.faults.record(CellFault::Server { cell: seat.id.clone(), message: panic_message(&*payload) });
    }
}
