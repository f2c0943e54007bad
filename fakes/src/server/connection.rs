//! One connection of a cell, from accept to close.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use bytes::Bytes;
use http::header::CONNECTION;
use http::{Method, Request, Response, StatusCode, Version};
use tokio::sync::watch;

use super::Node;
use super::exchange::Exchange;
use super::head::Refusal;
use super::reader::Reader;
use super::response::{Payload, frame, head_of};
use super::socket::Socket;
use crate::fault::{ConnectionFault, Ending};
use crate::journal::HopId;
use crate::wire;

/// What happens to a connection after its first response, until the faults end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AfterResponse {
    Closes,
    /// It is closed when the next request arrives.
    ClosesWhenUsed,
}

/// Serves a connection until it ends, or the fleet stops. No timer ends it: cells close connections
/// only with `Connection: close`, after an error or a fault. A sender that has half-closed still
/// gets its response.
pub(super) async fn connection(
    socket: Arc<Socket>,
    node: Arc<Node>,
    activity: Arc<AtomicU64>,
    mut stopping: watch::Receiver<bool>,
) {
    let (mut is_read, mut after_response) = (true, None);
    for fault in node.active_faults.for_connections(&node.id) {
        match fault {
            ConnectionFault::ReadsNothing => is_read = false,
            ConnectionFault::ClosesAfterOneResponse => after_response = Some(AfterResponse::Closes),
            ConnectionFault::ClosesWhenUsedAgain => {
                after_response = Some(AfterResponse::ClosesWhenUsed);
            }
            ConnectionFault::Refuses
            | ConnectionFault::AnswersNoConnection
            | ConnectionFault::ClosesBeforeReading { .. } => {}
        }
    }
    if !is_read {
        tokio::select! {
            () = node.active_faults.ended() => {}
            () = told_to_stop(&mut stopping) => return,
        }
    }
    let (mut is_used, mut strays) = (false, Vec::new());
    let mut reader = Reader::new(node.clone(), socket.clone(), activity);
    loop {
        let is_idle = is_used && reader.is_between_requests();
        match after_response.filter(|_| is_idle && !node.active_faults.is_over()) {
            Some(AfterResponse::Closes) => return,
            Some(AfterResponse::ClosesWhenUsed) => {
                let arrived = tokio::select! {
                    arrived = socket.arrival() => arrived,
                    () = told_to_stop(&mut stopping) => return,
                };
                if arrived && !node.active_faults.is_over() {
                    // An operating system resets a connection that is closed with unread bytes.
                    return socket.cut(Ending::Reset);
                }
            }
            None => {}
        }
        let stray = async {
            match strays.first() {
                Some((at, _)) => tokio::time::sleep_until(*at).await,
                None => std::future::pending().await,
            }
        };
        let read = tokio::select! {
            biased;
            read = reader.request() => read,
            () = told_to_stop(&mut stopping) => return,
            () = stray => {
                let (_, bytes): (_, Vec<u8>) = strays.remove(0);
                // A peer that is gone gets nothing more.
                let _ = socket.send(&bytes, drop).await;
                continue;
            }
        };
        let (hop, request) = match read {
            Ok(Some(read)) => read,
            Ok(None) => return,
            Err(refusal) => return refuse(&socket, refusal).await,
        };
        let exchange = exchange(&node, &socket, &stopping, hop, &request);
        match exchange.serve(request, reader).await {
            Ok(next) => (reader, strays) = next,
            Err(Ending::Close) => return,
            Err(Ending::Reset) => return socket.cut(Ending::Reset),
        }
        is_used = true;
    }
}

fn exchange<'c>(
    node: &'c Arc<Node>,
    socket: &'c Arc<Socket>,
    stopping: &'c watch::Receiver<bool>,
    hop: HopId,
    request: &Request<()>,
) -> Exchange<'c> {
    let http_10 = request.version() == Version::HTTP_10;
    // RFC 9112 9.3.
    let says = |word| wire::lists(request.headers(), CONNECTION, word);
    Exchange {
        node,
        socket,
        stopping,
        hop,
        method: request.method().clone(),
        label: format!("{} {}", request.method(), request.uri()),
        http_10,
        keeps: !says("close") && (!http_10 || says("keep-alive")),
    }
}

/// Refuses what is no request. The connection ends with it.
async fn refuse(socket: &Socket, Refusal { status, why }: Refusal) {
    let text = why.map(|why| format!("the request has {why}\n")).unwrap_or_default();
    let mut response = Response::new(Payload::Whole(Bytes::from(text.clone())));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    frame(&mut response, &Method::GET, false);
    let (mut parts, _) = response.into_parts();
    let head = head_of(&mut parts, false, false, false);
    // A peer that is gone needs no response.
    let _ = socket.send(&[&head, text.as_bytes()].concat(), drop).await;
}

/// Waits until the fleet stops or is dropped.
pub(super) async fn told_to_stop(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}
