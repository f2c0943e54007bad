//! The value of the two response headers: `{cell:Cell EU0}`, `{path_prefix:/my-company/}`.

/// Why a header value is malformed, in words for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub(crate) &'static str);

const BRACES: Malformed = Malformed("value is not enclosed in one pair of braces");
const MEMBER: Malformed = Malformed("a member is not `name:value`");
const TWICE: Malformed = Malformed("the member occurs twice");
const MISSING: Malformed = Malformed("the member is missing");

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
        .ok_or(BRACES)?;
    if inner.contains(&b'}') {
        return Err(BRACES);
    }
    let mut found = None;
    for pair in inner.split(|&byte| byte == b',') {
        let colon = pair.iter().position(|&byte| byte == b':').ok_or(MEMBER)?;
        let (name, value) = (pair[..colon].trim_ascii(), pair[colon + 1..].trim_ascii());
        if name.is_empty() {
            return Err(MEMBER);
        }
        if name == member {
            if value.is_empty() {
                return Err(MEMBER);
            }
            if found.replace(value).is_some() {
                return Err(TWICE);
            }
        }
    }
    found.ok_or(MISSING)
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
            assert_eq!(cell(value), Err(BRACES), "{value:?}");
        }
        for value in ["{}", "{cell}", "{cell:}", "{cell: }", "{:x}", "{cell:x,}", "{,cell:x}"] {
            assert_eq!(cell(value), Err(MEMBER), "{value:?}");
        }
        assert_eq!(cell("{cell:x,cell:x}"), Err(TWICE));
        assert_eq!(cell("{cells:x}"), Err(MISSING));
        assert_eq!(cell("{Cell:x}"), Err(MISSING));
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn any_bytes_are_accepted_or_refused(value in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = find(&value, b"cell");
        }
    }
}
