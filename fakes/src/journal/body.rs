//! Bodies in the journal: length, digest and beginning.

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Bytes of a body that are kept: enough for pages, too few for uploads.
const KEPT: usize = 64 * 1024;

/// How the name of a body begins whose bytes were not seen.
const UNKNOWN: &str = "unknown-";

/// SHA-256 of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyDigest(pub [u8; 32]);

impl BodyDigest {
    /// The digest of no bytes.
    pub const EMPTY: Self = Self([
        0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9,
        0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52,
        0xb8, 0x55,
    ]);

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
///
/// In JSON, its [`name`](Self::name); who reads it back has to find length and bytes by that name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct BodySeen {
    /// Its length in bytes.
    pub length: u64,
    /// The digest of all bytes.
    pub digest: BodyDigest,
    /// The first bytes, at most 64 KiB.
    pub beginning: Bytes,
}

/// The empty body.
impl Default for BodySeen {
    fn default() -> Self {
        Self { length: 0, digest: BodyDigest::EMPTY, beginning: Bytes::new() }
    }
}

impl From<BodySeen> for String {
    fn from(body: BodySeen) -> Self {
        body.name()
    }
}

/// A body of this name, without the length and the bytes that the name of a known one does not
/// tell.
impl TryFrom<String> for BodySeen {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let invalid = || format!("`{name}` names no body");
        if let Some(length) = name.strip_prefix(UNKNOWN) {
            return length.parse().map(Self::unknown).map_err(|_| invalid());
        }
        let mut digest = [0; 32];
        if name.len() != 2 * digest.len() || !name.is_ascii() {
            return Err(invalid());
        }
        for (byte, place) in digest.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&name[place..place + 2], 16).map_err(|_| invalid())?;
        }
        Ok(Self { length: 0, digest: BodyDigest(digest), beginning: Bytes::new() })
    }
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

    /// What tells it from all others: its digest in 64 hexadecimal digits; of one whose bytes were
    /// not seen, `unknown-` and its length.
    pub fn name(&self) -> String {
        if self.is_known() { self.digest.to_string() } else { format!("{UNKNOWN}{}", self.length) }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.digest == BodyDigest::EMPTY
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

    #[test]
    fn a_body_is_named_by_its_digest_or_by_its_length() {
        for body in [BodySeen::of(&Bytes::from_static(b"a")), BodySeen::unknown(7)] {
            let named = BodySeen::try_from(body.name()).unwrap();
            assert_eq!(named.digest, body.digest);
        }
        for name in ["", "unknown-", "unknown-x", "0badc0de", &"\u{fc}".repeat(32), &"g".repeat(64)]
        {
            assert!(BodySeen::try_from(name.to_owned()).is_err(), "{name}");
        }
    }
}
