//! The body of a cell's response, which holds its connection until it has been read.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;

use super::bulkhead::Permit;
use super::link::{Link, LinkError};
use super::pool::Pool;
use super::upload::Upload;
use crate::http1::Decoder;

/// An unwanted response is read up to this many bytes, so that its connection can be reused.
const WORTH_READING: usize = 64 * 1024;
/// For how long such a response is read at most.
const WORTH_WAITING: Duration = Duration::from_millis(500);

/// A body on its way from a cell. An error in it means that the response was cut short (Z-41).
///
/// What is left of the request is written meanwhile: a cell may respond before it has read all.
#[derive(Debug)]
pub(crate) struct CellBody {
    /// Gone once it was given back, or taken over by another protocol.
    link: Option<Box<Link>>,
    decoder: Decoder,
    /// Bytes read before the user asked for them.
    first: Option<Bytes>,
    /// What is left of the request.
    upload: Option<Box<Upload>>,
    /// Where the connection goes after this body; none where it is closed then.
    pool: Option<Rc<Pool>>,
    permit: Permit,
}

impl CellBody {
    /// A body that comes over `link`, which goes back to `pool` after it.
    pub(super) fn new(
        link: Box<Link>,
        decoder: Decoder,
        upload: Option<Box<Upload>>,
        pool: Option<Rc<Pool>>,
        permit: Permit,
    ) -> Self {
        Self { link: Some(link), decoder, first: None, upload, pool, permit }
    }

    /// Looks at what has arrived with the head, without waiting; an error where the body is broken
    /// already.
    pub(super) async fn look(&mut self) -> Result<(), LinkError> {
        if self.decoder.is_over() {
            return Ok(());
        }
        let now = poll_fn(|cx| Poll::Ready(self.poll_next(cx))).await;
        if let Poll::Ready(Some(data)) = now {
            self.first = Some(data?);
        }
        Ok(())
    }

    /// The connection, on which another protocol is spoken from here on.
    pub(crate) fn into_link(mut self) -> Option<Box<Link>> {
        self.pool = None;
        self.link.take()
    }

    /// Reads the rest of a response that nobody wants, aside and within bounds.
    pub(crate) fn discard(self) {
        let little = self.left().is_none_or(|left| left <= WORTH_READING as u64);
        // What is left of the request would be read from a user who gets another response.
        if self.is_over() || !little || self.upload.is_some() {
            return;
        }
        let reading = self.read(WORTH_READING);
        tokio::task::spawn_local(tokio::time::timeout(WORTH_WAITING, reading));
    }

    /// The next bytes; none at the end.
    pub(crate) fn poll_data(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, LinkError>>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => self.poll_next(cx),
        }
    }

    /// Whether all of it was taken.
    pub(crate) fn is_over(&self) -> bool {
        self.left() == Some(0)
    }

    /// How many bytes are left, where that is known.
    pub(crate) fn left(&self) -> Option<u64> {
        let ahead = self.first.as_ref().map_or(0, Bytes::len) as u64;
        self.decoder.left().map(|left| left.saturating_add(ahead))
    }

    /// All of it; none where it has more bytes than these.
    pub(crate) async fn read(mut self, most: usize) -> Result<Option<Vec<u8>>, LinkError> {
        let mut all = Vec::new();
        while let Some(data) = poll_fn(|cx| self.poll_data(cx)).await.transpose()? {
            if all.len() + data.len() > most {
                return Ok(None);
            }
            all.extend_from_slice(&data);
        }
        Ok(Some(all))
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, LinkError>>> {
        let Some(link) = &mut self.link else { return Poll::Ready(None) };
        if let Some(upload) = &mut self.upload {
            match upload.poll(link, cx) {
                Poll::Ready(Ok(())) => self.upload = None,
                // The cell may have read enough for its response; the next request goes another way.
                Poll::Ready(Err(_)) => (self.upload, self.pool) = (None, None),
                Poll::Pending => {}
            }
        }
        loop {
            match self.decoder.decode(link.input.bytes()) {
                Ok(Some(data)) => return Poll::Ready(Some(Ok(data))),
                Ok(None) if self.decoder.is_over() => return Poll::Ready(None),
                Ok(None) => {}
                Err(error) => return Poll::Ready(Some(Err(LinkError::Malformed(error)))),
            }
            link.input.expect(self.decoder.left().unwrap_or_default());
            let filled = ready!(link.input.poll_fill(&mut link.stream, cx));
            match filled {
                Ok(0) if self.decoder.end() => return Poll::Ready(None),
                Ok(0) => return Poll::Ready(Some(Err(LinkError::Ended))),
                Ok(_) => {}
                Err(error) => return Poll::Ready(Some(Err(LinkError::Io(error)))),
            }
        }
    }
}

impl Drop for CellBody {
    fn drop(&mut self) {
        // Where the body was not read to its end, the connection closes.
        if self.decoder.is_over()
            && self.upload.is_none()
            && let (Some(link), Some(pool)) = (self.link.take(), &self.pool)
        {
            pool.put(self.permit.cell(), link);
        }
    }
}
