//! A connection on which several users speak.

use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Event, Parser, connect, response};
use crate::trace::{ConnectionEnd, NoResponse, ReceivedResponse};

/// A connection that is opened again where the router has closed it, which it may do after any
/// response.
#[derive(Debug)]
pub(in super::super) struct SharedConnection {
    at: SocketAddr,
    open: Option<(TcpStream, Parser)>,
}

impl SharedConnection {
    /// A connection that is opened when it is used first.
    pub(in super::super) fn new(at: SocketAddr) -> Self {
        Self { at, open: None }
    }

    /// Whether it is still open after an earlier response, as far as its users know.
    pub(in super::super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Sends requests with these methods at once, and reads their responses. `ended` gets the end
    /// of each with the number of the request, `saw` each event on the way. Returns how many were
    /// dealt with: the rest has no response, because the router closed the connection.
    pub(in super::super) async fn carry(
        &mut self,
        bytes: &[u8],
        methods: &[String],
        idle_timeout: Duration,
        mut saw: impl FnMut(usize, &Event),
        mut ended: impl FnMut(usize, Result<ReceivedResponse, NoResponse>),
    ) -> usize {
        let (mut stream, mut parser) = match self.open.take() {
            Some(open) => open,
            None => match connect(self.at, false).await {
                Ok(stream) => (stream, Parser::default()),
                Err(why) => {
                    (0..methods.len()).for_each(|number| ended(number, Err(why.clone())));
                    return methods.len();
                }
            },
        };
        let none = AtomicU64::new(0);
        let mut heard = 0;
        let (mut wrote, mut stays) = (false, true);
        let (mut reader, mut writer) = stream.split();
        let reading = async {
            for (number, method) in methods.iter().enumerate() {
                let saw = |event: &Event| saw(number, event);
                let got = response(&mut reader, &mut parser, method, &none, saw).await;
                stays = got.as_ref().is_ok_and(|response| !is_last(response));
                if matches!(got, Err(NoResponse::Unanswered(_))) {
                    return;
                }
                ended(number, got);
                heard = number + 1;
                if !stays {
                    return;
                }
            }
        };
        let writing = async {
            // Where writing fails, the response or its absence shows why.
            wrote = writer.write_all(bytes).await.is_ok();
            std::future::pending::<()>().await;
        };
        let in_time = tokio::select! {
            () = reading => true,
            () = writing => true,
            () = tokio::time::sleep(idle_timeout) => false,
        };
        let why = match in_time {
            true => NoResponse::Unanswered(ConnectionEnd::Closed),
            false => NoResponse::timed_out(idle_timeout),
        };
        (heard..methods.len()).for_each(|number| ended(number, Err(why.clone())));
        if !in_time {
            return methods.len();
        }
        if stays && wrote {
            self.open = Some((stream, parser));
        }
        heard
    }
}

/// Whether a response announces that the connection is closed behind it (RFC 9112 9.6).
fn is_last(response: &ReceivedResponse) -> bool {
    let options = response.fields.iter().filter(|field| field.is("Connection"));
    let closes =
        |value: &str| value.split(',').any(|word| word.trim().eq_ignore_ascii_case("close"));
    options.into_iter().any(|field| closes(&field.value.to_string()))
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;
    use crate::trace::made::CLOSED;

    const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    /// The ends of two requests that are sent to a peer that says this on one connection, and how
    /// many of them were dealt with.
    async fn hear(says: &'static [u8]) -> (Vec<String>, usize, bool) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut connection = SharedConnection::new(listener.local_addr().unwrap());
        let serve = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.read_exact(&mut [0; 4]).await.unwrap();
            stream.write_all(says).await.unwrap();
        };
        let mut ends = vec![String::new(); 2];
        let ended = |number: usize, got: Result<ReceivedResponse, NoResponse>| {
            ends[number] = got.map_or_else(|why| why.to_string(), |got| got.status.to_string());
        };
        let methods = ["GET".to_owned(), "GET".to_owned()];
        let carry = connection.carry(b"1234", &methods, Duration::from_secs(20), |_, _| (), ended);
        let (_, heard) = tokio::join!(serve, carry);
        let is_open = connection.is_open();
        (ends, heard, is_open)
    }

    #[tokio::test]
    async fn what_a_closed_connection_leaves_unanswered_is_told() {
        let ends = vec!["200".to_owned(), CLOSED.to_string()];
        assert_eq!(hear(OK).await, (ends.clone(), 1, false));
        let last = b"HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n";
        assert_eq!(hear(last).await, (ends, 1, false));
        assert_eq!(hear(b"").await.1, 0);
    }

    #[tokio::test]
    async fn a_connection_with_all_responses_stays_open() {
        let both = Box::leak([OK, OK].concat().into_boxed_slice());
        assert_eq!(hear(both).await, (vec!["200".to_owned(); 2], 2, true));
    }

    #[tokio::test]
    async fn a_response_that_breaks_off_is_the_end_of_its_request() {
        let (ends, heard, _) = hear(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nno").await;
        assert!(ends[0].starts_with("the response 200 broke off"), "{ends:?}");
        assert_eq!(heard, 1);
    }
}
