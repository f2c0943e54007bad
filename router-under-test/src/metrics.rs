//! What the router counts, and where Prometheus reads it (`CELLS_METRICS`).

use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use metrics::{counter, histogram};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tokio::time::interval;

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

/// Serves metrics on this address, whatever is asked for, as long as the process lives; an error
/// where it cannot be bound, or the process has such metrics already.
pub(crate) async fn serve(address: SocketAddr) -> io::Result<()> {
    let builder = PrometheusBuilder::new().set_buckets(&BUCKETS);
    let handle = builder.and_then(PrometheusBuilder::install_recorder).map_err(io::Error::other)?;
    let listener = TcpListener::from_std(listen(address)?)?;
    tokio::spawn(async move {
        let mut upkeep = interval(UPKEEP);
        loop {
            tokio::select! {
                _ = upkeep.tick() => handle.run_upkeep(),
                // After an error it waits for the next upkeep.
                Ok((socket, _)) = listener.accept() => {
                    let handle = handle.clone();
                    let service = service_fn(move |_: Request<Incoming>| {
                        ready(Ok::<_, Infallible>(Response::new(handle.render())))
                    });
                    let mut builder = Builder::new();
                    builder.timer(TokioTimer::new()).header_read_timeout(UPKEEP);
                    tokio::spawn(builder.serve_connection(TokioIo::new(socket), service));
                }
            }
        }
    });
    Ok(())
}
