//! Seals the cookie: only the key's holders can write or read one.
//!
//! The content is encrypted with a random nonce (AES-GCM-SIV, RFC 8452). Routers that share a key
//! know nothing of each other's nonces; one that comes twice does no harm in this mode.

use aes_gcm_siv::aead::{Aead as _, KeyInit as _};
use aes_gcm_siv::{Aes256GcmSiv, Nonce};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::config::{Key, Protocol};

/// Bytes of the nonce in front.
const NONCE: usize = 12;
/// A longer value was not written by this router, and is ignored.
const LONGEST: usize = 2048;

/// Stands for a cell in a cookie. It says nothing about the cell to anybody without the key, and
/// stays the same when cells come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag(pub(super) [u8; 8]);

/// The keys.
#[derive(Clone)]
pub(super) struct Seal {
    cipher: Aes256GcmSiv,
    tag: Hmac<Sha256>,
}

impl Seal {
    /// The keys of a fleet, for each protocol its own: what the one says means something else in
    /// the other.
    pub(super) fn new(secret: &Key, protocol: &Protocol) -> Self {
        let secret = Sha256::digest(secret.bytes());
        let protocol = match protocol {
            Protocol::Buffering => "buffering",
            Protocol::Learning { .. } => "learning",
        };
        let key = |purpose: &str| {
            let mut mac = keyed(&secret);
            mac.update(format!("second-level cookie, {protocol}, {purpose}").as_bytes());
            mac.finalize().into_bytes()
        };
        Self { cipher: Aes256GcmSiv::new(&key("content")), tag: keyed(&key("tag")) }
    }

    /// What stands for the cell with this id.
    pub(super) fn tag(&self, id: &str) -> Tag {
        let mut mac = self.tag.clone();
        mac.update(id.as_bytes());
        let bytes: [u8; 32] = mac.finalize().into_bytes().into();
        let [a, b, c, d, e, f, g, h, ..] = bytes;
        Tag([a, b, c, d, e, f, g, h])
    }

    /// A cookie's value, of characters that need no quotes; none where the content is longer than
    /// any cookie.
    pub(super) fn sealed(&self, content: &[u8]) -> Option<String> {
        let nonce: [u8; NONCE] = rand::random();
        let sealed = self.cipher.encrypt(&Nonce::from(nonce), content).ok()?;
        Some(BASE64_URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
    }

    /// The content of a cookie that was sealed with this key.
    pub(super) fn opened(&self, value: &[u8]) -> Option<Vec<u8>> {
        if value.len() > LONGEST {
            return None;
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(value).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>()?;
        self.cipher.decrypt(&Nonce::from(*nonce), sealed).ok()
    }
}

#[expect(
    clippy::expect_used,
    reason = "HMAC takes keys of all lengths; the type of its constructor is that of all codes"
)]
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("any length will do")
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(..)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fuzzing;

    fn seal(secret: &str) -> Seal {
        Seal::new(&secret.into(), &Protocol::Buffering)
    }

    fn own() -> Seal {
        seal("0123456789abcdef")
    }

    #[test]
    fn only_routers_with_the_same_key_and_protocol_open_a_seal() {
        let value = own().sealed(b"content").unwrap();
        assert_eq!(own().opened(value.as_bytes()).unwrap(), b"content");
        assert_eq!(own().tag("cell_eu0"), own().tag("cell_eu0"));
        let learning = Protocol::Learning { learn_path: "/learn".to_owned() };
        let learning = Seal::new(&"0123456789abcdef".into(), &learning);
        for other in [seal("0123456789abcdeg"), learning] {
            assert_eq!(other.opened(value.as_bytes()), None);
            assert_ne!(other.tag("cell_eu0"), own().tag("cell_eu0"));
        }
    }

    #[test]
    fn a_sealed_value_hides_its_content() {
        let content = vec![b'a'; 1000];
        let sealed = own().sealed(&content).unwrap();
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(&sealed).unwrap();
        assert_eq!(bytes.len(), NONCE + 1000 + 16);
        // Three in a row would be there by chance once in some ten thousand runs.
        assert!(!bytes.windows(12).any(|window| window == [b'a'; 12]));
        // Equal contents look different each time.
        assert_ne!(own().sealed(&content).unwrap(), sealed);
    }

    proptest! {
        #![proptest_config(fuzzing::cases())]

        #[test]
        fn sealed_values_open_and_changed_bits_are_refused(
            content in prop::collection::vec(any::<u8>(), 0..60),
            index in any::<prop::sample::Index>(),
            with in 1u8..=255,
        ) {
            let value = own().sealed(&content).unwrap();
            prop_assert_eq!(own().opened(value.as_bytes()), Some(content));
            let mut forged = value.into_bytes();
            let index = index.index(forged.len());
            forged[index] ^= with;
            prop_assert_eq!(own().opened(&forged), None);
        }

        #[test]
        fn any_value_is_refused(
            value in prop::collection::vec(any::<u8>(), 0..60),
            text in "[A-Za-z0-9_-]{0,80}",
        ) {
            prop_assert_eq!(own().opened(&value), None);
            prop_assert_eq!(own().opened(text.as_bytes()), None);
        }
    }
}
