//! Request paths, and query values that carry one.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters that stay unencoded in a path that is a query value: the slash, as the documents draw
/// it (`redirect=/my-company/my-project`), and the unreserved ones (RFC 3986 2.3).
const CARRIED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The bytes that a header field cannot carry unencoded.
const NOT_IN_A_FIELD: &AsciiSet = &percent_encoding::CONTROLS.add(b' ');

/// The sign-in page that leads back to a target (LG-01). One form-decoding of `redirect` gives the
/// target byte for byte.
pub fn sign_in_for(target: &str) -> String {
    format!("/users/sign_in?redirect={}", utf8_percent_encode(target, CARRIED))
}

/// The target as a `Location` if it stays on this installation; otherwise `/`.
///
/// `//host` and `/\host` would leave it: a browser reads both as another host.
pub fn local_or_root(target: &str) -> String {
    let leaves = target.strip_prefix('/').is_none_or(|rest| rest.starts_with(['/', '\\']));
    // Browsers drop tabs and line breaks, so that what follows them could begin a host.
    if leaves || target.contains(char::is_control) {
        return "/".to_owned();
    }
    utf8_percent_encode(target, NOT_IN_A_FIELD).to_string()
}

/// Whether a path is at or below a prefix, on whole segments.
pub fn is_at_or_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Percent-decodes a segment once.
pub fn decoded(segment: &str) -> Option<String> {
    percent_decode_str(segment).decode_utf8().ok().map(|text| text.into_owned())
}

/// The value of a query parameter, form-decoded once. Bytes that are not valid UTF-8 become a
/// replacement character, which no known path contains.
pub fn query_value(query: &str, name: &str) -> Option<String> {
    let mut members = query.split('&').map(|member| member.split_once('=').unwrap_or((member, "")));
    let (_, value) = members.find(|(key, _)| form_decoded(key) == name)?;
    Some(form_decoded(value))
}

fn form_decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_redirect_never_leaves_the_installation() {
        for target in [
            "https://evil.example/",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "",
            "my-company",
            "/a\r\nX: y",
        ] {
            assert_eq!(local_or_root(target), "/", "{target:?}");
        }
        assert_eq!(local_or_root("/my-company?a=b"), "/my-company?a=b");
        assert_eq!(local_or_root("/é ü"), "/%C3%A9%20%C3%BC");
    }

    proptest! {
        #[test]
        fn what_is_carried_comes_back(target in "/[ -~é]{0,20}") {
            let location = sign_in_for(&target);
            prop_assert!(location.is_ascii());
            let (_, query) = location.split_once('?').unwrap();
            prop_assert_eq!(query_value(query, "redirect"), Some(target));
        }

        #[test]
        fn no_redirect_is_without_a_leading_single_slash(target in "\\PC{0,20}") {
            let location = local_or_root(&target);
            prop_assert!(location.starts_with('/') && !location.starts_with("//"));
            prop_assert!(location.is_ascii());
        }
    }
}
