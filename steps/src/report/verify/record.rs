//! Checks the ledger rows and the bodies of a report.

use crate::engine::hex;
use sha2::{Digest, Sha256};

use crate::engine::record::{RequirementRecord, RunRecord, held_of};
use crate::ledger::Ledger;

/// Rows that differ from the ledger.
pub(super) fn of_ledger(report: &RunRecord, ledger: &Ledger) -> Vec<String> {
    let is_own = |id: &str, row: &RequirementRecord| {
        let own = id.parse().ok().and_then(|id| ledger.row(&id));
        own.is_some_and(|own| {
            (&own.documents, &own.section, &own.statement)
                == (&row.documents, &row.section, &row.statement)
                && own.level.to_string() == row.level
                && own.profile.to_string() == row.profile
        })
    };
    let foreign = report.requirements.iter().filter(|(id, row)| !is_own(id, row));
    foreign
        .map(|(id, _)| {
            format!("{id}: the report's words, level or section are not those of the ledger")
        })
        .collect()
}

/// Bodies that do not match their digests.
pub(super) fn of_bodies(report: &RunRecord) -> Vec<String> {
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
    fn rows_must_be_those_of_the_ledger() {
        let report = sample::report();
        assert_eq!(of_ledger(&report, Ledger::embedded()).len(), report.requirements.len());
    }

    #[test]
    fn bodies_must_be_those_of_their_digests() {
        let complaints = |digest: &str, length: u64, beginning: &[u8]| {
            let mut report = sample::report();
            report.bodies.insert(digest.to_owned(), Body { length, beginning: beginning.into() });
            of_bodies(&report).len()
        };
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(complaints(empty, 0, b""), 0);
        assert_eq!(complaints(empty, 1, b"x"), 1);
        assert_eq!(complaints(empty, 2, b"x"), 1);
        // Only the beginning of a longer body is held, so only the length of that can be checked.
        assert_eq!(complaints("00", 64 * 1024 + 1, &[b'x'; 1024]), 0);
        assert_eq!(complaints("00", 64 * 1024 + 1, b"x"), 1);
        assert_eq!(complaints("00", 64 * 1024, &[b'x'; 1024]), 1);
    }
}
