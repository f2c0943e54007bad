//! A user's request apart from its body, and paths as prefixes see them.

use http::{HeaderMap, HeaderValue, Method};

/// What a router keeps of a request while it looks for the cell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    /// Path and query, byte for byte as they came.
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    /// The protocol that the user wants to change to (Z-23).
    pub(crate) upgrade: Option<HeaderValue>,
    /// The body came in chunks.
    pub(crate) chunked: bool,
    pub(crate) is_pre_flight: bool,
    /// The target named its host (Z-42).
    pub(crate) absolute: bool,
    /// Internal fields that the user sent; only mutations read them.
    pub(crate) claims: HeaderMap,
    /// Which of two workers has the user's connection; only a mutation reads it.
    pub(crate) worker: usize,
}

impl Ask {
    /// The target up to its query.
    pub(crate) fn path(&self) -> &str {
        self.target.split_once('?').map_or(&self.target, |(path, _)| path)
    }

    /// What follows the first `?`; `None` is not the same as empty (Z-13).
    pub(crate) fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// Sets another path and leaves the query.
    pub(crate) fn set_path(&mut self, path: &str) {
        self.target = match self.query() {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        };
    }

    /// Whether the method promises to change nothing.
    pub(crate) fn is_safe(&self) -> bool {
        self.method.is_safe()
    }
}

/// A prefix without its last slash: `/a/` and `/a` are one (the contract, *Both*).
pub(crate) fn trimmed(prefix: &str) -> &str {
    prefix.strip_suffix('/').unwrap_or(prefix)
}

/// Whether `prefix` covers `path` at a segment's end (CA-06, CA-07).
pub(crate) fn covers(prefix: &str, path: &str) -> bool {
    path.strip_prefix(trimmed(prefix)).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Every trimmed prefix that would cover `path`, the longest first; the empty one last.
pub(crate) fn prefixes(path: &str) -> Vec<&str> {
    let mut found = vec![path];
    found.extend(path.rmatch_indices('/').map(|(at, _)| &path[..at]));
    found
}

/// The first `count` segments of `path`, with the slash before each.
pub(crate) fn leading(path: &str, count: usize) -> &str {
    path.match_indices('/').nth(count).map_or(path, |(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_prefix_covers_itself_and_its_children_only() {
        for prefix in ["/my-company", "/my-company/"] {
            assert!(covers(prefix, "/my-company"));
            assert!(covers(prefix, "/my-company/"));
            assert!(covers(prefix, "/my-company/x"));
            assert!(!covers(prefix, "/my-company-2"));
            assert!(!covers(prefix, "/my-compan"));
        }
    }

    #[test]
    fn prefixes_end_at_slashes_and_the_longest_comes_first() {
        assert_eq!(prefixes("/a/b"), ["/a/b", "/a", ""]);
        assert_eq!(prefixes("/a/"), ["/a/", "/a", ""]);
        assert_eq!(prefixes("/"), ["/", ""]);
    }

    proptest! {
        #[test]
        fn covering_and_listing_prefixes_are_one_rule(
            path in "/[a/]{0,6}",
            prefix in "/[a/]{0,6}",
        ) {
            prop_assert_eq!(covers(&prefix, &path), prefixes(&path).contains(&trimmed(&prefix)));
        }
    }

    #[test]
    fn leading_segments_are_found() {
        assert_eq!(leading("/a/b/c", 1), "/a");
        assert_eq!(leading("/a/b/c", 2), "/a/b");
        assert_eq!(leading("/a", 2), "/a");
    }

    #[test]
    fn an_empty_query_is_a_query() {
        let mut ask = Ask { target: "/a?".to_owned(), ..Ask::default() };
        assert_eq!((ask.path(), ask.query()), ("/a", Some("")));
        ask.set_path("/b");
        assert_eq!(ask.target, "/b?");
    }
}
