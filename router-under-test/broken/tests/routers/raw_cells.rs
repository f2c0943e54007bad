//! Cells that write HTTP by hand, so that they can send invalid messages.
//!
//! The first segment of a path names the owner (`/us0/...`), the second the behaviour.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tokio::sync::watch;

use crate::cells::{CELLS, Shared};
use crate::support::{Fleet, Reserved};

/// More bytes than the buffers of connections hold.
pub(crate) const MUCH: usize = 64 << 20;

/// Cells on free ports, and a server that is not a cell.
pub(crate) struct RawFleet {
    pub(crate) fleet: Fleet,
    /// Responses 200 to anything.
    pub(crate) stranger: SocketAddr,
    state: Arc<State>,
    _down: Reserved,
}

struct State {
    shared: Arc<Shared>,
    /// Bytes of `/…/much` that were written.
    sent: AtomicUsize,
    /// Paths whose pre-flight failed at one cell, and that cell.
    failed: Mutex<Vec<(String, &'static str)>>,
}

impl RawFleet {
    /// The last cell of the list is down.
    pub(crate) fn start(protocol: &'static str) -> Self {
        let up = CELLS.len() - 1;
        let mut listeners: Vec<TcpListener> =
            CELLS.iter().map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let mut addresses: Vec<SocketAddr> =
            listeners.iter().map(|listener| listener.local_addr().unwrap()).collect();
        let stranger = addresses.pop().unwrap();
        let down = Reserved::new();
        addresses.push(down.address);
        let shared = Arc::new(Shared {
            protocol,
            addresses,
            journal: Mutex::default(),
            moved: AtomicBool::new(false),
            released: watch::Sender::new(false),
            _down: None,
        });
        let state = Arc::new(State {
            shared: shared.clone(),
            sent: AtomicUsize::new(0),
            failed: Mutex::default(),
        });
        let last = listeners.pop().unwrap();
        listen(last, "stranger", state.clone());
        for (listener, (id, ..)) in listeners.into_iter().zip(&CELLS[..up]) {
            listen(listener, id, state.clone());
        }
        Self { fleet: Fleet { shared }, stranger, state, _down: down }
    }

    /// The cell that was down listens from now on.
    pub(crate) fn bring_back(&self) {
        let last = CELLS.len() - 1;
        listen(
            TcpListener::bind(self.fleet.shared.addresses[last]).unwrap(),
            CELLS[last].0,
            self.state.clone(),
        );
    }

    pub(crate) fn sent(&self) -> usize {
        self.state.sent.load(Ordering::Relaxed)
    }

    /// What the cells read: id, head with `|` between lines, body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.fleet.shared.journal.lock().unwrap().clone()
    }

    /// Those of a user, not the pre-flights.
    pub(crate) fn hops(&self) -> Vec<String> {
        self.requests().into_iter().filter(|line| !line.contains("path_info=")).collect()
    }
}

fn listen(listener: TcpListener, id: &'static str, state: Arc<State>) {
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let state = state.clone();
            thread::spawn(move || serve(stream, id, &state));
        }
    });
}

/// Reads requests and responds to them until the connection ends.
fn serve(mut stream: TcpStream, id: &'static str, state: &State) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut buffer = Vec::new();
    loop {
        let head = loop {
            if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                let rest = buffer.split_off(at + 4);
                break String::from_utf8_lossy(&std::mem::replace(&mut buffer, rest)).into_owned();
            }
            fill(&mut stream, &mut buffer)?;
        };
        let lower = head.to_lowercase();
        let length = lower
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.lines().next()?.parse().ok());
        let chunked = lower.contains("transfer-encoding: chunked");
        let target = head.split(' ').nth(1)?.to_owned();
        if target.ends_with("/unread")
            && !target.contains("path_info")
            && owner(&target) == Some(id)
        {
            thread::sleep(Duration::from_secs(5));
            return None;
        }
        let body = match (length, chunked) {
            // Of both, the chunks count (RFC 9112 6.3).
            (_, true) => chunks(&mut stream, &mut buffer)?,
            (length, false) => take(&mut stream, &mut buffer, length.unwrap_or(0))?,
        };
        let head = head.trim_end().replace("\r\n", "|");
        let shown = if body.len() > 200 {
            format!("{} bytes", body.len())
        } else {
            String::from_utf8_lossy(&body).into_owned()
        };
        let line = format!("{id} {head} {shown}");
        state.shared.journal.lock().unwrap().push(line.clone());
        response(&mut stream, id, &target, &lower, &line, state)?;
        if id != "stranger" && lower.contains("upgrade: ") && target.ends_with("/cable") {
            while fill(&mut stream, &mut buffer).is_some() {
                stream.write_all(&std::mem::take(&mut buffer)).ok()?;
            }
            return None;
        }
    }
}

fn fill(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let mut block = [0; 65_536];
    let size = stream.read(&mut block).ok().filter(|size| *size > 0)?;
    buffer.extend_from_slice(&block[..size]);
    Some(())
}

fn take(stream: &mut TcpStream, buffer: &mut Vec<u8>, size: usize) -> Option<Vec<u8>> {
    while buffer.len() < size {
        fill(stream, buffer)?;
    }
    let rest = buffer.split_off(size);
    Some(std::mem::replace(buffer, rest))
}

fn chunks(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        while !buffer.contains(&b'\n') {
            fill(stream, buffer)?;
        }
        let at = buffer.iter().position(|byte| *byte == b'\n')?;
        let line = take(stream, buffer, at + 1)?;
        let size = usize::from_str_radix(std::str::from_utf8(&line).ok()?.trim(), 16).ok()?;
        let chunk = take(stream, buffer, size + 2)?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(&chunk[..size]);
    }
}

/// The cell that a path's first segment names.
fn owner(path: &str) -> Option<&'static str> {
    let first = path.strip_prefix('/')?.split('/').next()?;
    CELLS.iter().map(|cell| cell.0).find(|id| id.strip_prefix("cell_") == Some(first))
}

/// Responses; `None` closes the connection.
fn response(
    stream: &mut TcpStream,
    id: &'static str,
    target: &str,
    head: &str,
    line: &str,
    state: &State,
) -> Option<()> {
    let mut say = |text: &str| stream.write_all(text.as_bytes()).ok();
    if target.starts_with("/api/v4/internal/cells/learn") {
        let path = target
            .split("path_info=")
            .nth(1)
            .and_then(|rest| rest.split('&').next())
            .unwrap_or_default();
        return learn(say, id, path, state);
    }
    let path = target.split('?').next().unwrap_or_default();
    let owner = if id == "stranger" { None } else { owner(path) };
    let ok = |fields: &str, body: &str| {
        let cache = match (state.shared.protocol, owner) {
            ("buffering", Some(owner)) => {
                format!("X-Gitlab-Cell-Cache: {{path_prefix:/{}/}}\r\n", &owner[5..])
            }
            _ => String::new(),
        };
        let body_sent = if head.starts_with("head ") { "" } else { body };
        format!(
            "HTTP/1.1 200 OK\r\n{cache}{fields}Content-Length: {}\r\n\r\n{body_sent}",
            body.len()
        )
    };
    if let Some(owner) = owner.filter(|owner| *owner != id) {
        let name = CELLS.iter().find(|cell| cell.0 == owner)?.1;
        return match state.shared.protocol {
            "buffering" => say(&format!(
                "HTTP/1.1 302 Found\r\nX-Gitlab-Cell-Redirect: {{cell:{name}}}\r\n\
                 Set-Cookie: stray=1; Path=/\r\nContent-Length: 0\r\n\r\n"
            )),
            _ => say("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone"),
        };
    }
    match path.split('/').nth(2).unwrap_or_default() {
        "reset" => None,
        "mute" => {
            thread::sleep(Duration::from_secs(5));
            None
        }
        "closes" => say(&ok("", "bye")).and(None),
        "slow" => {
            thread::sleep(Duration::from_millis(1_000));
            say(&ok("", "slow"))
        }
        "cut-head" => say("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B").and(None),
        "cut-length" => say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut").and(None),
        "cut-chunks" => {
            say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ncut\r\n").and(None)
        }
        "garbage" => say("hello\r\nworld\r\n\r\n").and(None),
        "bad-field" => say("HTTP/1.1 200 OK\r\nno field\r\nContent-Length: 2\r\n\r\nok").and(None),
        "two-lengths" => {
            say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nokay").and(None)
        }
        "204" => say("HTTP/1.1 204 No Content\r\n\r\n"),
        "206" => say("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/9\r\n\
             Content-Length: 2\r\n\r\nok"),
        "304" => say("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\n"),
        "404" => say("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone"),
        "503" => say("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy"),
        "location" => {
            let at = CELLS.iter().position(|cell| cell.0 == id)?;
            let address = state.shared.addresses[at];
            say(&format!(
                "HTTP/1.1 302 Found\r\nLocation: http://{address}/us0/there?x\r\n\
                 Content-Length: 0\r\n\r\n"
            ))
        }
        "hop" => say(&ok(
            "Keep-Alive: timeout=5\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\n",
            "hop",
        )),
        "lines" => say(&ok("X-A: b\r\nX-A: a\r\nX-A: c\r\n", "lines")),
        "chunks" => say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
             3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"),
        "event" => {
            say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")?;
            while !*state.shared.released.borrow() {
                thread::sleep(Duration::from_millis(5));
            }
            say("3\r\ntwo\r\n0\r\n\r\n")
        }
        "much" => {
            say(&format!("HTTP/1.1 200 OK\r\nContent-Length: {MUCH}\r\n\r\n"))?;
            let block = vec![b'x'; 1 << 16];
            for _ in 0..MUCH >> 16 {
                stream.write_all(&block).ok()?;
                state.sent.fetch_add(block.len(), Ordering::Relaxed);
            }
            Some(())
        }
        "cable" if head.contains("upgrade: ") => say(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        ),
        "cable" => say("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n"),
        _ => say(&ok("", line)),
    }
}

fn learn(
    mut say: impl FnMut(&str) -> Option<()>,
    id: &'static str,
    path: &str,
    state: &State,
) -> Option<()> {
    let Some(owner) = owner(path) else {
        return say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    };
    let json = format!(r#"{{"path":"/{}","cell":"{owner}"}}"#, &owner[5..]);
    let what = path.split('/').nth(2).unwrap_or_default();
    let fails = match what {
        "pf-500-first" => {
            let mut failed = state.failed.lock().unwrap();
            if !failed.iter().any(|(known, _)| known == path) {
                failed.push((path.to_owned(), id));
            }
            failed.contains(&(path.to_owned(), id))
        }
        _ => what == "pf-500",
    };
    match what {
        _ if fails => say("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"),
        "pf-garbage" => say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{{{"),
        "pf-half" => {
            say(&format!("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{json}")).and(None)
        }
        "pf-mute" => {
            thread::sleep(Duration::from_secs(5));
            None
        }
        _ => say(&format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{json}", json.len())),
    }
}
