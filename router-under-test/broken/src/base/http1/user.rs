//! A user's connection: requests one after the other, each with its response.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Buf;
use http::header::{CONTENT_LENGTH, EXPECT};
use http::{Method, StatusCode};
use http_body_util::BodyExt;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;

use crate::base::body::{Body, full};
use crate::base::deviate::{At, changed, deviate, looks_for_leavers};
use crate::base::http1::carried::Carried;
use crate::base::http1::connection::Connection;
use crate::base::http1::frame::{Framing, Incoming, Limits, Reader, Source};
use crate::base::http1::give::{Responding, give};
use crate::base::http1::head::{self, RequestHead};
use crate::base::http1::lenient;
use crate::base::http1::tunnel::{self, Tunnel};
use crate::base::http1::write::{self, Stopped};
use crate::base::outcome::Refusal;
use crate::base::router::Router;
use crate::base::{edge, flow, respond};
use crate::deviation::{Element, Seam};
use crate::kind::{Mutation, Variation};

/// How long a user may keep sending discarded bytes before the connection is closed.
const LINGER: Duration = Duration::from_secs(2);

/// Serves one connection until one side ends it.
pub(crate) async fn serve(router: Arc<Router>, stream: TcpStream) {
    let Ok(peer) = stream.peer_addr() else { return };
    let worker = if router.has(Mutation::RemembersPerWorker) { router.round() % 2 } else { 0 };
    let Connection { mut reader, mut writer } = Connection::new(stream);
    // Requests that were read ahead; only a mutation does that.
    let mut earlier = Vec::new();
    let mut carried = Carried::default();
    loop {
        let mut head = match earlier.pop() {
            Some(head) => head,
            None => match next(&router, &mut reader).await {
                Next::Head(head) => head,
                Next::Ended => return,
                Next::Refused(refusal) => {
                    let refused = edge::response::refusal(&router, refusal);
                    if give(&router, &mut writer, refused, &Responding::last()).await.is_ok() {
                        linger(reader, writer).await;
                    }
                    return;
                }
            },
        };
        carried.complete(&router, &mut head);
        if router.has(Mutation::RespondsOutOfOrder)
            && head.framing == Framing::None
            && let Ok(Some((second, size))) = head::request(&reader.buffer, None)
        {
            reader.buffer.advance(size);
            earlier.push(std::mem::replace(&mut head, second));
        }
        if head.method == Method::CONNECT && router.has(Mutation::OpensTunnels) {
            return open(&router, &head.target, Connection { reader, writer }).await;
        }
        let turn = Turn { peer: peer.ip(), worker, more: !earlier.is_empty() };
        match one(&router, head, turn, reader, &mut writer, &mut carried).await {
            Some(Outcome::Next(rest)) => reader = rest,
            Some(Outcome::Linger(rest)) => return linger(rest, writer).await,
            Some(Outcome::Tunnel(reader, cell)) => {
                return tunnel::carry(&router, Connection { reader, writer }, cell).await;
            }
            None => return,
        }
    }
}

enum Next {
    Head(RequestHead),
    Refused(Refusal),
    Ended,
}

async fn next(router: &Router, reader: &mut Reader) -> Next {
    loop {
        let read = match router.differs(Variation::LenientFraming) {
            true => lenient::request(&reader.buffer),
            false => head::request(&reader.buffer, router.mutation()),
        };
        match read {
            Ok(Some((head, size))) => {
                reader.buffer.advance(size);
                return Next::Head(head);
            }
            Ok(None) => {
                if !reader.fill().await.unwrap_or(false) {
                    return Next::Ended;
                }
            }
            Err(fault) => return Next::Refused(Refusal::new(fault.status, fault.reason)),
        }
    }
}

#[derive(Clone, Copy)]
struct Turn {
    peer: IpAddr,
    worker: usize,
    /// Another request was read already.
    more: bool,
}

enum Outcome {
    Next(Reader),
    Linger(Reader),
    Tunnel(Reader, Connection),
}

/// One request and its response; `None` ends the connection.
async fn one(
    router: &Arc<Router>,
    mut head: RequestHead,
    turn: Turn,
    reader: Reader,
    writer: &mut OwnedWriteHalf,
    carried: &mut Carried,
) -> Option<Outcome> {
    router.allocate();
    let closes = router.has(Mutation::KeepsTheLengthBesideChunks)
        && head.headers.contains_key(CONTENT_LENGTH)
        && head.framing == Framing::Chunked;
    let stays = (head.keeps_open() && !closes)
        || (router.has(Mutation::ServesWhatFollowsClose) && !head.old);
    let mut responding = Responding {
        method: head.method.clone(),
        old: head.old,
        keep: turn.more || (stays && head.method != Method::CONNECT),
    };
    if router.has(Mutation::SpoilsTheLastResponse)
        && !stays
        && head.framing == Framing::None
        && !reader.buffer.is_empty()
    {
        let refusal = Refusal::new(StatusCode::BAD_REQUEST, "more than the last request");
        give(router, writer, edge::response::refusal(router, refusal), &Responding::last())
            .await
            .ok()?;
        return Some(Outcome::Linger(reader));
    }
    let mut waits = head.waits()
        || (router.has(Mutation::AsksOldUsersForTheBody) && head.headers.contains_key(EXPECT));
    let chunked = head.framing == Framing::Chunked;
    let mut source = Source::new(reader, head.framing);
    match router.mutation() {
        Some(Mutation::ReadsEndlessChunkExtensions) => {
            source.limits =
                Limits { line: usize::MAX, extensions: usize::MAX, ..Limits::default() };
        }
        Some(Mutation::TakesARefusedChunkForTheLast) => {
            source.limits.refused_is_last_after = Some(1);
        }
        Some(Mutation::LimitsChunkExtensionsOneByOne) => source.limits.extensions = usize::MAX,
        _ => {}
    }
    let source = Arc::new(Mutex::new(source));
    let asked = Arc::new(Notify::new());
    let ask = asked.clone();
    let body = Incoming::new(source.clone(), Some(Box::new(move |_| ask.notify_one())), None)
        .boxed_unsync();
    let body = match router.mutation() {
        Some(Mutation::DropsChunkedBodies) if chunked => thrown_away(body).await,
        Some(Mutation::AsksForBodiesAndDropsThem) if waits => {
            write::bytes(writer, b"HTTP/1.1 100 Continue\r\n\r\n").await.ok()?;
            waits = false;
            thrown_away(body).await
        }
        Some(Mutation::DecompressesRequests) if !waits => {
            flow::decompressed(&mut head.headers, body).await
        }
        Some(Mutation::GivesTheNextUserTheBody) if !waits => carried.body_of(body).await,
        Some(Mutation::CountsBodiesOfAConnectionTogether) if carried.is_full(router, &body) => {
            let refusal = Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
            let refused = edge::response::refusal(router, refusal);
            give(router, writer, refused, &Responding::last()).await.ok()?;
            let reader = source.lock().unwrap_or_else(PoisonError::into_inner).reader.take()?;
            return Some(Outcome::Linger(reader));
        }
        _ => body,
    };
    let (head, body) = deviate(Seam::UserRequest, (head, body)).one().await?;
    let path = head.target.split('?').next().unwrap_or_default().to_owned();
    let mut has_left = false;
    let mut response = {
        let answer = respond::respond(router.clone(), head, turn.peer, turn.worker, body);
        tokio::pin!(answer);
        let pause = tokio::time::sleep(router.config.response_timeout);
        tokio::pin!(pause);
        loop {
            tokio::select! {
                response = &mut answer => break response.ok()?,
                () = asked.notified(), if waits => {
                    continues(writer).await.ok()?;
                    waits = false;
                }
                () = ended(&source), if router.differs(Variation::TakesHalfClosedUsersForGone) => {
                    return None;
                }
                () = ended(&source), if router.has(Mutation::DropsHalfClosedUsers) => {
                    let response = answer.await.ok()?;
                    let _ = response.into_body().collect().await;
                    return None;
                }
                () = ended(&source), if !has_left && notices_leavers(router) => {
                    has_left = true;
                    if !changed(Seam::Leaving, Element::Others, true) {
                        router.left.notify_waiters();
                    }
                    if !changed(Seam::Leaving, Element::Memory, true) {
                        router.cache().clear();
                    }
                    if gives_up(router, &path) {
                        return None;
                    }
                }
                () = router.left.notified(), if notices_leavers(router) => {
                    let gone = Refusal::bad_gateway("the connection was closed");
                    break edge::response::refusal(router, gone);
                }
                () = &mut pause, if late(router).is_some() => {
                    let late = late(router)?;
                    break edge::response::refusal(router, Refusal::new(late, "it did not come"));
                }
            }
        }
    };
    let tunnel = response.extensions_mut().remove::<Tunnel>();
    if router.has(Mutation::TakesARefusedChunkForTheLast) {
        source.lock().unwrap_or_else(PoisonError::into_inner).pass_over();
    }
    let is_whole = |source: &Arc<Mutex<Source>>| {
        source.lock().unwrap_or_else(PoisonError::into_inner).is_done()
    };
    if !turn.more {
        let goes_on = is_whole(&source) || serves_the_rest(router, response.status(), waits);
        responding.keep &= goes_on && !router.differs(Variation::ClosesAfterEachResponse);
    }
    responding.keep = changed(Seam::UserConnections, Element::Keeping, responding.keep);
    let goes_on = serves_the_rest(router, response.status(), waits);
    let given = give(router, writer, response, &responding).await;
    let whole = is_whole(&source) || goes_on;
    let mut reader = source.lock().unwrap_or_else(PoisonError::into_inner).reader.take()?;
    match given {
        Err(Stopped::Cut) => {
            // Without a length only a reset marks a body as truncated.
            let _ = reader.io.as_ref().set_zero_linger();
            return None;
        }
        Err(Stopped::Gone) => return None,
        Ok(()) => {}
    }
    if let Some(cell) = tunnel.and_then(|tunnel| tunnel.take()) {
        return Some(Outcome::Tunnel(reader, cell));
    }
    if router.has(Mutation::DropsPipelinedRequests) {
        reader.buffer.clear();
    }
    let goes_on = changed(Seam::UserConnections, Element::Ending, responding.keep && whole);
    Some(if goes_on { Outcome::Next(reader) } else { Outcome::Linger(reader) })
}

/// The mutations in which others suffer when a user ends the connection.
fn notices_leavers(router: &Router) -> bool {
    router.has(Mutation::AbandonsThoseWhoWait) || looks_for_leavers()
}

/// Asks a user who waits for the body.
async fn continues(writer: &mut OwnedWriteHalf) -> Result<(), Stopped> {
    let taken = deviate(Seam::Interim, At(Element::Status, 100)).taken().await;
    let Some((At(_, status), again)) = taken else { return Ok(()) };
    let interim = format!("HTTP/1.1 {status} Continue\r\n\r\n");
    if again.is_some() {
        write::bytes(writer, interim.as_bytes()).await?;
    }
    write::bytes(writer, interim.as_bytes()).await
}

/// The one of them that gives the user's request up, where others wait for its pre-flight.
fn gives_up(router: &Router, path: &str) -> bool {
    let extra = router.extra();
    router.has(Mutation::AbandonsThoseWhoWait)
        && extra.followers.get(path).is_some_and(|flight| Arc::strong_count(flight) > 1)
}

/// The status of the mutations that limit the time of a request with its body.
fn late(router: &Router) -> Option<StatusCode> {
    match router.mutation()? {
        Mutation::GivesUpPausedBodies => Some(StatusCode::REQUEST_TIMEOUT),
        Mutation::TimesWholeUploads => Some(StatusCode::GATEWAY_TIMEOUT),
        _ => None,
    }
}

/// The mutations that take what is left of a body for the next request. `waits` says that the user
/// has not been asked for the body.
fn serves_the_rest(router: &Router, status: StatusCode, waits: bool) -> bool {
    match router.mutation() {
        Some(Mutation::ServesTheRestOfRefusedRequests) => status.is_server_error(),
        Some(Mutation::ServesTheRestOfItsOwnResponses) => !status.is_server_error(),
        Some(Mutation::ForgetsBodiesThatItDidNotAskFor) => waits,
        Some(Mutation::GivesUpPausedBodies) => status == StatusCode::REQUEST_TIMEOUT,
        _ => false,
    }
}

/// The mutation that reads a body and drops it.
async fn thrown_away(body: Body) -> Body {
    let _ = body.collect().await;
    full("")
}

/// Waits until the user half-closes the connection.
async fn ended(source: &Arc<Mutex<Source>>) {
    std::future::poll_fn(|context| {
        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
        let is_done = source.is_done();
        match source.reader.as_mut().filter(|_| is_done) {
            Some(reader) => loop {
                match reader.poll_fill(context) {
                    std::task::Poll::Ready(Ok(true)) => {}
                    std::task::Poll::Ready(_) => return std::task::Poll::Ready(()),
                    std::task::Poll::Pending => return std::task::Poll::Pending,
                }
            },
            None => std::task::Poll::Pending,
        }
    })
    .await;
}

/// Ends a connection whose user may still be sending: an immediate close could destroy the
/// response.
async fn linger(mut reader: Reader, mut writer: OwnedWriteHalf) {
    use tokio::io::AsyncWriteExt;

    let _ = writer.shutdown().await;
    let drained = async {
        while reader.fill().await.unwrap_or(false) {
            reader.buffer.clear();
        }
    };
    let _ = tokio::time::timeout(LINGER, drained).await;
}

/// The mutation of an open proxy: a tunnel to the named host, confirmed before the connection
/// exists.
async fn open(router: &Router, host: &str, mut user: Connection) {
    if write::bytes(&mut user.writer, b"HTTP/1.1 200 Connection Established\r\n\r\n").await.is_err()
    {
        return;
    }
    if let Ok(stream) = TcpStream::connect(host).await {
        tunnel::carry(router, user, Connection::new(stream)).await;
    }
}
