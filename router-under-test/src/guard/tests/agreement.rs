use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use super::super::Guarded;
use super::super::follow::Follower;
use super::connection::PATIENCE;
use super::{RequestError, follow};
use crate::connections::Waits;

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

/// What the service behind a guard got: the length of each body, none where it broke off.
async fn served(
    bytes: &[u8],
    cuts: &[prop::sample::Index],
) -> (Vec<Option<usize>>, Option<RequestError>) {
    let (mut user, router) = duplex(64 * 1024);
    let (guarded, guard_state) = Guarded::new(router, Waits::default(), PATIENCE);
    let log = Rc::new(RefCell::new((Vec::new(), None, 0)));
    let service = service_fn(|request: http::Request<hyper::body::Incoming>| {
        let (log, guard_state) = (Rc::clone(&log), guard_state.clone());
        async move {
            log.borrow_mut().2 += 1;
            let number = log.borrow().2;
            if let Some(fault) = guard_state.on(number) {
                log.borrow_mut().1 = Some(fault);
            } else {
                let length =
                    request.into_body().collect().await.ok().map(|body| body.to_bytes().len());
                log.borrow_mut().0.push(length);
            }
            guard_state.decide(number, false);
            Ok::<_, Infallible>(http::Response::new(Empty::<bytes::Bytes>::new()))
        }
    });
    let connection = http1::Builder::new()
        .half_close(true)
        .serve_connection(TokioIo::new(guarded), service)
        .with_upgrades();
    let parts = pieces(bytes, cuts);
    let play = async move {
        for part in parts {
            // The router may have closed already.
            if user.write_all(part).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        let _ = user.shutdown().await;
        let _ = user.read_to_end(&mut Vec::new()).await;
    };
    let both = async { tokio::join!(connection, play) };
    let _ = tokio::time::timeout(Duration::from_secs(20), both).await.expect("a connection ends");
    let log = log.borrow();
    (log.0.clone(), log.1)
}

/// The bodies as the guard saw them, byte by byte.
fn bodies(bytes: &[u8]) -> Vec<usize> {
    let (mut follower, mut held, mut lengths) = (Follower::new(), Vec::new(), Vec::new());
    for byte in bytes {
        let (in_data, before) = (follower.is_in_data(), follower.requests());
        held.push(*byte);
        let (passed, fault) = follower.advance(&held);
        held.drain(..passed);
        if in_data && let Some(last) = lengths.last_mut() {
            *last += 1;
        }
        if follower.requests() > before {
            lengths.push(0);
        }
        if follower.is_undecided() {
            follower.decide(false);
        }
        if fault.is_some() {
            break;
        }
    }
    lengths
}

proptest! {
    #![proptest_config(crate::fuzzing::cases())]

    #[test]
    fn any_bytes_are_accepted_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        follow([bytes.as_slice()]);
    }

    #[test]
    fn the_split_of_the_bytes_does_not_matter(
        bytes in nearly_requests(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let whole = follow([bytes.as_slice()]);
        prop_assert_eq!(&whole, &follow(pieces(&bytes, &cuts)));
        prop_assert_eq!(&whole, &follow(bytes.chunks(1)));
        prop_assert!(bytes.starts_with(&whole.passed));
    }

    #[test]
    fn the_guard_agrees_with_the_parser(
        bytes in nearly_requests(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (served, refused) = runtime.block_on(served(&bytes, &cuts));
        let seen = bodies(&bytes);
        let fault = follow([bytes.as_slice()]).fault;
        // The parser may stop earlier, at a target that is no URI, say; it never finds another
        // request.
        prop_assert!(served.len() <= seen.len(), "{served:?} {seen:?}");
        for (served, seen) in served.iter().zip(&seen) {
            if let Some(served) = served {
                prop_assert_eq!(served, seen);
            }
        }
        if let Some(refused) = refused {
            prop_assert_eq!(Some(refused), fault);
        }
        if fault.is_none() && served.iter().all(Option::is_some) {
            prop_assert_eq!(served.len(), seen.len());
        }
    }
}
