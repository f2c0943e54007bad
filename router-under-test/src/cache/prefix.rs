//! Which paths an entry covers: whole segments, byte by byte, undecoded (CA-06, CA-07).

/// Longer paths are not remembered: an entry must not cost more than learning anew does.
const LONGEST: usize = 2048;

/// What a cell's response covers, checked to cover the request that it responds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rule<'a> {
    path: &'a [u8],
    exact: bool,
}

impl<'a> Rule<'a> {
    /// A prefix, with or without its last slash, as a response to a request for `path`.
    ///
    /// `None` if it must not be remembered: it does not cover the request (Z-07), is `/` or empty
    /// (Z-08).
    pub(crate) fn prefix(prefix: &'a [u8], path: &str) -> Option<Self> {
        let prefix = prefix.strip_suffix(b"/").unwrap_or(prefix);
        let rule = Self { path: prefix, exact: false };
        (rule.may_be_remembered() && covers(prefix, path.as_bytes())).then_some(rule)
    }

    /// An exact path (LN-06); `None` if it is not the request's path, or is `/`.
    pub(crate) fn exact(exact: &'a [u8], path: &str) -> Option<Self> {
        let rule = Self { path: exact, exact: true };
        (rule.may_be_remembered() && exact == path.as_bytes()).then_some(rule)
    }

    /// The path, for a prefix without its last slash.
    pub(crate) fn path(&self) -> &'a [u8] {
        self.path
    }

    /// Whether the entry is exact.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    fn may_be_remembered(&self) -> bool {
        self.path.starts_with(b"/")
            && self.path.len() <= LONGEST
            && self.path.iter().any(|&byte| byte != b'/')
    }
}

/// Whether `prefix`, without its last slash, covers `path`: equal to it or followed there by a
/// slash.
fn covers(prefix: &[u8], path: &[u8]) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| matches!(rest.first(), None | Some(b'/')))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_spellings_cover_the_same() {
        for prefix in ["/my-company", "/my-company/"] {
            for path in ["/my-company", "/my-company/", "/my-company/x", "/my-company//x"] {
                assert!(Rule::prefix(prefix.as_bytes(), path).is_some(), "{prefix} {path}");
            }
            for path in
                ["/my-company-2", "/my-companyx", "/my%2Dcompany", "/My-company", "/my", "/"]
            {
                assert!(Rule::prefix(prefix.as_bytes(), path).is_none(), "{prefix} {path}");
            }
        }
    }

    #[test]
    fn prefixes_that_cover_everything_are_refused() {
        for prefix in ["", "/", "//", "///"] {
            for path in ["/", "//", "///x", "/x"] {
                assert!(Rule::prefix(prefix.as_bytes(), path).is_none(), "{prefix} {path}");
                assert!(Rule::exact(prefix.as_bytes(), path).is_none(), "{prefix} {path}");
            }
        }
    }

    #[test]
    fn an_encoded_slash_is_not_a_boundary() {
        assert!(Rule::prefix(b"/a", "/a%2Fb").is_none());
        assert!(Rule::prefix(b"/a%2Fb", "/a%2Fb/c").is_some());
    }

    #[test]
    fn an_exact_rule_covers_its_path_alone() {
        assert!(Rule::exact(b"/-/profile", "/-/profile").is_some());
        assert!(Rule::exact(b"/-/profile", "/-/profile/").is_none());
        assert!(Rule::exact(b"/-/profile/", "/-/profile").is_none());
    }

    #[test]
    fn very_long_paths_are_not_cached() {
        let long = format!("/{}", "x".repeat(LONGEST));
        assert!(Rule::exact(long.as_bytes(), &long).is_none());
        let just = &long[..LONGEST];
        assert!(Rule::exact(just.as_bytes(), just).is_some());
    }

    proptest! {
        #[test]
        fn a_rule_covers_the_request_that_it_came_with(
            prefix in "[/ab%]{0,8}",
            path in "/[/ab%]{0,8}",
        ) {
            let rule = Rule::prefix(prefix.as_bytes(), &path);
            let bare = prefix.strip_suffix('/').unwrap_or(&prefix);
            let covered = path == bare || path.starts_with(&format!("{bare}/"));
            let says_something = bare.bytes().any(|byte| byte != b'/');
            prop_assert_eq!(rule.is_some(), covered && says_something && bare.starts_with('/'));
            let is_bare = |rule: Rule<'_>| !rule.is_exact() && rule.path() == bare.as_bytes();
            prop_assert!(rule.is_none_or(is_bare));
            let rule = Rule::exact(prefix.as_bytes(), &path);
            prop_assert_eq!(rule.is_some(), prefix == path && says_something);
        }

        #[test]
        fn any_bytes_are_accepted_or_refused(
            prefix in prop::collection::vec(any::<u8>(), 0..32),
            path in ".{0,16}",
        ) {
            let _ = Rule::prefix(&prefix, &path);
            let _ = Rule::exact(&prefix, &path);
        }
    }
}
