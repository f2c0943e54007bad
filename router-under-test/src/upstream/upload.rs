//! A request on its way to a cell.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use http_body::Body as _;

use super::link::{Link, LinkError};
use crate::body::Outgoing;
use crate::http1::{self, Encoding, Pieces};

/// What is left to write of a request.
#[derive(Debug)]
pub(super) struct Upload {
    pieces: Pieces,
    body: Outgoing,
    encoding: Encoding,
    /// Some of the body is among the pieces.
    begun: bool,
    /// All of it is.
    ended: bool,
}

impl Upload {
    /// Nothing is written yet. What follows the head at once is written with it.
    pub(super) fn new(head: &Parts, body: Outgoing) -> Self {
        let encoding = encoding(&head.headers, &body);
        let mut pieces = Pieces::new();
        let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
        http1::request_head(pieces.head(), &head.method, target, &head.headers, encoding);
        let ended = body.is_end_stream();
        Self { pieces, body, encoding, begun: false, ended }
    }

    /// Writes on; done where all of it was written.
    pub(super) fn poll(
        &mut self,
        link: &mut Link,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), LinkError>> {
        loop {
            // The first part of a body goes with the head, where it is here.
            let mut comes = Ok(());
            if !self.ended && self.pieces.has_room() {
                match Pin::new(&mut self.body).poll_frame(cx) {
                    Poll::Ready(frame) => comes = self.add(frame),
                    Poll::Pending if self.pieces.is_empty() => return Poll::Pending,
                    Poll::Pending => {}
                }
            }
            comes?;
            ready!(self.poll_write(link, cx))?;
            if self.ended {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Whether nothing was written and nothing of the body was taken, so that the request can still
    /// go another way; and the body.
    pub(super) fn unsent(self) -> Option<Outgoing> {
        (self.pieces.total() == 0 && !self.begun).then_some(self.body)
    }

    fn add(
        &mut self,
        frame: Option<Result<http_body::Frame<bytes::Bytes>, crate::body::BodyError>>,
    ) -> Result<(), LinkError> {
        self.begun = true;
        if let Some(frame) = frame {
            // Trailers are discarded before.
            if let Ok(data) = frame.map_err(LinkError::Body)?.into_data()
                && !data.is_empty()
            {
                self.pieces.add(data, self.encoding);
            }
            if !self.body.is_end_stream() {
                return Ok(());
            }
        }
        self.ended = true;
        self.pieces.add_end(self.encoding);
        Ok(())
    }

    fn poll_write(&mut self, link: &mut Link, cx: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
        let before = self.pieces.total();
        let tried = self.pieces.poll_write(&mut link.stream, cx);
        if self.pieces.total() > before {
            link.reads.over();
        }
        link.reads.watch(cx, tried).map_err(LinkError::Io)
    }
}

/// How the cell is told where the body ends.
fn encoding(headers: &HeaderMap, body: &Outgoing) -> Encoding {
    if body.is_end_stream() {
        return Encoding::Plain;
    }
    match body.size_hint().exact() {
        Some(length) => Encoding::Length(length),
        // What was announced is what comes, or the body breaks off.
        None if headers.contains_key(CONTENT_LENGTH) => Encoding::Plain,
        None => Encoding::Chunked,
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use bytes::Bytes;
    use http::Request;
    use socket2::SockRef;
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::body::{Kept, Outgoing};
    use crate::config::{CellIndex, Settings};
    use crate::upstream::bulkhead::Bulkhead;

    /// What comes back of a request that is sent on a connection which the cell has reset.
    async fn unsent(body: Outgoing) -> Option<Outgoing> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let connected = TcpStream::connect(listener.local_addr().unwrap());
        let (stream, cell) = tokio::join!(connected, listener.accept());
        let (stream, (cell, _)) = (stream.unwrap(), cell.unwrap());
        SockRef::from(&cell).set_linger(Some(std::time::Duration::ZERO)).unwrap();
        drop(cell);
        stream.readable().await.unwrap();
        let bulkhead = Bulkhead::new([<_>::default()].into_iter(), &Settings::default());
        let mut link = Link::new(stream, bulkhead.connect(CellIndex::at(0)).unwrap());
        let mut upload = Upload::new(&Request::new(()).into_parts().0, body);
        let outcome = poll_fn(|cx| upload.poll(&mut link, cx)).await;
        assert!(matches!(outcome, Err(LinkError::Io(_))), "{outcome:?}");
        upload.unsent()
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_request_whose_body_was_taken_does_not_come_back_without_it() {
        assert!(unsent(Outgoing::empty()).await.is_some());
        let kept = Kept::Memory([Bytes::from_static(b"abc")].into());
        assert!(unsent(kept.outgoing()).await.is_none());
    }
}
