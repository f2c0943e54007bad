//! The listener for scrapes.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::registry::Registry;
use tokio::task::AbortHandle;

use super::Metrics;
use super::text::{self, MEDIA_TYPE};

const PATH: &str = "/metrics";
/// Says whether new users are wanted.
const READY_PATH: &str = "/ready";
/// Connections at once; where one more comes, the oldest ends, which has been idle for longest or
/// has had its time.
const MOST_CONNECTIONS: usize = 16;
/// For the head of a request, and between two.
const HEAD_TIMEOUT: Duration = Duration::from_secs(60);
/// After an error that concerns the process, accepting pauses for this long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves metrics on a thread of its own runtime, for as long as that runs, and says whether the
/// router is `ready` for new users.
pub(crate) async fn serve(
    listener: TcpListener,
    metrics: Arc<Metrics>,
    ready: impl Fn() -> bool + Clone + Send + Sync + 'static,
) -> std::io::Result<()> {
    let registry = Arc::new(text::registry(metrics));
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut open: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection for metrics");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (registry, ready) = (Arc::clone(&registry), ready.clone());
        open.retain(|connection| !connection.is_finished());
        if open.len() >= MOST_CONNECTIONS
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
        }
        let served = tokio::spawn(async move {
            let service = service_fn(|request| {
                std::future::ready(Ok::<_, Infallible>(response(&request, &registry, &ready)))
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection for metrics ended");
            }
        });
        open.push_back(served.abort_handle());
    }
}

fn response(
    request: &Request<Incoming>,
    registry: &Registry,
    ready: impl Fn() -> bool,
) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    if path == READY_PATH {
        return if ready() {
            plain(StatusCode::OK, "ready\n")
        } else {
            plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
        };
    }
    if path != PATH {
        return plain(StatusCode::NOT_FOUND, "metrics are at /metrics\n");
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "metrics are read with GET\n");
    }
    let mut response = Response::new(Full::from(text::write(registry)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    response
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    response
}
