//! Checks the bodies of a report against their digests.

use sha2::{Digest, Sha256};

use crate::engine::hex;
use crate::engine::record::{RunRecord, held_of};

/// Bodies that do not match their digests.
pub(super) fn contradictions(report: &RunRecord) -> Vec<String> {
    let mut found = Vec::new();
    for (digest, body) in &report.bodies {
        let held = body.beginning.len() as u64;
        let own = hex(Sha256::digest(&*body.beginning));
        if held != held_of(body.length) {
            found.push(format!("body {digest}: {held} bytes are held of {}", body.length));
        } else if held == body.length && own != *digest {
            found.push(format!("body {digest}: its bytes have the digest {own}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::record::Body;
    use crate::report::sample;

    #[test]
    fn bodies_must_be_those_of_their_digests() {
        let faults = |digest: &str, length: u64, beginning: &[u8]| {
            let mut report = sample::report();
            report.bodies.insert(digest.to_owned(), Body { length, beginning: beginning.into() });
            contradictions(&report).len()
        };
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(faults(empty, 0, b""), 0);
        assert_eq!(faults(empty, 1, b"x"), 1);
        assert_eq!(faults(empty, 2, b"x"), 1);
        // Only the beginning of a longer body is held, so only the length of that can be checked.
        assert_eq!(faults("00", 64 * 1024 + 1, &[b'x'; 1024]), 0);
        assert_eq!(faults("00", 64 * 1024 + 1, b"x"), 1);
        assert_eq!(faults("00", 64 * 1024, &[b'x'; 1024]), 1);
    }
}
