//! Tests of the servers over real connections, with small applications instead of Rails.

mod bodies;
mod lifetime;
mod reading;
mod requests;
mod scripting;
mod streams;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{ActiveFaults, CellError, CellErrors, FlowCounters, Node, Scripts, Servers, bind};
use crate::journal::{Event, Journal};
use crate::{Casting, CellId, Protocol, Script};

/// A cell that serves a small application.
struct Cells {
    address: SocketAddr,
    journal: Arc<Journal>,
    active_faults: Arc<ActiveFaults>,
    servers: Servers,
}

impl Cells {
    fn start(application: Router) -> Self {
        Self::scripted(application, Protocol::Buffering, &[])
    }

    fn scripted(application: Router, protocol: Protocol, scripts: &[Script]) -> Self {
        let (journal, errors) = (Arc::new(Journal::default()), Arc::new(CellErrors::default()));
        let active_faults = Arc::new(ActiveFaults::new(protocol, &[], BTreeMap::new()));
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let node = Node {
            id: CellId::eu(0),
            advertised: address.into(),
            application,
            journal: journal.clone(),
            casting: Arc::new(Casting::default()),
            scripts: Arc::new(Scripts::new(protocol, scripts).unwrap()),
            active_faults: active_faults.clone(),
            flow: Arc::new(FlowCounters::default()),
            errors: errors.clone(),
        };
        let mut servers = Servers::new(errors);
        servers.serve(listener, node).unwrap();
        Self { address, journal, active_faults, servers }
    }

    async fn connect(&self) -> Peer {
        Peer(TcpStream::connect(self.address).await.unwrap())
    }

    /// Waits until the journal has this many entries, and returns them as text.
    async fn entries(&self, count: usize) -> Vec<String> {
        let wait = self.journal.wait_for(|entries| {
            (entries.len() >= count).then(|| entries.iter().map(|e| show(&e.event)).collect())
        });
        bounded(wait).await
    }

    async fn stop(self) -> Vec<CellError> {
        self.active_faults.stop();
        bounded(self.servers.stop()).await
    }
}

/// The sender's side of a connection. It sends and reads plain bytes.
struct Peer(TcpStream);

impl Peer {
    async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Reads until the bytes end with `end`.
    async fn read_to(&mut self, end: &str) -> String {
        let mut read = Vec::new();
        while !read.ends_with(end.as_bytes()) {
            let mut byte = [0];
            let count = bounded(self.0.read(&mut byte)).await.unwrap();
            assert_ne!(count, 0, "closed after {:?}", String::from_utf8_lossy(&read));
            read.push(byte[0]);
        }
        String::from_utf8(read).unwrap()
    }

    /// Half-closes the connection and reads the rest.
    async fn finish(mut self) -> String {
        self.0.shutdown().await.unwrap();
        self.read_rest().await
    }

    /// Reads until the cell closes.
    async fn read_rest(&mut self) -> String {
        let mut read = String::new();
        bounded(self.0.read_to_string(&mut read)).await.unwrap();
        read
    }
}

/// Fails the test after a timeout.
async fn bounded<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), what)
        .await
        .expect("it takes less than ten seconds")
}

fn show(event: &Event) -> String {
    match event {
        Event::Request(seen) => format!("{} request {}", seen.hop.0, seen.request_line),
        Event::RequestBodyBegun { hop } => format!("{} begun", hop.0),
        Event::RequestRead { hop, body } => format!("{} read {:?}", hop.0, body.text()),
        Event::RequestCut { hop, body } => format!("{} cut {:?}", hop.0, body.text()),
        Event::Response(response) => {
            format!("{} response {} {:?}", response.hop.0, response.status, response.body.text())
        }
        Event::ResponseEnded { hop, sent, whole, body } => {
            let body = body.as_ref().map(|body| body.text()).unwrap_or_default();
            format!("{} ended {sent} {whole} {body:?}", hop.0)
        }
        Event::NotHttp { bytes, refused_with, from, .. } => {
            assert!(from.is_some_and(|from| from.ip().is_loopback()));
            let status = refused_with.map_or(String::new(), |status| format!("{status} "));
            format!("not http {status}{bytes}")
        }
        other => panic!("{other:?}"),
    }
}
