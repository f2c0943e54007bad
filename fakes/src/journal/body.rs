//! What the journal keeps of a body: its length, its digest, and its beginning.

use std::fmt;

use bytes::Bytes;
use sha2::{Digest, Sha256};

/// How much of a body is kept as it was; pages fit, uploads do not.
const KEPT: usize = 64 * 1024;

/// SHA-256 of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyDigest(pub [u8; 32]);

impl BodyDigest {
    /// Stands for the digest of a body that was not seen.
    pub const UNKNOWN: Self = Self([0; 32]);
}

impl fmt::Display for BodyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BodyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A body as it was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodySeen {
    /// Bytes in all.
    pub length: u64,
    /// Digest of all bytes.
    pub digest: BodyDigest,
    /// The first bytes, at most 64 KiB.
    pub beginning: Bytes,
}

impl BodySeen {
    /// A body that is at hand as a whole.
    pub fn of(bytes: &Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            digest: BodyDigest(Sha256::digest(bytes).into()),
            beginning: bytes.slice(..bytes.len().min(KEPT)),
        }
    }

    /// A body of this length (0 where that is unknown too) whose bytes nobody has seen yet.
    pub fn unknown(length: u64) -> Self {
        Self { length, digest: BodyDigest::UNKNOWN, beginning: Bytes::new() }
    }

    /// Whether the digest is that of the body.
    pub fn is_known(&self) -> bool {
        self.digest != BodyDigest::UNKNOWN
    }

    /// The beginning as text, wherever it is text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.beginning).into_owned()
    }
}

/// Follows a body that passes by in pieces.
#[derive(Clone, Debug, Default)]
pub struct Digester {
    length: u64,
    hash: Sha256,
    beginning: Vec<u8>,
}

impl Digester {
    /// Takes the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.length += piece.len() as u64;
        self.hash.update(piece);
        let room = KEPT.saturating_sub(self.beginning.len());
        self.beginning.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// The body up to here.
    pub fn finish(self) -> BodySeen {
        BodySeen {
            length: self.length,
            digest: BodyDigest(self.hash.finalize().into()),
            beginning: self.beginning.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_pieces_or_as_a_whole_a_body_is_the_same() {
        let whole = Bytes::from(vec![7; KEPT + 9]);
        let mut digester = Digester::default();
        whole.chunks(1000).for_each(|piece| digester.update(piece));
        assert_eq!(digester.finish(), BodySeen::of(&whole));
    }
}
