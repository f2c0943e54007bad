//! Which paths are those of pre-flights, however they are spelled (Z-10).

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Whether a cell could take `path` for the learn path.
///
/// Where it differs in upper and lower case, in its encoding (also twice), by empty or dot segments,
/// by parameters of segments, by backslashes, by control characters or by the name of a format at
/// its end, the one or the other application may still find the same thing there.
pub(super) fn is_internal(path: &str, learn_path: &str) -> bool {
    // Most paths are plain, and then the bytes have told.
    if !path.contains(['%', ';', '\\'])
        && !path.contains("//")
        && !path.contains("/.")
        && !path.ends_with('/')
    {
        return is_or_has_format(path, learn_path);
    }
    is_or_has_format(&plain(path), &plain(learn_path))
}

/// Whether the path is this one, or this one with something like `.json` behind it.
fn is_or_has_format(path: &str, learn_path: &str) -> bool {
    let Some((start, rest)) = path.as_bytes().split_at_checked(learn_path.len()) else {
        return false;
    };
    start.eq_ignore_ascii_case(learn_path.as_bytes())
        && (rest.is_empty() || (rest[0] == b'.' && !rest.contains(&b'/')))
}

/// The path decoded, without empty segments and with dot segments resolved.
fn plain(path: &str) -> String {
    let mut decoded = decode(path);
    if decoded.contains('%') {
        decoded = Cow::Owned(decode(&decoded).into_owned());
    }
    let mut segments = Vec::new();
    for segment in decoded.split(['/', '\\']) {
        // What follows a semicolon is parameters to some (RFC 3986 3.3), and part of the name to
        // others; nothing of the learn path has one.
        let name = segment.split_once(';').map_or(segment, |(name, _)| name);
        match name.trim_matches(char::is_control) {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            other => segments.push(other),
        }
    }
    segments.join("/")
}

fn decode(path: &str) -> Cow<'_, str> {
    percent_decode_str(path).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LEARN: &str = "/api/v4/internal/cells/learn";

    #[test]
    fn every_spelling_of_the_learn_path_is_found() {
        for path in [
            LEARN,
            "/api/v4/internal/cells/learn/",
            "//api/v4//internal/cells/learn",
            "/api/v4/./x/../internal/cells/learn",
            "/api/v4/internal%2Fcells/learn",
            "/api/v4/internal/cells/learn.json",
            "/api/v4/internal;a=b/cells/learn",
            "/api/v4/x/..;/internal/cells/learn",
            "/api/v4/x/%252e%252e/internal/cells/learn",
            "/api/v4/internal/cells/%256Cearn",
            "/api/v4/internal%5Ccells/learn",
            "/api/v4/internal/cells/learn%0a",
            "/api/v4/internal/cells/%00learn",
        ] {
            assert!(is_internal(path, LEARN), "{path}");
        }
    }

    #[test]
    fn other_paths_are_not_the_learn_path() {
        for path in [
            "/",
            "/api/v4/internal/cells/learning",
            "/api/v4/internal/cells/learn%20",
            "/api/v4/internal/cells",
            "/api/v4/internal/cells/learn.d/x",
            "/x/api/v4/internal/cells/learn",
            "/a%2Fb",
        ] {
            assert!(!is_internal(path, LEARN), "{path}");
        }
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn encodings_dots_and_slashes_do_not_hide_the_learn_path(
            choices in prop::collection::vec(0u8..6, LEARN.len()),
        ) {
            let mut path = String::new();
            for (byte, choice) in LEARN.bytes().zip(choices) {
                let plain = char::from(byte);
                match (choice, byte) {
                    (0, _) => path.push_str(&format!("%{byte:02X}")),
                    (1, _) => path.push_str(&format!("%{byte:02x}")),
                    (2, b'/') => path.push_str("//"),
                    (3, b'/') => path.push_str("/./"),
                    (4, b'/') => path.push_str("/x/../"),
                    (5, _) => path.push(plain.to_ascii_uppercase()),
                    _ => path.push(plain),
                }
            }
            prop_assert!(is_internal(&path, LEARN), "{}", path);
        }

        #[test]
        fn any_path_is_checked(path in ".{0,40}", soup in "[/.%2eEfF]{0,40}") {
            prop_assert!(!is_internal(&soup, LEARN));
            let _ = is_internal(&path, LEARN);
        }
    }
}
