//! Path segments: which a namespace can have, and which belong to the application.

/// Whether a text is one path segment that needs no encoding and is more than dots and dashes.
pub(crate) fn is_plain_segment(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=255).contains(&text.len())
        && text.bytes().all(plain)
        && !text.bytes().all(|byte| matches!(byte, b'.' | b'-'))
}

/// Whether the first segment of a path is reserved for the application, so that no namespace can
/// have it. A reserved path that a cell cannot decode may exist in a later version (UN-02).
pub(crate) fn is_reserved(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default();
    matches!(
        first,
        "-" | "admin" | "api" | "dashboard" | "groups" | "organizations" | "search" | "users"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_first_segments_are_reserved() {
        assert!(is_reserved("/-/new") && is_reserved("/api") && is_reserved("/admin/x"));
        assert!(
            !is_reserved("/administrators")
                && !is_reserved("/my-company/-/issues")
                && !is_reserved("*")
        );
    }
}
