//! Bodies in the journal: length, digest and beginning.

use std::fmt;

use bytes::Bytes;
use sha2::{Digest, Sha256};

/// Bytes of a body that are kept: enough for pages, too few for uploads.
const KEPT: usize = 64 * 1024;

/// SHA-256 of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyDigest(pub [u8; 32]);

impl BodyDigest {
    /// The digest of a body that was not seen.
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
    /// Its length in bytes.
    pub length: u64,
    /// The digest of all bytes.
    pub digest: BodyDigest,
    /// The first bytes, at most 64 KiB.
    pub beginning: Bytes,
}

impl BodySeen {
    /// A complete body.
    pub fn of(bytes: &Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            digest: BodyDigest(Sha256::digest(bytes).into()),
            // A copy: a slice would keep the whole buffer that it is cut from.
            beginning: Bytes::copy_from_slice(&bytes[..bytes.len().min(KEPT)]),
        }
    }

    /// A body whose bytes were not seen. `length` is 0 where it is unknown too.
    pub fn unknown(length: u64) -> Self {
        Self { length, digest: BodyDigest::UNKNOWN, beginning: Bytes::new() }
    }

    /// Whether the digest is known.
    pub fn is_known(&self) -> bool {
        self.digest != BodyDigest::UNKNOWN
    }

    /// The beginning as text; bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.beginning).into_owned()
    }
}

/// Digests a body piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Digester {
    length: u64,
    hash: Sha256,
    beginning: Vec<u8>,
}

impl Digester {
    /// Adds the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.length += piece.len() as u64;
        self.hash.update(piece);
        let room = KEPT.saturating_sub(self.beginning.len());
        self.beginning.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// The body that the pieces make.
    pub fn finish(self) -> BodySeen {
        BodySeen {
            length: self.length,
            digest: BodyDigest(self.hash.finalize().into()),
            // Exactly as large as its content, unlike the vector that has grown.
            beginning: self.beginning.into_boxed_slice().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_the_same_digest_in_pieces_and_as_a_whole() {
        let whole = Bytes::from(vec![7; KEPT + 9]);
        let mut digester = Digester::default();
        whole.chunks(1000).for_each(|piece| digester.update(piece));
        assert_eq!(digester.finish(), BodySeen::of(&whole));
    }

    #[test]
    fn the_journal_does_not_hold_the_buffer_of_a_body() {
        let buffer = Bytes::from(vec![7; 1 << 20]);
        let small = buffer.slice(..100);
        let (seen, large) = (BodySeen::of(&small), BodySeen::of(&buffer));
        assert_eq!((seen.beginning.len(), large.beginning.len()), (100, KEPT));
        drop(small);
        assert!(buffer.is_unique());
    }
}
