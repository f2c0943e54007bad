use std::io;
use std::pin::Pin;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use super::super::Guarded;
use crate::config::{Allowance, Patience};
use crate::connections::Waits;

const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(20);

/// What users may do in these tests.
pub(super) const PATIENCE: Patience = Patience {
    head: LONG,
    body: Allowance { grace: LONG, rate: 500, pause: LONG },
    half_closed: LONG,
    tunnel: LONG,
};

#[tokio::test(flavor = "current_thread")]
async fn a_user_who_is_still_sending_gets_the_response() {
    let (mut user, router) = duplex(1024);
    let (mut guarded, _verdict) = Guarded::new(router, Waits::default(), PATIENCE);
    user.write_all(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n").await.unwrap();
    guarded.read_exact(&mut [0; 20]).await.unwrap();
    guarded.write_all(b"response").await.unwrap();
    let (closed, ()) = tokio::join!(guarded.shutdown(), async {
        user.write_all(&[b'x'; 4000]).await.unwrap();
        let mut response = Vec::new();
        user.read_to_end(&mut response).await.unwrap();
        assert_eq!(response, b"response");
        Pin::new(&mut user).shutdown().await.unwrap();
    });
    closed.unwrap();
}

#[tokio::test(flavor = "current_thread")]
async fn a_closed_connection_is_noticed_without_a_read() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let user = tokio::net::TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (mut guarded, _verdict) =
        Guarded::new(listener.accept().await.unwrap().0, Waits::default(), PATIENCE);
    guarded.flush().await.unwrap();
    socket2::SockRef::from(&user).set_linger(Some(Duration::ZERO)).unwrap();
    drop(user);
    // The reset takes its time, and the timer would.
    let noticed = async {
        loop {
            guarded.under_way = true;
            guarded.presence.at_once();
            tokio::time::sleep(Duration::from_millis(2)).await;
            if let Err(error) = guarded.flush().await {
                return error;
            }
        }
    };
    let error = tokio::time::timeout(Duration::from_secs(20), noticed).await.unwrap();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}

#[tokio::test(flavor = "current_thread")]
async fn the_idle_timeout_applies_within_a_body_not_between_requests() {
    let (mut user, router) = duplex(1024);
    let body = Allowance { pause: SHORT, ..PATIENCE.body };
    let patience = Patience { body, ..PATIENCE };
    let (mut guarded, _verdict) = Guarded::new(router, Waits::default(), patience);
    let mut buffer = [0; 1024];
    let between = tokio::time::timeout(Duration::from_millis(60), guarded.read(&mut buffer)).await;
    assert!(between.is_err(), "{between:?}");
    user.write_all(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab").await.unwrap();
    assert!(guarded.read(&mut buffer).await.unwrap() > 40);
    let error = guarded.read(&mut buffer).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}

#[tokio::test(flavor = "current_thread")]
async fn a_head_has_less_time_than_the_wait_for_it() {
    let (mut user, router) = duplex(1024);
    let patience = Patience { head: Duration::from_millis(60), ..PATIENCE };
    let (mut guarded, _verdict) = Guarded::new(router, Waits::default(), patience);
    let mut buffer = [0; 1024];
    assert!(tokio::time::timeout(2 * patience.head, guarded.read(&mut buffer)).await.is_err());
    // Bytes that come now and then give it no more time.
    let begun = tokio::time::Instant::now();
    let error = loop {
        user.write_all(b"G").await.unwrap();
        if let Ok(outcome) = tokio::time::timeout(SHORT, guarded.read(&mut buffer)).await {
            break outcome.unwrap_err();
        }
        assert!(begun.elapsed() < LONG);
    };
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}
