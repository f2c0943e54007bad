//! A small router that follows the routes-learning proposal.
//!
//! Before the first request for a path it sends a pre-flight to a cell of its region, and caches
//! the response. It shows how a router is tested; it is not meant for production.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::process::exit;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Either, Empty, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, HeaderValue, TRANSFER_ENCODING};
use hyper::{Method, Request, Response, StatusCode, Version};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::sync::oneshot;

/// Hop-by-hop fields (RFC 9110 7.6.1), and the fields between cells and routers.
const NOT_PASSED_ON: &str = "\
    connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer \
    transfer-encoding upgrade x-gitlab-cell-redirect x-gitlab-cell-cache";

type Outgoing = Either<Upload, Empty<Bytes>>;
type RouterResponse = Response<Either<Incoming, Full<Bytes>>>;

struct Router {
    /// Ids and addresses.
    cells: Vec<(String, String)>,
    /// Indices in `cells` of the cells of the router's region.
    own_region: Vec<usize>,
    latest: Option<usize>,
    learn_path: String,
    ttl: Duration,
    max_entries: usize,
    response_timeout: Duration,
    next_cell: AtomicUsize,
    /// By path and whether the entry is exact: the owner, and when the entry expires.
    cache: Mutex<HashMap<(String, bool), (usize, Instant)>>,
    client: Client<HttpConnector, Outgoing>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if std::env::var("CELLS_PROTOCOL").is_ok_and(|protocol| protocol != "learning") {
        exit(69); // not applicable, in the contract between suite and router
    }
    let mut arguments = std::env::args().skip(1);
    let (Some(listen), Some(topology)) = (arguments.next(), arguments.next()) else {
        fail("usage: little-router ADDRESS TOPOLOGY")
    };
    let text =
        std::fs::read(&topology).unwrap_or_else(|error| fail(&format!("{topology}: {error}")));
    let topology: Value =
        serde_json::from_slice(&text).unwrap_or_else(|error| fail(&format!("{topology}: {error}")));
    let listen: SocketAddr =
        listen.parse().unwrap_or_else(|error| fail(&format!("{listen}: {error}")));
    let router = Arc::new(
        Router::new(&topology).unwrap_or_else(|| fail("the topology file lacks a member")),
    );
    let listener = tokio::net::TcpListener::bind(listen)
        .await
        .unwrap_or_else(|error| fail(&format!("{listen}: {error}")));
    loop {
        let Ok((connection, _)) = listener.accept().await else { continue };
        let router = router.clone();
        tokio::spawn(async move {
            let service = hyper::service::service_fn(|request| {
                let router = router.clone();
                async move {
                    Ok::<_, std::convert::Infallible>(
                        router.serve(request).await.unwrap_or_else(refuse),
                    )
                }
            });
            // A user who disconnects does not affect the others.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(connection), service)
                .await;
        });
    }
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    exit(2)
}

fn refuse(status: StatusCode) -> RouterResponse {
    let mut response = Response::new(Either::Right(Full::from(format!("the router: {status}\n"))));
    *response.status_mut() = status;
    response
}

impl Router {
    fn new(topology: &Value) -> Option<Self> {
        let listed = topology["cells"].as_array()?;
        let cell = |cell: &Value| {
            Some((cell["id"].as_str()?.to_owned(), cell["url"].as_str()?.to_owned()))
        };
        let cells = listed.iter().map(cell).collect::<Option<Vec<_>>>()?;
        let limit = |member: &str| topology["limits"][member].as_u64().map(Duration::from_millis);
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(limit("connect_timeout_ms"));
        connector.set_nodelay(true);
        Some(Self {
            own_region: (0..cells.len())
                .filter(|index| listed[*index]["region"] == topology["region"])
                .collect(),
            latest: cells.iter().position(|cell| topology["latest_cell"] == *cell.0),
            cells,
            learn_path: topology["learn_path"].as_str()?.to_owned(),
            ttl: Duration::from_millis(topology["cache"]["ttl_ms"].as_u64()?),
            max_entries: usize::try_from(topology["cache"]["max_entries"].as_u64()?).ok()?,
            response_timeout: limit("response_timeout_ms")?,
            next_cell: AtomicUsize::new(0),
            cache: Mutex::default(),
            client: Client::builder(TokioExecutor::new()).build(connector),
        })
    }

    /// Sends a request once, to the cell that owns its path.
    async fn serve(&self, request: Request<Incoming>) -> Result<RouterResponse, StatusCode> {
        let (mut parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        // Tunnels and targets without a path are refused (RFC 9112 3.2).
        if parts.method == Method::CONNECT || !path.starts_with('/') {
            return Err(StatusCode::BAD_REQUEST);
        }
        // RFC 9110 7.6.2: whoever forwards these counts down. This router does not forward them.
        if matches!(parts.method, Method::OPTIONS | Method::TRACE)
            && parts.headers.contains_key("max-forwards")
        {
            return Err(StatusCode::NOT_IMPLEMENTED);
        }
        // Exactly one valid Host (RFC 9112 3.2).
        let mut hosts = parts.headers.get_all(HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).is_some_and(|host| {
            let is_number = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
            let port = host.rsplit_once(':').map_or("", |(_, port)| port);
            !host.contains([' ', '/', '@', ',']) && (port.ends_with(']') || is_number(port))
        });
        if parts.version == Version::HTTP_11 && !host || hosts.next().is_some() {
            return Err(StatusCode::BAD_REQUEST);
        }
        // Only routers send pre-flights.
        if path == self.learn_path {
            return Err(StatusCode::NOT_FOUND);
        }
        // An absolute target replaces Host (RFC 9112 3.2.2).
        if let Some(authority) = parts.uri.authority() {
            let host =
                HeaderValue::try_from(authority.as_str()).map_err(|_| StatusCode::BAD_REQUEST)?;
            parts.headers.insert(HOST, host);
        }
        let cell = match self.remembered(&path) {
            Some(cell) => cell,
            // Any cell can serve `/`; none owns it.
            None if path == "/" => {
                self.cells_in_turn().next().ok_or(StatusCode::SERVICE_UNAVAILABLE)?
            }
            None => self.learn(parts.method.as_str(), &path).await?,
        };
        let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
        parts.uri = format!("{}{target}", self.cells[cell].1)
            .parse()
            .map_err(|_| StatusCode::BAD_REQUEST)?;
        parts.version = hyper::Version::HTTP_11;
        remove_hop_fields(&mut parts.headers);
        // hyper frames the content of most methods by itself, but takes a GET for empty.
        if !body.is_end_stream() && body.size_hint().exact().is_none() {
            parts.headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
        }
        // Users reach this router directly, so only users can have set these.
        for name in ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"] {
            parts.headers.remove(name);
        }
        let mut response = {
            let (ends, sent) = oneshot::channel();
            let body = Either::Left(Upload { body, _ends: ends });
            self.send(Request::from_parts(parts, body), sent).await?
        };
        if response.status() == StatusCode::FOUND
            && response.headers().contains_key("x-gitlab-cell-redirect")
        {
            return Err(StatusCode::BAD_GATEWAY);
        }
        // This router does not forward `Upgrade`, so the response is unsolicited.
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            return Err(StatusCode::BAD_GATEWAY);
        }
        remove_hop_fields(response.headers_mut());
        // Of equal lengths one is left, which hyper writes (RFC 9110 8.6).
        let lengths = response.headers().get(CONTENT_LENGTH);
        if lengths.is_some_and(|lengths| lengths.as_bytes().contains(&b',')) {
            response.headers_mut().remove(CONTENT_LENGTH);
        }
        Ok(response.map(Either::Left))
    }

    /// Sends pre-flights to cells of the region until one names the owner of a path.
    async fn learn(&self, method: &str, path: &str) -> Result<usize, StatusCode> {
        for asked in self.cells_in_turn() {
            let url = format!(
                "{}{}?method={method}&path_info={}",
                self.cells[asked].1,
                self.learn_path,
                escaped(path)
            );
            let Ok(request) = Request::get(url).body(Either::Right(Empty::new())) else {
                return Err(StatusCode::BAD_REQUEST);
            };
            // It has no body, so nothing is left to send.
            let (_, sent) = oneshot::channel();
            let Ok(response) = self.send(request, sent).await else { continue };
            let status = response.status();
            let body = tokio::time::timeout(
                self.response_timeout,
                Limited::new(response.into_body(), 64 * 1024).collect(),
            );
            let Ok(Ok(body)) = body.await else { continue };
            match status {
                // No known cell owns it. The newest deployment may know more.
                StatusCode::NOT_FOUND => return Ok(self.latest.unwrap_or(asked)),
                StatusCode::OK => match self.remember(path, &body.to_bytes()) {
                    Some(owner) => return Ok(owner),
                    None => continue,
                },
                _ => continue,
            }
        }
        Err(StatusCode::BAD_GATEWAY)
    }

    /// Sends a request; the limit for its response begins once the body is `sent`.
    async fn send(
        &self,
        request: Request<Outgoing>,
        sent: oneshot::Receiver<()>,
    ) -> Result<Response<Incoming>, StatusCode> {
        let mut response = pin!(self.client.request(request));
        tokio::select! {
            response = &mut response => return response.map_err(|_| StatusCode::BAD_GATEWAY),
            _ = sent => {}
        }
        match tokio::time::timeout(self.response_timeout, response).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(_)) => Err(StatusCode::BAD_GATEWAY),
            Err(_) => Err(StatusCode::GATEWAY_TIMEOUT),
        }
    }

    /// The cells of the router's region, round robin.
    fn cells_in_turn(&self) -> impl Iterator<Item = usize> {
        let first = self.next_cell.fetch_add(1, Ordering::Relaxed) % self.own_region.len().max(1);
        self.own_region[first..].iter().chain(&self.own_region[..first]).copied()
    }

    /// Caches the owner that a response names, and returns it; `None` if the response is invalid.
    fn remember(&self, path: &str, response: &[u8]) -> Option<usize> {
        let response: Value = serde_json::from_slice(response).ok()?;
        let owner = self.cells.iter().position(|cell| response["cell"] == *cell.0)?;
        let (named, exact) =
            (response["path"].as_str()?, response["exact"].as_bool().unwrap_or(false));
        let key = (
            if exact { named } else { named.strip_suffix('/').unwrap_or(named) }.to_owned(),
            exact,
        );
        if named.len() > 1 && keys(path).any(|covering| covering == key) {
            let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if cache.len() >= self.max_entries {
                cache.clear();
            }
            cache.insert(key, (owner, Instant::now() + self.ttl));
        }
        Some(owner)
    }

    fn remembered(&self, path: &str) -> Option<usize> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let alive = |key| cache.get(&key).filter(|(_, end)| Instant::now() < *end);
        keys(path).find_map(alive).map(|(owner, _)| *owner)
    }
}

/// The cache keys that cover a path: the exact path, then its segment prefixes, longest first.
fn keys(path: &str) -> impl Iterator<Item = (String, bool)> {
    let ends =
        path.match_indices('/').map(|(at, _)| at).chain([path.len()]).rev().filter(|end| *end > 0);
    [(path.to_owned(), true)].into_iter().chain(ends.map(|end| (path[..end].to_owned(), false)))
}

/// Percent-encodes a path so that form decoding restores it.
fn escaped(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    path.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Removes the fields that are not for the next hop.
fn remove_hop_fields(headers: &mut HeaderMap) {
    let listed: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| Some(value.to_str().ok()?.to_owned()))
        .collect();
    let listed = listed
        .iter()
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty());
    for name in listed.chain(NOT_PASSED_ON.split_whitespace()) {
        headers.remove(name);
    }
}

/// The body of a user's request. It is dropped when its last byte is sent, and so is the sender.
struct Upload {
    body: Incoming,
    _ends: oneshot::Sender<()>,
}

impl Body for Upload {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
