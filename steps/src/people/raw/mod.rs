//! A user without an HTTP library: bytes are sent unchanged, and responses are parsed from whatever
//! comes back.

mod body;
mod parse;
mod send;
mod shared;
mod text;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cell_fleet::Text;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::client::no_response;
use crate::trace::{ConnectionEnd, NoResponse, ReceivedResponse};

pub(super) use parse::{Event, Parser};
pub(crate) use send::Streaming;
pub(super) use send::{body_of, head};
pub(super) use shared::SharedConnection;
pub(super) use text::{fill, find_request};

/// Bytes are read in blocks of this size.
const PIECE: usize = 64 * 1024;

/// Opens a connection. `narrow` asks for small socket buffers, so that the router can send little
/// that the user does not read, and the other way round.
pub(super) async fn connect(at: SocketAddr, narrow: bool) -> Result<TcpStream, NoResponse> {
    let socket = if at.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
    let connect = async {
        let socket = socket?;
        if narrow {
            socket.set_recv_buffer_size(64 * 1024)?;
            socket.set_send_buffer_size(64 * 1024)?;
        }
        let stream = socket.connect(at).await?;
        // A head that is written in two pieces is sent in two pieces.
        stream.set_nodelay(true)?;
        Ok::<_, io::Error>(stream)
    };
    connect.await.map_err(|error| no_response(&error))
}

/// Reads one response. `progress` counts the bytes.
pub(super) async fn response(
    reader: &mut (impl AsyncRead + Unpin),
    parser: &mut Parser,
    method: &str,
    progress: &AtomicU64,
    mut saw: impl FnMut(&Event),
) -> Result<ReceivedResponse, NoResponse> {
    let mut piece = vec![0; PIECE];
    loop {
        while let Some(event) = parser.next(method)? {
            saw(&event);
            if let Event::Whole(response) = event {
                return Ok(response);
            }
        }
        match reader.read(&mut piece).await {
            Ok(0) => return parser.ended(ConnectionEnd::Closed),
            Ok(read) => {
                progress.fetch_add(read as u64, Ordering::Relaxed);
                parser.push(&piece[..read]);
            }
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {
                return parser.ended(ConnectionEnd::Reset);
            }
            Err(error) => return parser.ended(ConnectionEnd::Failed(error.to_string())),
        }
    }
}

/// Ends when the count has not changed for this long.
pub(super) async fn stuck(progress: &AtomicU64, idle_timeout: Duration) {
    loop {
        let seen = progress.load(Ordering::Relaxed);
        tokio::time::sleep(idle_timeout).await;
        if progress.load(Ordering::Relaxed) == seen {
            return;
        }
    }
}

/// Raw bytes to send, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sending<'b> {
    pub(super) bytes: &'b [u8],
    /// Where to pause, and how long.
    pub(super) pauses: &'b [(usize, Duration)],
    /// Whether to close the sending half after them.
    pub(super) closes: bool,
}

impl Sending<'_> {
    async fn send(self, writer: &mut (impl AsyncWrite + Unpin)) {
        let mut sent = 0;
        for (at, pause) in self.pauses {
            if writer.write_all(&self.bytes[sent..*at]).await.is_err() {
                return;
            }
            sent = *at;
            tokio::time::sleep(*pause).await;
        }
        // A router may refuse before it has read everything. Its response tells more than the
        // failed write.
        let wrote = writer.write_all(&self.bytes[sent..]).await;
        if self.closes && wrote.is_ok() {
            let _ = writer.shutdown().await;
        }
    }
}

/// Sends raw bytes and reads the responses to requests with these methods. `ended` gets each
/// response with the number of its request, `saw` each event on the way, and what comes behind a
/// change of protocol. Returns further responses, which are unsolicited.
pub(super) async fn exchange(
    at: SocketAddr,
    sending: Sending<'_>,
    methods: &[String],
    idle_timeout: (Duration, Duration),
    saw: impl Fn(usize, &Event),
    mut ended: impl FnMut(usize, Result<ReceivedResponse, NoResponse>),
) -> Vec<Result<ReceivedResponse, NoResponse>> {
    let (idle_timeout, surplus) = idle_timeout;
    let mut stream = match connect(at, false).await {
        Ok(stream) => stream,
        Err(why) => {
            (0..methods.len()).for_each(|number| ended(number, Err(why.clone())));
            return Vec::new();
        }
    };
    // Borrowed halves: dropping an owned one would close its half of the connection.
    let (mut reader, mut writer) = stream.split();
    let mut parser = Parser::default();
    let none = AtomicU64::new(0);
    let mut responded = 0;
    let mut switched = None;
    let reading = async {
        for (number, method) in methods.iter().enumerate() {
            let got =
                response(&mut reader, &mut parser, method, &none, |event| saw(number, event)).await;
            let is_lost = got.as_ref().err().cloned();
            switched = got.as_ref().is_ok_and(|got| got.status == 101).then_some(number);
            ended(number, got);
            responded = number + 1;
            if let Some(why) = is_lost {
                // No further response can come.
                let why = match why {
                    NoResponse::Unanswered(_) => why,
                    _ => NoResponse::Unanswered(ConnectionEnd::Closed),
                };
                (responded..methods.len()).for_each(|number| ended(number, Err(why.clone())));
                responded = methods.len();
                return false;
            }
        }
        true
    };
    let mut writing = pin!(async {
        sending.send(&mut writer).await;
    });
    let mut wrote = false;
    let alive = {
        let mut reading = pin!(reading);
        let mut limit = pin!(tokio::time::sleep(idle_timeout));
        loop {
            tokio::select! {
                alive = &mut reading => break alive,
                () = &mut writing, if !wrote => wrote = true,
                () = &mut limit => break false,
            }
        }
    };
    for number in responded..methods.len() {
        ended(number, Err(NoResponse::timed_out(idle_timeout)));
    }
    let mut further = Vec::new();
    if let Some(number) = switched {
        let mut bytes = parser.rest().to_vec();
        // What comes is over when the cell has ended it, or in response to the user's end.
        let ends = async {
            if tokio::time::timeout(surplus, reader.read_to_end(&mut bytes)).await.is_err() {
                let _ = rustix::net::shutdown(reader.as_ref(), rustix::net::Shutdown::Write);
                let _ = reader.read_to_end(&mut bytes).await;
            }
        };
        let _ = tokio::time::timeout(idle_timeout, ends).await;
        if !bytes.is_empty() {
            saw(number, &Event::Tunnel(Text::from(&bytes[..])));
        }
    } else if alive {
        // The connection stays open: a router that sees it close might not send a further response,
        // which would be a finding.
        let reading = async {
            loop {
                let got = response(&mut reader, &mut parser, "GET", &none, |_| ()).await;
                let is_lost = got.is_err();
                if !is_lost || !parser.is_idle() {
                    further.push(got);
                }
                if is_lost {
                    return;
                }
            }
        };
        // Where the response came in a pause, the rest is still to be sent.
        let limit = async {
            if !wrote {
                let _ = tokio::time::timeout(idle_timeout, writing).await;
            }
            tokio::time::sleep(surplus).await;
        };
        tokio::select! {
            () = reading => {}
            () = limit => {}
        }
    }
    further
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;
    use crate::trace::made::TIMED_OUT;

    /// What a user gets from a peer that reads this many bytes, sends this, and closes or resets.
    async fn hear(
        read: usize,
        says: &'static [u8],
        resets: bool,
        methods: &[&str],
    ) -> (Vec<Result<ReceivedResponse, NoResponse>>, usize) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let serve = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.read_exact(&mut vec![0; read]).await.unwrap();
            stream.write_all(says).await.unwrap();
            if resets {
                stream.set_zero_linger().unwrap();
            }
        };
        let mut got = vec![Err(TIMED_OUT); methods.len()];
        let methods: Vec<String> = methods.iter().map(|method| (*method).to_owned()).collect();
        let ended =
            |number: usize, response: Result<ReceivedResponse, NoResponse>| got[number] = response;
        let idle_timeout = (Duration::from_secs(20), Duration::from_secs(20));
        let sending = Sending { bytes: b"0123456789", pauses: &[], closes: false };
        let (_, further) =
            tokio::join!(serve, exchange(at, sending, &methods, idle_timeout, |_, _| (), ended));
        (got, further.len())
    }

    fn words(got: &[Result<ReceivedResponse, NoResponse>]) -> Vec<String> {
        let word = |got: &Result<ReceivedResponse, NoResponse>| match got {
            Ok(response) => response.status.to_string(),
            Err(why) => why.to_string(),
        };
        got.iter().map(word).collect()
    }

    #[tokio::test]
    async fn responses_are_given_out_in_order_and_more_of_them_are_not_lost() {
        let says = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 404 No\r\n\
         Content-Length: 1\r\n\r\nxHTTP/1.1 501 No\r\nContent-Length: 0\r\n\r\n";
        let (got, further) = hear(10, says, false, &["HEAD", "GET"]).await;
        assert_eq!((words(&got), further), (vec!["200".to_owned(), "404".to_owned()], 1));
    }

    #[tokio::test]
    async fn a_connection_that_ends_says_how() {
        let closed = "the connection was closed without a response";
        assert_eq!(words(&hear(10, b"", false, &["GET", "GET"]).await.0), [closed, closed]);
        assert_eq!(
            words(&hear(10, b"HTTP/1.1 400 Bad\r\n\r\nno", false, &["GET", "GET"]).await.0),
            ["400", closed]
        );
        assert_eq!(
            words(&hear(10, b"", true, &["GET"]).await.0),
            ["the connection was reset without a response"]
        );
        let broken = words(
            &hear(10, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nno", true, &["GET"]).await.0,
        );
        assert!(
            broken[0].starts_with("the response 200 broke off: the connection was reset"),
            "{broken:?}"
        );
    }

    #[tokio::test]
    async fn an_response_counts_although_not_all_was_read() {
        let (got, _) =
            hear(1, b"HTTP/1.1 431 Too long\r\nContent-Length: 0\r\n\r\n", false, &["GET"]).await;
        assert_eq!(words(&got), ["431"]);
    }
}
