//! The users of a scenario. Each has a cookie jar, follows no redirect by itself, and records what
//! it sends and receives.

mod browser;
mod client;
mod in_flight;
mod jar;
mod once_more;
mod raw;
mod raw_requests;
mod shared;
mod websocket;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use cell_fleet::{BodySeen, Field, Journal, Text, wire};
use futures_util::future::BoxFuture;

use crate::literal::Request;
use crate::trace::one_hop::{is_named_by_connection, is_one_hop};
use crate::trace::{
    ConformanceId, Gate, NoResponse, Phase, ReceivedResponse, Recorder, UserRequest,
};

use client::Client;
pub use client::plain_http;
use in_flight::InFlight;
use jar::Jar;
pub(crate) use once_more::is_no_http;
pub(crate) use raw::Streaming;
pub(crate) use raw_requests::RawText;
use websocket::Socket;

#[derive(Debug)]
pub struct People {
    journal: Arc<Journal>,
    recorder: Arc<Recorder>,
    jars: BTreeMap<String, Arc<Jar>>,
    clients: BTreeMap<(String, IpAddr), Arc<Client>>,
    sockets: BTreeMap<String, Socket>,
    idle_timeout: Duration,
    sent: usize,
}

/// The way of a request: what it is sent to, where that listens, and in which phase.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) gate: Gate,
    pub(crate) at: SocketAddr,
    pub(crate) phase: Phase,
}

impl Way {
    /// An entry of the record for a request of a person.
    fn entry(&self, person: &str) -> UserRequest {
        let (person, gate) = (person.to_owned(), self.gate.clone());
        UserRequest { person, gate, phase: self.phase, ..UserRequest::default() }
    }
}

impl People {
    /// Creates users who wait for a response at most this long.
    pub(crate) fn new(
        journal: Arc<Journal>,
        recorder: Arc<Recorder>,
        idle_timeout: Duration,
    ) -> Self {
        Self {
            journal,
            recorder,
            jars: BTreeMap::new(),
            clients: BTreeMap::new(),
            sockets: BTreeMap::new(),
            idle_timeout,
            sent: 0,
        }
    }

    pub(crate) fn jar(&mut self, person: &str) -> Arc<Jar> {
        self.jars.entry(person.to_owned()).or_default().clone()
    }

    /// A person's client for one address. All clients of a person share a jar, since all routers
    /// and cells have one domain.
    fn client(&mut self, person: &str, address: IpAddr) -> Arc<Client> {
        let jar = self.jar(person);
        self.clients
            .entry((person.to_owned(), address))
            .or_insert_with(|| Arc::new(Client::new(address, jar)))
            .clone()
    }

    /// Closes all connections that are kept for further requests. On a busy machine a client may not
    /// know yet that the process at the other end has gone, and would send its next request there.
    pub(crate) fn forget_connections(&mut self) {
        self.clients.clear();
    }

    /// Sends a request, waits for its end, and records both.
    pub(crate) async fn send(&mut self, person: &str, way: Way, request: Request) {
        self.sending(person, way, request, None).await;
    }

    /// Adds a request to the record, and returns a future that sends it and records its end. With
    /// `between`, the body goes in two halves, the second once `between` has ended.
    pub(crate) fn sending(
        &mut self,
        person: &str,
        way: Way,
        mut request: Request,
        between: Option<BoxFuture<'static, ()>>,
    ) -> impl Future<Output = ()> + Send + 'static {
        let id = self.next_id(person);
        browser::complete(person, &mut request.fields);
        request.fields.push((wire::CONFORMANCE_ID.to_owned(), id.0.clone()));
        let idle_timeout = self.idle_timeout;
        let client = self.client(person, way.at.ip());
        let notes = self.begin(UserRequest {
            id,
            method: request.method.clone(),
            target: Text::from(request.target.as_str()),
            fields: fields(&request.fields),
            body: BodySeen::of(&request.body),
            ..way.entry(person)
        });
        let last_part = between.map(|between| {
            let notes = notes.clone();
            let last_part: BoxFuture<'static, ()> = Box::pin(async move {
                between.await;
                notes.last_part();
            });
            last_part
        });
        async move {
            let exchange = client.exchange(way.at, request, last_part, &notes);
            let got = tokio::time::timeout(idle_timeout, exchange).await;
            notes.end(got.unwrap_or(Err(NoResponse::timed_out(idle_timeout))));
        }
    }

    /// The mark of the next request. Its random part is from the operating system, not from the
    /// run's seed: a router that knows the seed, or has seen earlier marks, cannot guess a mark and
    /// pass its own request off as a user's.
    fn next_id(&mut self, person: &str) -> ConformanceId {
        self.sent += 1;
        ConformanceId(format!("{person}.{}.{:016x}", self.sent, rand::random::<u64>()))
    }

    fn begin(&self, request: UserRequest) -> InFlight {
        InFlight::begin(&self.journal, &self.recorder, request)
    }

    /// The last request of a person and its response.
    pub(crate) fn last_response(
        &self,
        person: &str,
    ) -> Result<(UserRequest, ReceivedResponse), String> {
        let requests = self.recorder.requests();
        let last = requests
            .into_iter()
            .rev()
            .find(|request| request.person == person)
            .ok_or_else(|| format!("{person} has not sent a request"))?;
        let got = last.received()?.clone();
        Ok((last, got))
    }
}

impl People {
    /// The last record that was created for a person: the body of their last response with 201.
    pub(crate) fn last_created(&self, person: &str) -> Result<serde_json::Value, String> {
        let created = self.all_created(person)?.pop();
        created.ok_or_else(|| format!("nothing was created for {person}"))
    }

    /// All records that were created for a person, in the order of their requests.
    pub(crate) fn all_created(&self, person: &str) -> Result<Vec<serde_json::Value>, String> {
        let requests = self.recorder.requests();
        let of_person = requests.iter().filter(|request| request.person == person);
        let created = of_person.filter_map(UserRequest::got).filter(|got| got.status == 201);
        let parsed = created.map(|got| serde_json::from_str(&got.body.text()));
        parsed
            .collect::<Result<_, _>>()
            .map_err(|error| format!("what was created for {person} is not JSON: {error}"))
    }
}

fn fields(lines: &[(String, String)]) -> Vec<Field> {
    lines
        .iter()
        .map(|(name, value)| Field { name: name.as_str().into(), value: value.as_str().into() })
        .collect()
}

/// The end-to-end fields of a request that was written by hand. Fields about one connection or the
/// message on it (RFC 9110 7.6.1) need not reach a cell unchanged.
fn end_to_end(mut fields: Vec<Field>) -> Vec<Field> {
    const OF_THIS_MESSAGE: [&str; 3] = ["host", "expect", "http2-settings"];
    let all = fields.clone();
    fields.retain(|field| {
        let name = field.name.to_string();
        !is_one_hop(&name)
            && !is_named_by_connection(&all, &name)
            && !OF_THIS_MESSAGE.iter().any(|name| field.is(name))
    });
    fields
}

#[cfg(test)]
mod tests {
    use cell_fleet::CellId;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// The server keeps its connections, and responds once on each.
    #[tokio::test]
    async fn no_request_goes_to_a_process_that_has_ended() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            let mut kept = Vec::new();
            while kept.len() < 2 {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 1024]).await.unwrap();
                stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
                kept.push(stream);
            }
        });
        let recorder = Arc::new(Recorder::default());
        let mut people = People::new(Arc::default(), recorder.clone(), Duration::from_secs(10));
        for _ in 0..2 {
            let way = Way { gate: Gate::Cell(CellId::eu(0)), at, phase: Phase::Setup };
            let request = Request {
                method: "GET".into(),
                target: "/a".into(),
                fields: Vec::new(),
                body: bytes::Bytes::new(),
            };
            people.send("", way, request).await;
            people.forget_connections();
        }
        let responses = recorder.requests().into_iter().map(|one| one.response.unwrap().got);
        assert!(responses.into_iter().all(|got| got.unwrap().status == 204));
        server.await.unwrap();
    }
}
