//! Hyper is the witness: what is read here, it reads alike.

use std::cell::RefCell;
use std::convert::Infallible;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use super::read;

/// Bytes that are nearly requests.
fn nearly_requests() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        8 => Just(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n".to_vec()),
        3 => Just(b"POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab\r\nc".to_vec()),
        3 => Just(b"PUT /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec()),
        3 => Just(b"4\r\nwxyz\r\n".to_vec()),
        3 => Just(b"0\r\n\r\n".to_vec()),
        1 => Just(b"0\r\nX: y\r\n\r\n".to_vec()),
        2 => Just(b"POST /x HTTP/1.1\r\nHost: h\r\n".to_vec()),
        1 => Just(b"Content-Length: 2\r\n".to_vec()),
        1 => Just(b"Transfer-Encoding: chunked\r\n".to_vec()),
        1 => Just(b"Connection: upgrade\r\nUpgrade: websocket\r\n".to_vec()),
        1 => Just(
            b"GET /u HTTP/1.1\r\nHost: h\r\n\
              Connection: upgrade\r\nUpgrade: websocket\r\n\r\n"
                .to_vec()
        ),
        1 => Just(b"GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".to_vec()),
        1 => Just(b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n".to_vec()),
        1 => Just(b"Content-Length: 0\r\n\r\n".to_vec()),
        1 => Just(b"5;a=\"b\"\r\nab\r\nc\r\n".to_vec()),
        1 => Just(b"Expect: 100-continue\r\n".to_vec()),
        1 => Just(b"X: \x80\xff\r\n y: folded\r\n".to_vec()),
        1 => Just(b"GET http://a/b HTTP/1.1\r\nHost: h\r\n\r\n".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        1 => Just(b"\n".to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        1 => "[ -~]{0,12}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn pieces<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.extend([0, bytes.len()]);
    at.sort_unstable();
    at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

/// The requests that hyper finds in the same bytes, each with its body where that came as a whole.
async fn witnessed(bytes: &[u8]) -> Vec<(String, Option<Vec<u8>>)> {
    let (mut user, router) = duplex(64 * 1024);
    let log = RefCell::new(Vec::new());
    let service = service_fn(async |request: http::Request<hyper::body::Incoming>| {
        let (head, body) = request.into_parts();
        let at = log.borrow().len();
        log.borrow_mut().push((format!("{} {}", head.method, head.uri), None));
        if let Ok(body) = body.collect().await {
            log.borrow_mut()[at].1 = Some(body.to_bytes().to_vec());
        }
        let mut response = http::Response::new(Empty::<bytes::Bytes>::new());
        // So that a user of HTTP/1.0 has several requests, as `read` takes them.
        *response.version_mut() = head.version;
        Ok::<_, Infallible>(response)
    });
    let connection = http1::Builder::new()
        .half_close(true)
        .serve_connection(TokioIo::new(router), service)
        .with_upgrades();
    let play = async move {
        let _ = user.write_all(bytes).await;
        let _ = user.shutdown().await;
        let _ = user.read_to_end(&mut Vec::new()).await;
    };
    let both = async { tokio::join!(connection, play) };
    let _ = tokio::time::timeout(Duration::from_secs(20), both).await.expect("a connection ends");
    log.into_inner()
}

proptest! {
    #![proptest_config(crate::fuzzing::cases())]

    #[test]
    fn any_bytes_are_accepted_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read([bytes.as_slice()]);
    }

    #[test]
    fn the_split_of_the_bytes_does_not_matter(
        bytes in nearly_requests(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let whole = read([bytes.as_slice()]);
        prop_assert_eq!(&whole, &read(pieces(&bytes, &cuts)));
        prop_assert_eq!(&whole, &read(bytes.chunks(1)));
    }

    #[test]
    fn hyper_reads_the_same(bytes in nearly_requests()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let witnessed = runtime.block_on(witnessed(&bytes));
        let own = read([bytes.as_slice()]);
        // Hyper ends after a request of HTTP/1.0 that does not ask for more; and it takes more
        // than is taken here.
        for (own, other) in own.requests.iter().zip(&witnessed) {
            prop_assert_eq!(&own.0, &other.0);
            // Where the body breaks off here, it may go on there, and the other way round.
            if let (Some(own), Some(other)) = (&own.1, &other.1) {
                prop_assert_eq!(own, other);
            }
        }
        let ends_early = bytes.windows(8).any(|at| at == b"HTTP/1.0");
        prop_assert!(ends_early || own.requests.len() <= witnessed.len(), "{own:?} {witnessed:?}");
    }
}
