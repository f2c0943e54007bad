//! Bodies on both sides of each threshold.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::task::{Context, Poll};

use http_body::Frame;

use super::super::budget::Budget;
use super::*;

/// A body that comes in the given chunks.
struct Chunks(VecDeque<Bytes>);

impl Chunks {
    fn of(body: &[u8], size: usize) -> Self {
        Self(body.chunks(size).map(Bytes::copy_from_slice).collect())
    }
}

impl Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|chunk| Ok(Frame::data(chunk))))
    }
}

fn unlimited() -> Reservation {
    Budget::new(u64::MAX).reservation()
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index * 31 % 251) as u8).collect()
}

async fn sent(kept: &Kept) -> Vec<u8> {
    kept.outgoing().collect().await.expect("readable").to_bytes().to_vec()
}

#[tokio::test(flavor = "current_thread")]
async fn bodies_of_all_lengths_can_be_sent_twice() {
    for length in [1, 1000, IN_MEMORY - 1, IN_MEMORY, IN_MEMORY + 1, 3 * IN_MEMORY + 17] {
        for size in [1000, 70_000, 4 * IN_MEMORY] {
            let body = bytes(length);
            let Ok(Collected::Whole(kept)) =
                collect(Chunks::of(&body, size), u64::MAX, &mut unlimited()).await
            else {
                panic!("{length} in chunks of {size} is not kept");
            };
            assert_eq!(matches!(kept, Kept::Spooled(_)), length > IN_MEMORY, "{length} {size}");
            assert_eq!(kept.outgoing().size_hint().exact(), Some(length as u64));
            assert!(sent(&kept).await == body, "{length} in chunks of {size}");
            assert!(sent(&kept).await == body, "{length} in chunks of {size}, again");
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_limit_is_inclusive() {
    for limit in [100usize, IN_MEMORY + 100] {
        let body = bytes(limit);
        assert!(matches!(
            collect(Chunks::of(&body, 64), limit as u64, &mut unlimited()).await,
            Ok(Collected::Whole(_))
        ));
        assert!(matches!(
            collect(Chunks::of(&body, 64), limit as u64 - 1, &mut unlimited()).await,
            Ok(Collected::TooLong(..))
        ));
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_body_beyond_the_limit_loses_no_bytes() {
    let body = bytes(1000);
    let Ok(Collected::TooLong(kept, rest)) =
        collect(Chunks::of(&body, 64), 500, &mut unlimited()).await
    else {
        panic!("1000 bytes are more than 500");
    };
    let mut all = sent(&kept).await;
    assert_eq!(all.len(), 512);
    all.extend_from_slice(&rest.collect().await.unwrap().to_bytes());
    assert!(all == body);
}

#[tokio::test(flavor = "current_thread")]
async fn empty_chunks_are_no_body() {
    let chunks = Chunks(VecDeque::from([Bytes::new(), Bytes::new()]));
    assert!(matches!(
        collect(chunks, 0, &mut unlimited()).await,
        Ok(Collected::Whole(Kept::Nothing))
    ));
}
