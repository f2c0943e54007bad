//! A user: one connection, raw requests.

use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::message::Message;

/// No test waits longer than this for one read.
const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// A connection to the router.
pub(crate) struct User {
    pub(crate) stream: TcpStream,
    pub(crate) reader: BufReader<TcpStream>,
}

impl User {
    pub(crate) fn connect(to: SocketAddr) -> Self {
        Self::try_connect(to).expect("the router accepts")
    }

    /// Fails where nobody listens.
    pub(crate) fn try_connect(to: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(to)?;
        stream.set_read_timeout(Some(READ_TIMEOUT)).expect("a socket option");
        stream.set_nodelay(true).expect("a socket option");
        let reader = BufReader::new(stream.try_clone().expect("a socket can be cloned"));
        Ok(Self { stream, reader })
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("the router reads");
    }

    /// Reads a response; a reset counts as its end.
    pub(crate) fn response(&mut self) -> Message {
        let mut response = Message::read_head(&mut self.reader)
            .expect("the router responds")
            .expect("the router does not just close");
        if let Err(error) = response.read_body(&mut self.reader) {
            assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
        }
        response
    }

    /// Sends a request without a body and reads the response.
    pub(crate) fn get(&mut self, target: &str) -> Message {
        self.ask("GET", target, &[], b"")
    }

    /// Sends a request and reads the response.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        target: &str,
        fields: &[&str],
        body: &[u8],
    ) -> Message {
        let mut head = format!("{method} {target} HTTP/1.1\r\nHost: gitlab.example\r\n");
        for field in fields {
            head.push_str(field);
            head.push_str("\r\n");
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        self.send(head);
        self.send(body);
        self.response()
    }
}
