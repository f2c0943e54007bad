//! The worker threads and their shutdown.

mod descriptors;
mod listen;
mod shutdown;
mod spread;
mod worker;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::net::{TcpListener as Listener, TcpStream};
use tokio::runtime::{Builder, LocalRuntime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::watch;

pub use shutdown::DRAIN_LIMIT;

use crate::cache::Cache;
use crate::config::{CellIndex, ConfigError, Source, Topology};
use crate::connection::Acceptor;
use crate::metrics::{self, Metrics, Readings};
use crate::shed;
use descriptors::TooFew;
use listen::ListenError;
use shutdown::Stopping;
use spread::Spread;

/// After an error that concerns the process and not one connection (no file descriptor left, say),
/// accepting pauses for this long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// How long connections are still accepted after the signal to stop, while users have some.
const LAST_CONNECTIONS: Duration = Duration::from_millis(100);

/// Connections to one cell that each thread may have in any case: those whose unwanted response is
/// still read are of no use to the next request.
const FEWEST_AT_A_CELL: usize = 8;

/// How much longer than requests a thread may take to end. One that does not end by then never
/// will.
const JOIN_LIMIT: Duration = Duration::from_secs(2);

/// Why the router does not serve: the system's or the operator's fault.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    /// The address cannot be listened on.
    #[error(transparent)]
    Listen(ListenError),
    /// The system does not give threads, signals or an event queue.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
    /// The process may open too few files.
    #[error(transparent)]
    Descriptors(TooFew),
    /// The topology cannot be reloaded.
    #[error(transparent)]
    Reload(ConfigError),
    /// A thread ended before it was told to. Users whose connections it had have lost them, and
    /// those whose connections it would get would wait for ever.
    #[error("a thread ended while it was serving: {0}")]
    WorkerEnded(String),
}

/// Gives each thread its share of what the process may have.
fn shared_out(mut topology: Topology, threads: usize) -> Result<Arc<Topology>, TooFew> {
    let settings = &mut topology.settings;
    for limit in [
        &mut settings.max_requests,
        &mut settings.max_cell_requests,
        &mut settings.max_cell_pre_flights,
        &mut settings.max_buffered_bytes,
    ] {
        *limit = shed::share(*limit, threads);
    }
    let connections = descriptors::connections(settings.max_connections, threads)?;
    settings.max_connections = shed::share(connections, threads);
    let of_address = settings.max_address_connections.min(connections);
    settings.max_address_connections = shed::share(of_address, threads);
    let at_a_cell = settings.max_cell_connections.min(connections);
    settings.max_cell_connections = shed::share(at_a_cell, threads).max(FEWEST_AT_A_CELL);
    Ok(Arc::new(topology))
}

/// Serves until SIGTERM or SIGINT, and drains. SIGHUP reads the topology again.
pub(crate) fn serve(topology: Topology, source: &Source<'_>) -> Result<(), ServeError> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut topology = shared_out(topology, threads).map_err(ServeError::Descriptors)?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let context = runtime.enter();
    // Before listening: a signal may arrive as soon as the router is ready.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    // What a body is kept in may not grow beyond a limit of the process: an error of that write, not
    // the end of all requests. Nobody waits for the signal; that it is handled is enough.
    drop(signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?);
    let mut signalled = async || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };

    let cache = Cache::new(topology.max_entries);
    let (stop, stopping) = shutdown::stop();
    // Before listening, because users may connect at once.
    let (topologies, renewed) = watch::channel(Arc::clone(&topology));
    let metrics = watched(&renewed, &cache, threads, stopping.clone())?;
    let (tell, mut ended) = unbounded_channel();
    let mut workers = Vec::new();
    for (number, spread) in Spread::new(threads).into_iter().enumerate() {
        let counters = metrics.as_ref().map(|metrics| metrics.counters(number));
        let (topology, cache) = (Arc::clone(&topology), Arc::clone(&cache));
        let (stopping, tell, renewed) = (stopping.clone(), tell.clone(), renewed.clone());
        workers.push(worker::start(number, tell, move |listener, runtime| {
            if let Some(counters) = counters {
                counters.belong_to_this_thread();
            }
            work(listener, runtime, topology, renewed, cache, spread, stopping)
        })?);
    }
    drop(tell);
    // All that can fail has been done: users who connect are served.
    let listeners = listen::listen(topology.listen, threads).map_err(ServeError::Listen)?;
    for (worker, listener) in workers.into_iter().zip(listeners) {
        // The thread waits for it.
        let _ = worker.send(listener);
    }
    tracing::info!(listen = %topology.listen, threads, "ready");

    let failed = runtime.block_on(async {
        let mut failed = loop {
            // Signals to stop are heard while the file is read, too.
            let reloaded = async {
                hangup.recv().await;
                source.load_again(&topology).await
            };
            let later = tokio::select! {
                () = signalled() => break None,
                why = ended.recv() => break why.flatten(),
                later = reloaded => later,
            };
            let later = later
                .map_err(ServeError::Reload)
                .and_then(|later| shared_out(later, threads).map_err(ServeError::Descriptors));
            let done = later.is_ok();
            match later {
                Ok(later) => {
                    let gone = (0..later.known()).map(CellIndex::nth);
                    let gone = gone.filter(|cell| !later.has(*cell)).collect();
                    // In this order, so that nothing that has gone is learnt or found any more.
                    cache.renew(gone, later.max_entries, Instant::now());
                    topologies.send_replace(Arc::clone(&later));
                    tracing::info!(cells = later.cells().len(), "topology reloaded");
                    topology = later;
                }
                Err(error) => tracing::error!(%error, "topology not reloaded, the old one stays"),
            }
            if let Some(metrics) = &metrics {
                metrics.reloaded(done);
            }
        };
        tracing::info!("stopping");
        stop.now();
        let stopped = tokio::time::timeout(DRAIN_LIMIT + JOIN_LIMIT, async {
            while let Some(why) = ended.recv().await {
                failed = failed.take().or(why);
            }
        });
        let late = tokio::select! {
            outcome = stopped => outcome.is_err(),
            () = signalled() => false,
        };
        if late {
            tracing::error!("a thread does not end; its requests are lost");
        }
        failed
    });
    drop(context);
    // Threads that have not ended after a second signal, or too long a wait, are left behind.
    runtime.shutdown_background();
    failed.map_or(Ok(()), |why| Err(ServeError::WorkerEnded(why)))
}

/// Serves metrics on the runtime that waits for signals, where the operator asked for them.
fn watched(
    renewed: &watch::Receiver<Arc<Topology>>,
    cache: &Arc<Cache>,
    threads: usize,
    stopping: Stopping,
) -> Result<Option<Arc<Metrics>>, ServeError> {
    let topology = Arc::clone(&renewed.borrow());
    let Some(address) = topology.settings.metrics else { return Ok(None) };
    let listener = listen::listen(address, 1).map_err(ServeError::Listen)?.remove(0);
    let (renewed, cache) = (renewed.clone(), Arc::clone(cache));
    let read = move || {
        let topology = Arc::clone(&renewed.borrow());
        let known = (0..topology.known()).map(|index| topology.cell(CellIndex::nth(index)));
        let (cache_entries, cache_evictions) = cache.size();
        let cells = known.map(|cell| cell.id.clone()).collect();
        Readings { cells, cache_entries: cache_entries as u64, cache_evictions }
    };
    let metrics = Arc::new(Metrics::new(threads, topology.most_known(), read));
    let served =
        metrics::serve::serve(listener, Arc::clone(&metrics), move || !stopping.has_begun());
    tokio::spawn(async move {
        if let Err(error) = served.await {
            tracing::error!(%error, "metrics are not served");
        }
    });
    Ok(Some(metrics))
}

/// One thread: accepts connections on its own socket and serves them to their end.
fn work(
    listener: TcpListener,
    runtime: LocalRuntime,
    topology: Arc<Topology>,
    mut renewed: watch::Receiver<Arc<Topology>>,
    cache: Arc<Cache>,
    mut spread: Spread,
    mut stopping: Stopping,
) -> io::Result<()> {
    runtime.block_on(async {
        let most = topology.settings.max_connections;
        let acceptor = Acceptor::new(topology, cache);
        let current = acceptor.current();
        // Apart from accepting, which may have to wait for room.
        tokio::task::spawn_local(async move {
            while renewed.changed().await.is_ok() {
                let topology = Arc::clone(&renewed.borrow_and_update());
                current.renew(topology);
            }
        });
        let listener = Listener::from_std(listener)?;
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => {
                    accepted.and_then(|(stream, peer)| spread.assign(stream, peer))
                }
                handed = spread.handed() => handed.map(Some),
                () = stopping.begun() => break,
            };
            match accepted {
                Ok(None) => {}
                Ok(Some(accepted)) => {
                    // Where all connections are busy, the others wait in the queue of the socket.
                    tokio::select! {
                        biased;
                        () = acceptor.connections().make_room(most) => {}
                        () = stopping.begun() => {}
                    }
                    acceptor.serve(accepted);
                }
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "cannot accept");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        // Users who connect now have not heard of it yet: each gets one response, and the end.
        let connections = acceptor.connections().clone();
        connections.end();
        let last = tokio::time::sleep(LAST_CONNECTIONS);
        tokio::pin!(last);
        loop {
            tokio::select! {
                biased;
                () = last.as_mut() => break,
                // Those who wait in the queue are accepted below.
                () = connections.none_left() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => acceptor.serve(spread.stay(stream, peer)),
                    Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
                },
            }
        }
        accept_what_waits(listener, &mut spread, &acceptor)?;
        let connections = acceptor.end();
        if tokio::time::timeout(DRAIN_LIMIT, connections.none_left()).await.is_err() {
            tracing::warn!(connections = connections.number(), "closing unfinished connections");
        }
        Ok(())
    })
}

/// Users in the queue of the socket have a connection, and would see it reset.
fn accept_what_waits(
    listener: Listener,
    spread: &mut Spread,
    acceptor: &Acceptor,
) -> io::Result<()> {
    for handed in spread.last() {
        acceptor.serve(handed?);
    }
    let listener = listener.into_std()?;
    while let Ok((stream, peer)) = listener.accept() {
        stream.set_nonblocking(true)?;
        acceptor.serve(spread.stay(TcpStream::from_std(stream)?, peer));
    }
    Ok(())
}

fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
