//! Scripted cells: the response to each path, in both protocols.

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::response::Builder;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpSocket;

/// Id, name, region. The last one cannot be reached.
pub(crate) const CELLS: [(&str, &str, &str); 5] = [
    ("cell_us0", "Cell US0", "us"),
    ("cell_us1", "Cell US1", "us"),
    ("cell_eu0", "Cell EU0", "eu"),
    ("cell_eu1", "Cell EU1", "eu"),
    ("cell_us2", "Cell US2", "us"),
];

/// The owner of the paths under `at`, and what cells say of them.
struct Place {
    at: &'static str,
    owner: &'static str,
    exact: Option<bool>,
    source: &'static str,
}

const fn place(at: &'static str, owner: &'static str) -> Place {
    Place { at, owner, exact: None, source: "routable" }
}

/// The first that covers a path counts.
const PLACES: &[Place] = &[
    place("/my-company", "cell_us0"),
    place("/my-company-2", "cell_us1"),
    place("/gitlab-org", "cell_us1"),
    place("/down", "cell_us2"),
    Place { exact: Some(true), source: "fixed", ..place("/-/profile", "cell_us0") },
];

/// What all cells share.
pub(crate) struct Shared {
    pub(crate) protocol: &'static str,
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) journal: Mutex<Vec<String>>,
    pub(crate) _down: Option<TcpSocket>,
}

/// Starts the cells on a thread that lives as long as the test process.
pub(crate) fn start(protocol: &'static str) -> Arc<Shared> {
    let up = CELLS.len() - 1;
    let listeners: Vec<TcpListener> =
        CELLS[..up].iter().map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    // Bound but not listening: connections are refused, and no other process gets the port.
    let down = TcpSocket::new_v4().unwrap();
    down.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let addresses = listeners.iter().map(|listener| listener.local_addr().unwrap());
    let addresses = addresses.chain([down.local_addr().unwrap()]).collect();
    let shared =
        Arc::new(Shared { protocol, addresses, journal: Mutex::default(), _down: Some(down) });
    let given = shared.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for (listener, (id, ..)) in listeners.into_iter().zip(CELLS) {
                listener.set_nonblocking(true).unwrap();
                tokio::spawn(cell(
                    tokio::net::TcpListener::from_std(listener).unwrap(),
                    id,
                    given.clone(),
                ));
            }
            std::future::pending::<()>().await;
        });
    });
    shared
}

async fn cell(listener: tokio::net::TcpListener, id: &'static str, shared: Arc<Shared>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let shared = shared.clone();
        let service = service_fn(move |request| response(request, id, shared.clone()));
        tokio::spawn(
            hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service),
        );
    }
}

/// A journal line without the fields of the message's framing.
fn line(id: &str, parts: &http::request::Parts, body: &str) -> String {
    const FRAMING: [&str; 4] = ["host", "content-length", "transfer-encoding", "connection"];
    let fields = parts.headers.iter().filter(|(name, _)| !FRAMING.contains(&name.as_str()));
    let mut fields: Vec<String> = fields
        .map(|(name, value)| format!("{name}={}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    fields.sort();
    let body = if body.len() > 200 { format!("{} bytes", body.len()) } else { body.to_owned() };
    format!("{id} {} {} [{}] {body}", parts.method, parts.uri, fields.join(", "))
}

async fn response(
    request: Request<Incoming>,
    id: &'static str,
    shared: Arc<Shared>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let (parts, body) = request.into_parts();
    shared.journal.lock().unwrap().push(format!("head {id} {} {}", parts.method, parts.uri));
    let body = String::from_utf8_lossy(&body.collect().await?.to_bytes()).into_owned();
    let written = line(id, &parts, &body);
    shared.journal.lock().unwrap().push(written.clone());
    let target = parts.uri.to_string();
    let is_learn = target.starts_with("/api/v4/internal/cells/learn")
        || target.starts_with("/api/v4/cells/learn");
    let path = match target.split_once("path_info=") {
        Some((_, rest)) if is_learn => {
            rest.split('&').next().unwrap_or_default().replace("%2F", "/")
        }
        _ => parts.uri.path().to_owned(),
    };
    let owner = place_of(&path);
    Ok(match (is_learn, shared.protocol) {
        (true, _) => learn(&path, owner, &shared),
        (false, "buffering") => buffering(id, &path, owner, &shared, written),
        _ => learning(id, owner, written),
    })
}

fn place_of(path: &str) -> Option<&'static Place> {
    let covers = |at: &str| {
        path.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    PLACES
        .iter()
        .find(|place| if place.exact == Some(true) { place.at == path } else { covers(place.at) })
}

fn name(id: &str) -> &'static str {
    CELLS.iter().find(|cell| cell.0 == id).unwrap().1
}

fn learn(path: &str, place: Option<&Place>, shared: &Shared) -> Response<Full<Bytes>> {
    let json = match (path, place) {
        ("/wrong-type/x", _) => r#"{"path":1,"cell":"cell_us0"}"#.to_owned(),
        ("/nowhere/x", _) => format!(r#"{{"path":"/nowhere","cell":"{}"}}"#, shared.addresses[1]),
        (_, None) => return reply(Response::builder().status(404), ""),
        (_, Some(Place { at, owner, exact, source })) => {
            let exact = exact.map(|exact| format!(r#","exact":{exact}"#)).unwrap_or_default();
            format!(r#"{{"path":"{at}","cell":"{owner}","source":"{source}"{exact}}}"#)
        }
    };
    reply(Response::builder(), json)
}

fn learning(id: &str, place: Option<&Place>, line: String) -> Response<Full<Bytes>> {
    match place {
        Some(place) if place.owner != id => reply(Response::builder().status(404), line),
        _ => page(line),
    }
}

fn buffering(
    id: &'static str,
    path: &str,
    place: Option<&Place>,
    shared: &Shared,
    line: String,
) -> Response<Full<Bytes>> {
    let bounce = |header: String| {
        let reply = Response::builder().status(302).header("location", "/location");
        reply.header("x-gitlab-cell-redirect", header)
    };
    let other = if id == "cell_us0" { "Cell US1" } else { "Cell US0" };
    let first = bounce("{cell:Cell US0}".into());
    match (path, place) {
        ("/two-lines/x", _) => reply(first.header("x-gitlab-cell-redirect", "{cell:Cell US1}"), ""),
        ("/malformed/x", _) => reply(bounce("{cell".into()), ""),
        ("/nowhere/x", _) if id != "cell_us1" => {
            reply(bounce(format!("{{cell:{}}}", shared.addresses[1])), "")
        }
        ("/loop/x", _) => reply(bounce(format!("{{cell:{other}}}")), ""),
        ("/twice/x", _) if id != "cell_us1" => reply(bounce(format!("{{cell:{other}}}")), ""),
        (_, Some(place)) if place.owner == id => {
            let mut response = page(line);
            if place.exact.is_none() {
                let cache = format!("{{path_prefix:{}/}}", place.at);
                response.headers_mut().insert("x-gitlab-cell-cache", cache.parse().unwrap());
            }
            response
        }
        (_, Some(place)) => reply(bounce(format!("{{cell:{}}}", name(place.owner))), ""),
        (_, None) => page(line),
    }
}

/// The response of the owner.
fn page(line: String) -> Response<Full<Bytes>> {
    reply(Response::builder().header("set-cookie", "a=1").header("set-cookie", "b=2"), line)
}

fn reply(builder: Builder, text: impl Into<String>) -> Response<Full<Bytes>> {
    builder.body(Full::from(text.into())).unwrap()
}
