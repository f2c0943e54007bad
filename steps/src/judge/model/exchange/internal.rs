//! Whether a path is the learn path, which is for routers alone (Z-10).

use percent_encoding::percent_decode_str;

/// What a path has to do with the learn path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::judge::model) enum Internal {
    /// Some application would find the same there. A router may refuse it.
    Learn,
    /// It is below the learn path. A router may take all of it for internal, and should not.
    Below,
}

/// What a path has to do with the learn path, in any spelling that a router may read as another
/// (decision A-78). None in buffering, which has no learn path.
pub(in crate::judge::model) fn internal(path: &str, learn_path: Option<&str>) -> Option<Internal> {
    let learn_path = learn_path?;
    let (read, learn) = (segments(path), segments(learn_path));
    let is_below = |path: &str| {
        let rest = path.strip_prefix(learn_path);
        rest.is_some_and(|rest| rest.starts_with('/') && rest.len() > 1)
    };
    match read.get(..learn.len()) {
        Some(start) if start == learn && read.len() == learn.len() => Some(Internal::Learn),
        Some(start) if start == learn => Some(Internal::Below),
        Some(start) if read.len() == learn.len() && has_format(start, &learn) => {
            Some(Internal::Learn)
        }
        _ => is_below(path).then_some(Internal::Below),
    }
}

/// Whether the last segment is that of the learn path with a format behind it, such as `.json`.
fn has_format(path: &[String], learn: &[String]) -> bool {
    match (path.split_last(), learn.split_last()) {
        (Some((last, before)), Some((name, others))) => {
            before == others
                && last.strip_prefix(name.as_str()).is_some_and(|it| it.starts_with('.'))
        }
        _ => false,
    }
}

/// The segments that a lax application finds: decoded once and again, without parameters, control
/// characters, dots and empty ones, backslashes as slashes, and in small letters.
fn segments(path: &str) -> Vec<String> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let path = decoded(&decoded(path)).to_ascii_lowercase();
    let mut found: Vec<String> = Vec::new();
    for segment in path.split(['/', '\\']) {
        let name = segment.split(';').next().unwrap_or_default();
        match name.trim_matches(char::is_control) {
            "" | "." => {}
            ".." => _ = found.pop(),
            name => found.push(name.to_owned()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_the_learn_path_are_known_and_others_are_not() {
        let learn = "/api/v4/internal/cells/learn";
        let is = |path: &str| internal(path, Some(learn));
        for path in ["", "/", ";x", "%0a", ".json", "/x/.."] {
            assert_eq!(is(&format!("{learn}{path}")), Some(Internal::Learn), "{path}");
        }
        for path in [
            "//api/v4/internal//cells/learn",
            "/api/v4/users/%2e%2e/internal/./cells/%6Cearn",
            "/api/v4/users/%252e%252e/internal/cells/%256Cearn",
            "/api/v4/internal;x=1/cells%2Flearn",
            "/api/v4/internal\\cells%5CLEARN",
        ] {
            assert_eq!(is(path), Some(Internal::Learn), "{path}");
        }
        for path in ["/x", "/./x", "/..", "//x"] {
            assert_eq!(is(&format!("{learn}{path}")), Some(Internal::Below), "{path}");
        }
        for path in ["/", "/acme/api/v4/internal/cells/learn", "/api/v4/internal/cells"] {
            assert_eq!(is(path), None, "{path}");
        }
        for path in ["ed", "-2", "%20", "%20/x"] {
            assert_eq!(is(&format!("{learn}{path}")), None, "{path}");
        }
        assert_eq!(internal(learn, None), None);
    }
}
