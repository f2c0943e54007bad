//! Property tests: requests of every shape are read as they were sent.

use axum::Router;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::Cells;
use crate::journal::{Entry, Event};
use crate::server::CellError;

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

/// Sends these pieces to a cell, which responds with the length of each body that it read. Returns
/// the journal, and the cell's errors.
fn sent(pieces: &[&[u8]]) -> (Vec<Entry>, Vec<CellError>) {
    let application =
        Router::new().fallback(axum::routing::any(|body: axum::body::Bytes| async move {
            [("x-length", body.len().to_string())]
        }));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let cells = Cells::start(application);
        let mut peer = cells.connect().await.0;
        for piece in pieces {
            // An early refusal closes the connection; the rest cannot be sent then.
            if peer.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        let _ = peer.shutdown().await;
        let _ = peer.read_to_end(&mut Vec::new()).await;
        let journal = cells.journal.clone();
        let errors = cells.stop().await;
        (journal.entries(), errors)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn each_request_is_read_as_it_was_sent(
        requests in prop::collection::vec(request(), 1..5),
        cuts in prop::collection::vec(any::<usize>(), 0..30),
    ) {
        let bytes: Vec<u8> = requests.iter().flat_map(|sent| sent.bytes.clone()).collect();
        let (entries, errors) = sent(&pieces(&bytes, &cuts));
        prop_assert_eq!(errors, []);
        let mut read = Vec::<Sent>::new();
        for entry in entries {
            match entry.event {
                Event::Request(seen) => {
                    let fields = seen
                        .fields
                        .iter()
                        .map(|field| (field.name.to_string(), field.value.to_string()));
                    let (line, fields) = (seen.request_line.to_string(), fields.collect());
                    read.push(Sent { line, fields, ..Sent::default() });
                }
                Event::RequestRead { body, .. } => {
                    read.last_mut().unwrap().body = body.beginning.to_vec();
                }
                Event::NotHttp { .. } => prop_assert!(false, "{entry:?}"),
                _ => {}
            }
        }
        let wanted = requests.into_iter().map(|sent| Sent { bytes: Vec::new(), ..sent });
        prop_assert_eq!(read, wanted.collect::<Vec<_>>());
    }

    /// Requests with some bytes changed, so that every part of them can be invalid.
    #[test]
    fn the_application_reads_what_the_journal_has(
        requests in prop::collection::vec(request(), 1..4),
        changes in prop::collection::vec((any::<usize>(), changed_byte()), 0..4),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let mut bytes: Vec<u8> = requests.iter().flat_map(|sent| sent.bytes.clone()).collect();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let (entries, errors) = sent(&pieces(&bytes, &cuts));
        prop_assert_eq!(errors, []);
        for entry in &entries {
            if let Event::Response(response) = &entry.event
                && response.status == 200
                && let Some(sent) = response.fields.iter().find(|field| field.is("X-Length"))
            {
                let read = entries.iter().find_map(|entry| match &entry.event {
                    Event::RequestRead { hop, body } if *hop == response.hop => Some(body.length),
                    _ => None,
                });
                prop_assert_eq!(read, sent.value.to_string().parse().ok());
            }
        }
    }
}
