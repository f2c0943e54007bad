//! Fleets with faults, and peers that read plain bytes.

use std::time::Duration;

use cell_fleet::fault::{At, ConnectionFault, Fault, ResponseFault};
use cell_fleet::{CellId, Event, Fleet, FleetPlan, Listen, Protocol};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A public page on Cell US0.
pub(crate) const PAGE: &str = "/gitlab-org/gitlab";

pub(crate) async fn start(faults: Vec<Fault>) -> Fleet {
    Fleet::start(
        FleetPlan { faults, ..FleetPlan::documents(Protocol::Learning) },
        Listen::Ephemeral,
    )
    .await
    .unwrap()
}

/// A fleet with a fault of the responses for one page.
pub(crate) async fn wrong_responses(fault: ResponseFault, times: Option<u32>) -> Fleet {
    start(vec![Fault::of_responses(None, At::Path(PAGE.to_owned()), times, fault)]).await
}

/// A fleet with a fault of the connections of Cell US0.
pub(crate) async fn wrong_connections(fault: ConnectionFault) -> Fleet {
    start(vec![Fault::of_connections(Some(CellId::us(0)), fault)]).await
}

/// How a connection ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Closed,
    Reset,
}

/// A connection to Cell US0.
pub(crate) struct Peer(pub(crate) TcpStream);

impl Peer {
    pub(crate) async fn connect(fleet: &Fleet) -> Self {
        let address = fleet.cell(&CellId::us(0)).unwrap().address;
        Self(TcpStream::connect(address).await.unwrap())
    }

    /// Connects and requests the page.
    pub(crate) async fn asking(fleet: &Fleet) -> Self {
        let mut peer = Self::connect(fleet).await;
        peer.send(&get(PAGE)).await;
        peer
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// The bytes that are available next.
    pub(crate) async fn piece(&mut self) -> String {
        let mut bytes = vec![0; 64 * 1024];
        let count = bounded(self.0.read(&mut bytes)).await.unwrap();
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    }

    /// Everything up to the end of the next head.
    pub(crate) async fn head(&mut self) -> String {
        self.up_to("\r\n\r\n").await
    }

    pub(crate) async fn up_to(&mut self, end: &str) -> String {
        let mut read = Vec::new();
        while !read.ends_with(end.as_bytes()) {
            read.push(bounded(self.0.read_u8()).await.unwrap());
        }
        String::from_utf8_lossy(&read).into_owned()
    }

    /// Reads a response with a length, and returns its head and body.
    pub(crate) async fn response(&mut self) -> (String, String) {
        let head = self.head().await;
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length: "))
            .unwrap_or("0")
            .parse()
            .unwrap();
        let mut body = vec![0; length];
        bounded(self.0.read_exact(&mut body)).await.unwrap();
        (head, String::from_utf8_lossy(&body).into_owned())
    }

    /// Reads to the end of the connection.
    pub(crate) async fn rest(&mut self) -> (String, End) {
        let mut read = Vec::new();
        let mut bytes = vec![0; 64 * 1024];
        let end = loop {
            match bounded(self.0.read(&mut bytes)).await {
                Ok(0) => break End::Closed,
                Ok(count) => read.extend_from_slice(&bytes[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {
                    break End::Reset;
                }
                Err(error) => panic!("{error}"),
            }
        };
        (String::from_utf8_lossy(&read).into_owned(), end)
    }
}

pub(crate) fn get(target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: gitlab.example\r\n\r\n")
}

/// Fails the test after a timeout.
pub(crate) async fn bounded<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), what)
        .await
        .expect("it takes less than ten seconds")
}

/// The entries of the journal without those of databases, once it has this many of them.
pub(crate) async fn journal(fleet: &Fleet, lines: usize) -> Vec<String> {
    let show = |event: &Event| {
        Some(match event {
            Event::Request(seen) => format!("request {}", seen.target),
            Event::RequestRead { .. } => "read".to_owned(),
            Event::RequestCut { .. } => "cut".to_owned(),
            Event::RequestBodyBegun { .. } => "begun".to_owned(),
            Event::Response(response) => format!("response {}", response.status),
            Event::ResponseRest { .. } => "rest".to_owned(),
            Event::ResponseEnded { sent, whole, .. } => format!("ended {sent} {whole}"),
            Event::NotHttp { bytes, .. } => format!("not http {bytes}"),
            Event::Database(_)
            | Event::IdAllocated(_)
            | Event::RowsMoved(_)
            | Event::Job(_)
            | Event::MoveStep(_)
            | Event::StoreFailed(_) => return None,
        })
    };
    let wait = fleet.journal().wait_for(|entries| {
        let shown: Vec<_> = entries.iter().filter_map(|entry| show(&entry.event)).collect();
        (shown.len() >= lines).then_some(shown)
    });
    bounded(wait).await
}

/// The complete length of the last response's body.
pub(crate) fn meant(fleet: &Fleet) -> u64 {
    let entries = fleet.journal().entries();
    let last = entries.iter().rev().find_map(|entry| {
        if let Event::Response(response) = &entry.event { Some(response) } else { None }
    });
    last.unwrap().body.length
}

/// The shortest of five tries. A busy machine can delay each of them, but hardly all; what waits
/// for a time takes that time in all.
pub(crate) async fn quickest(attempt: impl AsyncFn() -> Duration) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        shortest = shortest.min(attempt().await);
    }
    shortest
}

/// Stops the fleet, which must not have errors of its own.
pub(crate) async fn stop(fleet: Fleet) {
    bounded(fleet.stop()).await.unwrap();
}
