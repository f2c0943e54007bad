//! The servers of all cells of one fleet, from start to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::faults::{CellFault, Faults, panic_message};
use super::listener::serve;
use super::service::Seat;
use crate::CellId;

/// Turns of the runtime without any arrival after which nothing more can be on its way: accepting,
/// registering and reading take one or two each.
const QUIET_TURNS: usize = 16;

/// Running servers. Dropping them aborts their tasks, and with them all connections.
#[derive(Debug)]
pub(crate) struct Servers {
    stopping: watch::Sender<bool>,
    tasks: Vec<(CellId, JoinHandle<()>)>,
    activity: Arc<AtomicU64>,
    faults: Arc<Faults>,
}

impl Servers {
    pub(crate) fn new(faults: Arc<Faults>) -> Self {
        Self { stopping: watch::Sender::new(false), tasks: Vec::new(), activity: Arc::default(), faults }
    }

    /// Serves a cell on this listener, in the current runtime.
    pub(crate) fn serve(&mut self, listener: TcpListener, seat: Seat) {
        let id = seat.id.clone();
        let task = tokio::spawn(serve(listener, Arc::new(seat), self.activity.clone(), self.stopping.subscribe()));
        self.tasks.push((id, task));
    }

    /// Lets the cells take in everything that the system has already received for them.
    pub(crate) async fn settle(&self) {
        let (mut seen, mut quiet) = (self.activity.load(Ordering::Relaxed), 0);
        while quiet < QUIET_TURNS {
            tokio::task::yield_now().await;
            let now = self.activity.load(Ordering::Relaxed);
            quiet = if now == seen { quiet + 1 } else { 0 };
            seen = now;
        }
    }

    pub(crate) fn faults(&self) -> Vec<CellFault> {
        self.faults.so_far()
    }

    /// Takes in what has arrived, closes listeners and connections, and tells what went wrong.
    pub(crate) async fn stop(mut self) -> Vec<CellFault> {
        self.settle().await;
        self.stopping.send_replace(true);
        for (cell, task) in &mut self.tasks {
            if let Err(error) = task.await
                && let Ok(payload) = error.try_into_panic()
            {
                self.faults.record(CellFault::Server { cell: cell.clone(), message: panic_message(&*payload) });
            }
        }
        self.faults.so_far()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        // Dropping an accept task drops its set of connections, which aborts them.
        self.tasks.iter().for_each(|(_, task)| task.abort());
    }
}
