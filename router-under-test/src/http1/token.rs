//! Which bytes are valid where.

/// What a token is made of: methods and field names (RFC 9110 5.6.2).
pub(super) fn is_token(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|&byte| TOKEN[usize::from(byte)])
}

/// Whether a byte may be in a token.
const TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let others = b"!#$%&'*+-.^_`|~";
    let mut at = 0;
    while at < others.len() {
        table[others[at] as usize] = true;
        at += 1;
    }
    table
};

/// What may stand in a field value: no control but the tab.
pub(super) fn is_value(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte == b'\t' || (byte >= b' ' && byte != 0x7f))
}

/// A host with an optional port, as in `Host` and absolute targets (RFC 9110 7.2): no user
/// information, nothing that a cell could take for a path.
pub(super) fn is_host(text: &[u8]) -> bool {
    let (host, port) = match text.strip_prefix(b"[") {
        Some(rest) => {
            let Some(end) = rest.iter().position(|&byte| byte == b']') else { return false };
            let (address, after) = rest.split_at(end);
            if address.is_empty()
                || !address.iter().all(|&byte| byte.is_ascii_hexdigit() || b":.".contains(&byte))
            {
                return false;
            }
            (address, &after[1..])
        }
        None => {
            let end = text.iter().position(|&byte| byte == b':').unwrap_or(text.len());
            let (host, port) = text.split_at(end);
            if !host
                .iter()
                .all(|&byte| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte))
            {
                return false;
            }
            (host, port)
        }
    };
    let port_is_fine = match port.split_first() {
        None => true,
        Some((b':', digits)) => digits.len() <= 5 && digits.iter().all(u8::is_ascii_digit),
        Some(_) => false,
    };
    !host.is_empty() && port_is_fine
}

/// Text without the blanks around it (RFC 9110 5.6.3).
pub(super) fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

/// The entries of a list, without the blanks around them.
pub(super) fn list(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_hosts_are_accepted() {
        for host in
            ["a", "gitlab.example", "127.0.0.1:80", "[::1]", "[::1]:8080", "a:", "a_b", "x%41"]
        {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for host in [
            "", ":80", "a b", "a/b", "a@b", "a:b", "a:1:2", "[", "[]", "[::1", "[::1]x", "[g]",
            "a\"", "a,b c", "a:123456", "a?b", "a#b",
        ] {
            assert!(!is_host(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn tokens_and_field_values_are_checked() {
        assert!(is_token(b"X-Y_z.1"));
        for token in ["", " ", "a b", "a:", "\u{e9}", "a\t"] {
            assert!(!is_token(token.as_bytes()), "{token}");
        }
        assert!(is_value("a\tb \u{e9}".as_bytes()));
        assert!(!is_value(b"\0") && !is_value(b"a\rb") && !is_value(b"\x7f") && !is_value(b"\x0b"));
        assert_eq!(trim(b" \ta b\t "), b"a b");
        assert_eq!(list(b"a, b ,,c").collect::<Vec<_>>(), [&b"a"[..], b"b", b"", b"c"]);
    }
}
