//! WebSockets of people (RFC 6455).

use std::net::SocketAddr;
use std::time::Duration;

use cell_fleet::{BodySeen, Text, wire::CONFORMANCE_ID};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::in_flight::InFlight;
use super::{People, Way, browser, end_to_end, fields, raw};
use crate::trace::one_hop::lists;
use crate::trace::{NoResponse, ReceivedResponse, UserRequest};

/// An open WebSocket, with the record of the request that opened it.
#[derive(Debug)]
pub(super) struct Socket {
    stream: WebSocketStream<TcpStream>,
    notes: InFlight,
}

impl People {
    /// Opens a WebSocket. The messages that come on it are recorded with this request.
    pub(crate) async fn open_socket(&mut self, person: &str, way: Way, target: &str) {
        let id = self.next_id(person);
        let key = generate_key();
        let own = [
            ("Upgrade", "websocket"),
            ("Connection", "Upgrade"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", &key),
            (CONFORMANCE_ID, &id.0),
        ];
        let mut own: Vec<_> = own.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        browser::complete(person, &mut own);
        let (at, jar) = (way.at, self.jar(person));
        let head = self.head(person, at, "GET", target, own.clone());
        let notes = self.begin(UserRequest {
            id,
            target: Text::from(target),
            fields: end_to_end(fields(&own)),
            body: BodySeen::of(&bytes::Bytes::new()),
            ..way.entry(person)
        });
        let opened = handshake(at, &head, &key, &notes);
        let opened = tokio::time::timeout(self.idle_timeout, opened).await;
        let (got, stream) = match opened.unwrap_or(Err(NoResponse::timed_out(self.idle_timeout))) {
            Ok((response, stream)) => (Ok(response), stream),
            Err(why) => (Err(why), None),
        };
        if let Ok(response) = &got {
            jar.keep(at, target, response);
        }
        notes.end(got);
        self.sockets.remove(person);
        if let Some(stream) = stream {
            self.sockets.insert(person.to_owned(), Socket { stream, notes });
        }
    }

    /// Sends a message on the person's WebSocket and waits for one in return. Without an open
    /// WebSocket nothing is sent, and the record has no message in return.
    pub(crate) async fn say(&mut self, person: &str, text: &str) {
        let idle_timeout = self.idle_timeout;
        let Some(socket) = self.sockets.get_mut(person) else { return };
        // Where nothing comes or the connection is lost, the record has no message.
        if tokio::time::timeout(idle_timeout, socket.say(text)).await.is_err() {
            self.recorder.waited(idle_timeout);
        }
    }

    /// Closes the person's WebSocket by the closing handshake.
    pub(crate) async fn hang_up(&mut self, person: &str) {
        let Some(mut socket) = self.sockets.remove(person) else { return };
        let _ =
            tokio::time::timeout(self.idle_timeout.min(Duration::from_secs(5)), socket.hang_up())
                .await;
    }
}

impl Socket {
    async fn say(&mut self, text: &str) {
        if self.stream.send(Message::text(text)).await.is_err() {
            return;
        }
        while let Some(Ok(message)) = self.stream.next().await {
            if let Message::Text(heard) = message {
                let heard = heard.as_str().to_owned();
                self.notes.note(|request| request.heard.push(heard));
                return;
            }
        }
    }

    async fn hang_up(&mut self) {
        if self.stream.close(None).await.is_ok() {
            // Reading completes the closing handshake.
            while let Some(Ok(_)) = self.stream.next().await {}
        }
    }
}

type Opened = (ReceivedResponse, Option<WebSocketStream<TcpStream>>);

async fn handshake(
    at: SocketAddr,
    head: &[u8],
    key: &str,
    notes: &InFlight,
) -> Result<Opened, NoResponse> {
    use tokio::io::AsyncWriteExt as _;
    let mut stream = raw::connect(at, false).await?;
    // Where writing fails, the response or its absence shows why.
    let _ = stream.write_all(head).await;
    let mut parser = raw::Parser::default();
    let response = raw::response(&mut stream, &mut parser, "GET", &Default::default(), |event| {
        notes.saw(event)
    })
    .await?;
    if response.status != 101 {
        return Ok((response, None));
    }
    let accepted = derive_accept_key(key.as_bytes());
    if !response
        .fields
        .iter()
        .any(|field| field.is("Sec-WebSocket-Accept") && field.value == accepted.as_str())
    {
        let why = "the response 101 accepts a key that was not sent";
        return Err(NoResponse::Failed(why.to_owned()));
    }
    // Without these a browser does not go on (RFC 6455 4.1).
    for (name, word) in [("Upgrade", "websocket"), ("Connection", "upgrade")] {
        if !lists(&response.fields, name, word) {
            let why = format!("the response 101 has no `{word}` in the field {name}");
            return Err(NoResponse::Failed(why));
        }
    }
    let stream =
        WebSocketStream::from_partially_read(stream, parser.rest().to_vec(), Role::Client, None)
            .await;
    Ok((response, Some(stream)))
}
