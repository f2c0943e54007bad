//! The value of the two response headers: `{cell:Cell EU0}`, `{path_prefix:/my-company/}`.

/// Why a header value is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The value is not enclosed in `{` and `}`, or contains one of them.
    #[error("value is not enclosed in one pair of braces")]
    Braces,
    /// A member has no `:`, no name or no value.
    #[error("a member is not `name:value`")]
    Member,
    /// The requested member occurs twice.
    #[error("the member occurs twice")]
    Twice,
    /// The requested member is missing.
    #[error("the member is missing")]
    Missing,
    /// The header occurs on more than one line.
    #[error("the header occurs on several lines")]
    SeveralLines,
}

/// Finds the value of `member` in `{name:value,name:value}`; members of other names are ignored
/// (Z-40).
///
/// Blanks around names and values are not part of them. A value may hold any byte but `,` and `}`,
/// so a `:` after the first belongs to it.
pub fn find<'a>(value: &'a [u8], member: &[u8]) -> Result<&'a [u8], Malformed> {
    let inner = value
        .trim_ascii()
        .strip_prefix(b"{")
        .and_then(|rest| rest.strip_suffix(b"}"))
        .ok_or(Malformed::Braces)?;
    if inner.contains(&b'}') {
        return Err(Malformed::Braces);
    }
    let mut found = None;
    for pair in inner.split(|&byte| byte == b',') {
        let colon = pair.iter().position(|&byte| byte == b':').ok_or(Malformed::Member)?;
        let (name, value) = (pair[..colon].trim_ascii(), pair[colon + 1..].trim_ascii());
        if name.is_empty() {
            return Err(Malformed::Member);
        }
        if name == member {
            if value.is_empty() {
                return Err(Malformed::Member);
            }
            if found.replace(value).is_some() {
                return Err(Malformed::Twice);
            }
        }
    }
    found.ok_or(Malformed::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell(value: &str) -> Result<&str, Malformed> {
        find(value.as_bytes(), b"cell").map(|found| std::str::from_utf8(found).unwrap())
    }

    #[test]
    fn values_of_the_documents_are_read() {
        assert_eq!(cell("{cell:Cell EU0}"), Ok("Cell EU0"));
        assert_eq!(find(b"{path_prefix:/my-company/}", b"path_prefix"), Ok(&b"/my-company/"[..]));
    }

    #[test]
    fn spaces_and_unknown_members_are_ignored() {
        assert_eq!(cell(" { ttl : 5 ,\tcell :  Cell EU0 , note: a:b } "), Ok("Cell EU0"));
        assert_eq!(cell("{cell:a:b}"), Ok("a:b"));
        assert_eq!(cell("{empty:,cell:x}"), Ok("x"));
    }

    #[test]
    fn malformed_values_are_distinguished() {
        for value in
            ["", "{", "}", "cell:x", "{cell:x", "cell:x}", "{cell:x}}", "{cell:x},{cell:y}"]
        {
            assert_eq!(cell(value), Err(Malformed::Braces), "{value:?}");
        }
        for value in ["{}", "{cell}", "{cell:}", "{cell: }", "{:x}", "{cell:x,}", "{,cell:x}"] {
            assert_eq!(cell(value), Err(Malformed::Member), "{value:?}");
        }
        assert_eq!(cell("{cell:x,cell:x}"), Err(Malformed::Twice));
        assert_eq!(cell("{cells:x}"), Err(Malformed::Missing));
        assert_eq!(cell("{Cell:x}"), Err(Malformed::Missing));
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn any_bytes_are_accepted_or_refused(value in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = find(&value, b"cell");
        }
    }
}
