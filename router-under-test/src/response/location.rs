//! Removes addresses of cells from responses: users cannot reach them (Z-26).

use http::header::{ALT_SVC, CONTENT_LOCATION, Entry, LINK, LOCATION, REFRESH};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue};

use crate::topology::Topology;

/// Makes references to a cell's own address relative: the user asks for them where the response
/// came from.
pub(super) fn hide_cells(headers: &mut HeaderMap, topology: &Topology) {
    let is_cell = |authority: &str| {
        topology.cells.iter().any(|cell| authority.eq_ignore_ascii_case(cell.url.authority()))
    };
    for name in [LOCATION, CONTENT_LOCATION, LINK, REFRESH] {
        let rewrite = match name {
            LINK => links,
            REFRESH => refresh,
            _ => relative,
        };
        let Entry::Occupied(mut lines) = headers.entry(name) else { continue };
        // Responses with several of these are malformed; each line is looked at all the same.
        for line in lines.iter_mut() {
            let rewritten = line.to_str().ok().and_then(|value| rewrite(value, &is_cell));
            if let Some(Ok(rewritten)) = rewritten.map(HeaderValue::try_from) {
                *line = rewritten;
            }
        }
    }
    // It tells browsers of another address (RFC 7838), which leads past the router if it is a cell's.
    let leads_to_cell = |line: &HeaderValue| {
        line.to_str().is_ok_and(|line| line.split('"').skip(1).step_by(2).any(is_cell))
    };
    if headers.get_all(ALT_SVC).iter().any(leads_to_cell) {
        headers.remove(ALT_SVC);
    }
}

/// The links (RFC 8288 3), each in angle brackets, without the addresses of cells.
fn links(value: &str, is_cell: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut all = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, link, after)) = rest
        .split_once('<')
        .and_then(|(before, rest)| rest.split_once('>').map(|(link, after)| (before, link, after)))
    {
        let link = relative(link, is_cell).unwrap_or_else(|| link.to_owned());
        all.extend([before, "<", &link, ">"]);
        rest = after;
    }
    all.push_str(rest);
    (all != value).then_some(all)
}

/// `5; url=REFERENCE`, without the address of a cell.
fn refresh(value: &str, is_cell: &dyn Fn(&str) -> bool) -> Option<String> {
    let at = value.to_ascii_lowercase().find("url=")? + "url=".len();
    let (before, reference) = value.split_at(at);
    let bare = reference.trim().trim_matches(['"', '\'']);
    relative(bare, is_cell).map(|bare| format!("{before}{bare}"))
}

/// The reference without scheme and authority, where the authority is a cell's.
fn relative(reference: &str, is_cell: &dyn Fn(&str) -> bool) -> Option<String> {
    let after_scheme = |scheme: &str| {
        let (start, rest) = reference.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    };
    let (rest, default_port) = after_scheme("http://")
        .or_else(|| after_scheme("//"))
        .map(|rest| (rest, 80))
        .or_else(|| after_scheme("https://").map(|rest| (rest, 443)))?;
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    let authority: Authority = authority.parse().ok()?;
    let port = authority.port_u16().unwrap_or(default_port);
    if !is_cell(&format!("{}:{port}", authority.host())) {
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
    use proptest::prelude::*;

    use super::*;
    use crate::config::tests::{document, topology_of};

    fn made_relative(reference: &str) -> Option<String> {
        relative(reference, &is_cell)
    }

    fn is_cell(authority: &str) -> bool {
        ["127.0.0.1:22000", "cell.internal:80", "[::1]:80"]
            .iter()
            .any(|cell| authority.eq_ignore_ascii_case(cell))
    }

    #[test]
    fn links_and_refreshes_name_no_cell() {
        assert_eq!(
            links(
                "<http://127.0.0.1:22000/a?page=2>; rel=\"next\", <http://gitlab.example/a>; rel=x",
                &is_cell
            )
            .as_deref(),
            Some("</a?page=2>; rel=\"next\", <http://gitlab.example/a>; rel=x")
        );
        for other in ["</a>; rel=next", "<", "a", "<http://gitlab.example/>"] {
            assert_eq!(links(other, &is_cell), None, "{other}");
        }
        assert_eq!(
            refresh("5; URL='http://cell.internal/x'", &is_cell).as_deref(),
            Some("5; URL=/x")
        );
        assert_eq!(refresh("5", &is_cell), None);
        assert_eq!(refresh("5; url=/x", &is_cell), None);
    }

    #[test]
    fn no_other_way_leads_to_a_cell() {
        let topology = topology_of(&document("buffering"));
        for (value, stays) in [
            ("h2=\"127.0.0.1:22000\"; ma=60", false),
            ("h2=\":443\", h2=\"127.0.0.1:22001\"", false),
            ("h2=\":443\"", true),
            ("clear", true),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ALT_SVC, HeaderValue::from_static(value));
            hide_cells(&mut headers, &topology);
            assert_eq!(headers.contains_key(ALT_SVC), stays, "{value}");
        }
    }

    #[test]
    fn the_address_of_a_cell_is_removed() {
        for (reference, left) in [
            ("http://127.0.0.1:22000/a/b?q=1#f", "/a/b?q=1#f"),
            ("HTTP://127.0.0.1:22000", "/"),
            ("http://127.0.0.1:22000?q", "/?q"),
            ("https://127.0.0.1:22000/x", "/x"),
            ("//127.0.0.1:22000/x", "/x"),
            ("http://cell.internal:/x", "/x"),
            ("http://user@cell.internal:80/x", "/x"),
            ("http://[::1]/x", "/x"),
            ("http://127.0.0.1:22000//evil.example/x", "/.//evil.example/x"),
            ("http://127.0.0.1:22000/\\x", "/./\\x"),
        ] {
            assert_eq!(made_relative(reference).as_deref(), Some(left), "{reference}");
        }
    }

    #[test]
    fn other_references_are_unchanged() {
        for reference in [
            "/a",
            "",
            "http://127.0.0.1:22001/a",
            "http://gitlab.example/?r=http://127.0.0.1:22000/",
            "ftp://127.0.0.1:22000/",
            "http://127.0.0.1:22000@gitlab.example/",
        ] {
            assert_eq!(made_relative(reference), None, "{reference}");
        }
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn what_was_rewritten_leads_to_no_cell(
            parts in prop::collection::vec(
                prop::sample::select(&[
                    "http://", "HTTPS://", "//", "/", "\\", "127.0.0.1:22000", "cell.internal",
                    "[::1]", ":", "80", "@", "user", "?", "#", "<", ">", "; url=", "URL=", "'", "\"",
                    "/.", " ", ",", "\u{fc}",
                ][..]),
                0..10,
            ),
        ) {
            let value = parts.concat();
            if let Some(rewritten) = relative(&value, &is_cell) {
                prop_assert!(rewritten.starts_with('/') && !rewritten.starts_with("//"));
                prop_assert_eq!(relative(&rewritten, &is_cell), None);
            }
            for rewrite in [links, refresh] {
                if let Some(rewritten) = rewrite(&value, &is_cell) {
                    prop_assert_eq!(rewrite(&rewritten, &is_cell), None, "{}", rewritten);
                }
            }
        }
    }
}
