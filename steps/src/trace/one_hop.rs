//! Hop-by-hop fields (RFC 9110 7.6.1).

use cell_fleet::Field;

/// Fields about one connection, or about the framing of a message on it.
const ONE_HOP: [&str; 8] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "content-length",
    "te",
    "trailer",
    "upgrade",
];

/// Whether a field is about one connection, or about the framing of a message on it.
pub(crate) fn is_one_hop(name: &str) -> bool {
    ONE_HOP.iter().any(|one_hop| name.eq_ignore_ascii_case(one_hop))
}

/// Whether the `Connection` field of the message names a field.
pub(crate) fn is_named_by_connection(fields: &[Field], name: &str) -> bool {
    lists(fields, "Connection", name)
}

/// Whether a field of the message lists a word, in any letter case.
pub(crate) fn lists(fields: &[Field], name: &str, word: &str) -> bool {
    let mut lines = fields.iter().filter(|field| field.is(name));
    // As they stand: as text, a tab is written out.
    lines.any(|field| {
        let mut listed = field.value.as_bytes().split(|byte| *byte == b',');
        listed.any(|one| one.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_connection_are_known_or_named() {
        let fields =
            [("connection", "close,\tX-Secret"), ("Connection", " x-more "), ("X-Secret", "1")];
        let fields = fields.map(|(name, value)| Field { name: name.into(), value: value.into() });
        assert!(is_one_hop("Keep-Alive") && is_one_hop("te") && !is_one_hop("X-Secret"));
        assert!(
            is_named_by_connection(&fields, "x-secret")
                && is_named_by_connection(&fields, "X-More")
        );
        assert!(
            !is_named_by_connection(&fields, "X-Other") && !is_named_by_connection(&fields, "")
        );
    }
}
