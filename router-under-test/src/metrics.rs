//! What the router counts, and where Prometheus reads it (`CELLS_METRICS`).

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use metrics::{counter, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::server::listen;

/// How often what was measured is put into the histograms.
const UPKEEP: Duration = Duration::from_secs(5);
/// Buckets of durations, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0];

/// A response is given to a request that came then.
pub(crate) fn request(came: Instant, status: StatusCode) {
    let status = status.as_u16().to_string();
    counter!("cells_router_requests_total", "status" => status).increment(1);
    histogram!("cells_router_request_duration_seconds").record(came.elapsed());
}

/// Serves `GET /metrics` on this address for as long as the process lives.
///
/// # Errors
///
/// Where the address cannot be bound, or the process has such metrics already.
pub(crate) async fn serve(address: SocketAddr) -> io::Result<()> {
    let handle = PrometheusBuilder::new()
        .set_buckets(&BUCKETS)
        .map_err(io::Error::other)?
        .install_recorder()
        .map_err(io::Error::other)?;
    let listener = TcpListener::from_std(listen(address)?)?;
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    tokio::spawn(async move {
        loop {
            let Ok((socket, _)) = listener.accept().await else {
                sleep(UPKEEP).await;
                continue;
            };
            let handle = handle.clone();
            let service = service_fn(move |request| {
                let response = respond(&request, &handle);
                async move { Ok::<_, Infallible>(response) }
            });
            let mut builder = Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(UPKEEP);
            tokio::spawn(builder.serve_connection(TokioIo::new(socket), service));
        }
    });
    Ok(())
}

fn respond(request: &Request<Incoming>, handle: &PrometheusHandle) -> Response<Full<Bytes>> {
    let is_asked = request.method() == Method::GET && request.uri().path() == "/metrics";
    let text = if is_asked { handle.render() } else { String::new() };
    let mut response = Response::new(Full::from(text));
    if !is_asked {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}
