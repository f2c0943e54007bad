//! Scripted cells: the response to each path, in both protocols.

use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::response::Builder;
use http::{Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpSocket;
use tokio::sync::watch;

/// Id, name, region. The last one cannot be reached.
pub(crate) const CELLS: [(&str, &str, &str); 5] = [
    ("cell_us0", "Cell US0", "us"),
    ("cell_us1", "Cell US1", "us"),
    ("cell_eu0", "Cell EU0", "eu"),
    ("cell_eu1", "Cell EU1", "eu"),
    ("cell_us2", "Cell US2", "us"),
];

/// The owner of the paths under `at`, and the cache header or learn response about them.
struct Place {
    at: &'static str,
    owner: &'static str,
    told: &'static str,
    exact: Option<bool>,
    source: &'static str,
}

const fn place(at: &'static str, owner: &'static str) -> Place {
    Place { at, owner, told: at, exact: None, source: "routable" }
}

/// The first that covers a path counts.
const PLACES: &[Place] = &[
    place("/my-company", "cell_us0"),
    place("/my-company-2", "cell_us1"),
    place("/gitlab-org", "cell_us1"),
    place("/near", "cell_eu0"),
    place("/group/p1", "cell_us0"),
    place("/group/p2", "cell_us1"),
    place("/organizations/a", "cell_us0"),
    place("/organizations/b", "cell_us1"),
    place("/api/organizations/a", "cell_us1"),
    place("/admin/cells/cellus0", "cell_us0"),
    place("/admin/cells/cellus1", "cell_us1"),
    place("/long/er", "cell_us1"),
    place("/long", "cell_us0"),
    place("/down", "cell_us2"),
    place("/gone", "cell_us0"),
    place("/cut", "cell_us0"),
    place("/slow", "cell_us0"),
    place("/blanks", "cell_us0"),
    place("/members", "cell_us0"),
    place("/!odd~", "cell_us0"),
    place("/sp", "cell_us0"),
    place("/big", "cell_us0"),
    Place { told: "/elsewhere", ..place("/foreign", "cell_us0") },
    place("/elsewhere", "cell_us1"),
    Place { told: "", ..place("/rooted", "cell_us0") },
    Place { exact: Some(false), ..place("/falsy", "cell_us0") },
    Place { exact: Some(true), source: "fixed", ..place("/-/profile", "cell_us0") },
    Place { exact: Some(true), ..place("/ex/only", "cell_us1") },
    place("/ex", "cell_us0"),
    Place { exact: Some(true), ..place("/api/v4/projects/8", "cell_us0") },
    Place { source: "fixed", ..place("/users", "cell_us1") },
    Place { exact: Some(true), source: "fixed", ..place("/admin", "cell_us0") },
    Place { exact: Some(true), source: "fixed", ..place("/dashboard", "cell_us0") },
];

/// What all cells share.
pub(crate) struct Shared {
    pub(crate) protocol: &'static str,
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) journal: Mutex<Vec<String>>,
    /// `/moving` has moved from US0 to US1.
    pub(crate) moved: AtomicBool,
    /// Whether held responses are released.
    pub(crate) released: watch::Sender<bool>,
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
    let shared = Arc::new(Shared {
        protocol,
        addresses,
        journal: Mutex::default(),
        moved: AtomicBool::new(false),
        released: watch::Sender::new(false),
        _down: Some(down),
    });
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
) -> Result<Response<Script>, hyper::Error> {
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
    if path == "/move" && !is_learn {
        shared.moved.store(true, Ordering::Relaxed);
    }
    if path == "/slow/held" && (is_learn || id.starts_with("cell_eu")) {
        let _ = shared.released.subscribe().wait_for(|released| *released).await;
    }
    let owner = place_of(&path, &shared);
    Ok(match (is_learn, shared.protocol) {
        (true, _) => learn(&path, owner, &shared),
        (false, "buffering") => buffering(id, &path, owner, &shared, written),
        _ => learning(id, &path, owner, written),
    })
}

fn place_of(path: &str, shared: &Shared) -> Option<Place> {
    if path.starts_with("/moving") {
        return Some(place(
            "/moving",
            if shared.moved.load(Ordering::Relaxed) { "cell_us1" } else { "cell_us0" },
        ));
    }
    let covers = |at: &str| {
        path.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let found = PLACES
        .iter()
        .find(|place| if place.exact == Some(true) { place.at == path } else { covers(place.at) });
    found.map(|place| Place { ..*place })
}

fn name(id: &str) -> &'static str {
    CELLS.iter().find(|cell| cell.0 == id).unwrap().1
}

fn learn(path: &str, place: Option<Place>, shared: &Shared) -> Response<Script> {
    let json = match (path, place) {
        ("/wrong-type/x", _) => r#"{"path":1,"cell":"cell_us0"}"#.to_owned(),
        ("/nowhere/x", _) => format!(r#"{{"path":"/nowhere","cell":"{}"}}"#, shared.addresses[1]),
        (_, None) => return reply(Response::builder().status(404), ""),
        (_, Some(place)) => {
            let exact = place.exact.map(|exact| format!(r#","exact":{exact}"#)).unwrap_or_default();
            let more = if place.at == "/members" { r#","more":[1]"# } else { "" };
            let told = if place.told.is_empty() { "/" } else { place.told };
            format!(
                r#"{{"path":"{told}","cell":"{}","source":"{}"{exact}{more}}}"#,
                place.owner, place.source
            )
        }
    };
    reply(Response::builder(), json)
}

fn learning(id: &str, path: &str, place: Option<Place>, line: String) -> Response<Script> {
    match place {
        Some(place) if place.owner != id => reply(Response::builder().status(404), line),
        _ => page(path, line),
    }
}

fn buffering(
    id: &'static str,
    path: &str,
    place: Option<Place>,
    shared: &Shared,
    line: String,
) -> Response<Script> {
    let bounce = |header: String| {
        let reply = Response::builder()
            .status(302)
            .header("location", "/location")
            .header("set-cookie", "bounce=1");
        reply.header("x-gitlab-cell-redirect", header)
    };
    let other = if id == "cell_us0" { "Cell US1" } else { "Cell US0" };
    match path {
        "/two-lines/x" => {
            return reply(
                bounce("{cell:Cell US0}".into())
                    .header("x-gitlab-cell-redirect", "{cell:Cell US1}"),
                "",
            );
        }
        "/malformed/x" => return reply(bounce("{cell".into()), ""),
        "/nowhere/x" if id != "cell_us1" => {
            return reply(bounce(format!("{{cell:{}}}", shared.addresses[1])), "");
        }
        "/loop/x" => return reply(bounce(format!("{{cell:{other}}}")), ""),
        "/believe/x" if id == "cell_us0" => {
            return reply(
                bounce("{cell:Cell US1}".into())
                    .header("x-gitlab-cell-cache", "{path_prefix:/believe/}"),
                "",
            );
        }
        "/twice/x" | "/believe/x" if id != "cell_us1" => {
            return reply(bounce(format!("{{cell:{other}}}")), "");
        }
        "/admin" | "/dashboard" => return page(path, line),
        "/bad-cache/x" if id == "cell_us0" => {
            return reply(
                Response::builder().header("x-gitlab-cell-cache", "path_prefix:/bad-cache/"),
                line,
            );
        }
        "/untold/x" | "/bad-cache/x" if id != "cell_us0" => {
            return reply(bounce("{cell:Cell US0}".into()), "");
        }
        _ => {}
    }
    match place {
        Some(place) if place.owner == id => {
            let mut response = page(path, line);
            let more = if place.at == "/members" { ",more:x" } else { "" };
            let cache = format!("{{path_prefix:{}/{more}}}", place.told);
            if place.exact.is_none() {
                response.headers_mut().insert("x-gitlab-cell-cache", cache.parse().unwrap());
            }
            response
        }
        Some(place) => {
            let name = name(place.owner);
            let header = match place.at {
                "/blanks" => format!("{{ cell : {name} }}"),
                "/members" => format!("{{cell:{name},more:x}}"),
                _ => format!("{{cell:{name}}}"),
            };
            reply(bounce(header), "")
        }
        None => page(path, line),
    }
}

/// The response of the owner.
fn page(path: &str, line: String) -> Response<Script> {
    let response = Response::builder()
        .header("set-cookie", "a=1")
        .header("set-cookie", "b=2")
        .header("x-extra", "1");
    match path {
        "/login" => reply(
            response.status(StatusCode::FOUND).header("location", "/users/sign_in?redirect=%2F"),
            "",
        ),
        "/status" => {
            let response = response.header("x-gitlab-cell-cache", "{path_prefix:/elsewhere/}");
            reply(response.header("x-gitlab-cell-redirect", "{cell:Cell US1}"), line)
        }
        "/gone/x" | "/nobody/x" => reply(response.status(404), line),
        "/cut/x" => response
            .header("content-length", "100")
            .body(Script { text: Some("cut".into()), turns: Some(3) })
            .unwrap(),
        _ => reply(response, line),
    }
}

fn reply(builder: Builder, text: impl Into<String>) -> Response<Script> {
    let text = Some(Bytes::from(text.into())).filter(|text| !text.is_empty());
    builder.body(Script { text, turns: None }).unwrap()
}

/// A body that may be truncated after its text.
pub(crate) struct Script {
    text: Option<Bytes>,
    /// Polls until the truncation, so that the text has been sent by then.
    turns: Option<u8>,
}

impl http_body::Body for Script {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
        if let Some(text) = self.text.take() {
            return Poll::Ready(Some(Ok(Frame::data(text))));
        }
        match self.turns {
            None => Poll::Ready(None),
            Some(0) => Poll::Ready(Some(Err("broken off"))),
            Some(left) => {
                self.turns = Some(left - 1);
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.text.is_none() && self.turns.is_none()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        match self.turns {
            Some(_) => http_body::SizeHint::default(),
            None => http_body::SizeHint::with_exact(
                self.text.as_ref().map_or(0, |text| text.len() as u64),
            ),
        }
    }
}
