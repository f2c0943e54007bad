//! Property tests: the scanner reads requests of every shape, and agrees with the server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::journal::{Entry, Event, Journal};
use crate::server::ActiveFaults;
use crate::server::connection_log::ConnectionLog;
use crate::server::scanner::{Found, Scanner};
use crate::server::service::ConnectionService;
use crate::server::socket::Socket;
use crate::server::tap::Tap;
use crate::server::{CellErrors, FlowCounters, Node, Scripts, bind};
use crate::{Casting, CellId, Protocol};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Sent {
    line: String,
    fields: Vec<(String, String)>,
    body: Vec<u8>,
    bytes: Vec<u8>,
}

fn request() -> impl Strategy<Value = Sent> {
    let method =
        prop_oneof!["GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS", "[A-Za-z!#$%&'*+.^_`|~-]{1,9}"];
    let target = prop_oneof![
        4 => "/[A-Za-z0-9._~%/?&=;:@!$'()*+,-]{0,40}",
        1 => Just("http://cell.example/a?b".to_owned()),
    ];
    let line = prop_oneof![
        5 => (method, target).prop_map(|(method, target)| format!("{method} {target} HTTP/1.1")),
        1 => Just("OPTIONS * HTTP/1.1".to_owned()),
    ];
    let field = ("[Xx]-[A-Za-z0-9-]{0,8}", "([!-~]([ -~]{0,20}[!-~])?)?");
    let blanks = "[ \t]{0,2}";
    let body = prop::option::of((
        prop::collection::vec(any::<u8>(), 0..60),
        prop::collection::vec(1..20usize, 0..5),
        any::<bool>(),
    ));
    (line, prop::collection::vec(field, 0..6), blanks, body, "(\r?\n){0,2}").prop_map(
        |(line, mut fields, blanks, body, before)| {
            fields.push(("hOST".to_owned(), "cell.example:80".to_owned()));
            let mut sent = Sent { line, fields, ..Sent::default() };
            let mut framed = Vec::new();
            if let Some((body, sizes, chunked)) = body {
                if chunked {
                    sent.fields.push(("tRANSFER-Encoding".to_owned(), "Chunked".to_owned()));
                    let mut rest = body.as_slice();
                    for size in sizes.into_iter().chain([rest.len()]) {
                        let (chunk, later) = rest.split_at(size.min(rest.len()));
                        rest = later;
                        if !chunk.is_empty() {
                            framed.extend_from_slice(
                                format!("{:X};ext=\"1\"\r\n", chunk.len()).as_bytes(),
                            );
                            framed.extend_from_slice(chunk);
                            framed.extend_from_slice(b"\r\n");
                        }
                    }
                    framed.extend_from_slice(b"0\r\nTrailer: x\r\n\r\n");
                } else {
                    sent.fields.push(("CONTENT-length".to_owned(), body.len().to_string()));
                    framed.extend_from_slice(&body);
                }
                sent.body = body;
            }
            let fields: String = sent
                .fields
                .iter()
                .map(|(name, value)| format!("{name}:{blanks}{value}{blanks}\r\n"))
                .collect();
            sent.bytes = format!("{before}{}\r\n{fields}\r\n", sent.line).into_bytes();
            sent.bytes.extend_from_slice(&framed);
            sent
        },
    )
}

/// What follows the target in a changed head: another version, or a header before all others.
fn head_change() -> impl Strategy<Value = &'static str> {
    let changes = vec![
        "HTTP/1.1\r\nContent-Length: 3",
        "HTTP/1.1\r\nContent-Length: 3\r\nCONTENT-LENGTH: 3",
        "HTTP/1.1\r\nContent-Length: +3",
        "HTTP/1.1\r\nContent-Length: 3, 3",
        "HTTP/1.1\r\nContent-Length: 18446744073709551616",
        "HTTP/1.1\r\nTransfer-Encoding: gzip ,\tCHUNKED ",
        "HTTP/1.1\r\nTransfer-Encoding: chunked, gzip",
        "HTTP/1.1\r\nTransfer-Encoding: \x7fchunked",
        "HTTP/1.1\r\nTransfer-Encoding:",
        "HTTP/1.1\r\nConnection: close",
        "HTTP/1.1\r\nExpect: 100-continue",
        "HTTP/1.0\r\nConnection: keep-alive",
        "HTTP/1.0",
        "HTTP/1.1\nX-Bare: line feed",
        "HTTP/1.1",
    ];
    prop::sample::select(changes)
}

fn changed(sent: &Sent, change: &str) -> Vec<u8> {
    let version = b"HTTP/1.1\r\n";
    let at = sent.bytes.windows(version.len()).position(|bytes| bytes == version).unwrap();
    [&sent.bytes[..at], change.as_bytes(), &sent.bytes[at + version.len() - 2..]].concat()
}

/// A byte for a request with changes, often one that the grammar of HTTP uses.
fn changed_byte() -> impl Strategy<Value = u8> {
    prop_oneof![any::<u8>(), Just(b'\r'), Just(b'\n'), Just(b' '), Just(b'0')]
}

fn pieces<'b>(bytes: &'b [u8], cuts: &[usize]) -> Vec<&'b [u8]> {
    let mut at: Vec<_> =
        cuts.iter().map(|cut| cut % (bytes.len() + 1)).chain([0, bytes.len()]).collect();
    at.sort_unstable();
    at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

fn scan(pieces: &[&[u8]]) -> (Vec<Sent>, usize) {
    let (mut scanner, mut found, mut ended) = (Scanner::default(), Vec::<Sent>::new(), 0);
    for piece in pieces {
        scanner.feed(piece, |what| match what {
            Found::Head(head) => {
                let fields = head
                    .fields
                    .iter()
                    .map(|field| (field.name.to_string(), field.value.to_string()))
                    .collect();
                found.push(Sent {
                    line: head.request_line.to_string(),
                    fields,
                    bytes: head.raw,
                    body: Vec::new(),
                });
            }
            Found::Content(content) => found.last_mut().unwrap().body.extend_from_slice(content),
            Found::End => ended += 1,
            Found::Break | Found::Foreign(_) => {}
        });
    }
    (found, ended)
}

proptest! {
    #[test]
    fn the_scanner_finds_each_request_as_it_was_sent(
        sent in prop::collection::vec(request(), 1..5),
        cuts in prop::collection::vec(any::<usize>(), 0..30),
    ) {
        let bytes: Vec<u8> = sent.iter().flat_map(|sent| sent.bytes.clone()).collect();
        let (found, ended) = scan(&pieces(&bytes, &cuts));
        prop_assert_eq!(ended, sent.len());
        prop_assert_eq!(found.len(), sent.len());
        for (found, sent) in found.iter().zip(&sent) {
            prop_assert_eq!((&found.line, &found.fields), (&sent.line, &sent.fields));
            prop_assert_eq!(&found.body, &sent.body);
            prop_assert!(sent.bytes.starts_with(&found.bytes));
        }
    }

    #[test]
    fn any_bytes_can_be_scanned(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        cuts in prop::collection::vec(any::<usize>(), 0..9),
    ) {
        scan(&pieces(&bytes, &cuts));
    }

    /// Requests with some bytes changed, so that every part of them can be invalid, and with
    /// headers that change or contradict their framing.
    #[test]
    fn the_server_never_reads_a_request_that_the_scanner_misses(
        sent in prop::collection::vec((request(), head_change()), 1..4),
        changes in prop::collection::vec((any::<usize>(), changed_byte()), 0..4),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let mut bytes: Vec<u8> =
            sent.iter().flat_map(|(sent, change)| changed(sent, change)).collect();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let (journal, errors) = serve(&pieces(&bytes, &cuts));
        prop_assert_eq!(errors.so_far(), []);
        let (found, _) = scan(&[&bytes]);
        let entries = journal.entries();
        let requests: Vec<_> = entries
            .iter()
            .filter_map(|entry| match &entry.event {
                Event::Request(seen) => Some(seen),
                _ => None,
            })
            .collect();
        prop_assert!(requests.len() <= found.len());
        for (request, found) in requests.iter().zip(&found) {
            prop_assert_eq!(request.request_line.to_string(), found.line.clone());
        }
        // The application returned the length of each body that it read; the scanner recorded the
        // same, unless it saw what is wrong in its chunks.
        for entry in &entries {
            if let Event::Response(response) = &entry.event
                && response.status == 200
                && let Some(sent) = response.fields.iter().find(|field| field.is("X-Length"))
            {
                let read = entries.iter().find_map(|entry| match &entry.event {
                    Event::RequestRead { hop, body } if *hop == response.hop => Some(body.length),
                    _ => None,
                });
                let is_malformed = |entry: &Entry| {
                    matches!(entry.event, Event::NotHttp { malformed: Some(_), .. })
                };
                if read.is_some() || !entries.iter().any(is_malformed) {
                    prop_assert_eq!(read, sent.value.to_string().parse().ok());
                }
            }
        }
    }
}

/// Sends these pieces to the real server, and returns its journal and the cell's errors.
fn serve(pieces: &[&[u8]]) -> (Arc<Journal>, Arc<CellErrors>) {
    let application =
        Router::new().fallback(axum::routing::any(|body: axum::body::Bytes| async move {
            [("x-length", body.len().to_string())]
        }));
    let (journal, errors) = (Arc::new(Journal::default()), Arc::new(CellErrors::default()));
    let flow = Arc::new(FlowCounters::default());
    let node = Arc::new(Node {
        id: CellId::eu(0),
        advertised: ([127, 0, 0, 1], 9).into(),
        application,
        journal: journal.clone(),
        casting: Arc::new(Casting::default()),
        scripts: Arc::new(Scripts::new(Protocol::Buffering, &[]).unwrap()),
        active_faults: Arc::new(ActiveFaults::new(Protocol::Buffering, &[], BTreeMap::new())),
        flow: flow.clone(),
        errors: errors.clone(),
    });
    let connection_log = Arc::new(ConnectionLog::new(CellId::eu(0), journal.clone(), flow.clone()));
    tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap().block_on(async {
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let mut near = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let socket = Arc::new(Socket::new(listener.accept().await.unwrap().0, flow));
        let tap = Tap::new(socket.clone(), connection_log.clone(), Arc::new(AtomicU64::new(0)));
        let served = http1::Builder::new().half_close(true).serve_connection(
            TokioIo::new(tap),
            ConnectionService { node, connection_log, socket },
        );
        let send = async {
            for piece in pieces {
                // An early refusal closes the connection; the rest cannot be sent then.
                if near.write_all(piece).await.is_err() {
                    break;
                }
                tokio::task::yield_now().await;
            }
            let _ = near.shutdown().await;
            let _ = near.read_to_end(&mut Vec::new()).await;
        };
        let _ = tokio::join!(async { drop(served.await) }, send);
    });
    (journal, errors)
}
