//! Users who send one request after the other, each on connections of their own.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use cell_fleet::wire;
use futures_util::future::join_all;
use http::{Request, header};
use http_body_util::{BodyExt as _, Empty};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use conformance_suite::engine::FirstFew;

/// Longer than any request takes to a router that responds.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// A request: a path, and where it is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) at: SocketAddr,
    pub(super) path: String,
}

/// What is sent, by how many users, for how long at most.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub(super) targets: Vec<Target>,
    pub(super) connections: usize,
    pub(super) limit: Duration,
}

/// What one load took.
#[derive(Clone, Debug, Default)]
pub(super) struct Slice {
    /// The times of the requests that got their page.
    pub(super) times: Vec<Duration>,
    /// The time from the first request to the last response.
    pub(super) took: Duration,
    /// Number of requests that did not.
    pub(super) failed: usize,
    /// Why, the first few.
    pub(super) failures: FirstFew,
}

impl Slice {
    /// Puts the load on its targets, from a thread of its own: the cells have the caller's.
    ///
    /// # Errors
    ///
    /// If the thread cannot be had.
    pub(super) async fn of(load: Load) -> Result<Self, String> {
        let users = tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| format!("no runtime for the users: {error}"))?;
            Ok(runtime.block_on(all_users(&load)))
        });
        users.await.map_err(|error| format!("the users ended: {error}"))?
    }
}

async fn all_users(load: &Load) -> Slice {
    let next = AtomicUsize::new(0);
    let mut users: Vec<_> = (0..load.connections).map(|_| User::default()).collect();
    // Everybody connects before the clock starts.
    let mut places: Vec<_> = load.targets.iter().map(|target| target.at).collect();
    places.sort_unstable();
    places.dedup();
    let failures: Vec<_> = join_all(users.iter_mut().map(|user| user.connect_all(&places))).await;
    let began = Instant::now();
    let slices = join_all(users.iter_mut().map(|user| user.work(load, &next, began))).await;
    let mut whole = Slice { took: began.elapsed(), ..Slice::default() };
    for failure in failures.into_iter().flatten() {
        whole.failures.add(|| failure);
    }
    for slice in slices {
        whole.times.extend(slice.times);
        whole.failed += slice.failed;
        whole.failures.join(slice.failures);
    }
    whole
}

/// A user: a connection to each place.
#[derive(Default)]
struct User {
    connections: HashMap<SocketAddr, SendRequest<Empty<Bytes>>>,
}

impl User {
    async fn connect_all(&mut self, places: &[SocketAddr]) -> Option<String> {
        for at in places {
            if let Err(why) = self.connection(*at).await {
                return Some(why);
            }
        }
        None
    }

    /// Takes one target after the other until none is left or the time is up.
    async fn work(&mut self, load: &Load, next: &AtomicUsize, began: Instant) -> Slice {
        let mut slice = Slice::default();
        while began.elapsed() < load.limit
            && let Some(target) = load.targets.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let asked = Instant::now();
            let visit = tokio::time::timeout(REQUEST_TIMEOUT, self.visit(target)).await;
            let outcome = visit.unwrap_or_else(|_| {
                Err(format!("{} got no response within {REQUEST_TIMEOUT:?}", target.path))
            });
            match outcome {
                Ok(()) => slice.times.push(asked.elapsed()),
                Err(why) => {
                    self.connections.remove(&target.at);
                    slice.failed += 1;
                    slice.failures.add(|| why);
                }
            }
        }
        slice
    }

    /// Visits a path; the page must be that of the path, so that a wrong cell shows.
    async fn visit(&mut self, Target { at, path }: &Target) -> Result<(), String> {
        let failed = |what: &dyn std::fmt::Display| format!("{path}: {what}");
        let request = Request::get(path.as_str())
            .header(header::HOST, at.to_string())
            .header(wire::CONFORMANCE_ID, "cost")
            .body(Empty::new())
            .map_err(|error| failed(&error))?;
        let connection = self.connection(*at).await?;
        let response = connection.send_request(request).await.map_err(|error| failed(&error))?;
        let status = response.status();
        let page = response.into_body().collect().await.map_err(|error| failed(&error))?.to_bytes();
        let is_right = page.windows(path.len()).any(|part| part == path.as_bytes());
        match (status.as_u16(), is_right) {
            (200, true) => Ok(()),
            (200, false) => Err(failed(&"the page of another path")),
            _ => Err(failed(&format_args!("status {status}"))),
        }
    }

    /// The connection to a place, a new one if it was closed after its last response.
    async fn connection(
        &mut self,
        at: SocketAddr,
    ) -> Result<&mut SendRequest<Empty<Bytes>>, String> {
        let is_ready = match self.connections.get_mut(&at) {
            Some(connection) => connection.ready().await.is_ok(),
            None => false,
        };
        if !is_ready {
            let unreachable = |error: &dyn std::fmt::Display| format!("{at}: {error}");
            let stream = TcpStream::connect(at).await.map_err(|error| unreachable(&error))?;
            stream.set_nodelay(true).map_err(|error| unreachable(&error))?;
            let (connection, driver) =
                handshake(TokioIo::new(stream)).await.map_err(|error| unreachable(&error))?;
            // Its errors are those of the requests on it.
            tokio::spawn(async { drop(driver.await) });
            self.connections.insert(at, connection);
        }
        self.connections.get_mut(&at).ok_or_else(|| format!("no connection to {at}"))
    }
}
