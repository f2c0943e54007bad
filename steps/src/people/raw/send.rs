//! Requests whose body is streamed.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use cell_fleet::BodySeen;
use futures_util::future::BoxFuture;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;

use super::{Event, Parser, connect, response, stuck};
use crate::action::Framing;
use crate::literal::Request;
use crate::people::in_flight::InFlight;
use crate::trace::{NoResponse, ReceivedResponse};

/// A request whose body, or whose response, is streamed while the suite watches the flow.
pub(crate) struct Streaming<'a> {
    pub(crate) request: Request,
    /// How the end of its body is marked.
    pub(crate) framed: Framing,
    /// Counts the body bytes that the system has taken.
    pub(crate) taken: Arc<AtomicU64>,
    /// The response is read once this has ended. It returns how many body bytes the cells have
    /// sent.
    pub(crate) before_reading: Option<BoxFuture<'a, u64>>,
    /// Runs at the same time as the upload. It returns how many body bytes were taken.
    pub(crate) meanwhile: Option<BoxFuture<'a, u64>>,
}

impl<'a> Streaming<'a> {
    /// A request whose flow is not watched.
    pub(crate) fn unwatched(request: Request, framed: Framing) -> Self {
        Self { request, framed, taken: Arc::default(), before_reading: None, meanwhile: None }
    }
}

/// The body as the record has it. A large one is digested on a thread of its own.
pub(in super::super) async fn body_of(body: &Bytes) -> BodySeen {
    let body = body.clone();
    let seen = tokio::task::spawn_blocking(move || BodySeen::of(&body));
    seen.await.unwrap_or_else(|_| BodySeen::of(&Bytes::new()))
}

pub(in super::super) fn head(method: &str, target: &str, fields: &[(String, String)]) -> Vec<u8> {
    let mut head = format!("{method} {target} HTTP/1.1\r\n");
    for (name, value) in fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// The router's response to `Expect: 100-continue` so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ContinueState {
    Pending,
    Granted,
    /// The final response has come first.
    Refused,
}

impl Streaming<'_> {
    /// Sends the request and reads the response. It fails when no byte moves for `idle_timeout`.
    pub(in super::super) async fn exchange(
        self,
        at: SocketAddr,
        head: Vec<u8>,
        idle_timeout: Duration,
        notes: &InFlight,
    ) -> Result<ReceivedResponse, NoResponse> {
        let Streaming { request, framed, taken, before_reading, meanwhile } = self;
        let Request { method, body, .. } = request;
        // A transfer stalls only where the socket buffers are small.
        let mut stream = connect(at, before_reading.is_some() || meanwhile.is_some()).await?;
        let (mut reader, mut writer) = stream.split();
        let (asks, asked) = watch::channel(ContinueState::Pending);
        let got = AtomicU64::new(0);
        let reading = async {
            if let Some(before) = before_reading {
                let flow = before.await;
                notes.note(|request| request.seen_flow = Some(flow));
            }
            let saw = |event: &Event| {
                notes.saw(event);
                match event {
                    Event::Interim(100) => _ = asks.send(ContinueState::Granted),
                    Event::Head => _ = asks.send(ContinueState::Refused),
                    Event::Interim(_) | Event::Body | Event::Whole(_) | Event::Tunnel(_) => {}
                }
            };
            response(&mut reader, &mut Parser::default(), &method, &got, saw).await
        };
        let writing = async {
            // Where writing fails, the response or its absence shows why.
            let _ = write(&mut writer, &head, body, framed, asked, &taken).await;
            std::future::pending::<()>().await;
        };
        let meanwhile = async {
            if let Some(meanwhile) = meanwhile {
                let taken = meanwhile.await;
                notes.note(|request| request.taken = Some(taken));
            }
            std::future::pending::<()>().await;
        };
        let lost = async {
            loop {
                let sent = taken.load(Ordering::Relaxed);
                stuck(&got, idle_timeout).await;
                if taken.load(Ordering::Relaxed) == sent {
                    return;
                }
            }
        };
        tokio::select! {
            got = reading => return got,
            () = writing => {}
            () = meanwhile => {}
            () = lost => {}
        }
        Err(NoResponse::timed_out(idle_timeout))
    }
}

async fn write(
    writer: &mut (impl AsyncWrite + Unpin),
    head: &[u8],
    mut body: Bytes,
    framed: Framing,
    mut asked: watch::Receiver<ContinueState>,
    taken: &AtomicU64,
) -> std::io::Result<()> {
    writer.write_all(head).await?;
    if framed == Framing::AfterContinue {
        let state = asked.wait_for(|asked| *asked != ContinueState::Pending).await;
        if state.is_ok_and(|state| *state == ContinueState::Refused) {
            return Ok(());
        }
    }
    if framed != Framing::InChunks {
        pour(writer, body, taken).await?;
        return writer.flush().await;
    }
    // A chunk size that no buffer has.
    while !body.is_empty() {
        let chunk = body.split_to(body.len().min(10_007));
        writer.write_all(format!("{:x}\r\n", chunk.len()).as_bytes()).await?;
        pour(writer, chunk, taken).await?;
        writer.write_all(b"\r\n").await?;
    }
    writer.write_all(b"0\r\n\r\n").await?;
    writer.flush().await
}

async fn pour(
    writer: &mut (impl AsyncWrite + Unpin),
    mut piece: Bytes,
    taken: &AtomicU64,
) -> std::io::Result<()> {
    while !piece.is_empty() {
        let wrote = writer.write(&piece).await?;
        if wrote == 0 {
            return Err(std::io::ErrorKind::WriteZero.into());
        }
        let _ = piece.split_to(wrote);
        taken.fetch_add(wrote as u64, Ordering::Relaxed);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn chunks_are_framed() {
        let (_, asked) = watch::channel(ContinueState::Pending);
        let mut wire = Vec::new();
        let body = Bytes::from_static(b"hello");
        write(&mut wire, b"head\r\n\r\n", body, Framing::InChunks, asked, &AtomicU64::new(0))
            .await
            .unwrap();
        assert_eq!(wire, b"head\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    }

    #[tokio::test]
    async fn a_refused_body_is_not_sent() {
        let (asks, asked) = watch::channel(ContinueState::Pending);
        asks.send(ContinueState::Refused).unwrap();
        let mut wire = Vec::new();
        let body = Bytes::from_static(b"hello");
        let taken = AtomicU64::new(0);
        write(&mut wire, b"head", body.clone(), Framing::AfterContinue, asked.clone(), &taken)
            .await
            .unwrap();
        assert_eq!(wire, b"head");
        asks.send(ContinueState::Granted).unwrap();
        write(&mut wire, b"", body, Framing::AfterContinue, asked, &taken).await.unwrap();
        assert_eq!(wire, b"headhello");
    }
}
