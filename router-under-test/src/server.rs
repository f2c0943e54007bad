//! Listens for users, serves their connections, and ends without losing a request.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use http::HeaderValue;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::task::{JoinSet, yield_now};
use tokio::time::{sleep, timeout};

use crate::metrics;
use crate::parts::Parts;
use crate::router::{Router, User};
use crate::shared::Shared;
use crate::stream::{LONGEST_HEAD, Stream};

/// How long requests under way may take to end after a signal.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(10);
/// How long connections are accepted after a signal: who has just connected has a response.
const LAST_CALL: Duration = Duration::from_millis(100);
/// Connections that the system keeps until they are accepted.
const BACKLOG: i32 = 1024;
/// Pause after an error of the system, such as too many open files.
const PAUSE: Duration = Duration::from_millis(20);

/// Serves until SIGTERM or SIGINT, and drains; an error where the address cannot be bound, or a
/// thread cannot be started.
pub(crate) fn serve<P: Parts>(parts: &P, shared: &Arc<Shared>) -> io::Result<()> {
    may_have_files();
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (stop, stopped) = watch::channel(());
    let runtime = runtime()?;
    // Before it listens: a signal may arrive as soon as it is ready.
    let (mut terminate, mut interrupt) = runtime.block_on(async {
        if let Some(address) = shared.settings.metrics {
            metrics::serve(address).await?;
        }
        // A file beyond a limit of the system is an error of a write, and not the end of the
        // router.
        drop(signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?);
        Ok::<_, io::Error>((signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?))
    })?;
    let mut is_told = async || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    // All listen before the first one accepts, so that no connection waits at one that fails.
    let listeners: Vec<_> =
        (0..threads).map(|_| listen(shared.topology.listen)).collect::<io::Result<_>>()?;
    let mut workers = Vec::with_capacity(threads);
    for listener in listeners {
        let router = Router::new(parts.clone(), Arc::clone(shared));
        let (runtime, stopped) = (self::runtime()?, stopped.clone());
        let worker = move || runtime.block_on(work(listener, router, stopped));
        workers.push(thread::Builder::new().name("router".to_owned()).spawn(worker)?);
    }
    tracing::info!(listen = %shared.topology.listen, region = shared.topology.region, "serves");
    runtime.block_on(is_told());
    drop(stop);
    tracing::info!("stops");
    let (drains, drained) = oneshot::channel();
    thread::spawn(move || {
        workers.into_iter().for_each(|worker| drop(worker.join()));
        drains.send(())
    });
    runtime.block_on(async {
        tokio::select! {
            _ = drained => {}
            // A second signal ends it at once.
            () = is_told() => {}
        }
    });
    Ok(())
}

/// Lets the process have as many files open as the system allows: each connection takes one.
fn may_have_files() {
    let limit = getrlimit(Resource::Nofile);
    // Where it may not, new connections wait sooner.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

fn runtime() -> io::Result<runtime::Runtime> {
    runtime::Builder::new_current_thread().enable_all().build()
}

/// A listener of one thread. The system spreads connections over all that share the address; a new
/// process may listen beside the old one.
pub(crate) fn listen(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_reuse_port(true)?;
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{address}: {error}"));
    socket.bind(&address.into()).map_err(named)?;
    socket.listen(BACKLOG).map_err(named)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// Serves what this listener accepts, until the router stops and all is served.
async fn work<P: Parts>(
    listener: std::net::TcpListener,
    router: Router<P>,
    stopped: watch::Receiver<()>,
) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let router = Arc::new(router);
    let mut users = JoinSet::new();
    let mut last_call = pin!(async {
        stop(stopped.clone()).await;
        sleep(LAST_CALL).await;
    });
    let mut stops = pin!(stop(stopped.clone()));
    let mut is_stopping = false;
    let mut waiting = None;
    loop {
        let accepted = tokio::select! {
            biased;
            accepted = accept(&listener, &router.shared.connections, &mut waiting) => accepted,
            () = last_call.as_mut() => break,
            () = stops.as_mut(), if !is_stopping => {
                is_stopping = true;
                // The runtime looks for connections that have come meanwhile.
                yield_now().await;
                continue;
            }
            // The router stops, and nobody is served who could be waited for.
            none = users.join_next(), if is_stopping => match none {
                Some(_) => continue,
                None => break,
            },
        };
        match accepted {
            Ok((socket, address, place)) => {
                let user = user(socket, address, Arc::clone(&router), stopped.clone());
                users.spawn(async move {
                    user.await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "no connection can be accepted");
                sleep(PAUSE).await;
            }
        }
        while users.try_join_next().is_some() {}
    }
    drop(listener);
    // Who was accepted has a response, also without a place.
    if let Some((socket, address)) = waiting {
        users.spawn(user(socket, address, router, stopped.clone()));
    }
    let _ = timeout(DRAIN_LIMIT, users.join_all()).await;
}

/// A connection, once there is a place for it; until then it is the one that waits.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
    waiting: &mut Option<(TcpStream, SocketAddr)>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    // A thread that took a place first could keep it from a connection that waits at another one.
    if waiting.is_none() {
        *waiting = Some(listener.accept().await?);
    }
    let place = Arc::clone(connections).acquire_owned().await.map_err(io::Error::other)?;
    let (socket, address) = waiting.take().ok_or(io::ErrorKind::NotConnected)?;
    Ok((socket, address, place))
}

/// Resolves when the router stops.
async fn stop(mut stopped: watch::Receiver<()>) {
    // The sender says nothing; it goes.
    while stopped.changed().await.is_ok() {}
}

/// Serves the requests of one connection.
async fn user<P: Parts>(
    socket: TcpStream,
    address: SocketAddr,
    router: Arc<Router<P>>,
    stopped: watch::Receiver<()>,
) {
    let settings = &router.shared.settings;
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(settings.head_timeout)
        .max_header_size(LONGEST_HEAD);
    let link = Arc::default();
    let stream = Stream::new(socket, settings.silence, Some(Arc::clone(&link)));
    let field = HeaderValue::try_from(address.ip().to_canonical().to_string())
        .unwrap_or(HeaderValue::from_static("unknown"));
    let user = User { address, field, link };
    let service = service_fn(|request| {
        let (router, user) = (Arc::clone(&router), user.clone());
        async move { Ok::<_, Infallible>(router.respond(request, user).await) }
    });
    let mut connection = pin!(
        builder.serve_connection(TokioIo::new(router.parts.user(stream)), service).with_upgrades()
    );
    let outcome = tokio::select! {
        // On a busy machine the time is over before what has arrived was read.
        biased;
        outcome = connection.as_mut() => outcome,
        () = async {
            stop(stopped).await;
            // Who has just connected has a response, too.
            sleep(LAST_CALL).await;
        } => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "connection to a user ended");
    }
}
