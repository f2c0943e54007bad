//! One cell's listener and its connections.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinSet};

use super::Node;
use super::connection::{self, connection};
use super::errors::{CellError, panic_message};
use super::listen_socket::{Command, ListenSocket, Outage};
use super::socket::Socket;
use crate::fault::{ConnectionFault, Ending};

/// How long a stop waits for responses that are being sent. Idle connections close at once; only a
/// response that is held uses up the time.
pub(super) const STOP_GRACE: Duration = Duration::from_millis(250);

/// One cell while it serves.
struct Serving {
    node: Arc<Node>,
    activity: Arc<AtomicU64>,
    stopping: watch::Receiver<bool>,
    connections: JoinSet<()>,
    /// The connections' sockets, to reset them. Dropped ones are removed when a connection is
    /// accepted.
    sockets: Vec<Weak<Socket>>,
    accepted: u32,
}

/// Serves one cell until `stopping` becomes true, then closes its connections.
pub(super) async fn serve(
    mut listen_socket: ListenSocket,
    node: Arc<Node>,
    activity: Arc<AtomicU64>,
    mut stopping: watch::Receiver<bool>,
    mut commands: mpsc::UnboundedReceiver<Command>,
) {
    let (connections, sockets) = (JoinSet::new(), Vec::new());
    let mut serving =
        Serving { node, activity, stopping: stopping.clone(), connections, sockets, accepted: 0 };
    loop {
        tokio::select! {
            // A waiting connection is accepted before a stop takes effect.
            biased;
            accepted = listen_socket.accept() => match accepted {
                Ok(stream) => serving.take(stream),
                Err(error) => {
                    serving.note(format!("it could not accept: {error}"));
                    // For example, no file descriptors are left: wait for some to be closed instead
                    // of spinning.
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            },
            Some(Command { outage, done }) = commands.recv() => {
                let is_set = listen_socket.set_open(outage != Outage::Begins);
                if outage != Outage::Ends {
                    serving.reset_all().await;
                }
                // The command takes effect even if its sender has stopped waiting.
                let _ = done.send(is_set);
            },
            Some(ended) = serving.connections.join_next() => serving.joined(ended),
            () = connection::told_to_stop(&mut stopping) => break,
        }
    }
    drop(listen_socket);
    serving.end().await;
}

impl Serving {
    fn take(&mut self, stream: tokio::net::TcpStream) {
        self.activity.fetch_add(1, Ordering::Relaxed);
        let spared =
            self.node.active_faults.for_connections(&self.node.id).filter_map(
                |fault| match fault {
                    ConnectionFault::ClosesBeforeReading { connections } => Some(connections),
                    _ => None,
                },
            );
        if self.accepted < spared.sum() {
            self.accepted += 1;
            return;
        }
        let socket = Arc::new(Socket::new(stream));
        self.sockets.retain(|socket| socket.strong_count() > 0);
        self.sockets.push(Arc::downgrade(&socket));
        self.connections.spawn(connection(
            socket,
            self.node.clone(),
            self.activity.clone(),
            self.stopping.clone(),
        ));
    }

    /// Resets all connections in any state.
    async fn reset_all(&mut self) {
        for socket in self.sockets.drain(..).filter_map(|socket| socket.upgrade()) {
            socket.cut(Ending::Reset);
        }
        self.abort_all().await;
    }

    async fn end(mut self) {
        let finish = async {
            while let Some(ended) = self.connections.join_next().await {
                self.joined(ended);
            }
        };
        if tokio::time::timeout(STOP_GRACE, finish).await.is_err() {
            self.sockets
                .iter()
                .filter_map(Weak::upgrade)
                .for_each(|socket| socket.cut(Ending::Close));
            self.abort_all().await;
        }
    }

    async fn abort_all(&mut self) {
        self.connections.abort_all();
        while let Some(ended) = self.connections.join_next().await {
            self.joined(ended);
        }
    }

    fn joined(&self, ended: Result<(), JoinError>) {
        if let Err(error) = ended
            && let Ok(payload) = error.try_into_panic()
        {
            self.note(panic_message(&*payload));
        }
    }

    fn note(&self, message: String) {
        self.node.errors.record(CellError::Server { cell: self.node.id.clone(), message });
    }
}
