//! One connection of a cell, from accept to close.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::sync::watch;

use super::connection_log::ConnectionLog;
use super::node::Node;
use super::service::ConnectionService;
use super::socket::Socket;
use super::tap::{AfterResponse, Tap};
use crate::fault::{ConnectionFault, Ending};

/// Serves a connection until it ends, or the fleet stops.
pub(super) async fn connection(
    socket: Arc<Socket>,
    node: Arc<Node>,
    activity: Arc<AtomicU64>,
    mut stopping: watch::Receiver<bool>,
) {
    let (mut is_read, mut after_response) = (true, None);
    for fault in node.active_faults.for_connections(&node.id) {
        match fault {
            ConnectionFault::ReadsNothing => is_read = false,
            ConnectionFault::ClosesAfterOneResponse => {
                after_response = Some((AfterResponse::Closes, node.active_faults.clone()))
            }
            ConnectionFault::ClosesWhenUsedAgain => {
                after_response = Some((AfterResponse::ClosesWhenUsed, node.active_faults.clone()))
            }
            ConnectionFault::Refuses
            | ConnectionFault::AnswersNoConnection
            | ConnectionFault::ClosesBeforeReading { .. } => {}
        }
    }
    if !is_read {
        tokio::select! {
            () = node.active_faults.ended() => {}
            () = told_to_stop(&mut stopping) => return,
        }
    }
    let connection_log =
        ConnectionLog::new(node.id.clone(), node.journal.clone(), node.flow.clone());
    let connection_log = Arc::new(connection_log.from(socket.peer()));
    let tap = Tap::new(socket.clone(), connection_log.clone(), activity).with(after_response);
    // No timer, and so no timeout for heads or idle connections: cells close connections only with
    // `Connection: close` or after an error. A sender that has half-closed still gets its response.
    let service =
        ConnectionService { node, connection_log: connection_log.clone(), socket: socket.clone() };
    let served = async {
        let served = http1::Builder::new()
            .half_close(true)
            .title_case_headers(true)
            .serve_connection(TokioIo::new(tap), service)
            .with_upgrades();
        tokio::pin!(served);
        let ended = tokio::select! {
            biased;
            ended = served.as_mut() => ended,
            () = told_to_stop(&mut stopping) => {
                served.as_mut().graceful_shutdown();
                served.as_mut().await
            }
        };
        // Before the server drops the tap, which closes the log.
        if let Some(status) = ended.as_ref().err().and_then(refusal) {
            connection_log.refused(status);
        }
        ended
    };
    let ended = served.await;
    if let Err(error) = ended {
        // The journal has what the peer did wrong.
        tracing::debug!(%error, "a connection to a cell ended early");
        return;
    }
    // After an upgrade the application has the connection, but it ends with the cell.
    tokio::select! {
        () = socket.let_go.notified() => {}
        () = told_to_stop(&mut stopping) => {
            socket.cut(Ending::Close);
            socket.let_go.notified().await;
        }
    }
}

/// The status that the HTTP library itself sends to a request that it cannot parse.
fn refusal(error: &hyper::Error) -> Option<u16> {
    match (error.is_parse(), error.is_parse_too_large()) {
        (false, _) => None,
        // The preface of HTTP/2 gets no response.
        _ if error.is_parse_version_h2() => None,
        (true, false) => Some(400),
        // The library tells the two apart by their texts alone.
        (true, true) if error.to_string().contains("URI") => Some(414),
        (true, true) => Some(431),
    }
}

/// Waits until the fleet stops or is dropped.
pub(super) async fn told_to_stop(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}
