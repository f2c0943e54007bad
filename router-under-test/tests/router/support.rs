//! Routers, cells and users.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// Waits until a condition holds; the test fails if it never does.
pub(crate) fn wait_for(mut condition: impl FnMut() -> bool) {
    let limit = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < limit, "waited in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// An end of a connection: a user's, or a cell's.
pub(crate) struct Peer {
    pub(crate) stream: TcpStream,
    pub(crate) reader: BufReader<TcpStream>,
}

impl Peer {
    pub(crate) fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("the other end reads");
    }

    pub(crate) fn head(&mut self) -> Option<Message> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            self.reader.read_line(&mut head).ok().filter(|read| *read > 0)?;
        }
        Some(Message { head, body: Vec::new(), is_whole: false })
    }

    /// Reads a message, as much as there is of it.
    pub(crate) fn message(&mut self) -> Option<Message> {
        let mut message = self.head()?;
        message.is_whole = self.body(&mut message).is_ok();
        Some(message)
    }

    fn body(&mut self, message: &mut Message) -> io::Result<()> {
        while message.field("transfer-encoding").is_some() {
            let mut size = String::new();
            self.reader.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim_end(), 16).map_err(io::Error::other)?;
            let mut chunk = vec![0; size + 2];
            self.reader.read_exact(&mut chunk)?;
            message.body.extend(&chunk[..size]);
            if size == 0 {
                return Ok(());
            }
        }
        if let Some(length) = message.field("content-length") {
            message.body.resize(length.parse().map_err(io::Error::other)?, 0);
            self.reader.read_exact(&mut message.body)?;
        } else if message.head.starts_with("HTTP/") && message.status() != 204 {
            self.reader.read_to_end(&mut message.body)?;
        }
        Ok(())
    }

    pub(crate) fn ask(&mut self, request: impl AsRef<[u8]>) -> Message {
        self.send(request);
        self.message().expect("the router responds")
    }

    pub(crate) fn get(&mut self, target: &str) -> Message {
        self.ask(get(target))
    }

    pub(crate) fn post(&mut self, target: &str, body: &str) -> Message {
        let head = format!("POST {target} HTTP/1.1\r\nHost: h\r\nContent-Length: {}", body.len());
        self.ask(format!("{head}\r\n\r\n{body}"))
    }

    pub(crate) fn has_something(&self) -> bool {
        let mut stream = [PollFd::new(&self.stream, PollFlags::IN)];
        poll(&mut stream, Some(&Timespec::default())).unwrap() > 0
    }

    /// Waits for what comes, which should be the end.
    pub(crate) fn has_ended(&mut self) -> bool {
        let end = self.reader.read(&mut [0]).map_err(|error| error.kind());
        matches!(end, Ok(0) | Err(io::ErrorKind::ConnectionReset))
    }
}

pub(crate) fn get(target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n")
}

pub(crate) struct Message {
    head: String,
    pub(crate) body: Vec<u8>,
    pub(crate) is_whole: bool,
}

impl Message {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.find(|(have, _)| have.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn target(&self) -> &str {
        self.head.split(' ').nth(1).expect("a second word")
    }

    pub(crate) fn status(&self) -> u16 {
        self.target().parse().expect("a status")
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }
}

/// A cell that handles its connections itself, each on a thread.
pub(crate) fn raw_cell(serve: impl Fn(Peer) + Clone + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            std::thread::spawn(move || serve(Peer::new(stream)));
        }
    });
    address
}

/// A cell that behaves as HTTP asks.
pub(crate) fn cell(
    respond: impl Fn(&Request) -> ResponseTemplate + Send + Sync + 'static,
) -> MockServer {
    let cell = block_on(MockServer::start());
    block_on(Mock::given(|_: &Request| true).respond_with(respond).mount(&cell));
    cell
}

pub(crate) fn requests(cell: &MockServer) -> Vec<Request> {
    block_on(cell.received_requests()).expect("they are recorded")
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

pub(crate) fn ok(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_string(body)
}

pub(crate) fn redirect(name: &str) -> ResponseTemplate {
    let value = format!("{{cell:{name}}}");
    ResponseTemplate::new(302).insert_header("X-Gitlab-Cell-Redirect", value)
}

pub(crate) fn learned(path: &str, cell: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "path": path, "cell": cell }))
}

pub(crate) fn is_preflight(request: &Request) -> bool {
    request.url.path() == "/api/v4/internal/cells/learn"
}

/// The next address of this process, on which nothing listens yet. Its host belongs to the process
/// alone, since it is built from the process id, and its port is below the range from which systems
/// choose ports. So nobody else takes it, before the test binds it or after.
pub(crate) fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(8_100);
    // A process id has 22 bits.
    let [_, a, b, c] = std::process::id().to_be_bytes();
    SocketAddr::from(([127, a | 0x80, b, c], NEXT.fetch_add(1, Ordering::Relaxed)))
}

/// A topology with these cells, for a router in the EU; `eu0` is `Cell EU0` there.
pub(crate) fn topology(protocol: &str, cells: &[(&str, SocketAddr)]) -> Value {
    let cell = |(name, address): &(&str, SocketAddr)| {
        let (id, name) = (format!("cell_{name}"), format!("Cell {}", name.to_uppercase()));
        json!({ "id": id, "name": name, "region": id[5..7], "url": format!("http://{address}") })
    };
    json!({
        "version": 1, "protocol": protocol, "region": "eu", "listen": free_address(),
        "learn_path": "/api/v4/internal/cells/learn",
        "cache": { "ttl_ms": 60_000, "max_entries": 1000 },
        "limits": { "max_hops": 4, "max_buffered_body_bytes": 1_000_000,
                    "connect_timeout_ms": 2000, "response_timeout_ms": 60_000 },
        "cells": cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

/// A running router; killed where a test ends without having stopped it.
pub(crate) struct Router {
    pub(crate) process: Child,
    pub(crate) address: SocketAddr,
    directory: TempDir,
}

/// A router with a topology file in this directory.
pub(crate) fn command(directory: &TempDir, topology: &Value, set: &[(&str, &str)]) -> Command {
    let path = directory.path().join("t.json");
    std::fs::write(&path, topology.to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_reference-router"));
    command.env_clear().env("CELLS_TOPOLOGY", path).envs(set.iter().copied());
    command
}

impl Router {
    /// Starts a router and waits until it serves.
    pub(crate) fn start(topology: &Value, set: &[(&str, &str)]) -> Self {
        let directory = TempDir::new().unwrap();
        let log = std::fs::File::create(directory.path().join("log")).unwrap();
        let mut command = command(&directory, topology, &[&[("CELLS_LOG", "info")], set].concat());
        let process = command.stderr(log).spawn().unwrap();
        let address = topology["listen"].as_str().unwrap().parse().unwrap();
        let router = Self { process, address, directory };
        wait_for(|| router.log().contains("serves"));
        router
    }

    pub(crate) fn user(&self) -> Peer {
        Peer::new(TcpStream::connect(self.address).expect("the router listens"))
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.directory.path().join("log")).unwrap()
    }

    pub(crate) fn terminate(&self) {
        kill_process(Pid::from_child(&self.process), Signal::TERM).unwrap();
    }

    /// Waits until it has ended, and gives the exit status.
    pub(crate) fn ended(mut self) -> Option<i32> {
        wait_for(|| self.process.try_wait().unwrap().is_some());
        self.process.wait().unwrap().code()
    }
}

impl Drop for Router {
    fn drop(&mut self) {
        // It fails where it has ended already.
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}
