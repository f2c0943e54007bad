//! What was read from a connection and not used yet.

use std::cell::RefCell;
use std::future::Future as _;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is read at once, at first; where a body fills it, the next read is larger.
const FIRST: usize = 16 * 1024;
/// How much is read at once at most, of a cell ...
const MOST: usize = 256 * 1024;
/// ... and of a user: there are many, and each may pause within a body.
pub(crate) const MOST_OF_A_USER: usize = 64 * 1024;
/// With less room left than this, the buffer is enlarged before a read.
const LEAST: usize = 4 * 1024;
/// How many unused buffers each thread keeps for its next readers.
const SPARE: usize = 64;

thread_local! {
    /// Connections that wait hold no buffer.
    static SPARES: RefCell<Vec<BytesMut>> = const { RefCell::new(Vec::new()) };
    static SCRATCHES: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// What was read and not used yet.
#[derive(Debug)]
pub(crate) struct Input {
    bytes: BytesMut,
    /// What is read at once.
    size: usize,
    most: usize,
}

impl Input {
    /// Nothing of a cell yet, and no room.
    pub(crate) fn of_cell() -> Self {
        Self::up_to(MOST)
    }

    /// Nothing of a user yet, and no room.
    pub(crate) fn of_user() -> Self {
        Self::up_to(MOST_OF_A_USER)
    }

    fn up_to(most: usize) -> Self {
        Self { bytes: BytesMut::new(), size: FIRST, most }
    }

    /// What is there.
    pub(crate) fn bytes(&mut self) -> &mut BytesMut {
        &mut self.bytes
    }

    /// Whether nothing is there.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes the first bytes out.
    pub(crate) fn take(&mut self, length: usize) -> Bytes {
        self.bytes.split_to(length).freeze()
    }

    /// So much of a body is left, and all of it may come at once if what came before filled a read.
    pub(crate) fn expect(&mut self, left: u64) {
        if self.size > FIRST {
            let left = usize::try_from(left).unwrap_or(self.most);
            self.size = left.clamp(self.size, self.most);
        }
    }

    /// Reads more; gives how much, which is nothing at the end.
    pub(crate) fn poll_fill(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if self.bytes.capacity() == 0
            && let Some(spare) = SPARES.with_borrow_mut(Vec::pop)
        {
            self.bytes = spare;
        }
        if self.bytes.capacity() - self.bytes.len() < LEAST {
            self.bytes.reserve(self.size);
        }
        let room = self.bytes.capacity() - self.bytes.len();
        let polled = pin!(Pin::new(stream).read_buf(&mut self.bytes)).poll(cx);
        // In the middle of a large body of a cell more comes at once.
        if polled.is_pending() && (self.size == FIRST || self.most < MOST) {
            self.give_back();
        }
        let read = ready!(polled)?;
        if read == room {
            self.size = self.most.min(self.size * 2);
        }
        Poll::Ready(Ok(read))
    }

    /// Gives the room away where nothing is in it, and reads little next time.
    pub(crate) fn release(&mut self) {
        if self.bytes.is_empty() {
            self.size = FIRST;
            self.give_back();
        }
    }

    fn give_back(&mut self) {
        if self.bytes.is_empty() {
            let mut bytes = std::mem::take(&mut self.bytes);
            bytes.clear();
            SPARES.with_borrow_mut(|spares| {
                if spares.len() < SPARE && bytes.capacity() <= 2 * FIRST && bytes.try_reclaim(FIRST)
                {
                    spares.push(bytes);
                }
            });
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.bytes.clear();
        self.release();
    }
}

/// Room for what is written, lent by the thread until this is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(Vec<u8>);

impl Scratch {
    /// Nothing in it.
    pub(crate) fn new() -> Self {
        Self(SCRATCHES.with_borrow_mut(Vec::pop).unwrap_or_default())
    }

    /// What is in it.
    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl std::ops::Deref for Scratch {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.0);
        bytes.clear();
        // After a thread's end there is nobody to lend it to.
        let _ = SCRATCHES.try_with(|scratches| {
            let mut scratches = scratches.borrow_mut();
            if scratches.len() < SPARE && bytes.capacity() <= FIRST {
                scratches.push(bytes);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    /// How much the first four reads take of a cell that always has more, with so much of its body
    /// left before each but the first.
    fn reads(left: u64) -> Vec<usize> {
        SPARES.take();
        let (mut input, mut cell) = (Input::of_cell(), tokio::io::repeat(b'x'));
        let mut read = || {
            input.expect(left);
            match input.poll_fill(&mut cell, &mut Context::from_waker(Waker::noop())) {
                Poll::Ready(Ok(read)) => input.take(read).len(),
                other => panic!("{other:?}"),
            }
        };
        (0..4).map(|_| read()).collect()
    }

    #[test]
    fn a_long_body_is_read_at_once_as_soon_as_it_has_filled_a_read() {
        let long = reads(1_000_000);
        assert_eq!(long[0], FIRST);
        assert!(long[1..].iter().all(|&room| room >= MOST), "{long:?}");
    }

    #[test]
    fn what_is_left_of_a_short_body_gets_no_more_room_than_one_of_unknown_length() {
        assert_eq!(reads(1_000), reads(0));
        assert!(reads(0)[1] < MOST);
    }
}
