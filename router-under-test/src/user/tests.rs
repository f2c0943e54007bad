use std::future::poll_fn;

use http_body::Body;
use http_body_util::BodyExt as _;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use super::*;
use crate::config::BodyTimeout;

const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(20);

/// What users may do in these tests.
const TIMEOUTS: UserTimeouts = UserTimeouts {
    head: LONG,
    body: BodyTimeout { grace: LONG, rate: 500, pause: LONG },
    half_closed: LONG,
    tunnel: LONG,
};

/// A user, and the router's side of the connection.
async fn connected(timeouts: UserTimeouts) -> (TcpStream, Rc<User>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let user = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    (user, User::new(stream, Waits::default(), timeouts))
}

async fn next(user: &Rc<User>) -> Next {
    poll_fn(|cx| user.poll_next(cx)).await
}

async fn request(user: &Rc<User>) -> Request<RequestBody> {
    match next(user).await {
        Next::Request(request) => request,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "current_thread")]
async fn requests_come_one_after_the_other() {
    let (mut user, router) = connected(TIMEOUTS).await;
    user.write_all(
        b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
    )
    .await
    .unwrap();
    let first = request(&router).await;
    assert_eq!(first.uri(), "/a");
    assert_eq!(first.into_body().collect().await.unwrap().to_bytes(), "abc");
    assert_eq!(request(&router).await.uri(), "/b");
    user.shutdown().await.unwrap();
    assert!(matches!(next(&router).await, Next::End(None)));
}

#[tokio::test(flavor = "current_thread")]
async fn a_body_that_nobody_reads_is_passed_over_once_it_is_here() {
    let (mut user, router) = connected(TIMEOUTS).await;
    user.write_all(b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nabc").await.unwrap();
    drop(request(&router).await);
    router.pass_over_body();
    assert!(!router.has_sent_all());
    user.write_all(b"def").await.unwrap();
    let mut body = RequestBody::new(Rc::clone(&router));
    while Body::size_hint(&body).exact() != Some(0) {
        body.frame().await.unwrap().unwrap();
    }
    assert!(router.has_sent_all());
}

#[tokio::test(flavor = "current_thread")]
async fn a_user_who_is_still_sending_gets_the_response() {
    let (mut user, router) = connected(TIMEOUTS).await;
    user.write_all(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n").await.unwrap();
    drop(request(&router).await);
    let mut pieces = Pieces::new();
    pieces.head().extend_from_slice(b"response");
    router.send(&mut pieces).await.unwrap();
    let closed = router.close(true);
    tokio::join!(closed, async {
        user.write_all(&[b'x'; 400_000]).await.unwrap();
        let mut response = Vec::new();
        user.read_to_end(&mut response).await.unwrap();
        assert_eq!(response, b"response");
        user.shutdown().await.unwrap();
    });
}

#[tokio::test(flavor = "current_thread")]
async fn a_user_who_has_gone_is_noticed_without_a_read() {
    let (mut user, router) = connected(TIMEOUTS).await;
    user.write_all(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n").await.unwrap();
    drop(request(&router).await);
    router.0.borrow_mut().presence.at_once();
    SockRef::from(&user).set_linger(Some(Duration::ZERO)).unwrap();
    drop(user);
    let never = std::pin::pin!(std::future::pending::<()>());
    let never = router.unless_gone(never);
    let error = tokio::time::timeout(LONG, never).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}

#[tokio::test(flavor = "current_thread")]
async fn a_pause_within_a_body_has_a_limit_and_between_requests_another() {
    let body = BodyTimeout { pause: SHORT, ..TIMEOUTS.body };
    let (mut user, router) = connected(UserTimeouts { body, ..TIMEOUTS }).await;
    assert!(tokio::time::timeout(3 * SHORT, next(&router)).await.is_err());
    user.write_all(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab").await.unwrap();
    let error = request(&router).await.into_body().collect().await.unwrap_err();
    assert!(
        matches!(&error, BrokenBody::Io(error) if error.kind() == io::ErrorKind::TimedOut),
        "{error}"
    );
}

#[tokio::test(flavor = "current_thread")]
async fn a_head_has_less_time_than_the_wait_for_it() {
    let timeouts = UserTimeouts { head: Duration::from_millis(60), ..TIMEOUTS };
    let (mut user, router) = connected(timeouts).await;
    assert!(tokio::time::timeout(2 * timeouts.head, next(&router)).await.is_err());
    // Bytes that come now and then give it no more time.
    let begun = std::time::Instant::now();
    let end = loop {
        user.write_all(b"G").await.unwrap();
        if let Ok(end) = tokio::time::timeout(SHORT, next(&router)).await {
            break end;
        }
        assert!(begun.elapsed() < LONG);
    };
    assert!(
        matches!(&end, Next::End(Some(error)) if error.kind() == io::ErrorKind::TimedOut),
        "{end:?}"
    );
}

#[tokio::test(flavor = "current_thread")]
async fn a_connection_that_waits_holds_no_buffer() {
    let (mut user, router) = connected(TIMEOUTS).await;
    user.write_all(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n").await.unwrap();
    drop(request(&router).await);
    assert!(tokio::time::timeout(SHORT, next(&router)).await.is_err());
    assert_eq!(router.0.borrow_mut().input.bytes().capacity(), 0);
}
