//! Which paths are those of pre-flights, however they are spelled (Z-10).

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Whether a cell could take `path` for the learn path.
pub(super) fn is_internal(path: &str, learn_path: &str) -> bool {
    if path == learn_path {
        return true;
    }
    // Most paths are plain, and then the bytes have told.
    if !path.contains('%') && !path.contains("//") && !path.contains("/.") && !path.ends_with('/') {
        return path.eq_ignore_ascii_case(learn_path);
    }
    plain(path).eq_ignore_ascii_case(&plain(learn_path))
}

/// The path decoded, without empty segments and with dot segments resolved.
fn plain(path: &str) -> String {
    let decoded: Cow<'_, str> = percent_decode_str(path).decode_utf8_lossy();
    let mut segments = Vec::new();
    for segment in decoded.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            other => segments.push(other),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEARN: &str = "/api/v4/internal/cells/learn";

    #[test]
    fn spellings_of_the_learn_path() {
        for path in [
            LEARN,
            "/api/v4/internal/cells/learn/",
            "//api/v4//internal/cells/learn",
            "/api/v4/./x/../internal/cells/learn",
            "/api/v4/internal/cells/%6Cearn",
            "/api/v4/internal%2Fcells/learn",
            "/api/v4/internal/cells/LEARN",
        ] {
            assert!(is_internal(path, LEARN), "{path}");
        }
    }

    #[test]
    fn other_paths() {
        for path in ["/", "/api/v4/internal/cells/learning", "/api/v4/internal/cells", "/x/api/v4/internal/cells/learn", "/a%2Fb"] {
            assert!(!is_internal(path, LEARN), "{path}");
        }
    }
}
