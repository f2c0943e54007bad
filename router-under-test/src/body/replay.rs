//! The body of a request that may have to be sent again.

use super::buffer::Kept;
use super::outgoing::Outgoing;

/// A body that can be sent any number of times, or once.
#[derive(Debug)]
pub(crate) enum Replay {
    /// Buffered.
    Kept(Kept),
    /// Too long to buffer; none once it was sent.
    Once(Option<Outgoing>),
}

impl Replay {
    /// The body for the next time that the request is sent; none where it is gone.
    pub(crate) fn outgoing(&mut self) -> Option<Outgoing> {
        match self {
            Self::Kept(kept) => Some(kept.outgoing()),
            Self::Once(body) => body.take(),
        }
    }

    /// Whether there is always a next time.
    pub(crate) fn can_be_sent_again(&self) -> bool {
        matches!(self, Self::Kept(_))
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http_body_util::BodyExt as _;

    use super::*;

    async fn sent(replay: &mut Replay) -> Option<Bytes> {
        Some(replay.outgoing()?.collect().await.unwrap().to_bytes())
    }

    #[tokio::test(flavor = "current_thread")]
    async fn what_was_kept_is_sent_each_time_and_what_was_not_once() {
        let kept = || Kept::Memory([Bytes::from_static(b"abc")].into());
        let mut replay = Replay::Kept(kept());
        for _ in 0..3 {
            assert!(replay.can_be_sent_again());
            assert_eq!(sent(&mut replay).await.as_deref(), Some(&b"abc"[..]));
        }
        let mut replay = Replay::Once(Some(kept().outgoing()));
        assert!(!replay.can_be_sent_again());
        assert_eq!(sent(&mut replay).await.as_deref(), Some(&b"abc"[..]));
        assert!(sent(&mut replay).await.is_none());
    }
}
