//! Removes addresses of cells from responses: users cannot reach them (Z-26).

use http::header::{CONTENT_LOCATION, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::config::Topology;

/// Makes references to a cell's own address relative: the user asks for them where the response
/// came from.
pub(super) fn hide_cells(headers: &mut HeaderMap, topology: &Topology) {
    for name in [LOCATION, CONTENT_LOCATION] {
        if !headers.contains_key(&name) {
            continue;
        }
        hide(headers, &name, |authority| {
            topology
                .cells()
                .any(|cell| authority.eq_ignore_ascii_case(topology.cell(cell).url.authority()))
        });
    }
}

fn hide(headers: &mut HeaderMap, name: &HeaderName, is_cell: impl Fn(&str) -> bool) {
    // Responses with several of these are malformed; each line is looked at all the same.
    if let http::header::Entry::Occupied(mut lines) = headers.entry(name) {
        for line in lines.iter_mut() {
            if let Some(relative) = line
                .to_str()
                .ok()
                .and_then(|value| relative(value, &is_cell))
                .and_then(|text| HeaderValue::try_from(text).ok())
            {
                *line = relative;
            }
        }
    }
}

/// The reference without scheme and authority, where the authority is a cell's.
fn relative(reference: &str, is_cell: impl Fn(&str) -> bool) -> Option<String> {
    let after_scheme = |scheme: &str| {
        let (start, rest) = reference.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    };
    let (rest, default_port) = after_scheme("http://")
        .or_else(|| after_scheme("//"))
        .map(|rest| (rest, "80"))
        .or_else(|| after_scheme("https://").map(|rest| (rest, "443")))?;
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let with_port = match host.rsplit_once(':') {
        Some((name, "")) => format!("{name}:{default_port}"),
        // Colons within brackets are those of an IPv6 address.
        Some((_, port)) if !port.ends_with(']') => host.to_owned(),
        _ => format!("{host}:{default_port}"),
    };
    if !is_cell(&with_port) {
        return None;
    }
    Some(match rest.as_bytes() {
        // Two slashes would begin an authority (RFC 3986 4.2), and browsers take backslashes for
        // slashes.
        [b'\\', ..] | [b'/', b'/' | b'\\', ..] => format!("/.{rest}"),
        [b'/', ..] => rest.to_owned(),
        _ => format!("/{rest}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_relative(reference: &str) -> Option<String> {
        relative(reference, |authority| {
            ["127.0.0.1:22000", "cell.internal:80", "[::1]:80"]
                .iter()
                .any(|cell| authority.eq_ignore_ascii_case(cell))
        })
    }

    #[test]
    fn the_address_of_a_cell_is_removed() {
        for (reference, left) in [
            ("http://127.0.0.1:22000/a/b?q=1#f", "/a/b?q=1#f"),
            ("HTTP://127.0.0.1:22000", "/"),
            ("http://127.0.0.1:22000?q", "/?q"),
            ("http://127.0.0.1:22000#f", "/#f"),
            ("https://127.0.0.1:22000/x", "/x"),
            ("//127.0.0.1:22000/x", "/x"),
            ("http://Cell.Internal/x", "/x"),
            ("http://cell.internal:/x", "/x"),
            ("http://user@cell.internal:80/x", "/x"),
            ("http://[::1]/x", "/x"),
            ("http://127.0.0.1:22000//evil.example/x", "/.//evil.example/x"),
            ("http://127.0.0.1:22000\\x", "/.\\x"),
            ("http://127.0.0.1:22000/\\x", "/./\\x"),
        ] {
            assert_eq!(made_relative(reference).as_deref(), Some(left), "{reference}");
        }
    }

    #[test]
    fn other_references_are_unchanged() {
        for reference in [
            "/a",
            "a",
            "",
            "http://gitlab.example/a",
            "http://127.0.0.1:22001/a",
            "https://cell.internal/a",
            "http://gitlab.example/?r=http://127.0.0.1:22000/",
            "ftp://127.0.0.1:22000/",
            "http://127.0.0.1:22000@gitlab.example/",
        ] {
            assert_eq!(made_relative(reference), None, "{reference}");
        }
    }
}
