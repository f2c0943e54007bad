//! The body of a request that may have to be sent again.

use super::buffer::Kept;
use super::outgoing::Outgoing;

/// A body that can be sent any number of times, or once.
#[derive(Debug)]
pub(crate) struct Replay(State);

#[derive(Debug)]
enum State {
    /// Buffered.
    Kept(Kept),
    /// Too long to buffer; none once it was sent.
    Once(Option<Outgoing>),
}

impl Replay {
    /// A body that was buffered.
    pub(crate) fn kept(kept: Kept) -> Self {
        Self(State::Kept(kept))
    }

    /// A body that is too long to be buffered.
    pub(crate) fn once(outgoing: Outgoing) -> Self {
        Self(State::Once(Some(outgoing)))
    }

    /// The body for the next time that the request is sent; none where it is gone.
    pub(crate) fn outgoing(&mut self) -> Option<Outgoing> {
        match &mut self.0 {
            State::Kept(kept) => Some(kept.outgoing()),
            State::Once(body) => body.take(),
        }
    }

    /// Whether there is always a next time.
    pub(crate) fn can_be_sent_again(&self) -> bool {
        matches!(self.0, State::Kept(_))
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
        let kept = || Kept::Memory(Bytes::from_static(b"abc"));
        let mut replay = Replay::kept(kept());
        for _ in 0..3 {
            assert!(replay.can_be_sent_again());
            assert_eq!(sent(&mut replay).await.as_deref(), Some(&b"abc"[..]));
        }
        let mut replay = Replay::once(kept().outgoing());
        assert!(!replay.can_be_sent_again());
        assert_eq!(sent(&mut replay).await.as_deref(), Some(&b"abc"[..]));
        assert!(sent(&mut replay).await.is_none());
    }
}
