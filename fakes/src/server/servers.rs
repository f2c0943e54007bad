//! The servers of all cells of one fleet, from start to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::Node;
use super::errors::{CellError, CellErrors, panic_message};
use super::listen_socket::{Command, ListenSocket, Outage, OutageError, send_command};
use super::listener::serve;
use crate::CellId;
use crate::fault::ConnectionFault;

/// Turns of the runtime without arrivals after which no bytes are left to read: accepting,
/// registering and reading take one or two turns each.
const QUIET_TURNS: usize = 16;

/// Running servers. Dropping them aborts their tasks, and with them all connections.
#[derive(Debug)]
pub(crate) struct Servers {
    stopping: watch::Sender<bool>,
    cells: Vec<ServerTask>,
    activity: Arc<AtomicU64>,
    errors: Arc<CellErrors>,
}

/// One cell's server.
#[derive(Debug)]
struct ServerTask {
    id: CellId,
    task: JoinHandle<()>,
    commands: mpsc::UnboundedSender<Command>,
}

impl Servers {
    pub(crate) fn new(errors: Arc<CellErrors>) -> Self {
        Self {
            stopping: watch::Sender::new(false),
            cells: Vec::new(),
            activity: Arc::default(),
            errors,
        }
    }

    /// Serves a cell on this listener, in the current runtime. Where a fault says so, the cell
    /// refuses connections, or does not answer attempts to connect.
    ///
    /// # Errors
    /// Where the operating system does not let the listener do so.
    pub(crate) fn serve(&mut self, listener: TcpListener, node: Node) -> io::Result<()> {
        let id = node.id.clone();
        let mut listen_socket = ListenSocket::Open(listener);
        for fault in node.active_faults.for_connections(&id) {
            match fault {
                ConnectionFault::Refuses => listen_socket.set_open(false)?,
                ConnectionFault::AnswersNoConnection => listen_socket.fill()?,
                _ => {}
            }
        }
        let (commands, received) = mpsc::unbounded_channel();
        let task = tokio::spawn(serve(
            listen_socket,
            Arc::new(node),
            self.activity.clone(),
            self.stopping.subscribe(),
            received,
        ));
        self.cells.push(ServerTask { id, task, commands });
        Ok(())
    }

    /// Begins or ends an outage of a cell, and waits until that has taken effect.
    pub(crate) async fn set(&self, cell: &CellId, outage: Outage) -> Result<(), OutageError> {
        let found = self.cells.iter().find(|server| server.id == *cell);
        let server = found.ok_or_else(|| OutageError::NoSuchCell(cell.clone()))?;
        send_command(&server.commands, cell, outage).await
    }

    /// Waits until the cells have read everything that the operating system has received for them.
    pub(crate) async fn settle(&self) {
        let (mut seen, mut quiet) = (self.activity.load(Ordering::Relaxed), 0);
        while quiet < QUIET_TURNS {
            tokio::task::yield_now().await;
            let now = self.activity.load(Ordering::Relaxed);
            quiet = if now == seen { quiet + 1 } else { 0 };
            seen = now;
        }
    }

    pub(crate) fn errors(&self) -> Vec<CellError> {
        self.errors.so_far()
    }

    /// Reads what has arrived, closes listeners and connections, and returns the cells' errors.
    pub(crate) async fn stop(mut self) -> Vec<CellError> {
        self.settle().await;
        self.stopping.send_replace(true);
        for ServerTask { id: cell, task, .. } in &mut self.cells {
            if let Err(error) = task.await
                && let Ok(payload) = error.try_into_panic()
            {
                self.errors.record(CellError::Server {
                    cell: cell.clone(),
                    message: panic_message(&*payload),
                });
            }
        }
        self.errors.so_far()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        // Dropping an accept task drops its set of connections, which aborts them.
        self.cells.iter().for_each(|server| server.task.abort());
    }
}
