//! Parses the responses on a connection, one after the other.

use bytes::{Bytes, BytesMut};
use cell_fleet::{Digester, Field, Text};

use super::body::{Framing, Taken};
use crate::trace::{ConnectionEnd, NoResponse, ReceivedResponse};

/// The longest head of a response, in bytes.
const HEAD: usize = 4 * 1024 * 1024;

const FIELDS: usize = 4096;

/// An event of a response that comes in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Event {
    /// An interim response (1xx).
    Interim(u16),
    Head,
    Body,
    Whole(ReceivedResponse),
    /// All bytes behind a change of protocol.
    Tunnel(Text),
}

/// Parses responses from bytes, without a clock or a socket.
#[derive(Debug, Default)]
pub(in super::super) struct Parser {
    buffer: BytesMut,
    body: Option<Body>,
}

#[derive(Debug)]
struct Body {
    status: u16,
    fields: Vec<Field>,
    framing: Framing,
    seen: Digester,
}

impl Body {
    fn response(self) -> ReceivedResponse {
        ReceivedResponse { status: self.status, fields: self.fields, body: self.seen.finish() }
    }
}

impl Parser {
    pub(in super::super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Bytes after the last parsed response.
    pub(in super::super) fn rest(&mut self) -> Bytes {
        self.buffer.split().freeze()
    }

    /// The next event of the response to a request with this method; none while more bytes are
    /// needed. After an error, what follows cannot be parsed.
    pub(in super::super) fn next(&mut self, method: &str) -> Result<Option<Event>, NoResponse> {
        let Some(body) = &mut self.body else { return self.head(method) };
        match body.framing.take(&mut self.buffer, &mut body.seen) {
            Ok(Taken::Nothing) => Ok(None),
            Ok(Taken::Some) => Ok(Some(Event::Body)),
            Ok(Taken::End) => Ok(self.body.take().map(|body| Event::Whole(body.response()))),
            Err(why) => Err(NoResponse::broke_off(body.status, why)),
        }
    }

    fn head(&mut self, method: &str) -> Result<Option<Event>, NoResponse> {
        let mut room = vec![httparse::EMPTY_HEADER; FIELDS];
        let mut head = httparse::Response::new(&mut room);
        let end = match head.parse(&self.buffer) {
            Ok(httparse::Status::Complete(end)) => end,
            Ok(httparse::Status::Partial) if self.buffer.len() <= HEAD => return Ok(None),
            Ok(httparse::Status::Partial) => {
                let why = "the head of the response has no end";
                return Err(NoResponse::Failed(why.to_owned()));
            }
            Err(error) => {
                let begin = Text::from(&self.buffer[..self.buffer.len().min(60)]);
                let why = format!("the response is not HTTP: {error} (it begins `{begin}`)");
                return Err(NoResponse::Failed(why));
            }
        };
        let status = head.code.unwrap_or_default();
        let fields: Vec<Field> = head
            .headers
            .iter()
            .map(|line| Field {
                name: line.name.to_ascii_lowercase().as_str().into(),
                value: line.value.trim_ascii().into(),
            })
            .collect();
        let _ = self.buffer.split_to(end);
        if (100..200).contains(&status) && status != 101 {
            return Ok(Some(Event::Interim(status)));
        }
        let is_without = method == "HEAD"
            || matches!(status, 101 | 204 | 304)
            || (method == "CONNECT" && (200..300).contains(&status));
        let framing = if is_without {
            Framing::Length(0)
        } else {
            Framing::of_response(&fields).map_err(|why| {
                NoResponse::Failed(format!("the response {status} is contradictory: {why}"))
            })?
        };
        self.body = Some(Body { status, fields, framing, seen: Digester::default() });
        Ok(Some(Event::Head))
    }

    /// The response at the end of the connection.
    pub(in super::super) fn ended(
        &mut self,
        how: ConnectionEnd,
    ) -> Result<ReceivedResponse, NoResponse> {
        match self.body.take() {
            Some(body) if body.framing == Framing::Close && how == ConnectionEnd::Closed => {
                Ok(body.response())
            }
            Some(body) => {
                let (status, came) = (body.status, body.seen.finish().length);
                let why = format!("{how} after {came} bytes of its body");
                Err(NoResponse::broke_off(status, why))
            }
            None if self.buffer.is_empty() => Err(NoResponse::Unanswered(how)),
            None => Err(NoResponse::BrokeOff(format!(
                "the response broke off within its head: {how} after {} bytes",
                self.buffer.len()
            ))),
        }
    }

    /// Whether no byte of a further response has come.
    pub(in super::super) fn is_idle(&self) -> bool {
        self.buffer.is_empty() && self.body.is_none()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All responses in some bytes, which come in pieces, and how the parser ended.
    fn read(bytes: &[u8], piece: usize, method: &str) -> (Vec<u16>, Vec<ReceivedResponse>, String) {
        let (mut parser, mut interim, mut responses) = (Parser::default(), Vec::new(), Vec::new());
        for piece in bytes.chunks(piece.max(1)) {
            parser.push(piece);
            loop {
                match parser.next(method) {
                    Ok(Some(Event::Interim(status))) => interim.push(status),
                    Ok(Some(Event::Whole(response))) => responses.push(response),
                    Ok(Some(Event::Head | Event::Body | Event::Tunnel(_))) => {}
                    Ok(None) => break,
                    Err(why) => return (interim, responses, why.to_string()),
                }
            }
        }
        match parser.ended(ConnectionEnd::Closed) {
            Ok(response) => {
                responses.push(response);
                (interim, responses, "whole".to_owned())
            }
            Err(why) => (interim, responses, why.to_string()),
        }
    }

    #[test]
    fn responses_are_split_wherever_the_bytes_are_cut() {
        let bytes =
            b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\
              hiHTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n\
              0\r\nT: u\r\n\r\nHTTP/1.1 204 No\r\n\r\n\
              HTTP/1.0 404 No\r\nX-A: 1\r\nX-A: 2\r\n\r\nend";
        for piece in [1, 2, 7, 4096] {
            let (interim, responses, end) = read(bytes, piece, "GET");
            assert_eq!((interim.as_slice(), end.as_str()), (&[103][..], "whole"));
            let seen: Vec<_> =
                responses.iter().map(|response| (response.status, response.body.text())).collect();
            let expected = [(200, "hi"), (200, "abc"), (204, ""), (404, "end")];
            assert_eq!(seen, expected.map(|(status, body)| (status, body.to_owned())));
            assert_eq!(responses[3].fields.len(), 2);
        }
    }

    #[test]
    fn a_response_to_head_has_no_body() {
        let (_, responses, end) =
            read(b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 304 N\r\nContent-Length: 5\r\n\r\n", 9, "HEAD");
        assert_eq!((responses.len(), responses[0].body.length), (2, 0));
        assert_eq!(end, "the connection was closed without a response");
    }

    #[test]
    fn a_truncated_response_is_an_error() {
        for cut in [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        ] {
            let (_, responses, end) = read(cut.as_bytes(), 5, "GET");
            assert!(
                responses.is_empty() && end.starts_with("the response 200 broke off: "),
                "{end}"
            );
        }
        assert!(
            read(b"HTTP/1.1 200 O", 5, "GET")
                .2
                .starts_with("the response broke off within its head")
        );
        let mut parser = Parser::default();
        parser.push(b"HTTP/1.1 200 OK\r\n\r\nhi");
        while parser.next("GET").unwrap().is_some() {}
        assert!(parser.ended(ConnectionEnd::Reset).is_err());
    }

    #[test]
    fn invalid_responses_are_refused() {
        for (bytes, why) in [
            ("SSH-2.0-x\r\n\r\n", "not HTTP"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "two lengths"),
            ("HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na", "length is `+1`"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "no size"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "longer"),
        ] {
            let end = read(bytes.as_bytes(), 3, "GET").2;
            assert!(end.contains(why), "{end}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader(
            bytes in proptest::collection::vec(any::<u8>(), 0..300),
            piece in 1usize..50,
        ) {
            read(&bytes, piece, "GET");
        }

        #[test]
        fn nor_do_bytes_after_a_head(
            coded in any::<bool>(),
            bytes in proptest::collection::vec(
                prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'1'), Just(b'0'), any::<u8>()],
                0..80,
            ),
            piece in 1usize..20,
        ) {
            let framing = if coded { "Transfer-Encoding: chunked" } else { "Content-Length: 10" };
            let head = format!("HTTP/1.1 200 OK\r\n{framing}\r\n\r\n");
            read(&[head.as_bytes(), &bytes].concat(), piece, "GET");
        }
    }
}
