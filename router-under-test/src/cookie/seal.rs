//! Seals the cookie: only the key's holders can write or read one.
//!
//! The code in front is that of the content, and what the content is hidden with comes from the
//! code (as in RFC 5297): no random number is needed, and one that repeats does no harm. Equal
//! contents are sealed alike, which tells nobody anything here.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::config::{Protocol, Topology};

/// Bytes of the code in front: half of SHA-256, still far from guessable.
const CODE: usize = 16;
/// A longer value was not written by this router, and is ignored.
const LONGEST: usize = 2048;

/// Stands for a cell in a cookie. It says nothing about the cell to anybody without the key, and
/// stays the same when cells come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag(pub(super) [u8; 8]);

/// The keys.
#[derive(Clone)]
pub(super) struct Seal {
    code: Hmac<Sha256>,
    hide: Hmac<Sha256>,
    tag: Hmac<Sha256>,
}

impl Seal {
    /// The keys of a fleet, for each protocol its own: what the one says means something else in
    /// the other.
    ///
    /// They come from the operator's secret. Without one they come from the cells' ids, names and
    /// addresses, which users do not know and all routers of a fleet do; see the crate's
    /// documentation.
    pub(super) fn new(topology: &Topology) -> Self {
        let secret = match &topology.settings.cookie_key {
            Some(key) => Sha256::digest(key.bytes()),
            None => digest_of_cells(topology),
        };
        let protocol = match topology.protocol {
            Protocol::Buffering => "buffering",
            Protocol::Learning { .. } => "learning",
        };
        let key = |purpose: &str| {
            let mut mac = keyed(&secret);
            mac.update(format!("second-level cookie, {protocol}, {purpose}").as_bytes());
            keyed(&mac.finalize().into_bytes())
        };
        Self { code: key("code"), hide: key("hide"), tag: key("tag") }
    }

    /// What stands for the cell with this id.
    pub(super) fn tag(&self, id: &str) -> Tag {
        let mut mac = self.tag.clone();
        mac.update(id.as_bytes());
        let bytes: [u8; 32] = mac.finalize().into_bytes().into();
        let [a, b, c, d, e, f, g, h, ..] = bytes;
        Tag([a, b, c, d, e, f, g, h])
    }

    /// A cookie's value, of characters that need no quotes.
    pub(super) fn sealed(&self, content: &[u8]) -> String {
        let mut mac = self.code.clone();
        mac.update(content);
        let mut bytes = mac.finalize().into_bytes()[..CODE].to_vec();
        bytes.extend_from_slice(content);
        let (code, content) = bytes.split_at_mut(CODE);
        self.hide_or_show(code, content);
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The content of a cookie that was sealed with this key.
    pub(super) fn opened(&self, value: &[u8]) -> Option<Vec<u8>> {
        if value.len() > LONGEST {
            return None;
        }
        let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(value).ok()?;
        let (code, content) = bytes.split_at_mut_checked(CODE)?;
        self.hide_or_show(code, content);
        let mut mac = self.code.clone();
        mac.update(content);
        mac.verify_truncated_left(code).ok()?;
        Some(bytes.split_off(CODE))
    }

    /// It is its own inverse.
    fn hide_or_show(&self, code: &[u8], content: &mut [u8]) {
        for (number, block) in (0u32..).zip(content.chunks_mut(32)) {
            let mut mac = self.hide.clone();
            mac.update(code);
            mac.update(&number.to_be_bytes());
            for (byte, with) in block.iter_mut().zip(mac.finalize().into_bytes()) {
                *byte ^= with;
            }
        }
    }
}

#[expect(
    clippy::expect_used,
    reason = "HMAC takes keys of all lengths; the type of its constructor is that of all codes"
)]
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("any length will do")
}

/// The same for all routers of a fleet, in whatever order their files list the cells.
fn digest_of_cells(topology: &Topology) -> sha2::digest::Output<Sha256> {
    let mut cells: Vec<_> = topology.cells().map(|cell| topology.cell(cell)).collect();
    cells.sort_by(|a, b| a.id.cmp(&b.id));
    let mut digest = Sha256::new();
    for cell in cells {
        for part in [&cell.id, &cell.name, cell.url.authority()] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part.as_bytes());
        }
    }
    digest.finalize()
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(..)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::config::tests::{document, topology, topology_of};

    fn seal_after(change: impl FnOnce(&mut Value)) -> Seal {
        let mut document = document("learning");
        change(&mut document);
        Seal::new(&topology_of(&document))
    }

    #[test]
    fn routers_of_one_fleet_open_each_others_seals() {
        let value = seal_after(|_| {}).sealed(b"content");
        let elsewhere = seal_after(|document| {
            document["region"] = json!("us");
            document["listen"] = json!("127.0.0.1:21009");
            document["cells"].as_array_mut().unwrap().reverse();
        });
        assert_eq!(elsewhere.opened(value.as_bytes()).unwrap(), b"content");
        assert_eq!(elsewhere.tag("cell_eu0"), seal_after(|_| {}).tag("cell_eu0"));
    }

    #[test]
    fn other_routers_do_not_open_a_seal() {
        let value = seal_after(|_| {}).sealed(b"content");
        let other_fleet =
            seal_after(|document| document["cells"][0]["url"] = json!("http://127.0.0.1:22009"));
        let mut with_key = document("learning");
        with_key["cells"][0]["weight"] = json!(1);
        let mut with_key = topology_of(&with_key);
        with_key.settings.cookie_key = Some("0123456789abcdef".into());
        for seal in [other_fleet, Seal::new(&topology("buffering")), Seal::new(&with_key)] {
            assert_eq!(seal.opened(value.as_bytes()), None);
            assert_ne!(seal.tag("cell_eu0"), seal_after(|_| {}).tag("cell_eu0"));
        }
    }

    #[test]
    fn a_sealed_value_hides_its_content() {
        let content = vec![b'a'; 1000];
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(seal_after(|_| {}).sealed(&content)).unwrap();
        assert_eq!(bytes.len(), CODE + 1000);
        assert!(!bytes.windows(3).any(|window| window == b"aaa"));
        // Each block has its own key stream.
        let blocks: std::collections::HashSet<_> = bytes[CODE..].chunks(32).collect();
        assert_eq!(blocks.len(), 1000usize.div_ceil(32));
    }

    #[test]
    fn a_key_survives_a_change_of_the_fleet() {
        let seal = |change: &dyn Fn(&mut Value)| {
            let mut document = document("learning");
            change(&mut document);
            let mut topology = topology_of(&document);
            topology.settings.cookie_key = Some("0123456789abcdef".into());
            Seal::new(&topology)
        };
        let value = seal(&|_| {}).sealed(b"content");
        let later = seal(&|document| document["cells"][0]["url"] = json!("http://127.0.0.1:22009"));
        assert_eq!(later.opened(value.as_bytes()).unwrap(), b"content");
    }

    proptest! {
        #[test]
        fn sealed_values_open_and_changed_bits_are_refused(
            content in prop::collection::vec(any::<u8>(), 0..60),
            place in any::<prop::sample::Index>(),
            with in 1u8..=255,
        ) {
            let seal = Seal::new(&topology("buffering"));
            let value = seal.sealed(&content);
            prop_assert_eq!(seal.opened(value.as_bytes()), Some(content));
            let mut forged = value.into_bytes();
            let place = place.index(forged.len());
            forged[place] ^= with;
            prop_assert_eq!(seal.opened(&forged), None);
        }

        #[test]
        fn any_value_is_refused(
            value in prop::collection::vec(any::<u8>(), 0..60),
            text in "[A-Za-z0-9_-]{0,80}",
        ) {
            let seal = Seal::new(&topology("buffering"));
            prop_assert_eq!(seal.opened(&value), None);
            prop_assert_eq!(seal.opened(text.as_bytes()), None);
        }
    }
}
