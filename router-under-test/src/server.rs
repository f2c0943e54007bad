//! The worker threads and their shutdown.

use std::fmt;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::net::{TcpListener as Listener, TcpStream};
use tokio::runtime::{Builder, LocalOptions};
use tokio::signal::unix::{SignalKind, signal};

use crate::cache::{Cache, View};
use crate::config::Topology;
use crate::connection::Acceptor;
use crate::listen::{self, ListenError};
use crate::metrics::{self, Registry};
use crate::shed;
use crate::shutdown::{self, DRAIN_LIMIT, Stopping};

/// After an error that concerns the process and not one connection (no file descriptor left, say),
/// accepting pauses for this long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Why the router does not serve: the system's or the operator's fault.
#[derive(Debug)]
pub(crate) enum ServeError {
    /// The address cannot be listened on.
    Listen(ListenError),
    /// The system does not give threads, signals or an event queue.
    System(io::Error),
}

/// Serves until SIGTERM or SIGINT, and drains.
pub(crate) fn serve(mut topology: Topology) -> Result<(), ServeError> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let settings = &mut topology.settings;
    settings.max_requests = shed::share(settings.max_requests, threads);
    settings.max_connections = shed::share(settings.max_connections, threads);
    let topology = Arc::new(topology);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let context = runtime.enter();
    // Before listening: a signal may arrive as soon as the router is ready.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut signalled = async || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };

    let cache = Cache::new(threads, topology.max_entries);
    // Before listening, because users may connect at once.
    let registry = watch(&topology, &cache, threads)?;
    let listeners = listen::listen(topology.listen, threads).map_err(ServeError::Listen)?;
    let (stop, stopping) = shutdown::stop();
    let workers = listeners
        .into_iter()
        .enumerate()
        .map(|(number, listener)| {
            let (topology, view) = (Arc::clone(&topology), cache.view(number));
            let (stopping, counters) =
                (stopping.clone(), registry.as_ref().map(|registry| registry.counters(number)));
            thread::Builder::new().name(format!("router-{number}")).spawn(move || {
                if let Some(counters) = counters {
                    counters.belong_to_this_thread();
                }
                work(listener, topology, view, stopping)
            })
        })
        .collect::<io::Result<Vec<_>>>()?;
    tracing::info!(listen = %topology.listen, threads, "ready");

    let outcome = runtime.block_on(async {
        signalled().await;
        tracing::info!("stopping");
        stop.now();
        let stopped = tokio::task::spawn_blocking(|| join(workers));
        tokio::select! {
            outcome = stopped => outcome.unwrap_or_else(|error| Err(error.into())),
            () = signalled() => Ok(()),
        }
    });
    drop(context);
    // After a second signal the threads are not joined.
    runtime.shutdown_background();
    Ok(outcome?)
}

/// Serves metrics on the runtime that waits for signals, where the operator asked for them.
fn watch(
    topology: &Arc<Topology>,
    cache: &Arc<Cache>,
    threads: usize,
) -> Result<Option<Arc<Registry>>, ServeError> {
    let Some(address) = topology.settings.metrics else { return Ok(None) };
    let listener = listen::listen(address, 1).map_err(ServeError::Listen)?.remove(0);
    let registry = Arc::new(Registry::new(threads, Arc::clone(topology), Arc::clone(cache)));
    let served = metrics::serve(listener, Arc::clone(&registry));
    tokio::spawn(async move {
        if let Err(error) = served.await {
            tracing::error!(%error, "metrics are not served");
        }
    });
    Ok(Some(registry))
}

fn join(workers: Vec<JoinHandle<io::Result<()>>>) -> io::Result<()> {
    for worker in workers {
        worker.join().map_err(|_| io::Error::other("a thread panicked"))??;
    }
    Ok(())
}

/// One thread: accepts connections on its own socket and serves them to their end.
fn work(
    listener: TcpListener,
    topology: Arc<Topology>,
    view: View,
    mut stopping: Stopping,
) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build_local(LocalOptions::default())?;
    runtime.block_on(async {
        let most = topology.settings.max_connections;
        let acceptor = Acceptor::new(topology, view);
        let listener = Listener::from_std(listener)?;
        loop {
            // Beyond the limit, users wait in the queue of the socket.
            tokio::select! {
                biased;
                () = acceptor.connections().fewer_than(most) => {}
                () = stopping.begun() => break,
            }
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stopping.begun() => break,
            };
            match accepted {
                Ok((stream, peer)) => acceptor.serve(stream, peer),
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "cannot accept");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        accept_what_waits(listener, &acceptor)?;
        let connections = acceptor.end();
        if tokio::time::timeout(DRAIN_LIMIT, connections.none_left()).await.is_err() {
            tracing::warn!(connections = connections.number(), "closing unfinished connections");
        }
        Ok(())
    })
}

/// Users in the queue of the socket have a connection, and would see it reset.
fn accept_what_waits(listener: Listener, acceptor: &Acceptor) -> io::Result<()> {
    let listener = listener.into_std()?;
    while let Ok((stream, peer)) = listener.accept() {
        stream.set_nonblocking(true)?;
        acceptor.serve(TcpStream::from_std(stream)?, peer);
    }
    Ok(())
}

fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(error) => error.fmt(f),
            Self::System(error) => write!(f, "cannot serve: {error}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Listen(error) => Some(error),
            Self::System(error) => Some(error),
        }
    }
}
