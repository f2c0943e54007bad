//! Three dialects of patterns, for mutants that use a prefix as a pattern.

/// How special characters are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// A regular expression: `.` is any character; `*`, `+` and `?` repeat what precedes them.
    Expression,
    /// A shell's pattern: `*` is anything up to a slash.
    Glob,
    /// A pattern of Lua: `%` escapes or names a class, `-` repeats as well.
    Lua,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum One {
    Sign(u8),
    Any,
    AnyButSlash,
    Digit,
    Letter,
    Never,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    one: One,
    least: usize,
    most: usize,
}

/// Whether the pattern matches the text from its beginning to its end. One that cannot be read
/// matches nothing.
pub(crate) fn matches_whole(dialect: Dialect, pattern: &str, text: &str) -> bool {
    pieces(dialect, pattern.as_bytes()).is_some_and(|pieces| fits(&pieces, text.as_bytes()))
}

fn pieces(dialect: Dialect, pattern: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = pattern.iter().copied().peekable();
    while let Some(sign) = rest.next() {
        let one = match (dialect, sign) {
            (Dialect::Glob, b'*') => {
                pieces.push(Piece { one: One::AnyButSlash, least: 0, most: usize::MAX });
                continue;
            }
            (_, b'[' | b'(') => return None,
            (Dialect::Glob, _) => One::Sign(sign),
            (_, b'.') => One::Any,
            // An anchor in the middle matches nothing.
            (_, b'$' | b'^') => One::Never,
            (Dialect::Lua, b'%') => match rest.next()? {
                b'd' | b'x' => One::Digit,
                b'a' | b'l' | b'u' | b'w' => One::Letter,
                other if other.is_ascii_alphabetic() => One::Never,
                other => One::Sign(other),
            },
            _ => One::Sign(sign),
        };
        let (least, most) = match rest.peek() {
            _ if dialect == Dialect::Glob => (1, 1),
            Some(b'*') => (0, usize::MAX),
            Some(b'+') => (1, usize::MAX),
            Some(b'?') => (0, 1),
            Some(b'-') if dialect == Dialect::Lua => (0, usize::MAX),
            _ => (1, 1),
        };
        if (least, most) != (1, 1) {
            rest.next();
        }
        pieces.push(Piece { one, least, most });
    }
    Some(pieces)
}

fn fits(pieces: &[Piece], text: &[u8]) -> bool {
    let Some((piece, others)) = pieces.split_first() else { return text.is_empty() };
    let run = text.iter().take_while(|byte| is_one(piece.one, **byte)).count().min(piece.most);
    (piece.least..=run).any(|taken| fits(others, &text[taken..]))
}

fn is_one(one: One, byte: u8) -> bool {
    match one {
        One::Sign(sign) => sign == byte,
        One::Any => true,
        One::AnyButSlash => byte != b'/',
        One::Digit => byte.is_ascii_digit(),
        One::Letter => byte.is_ascii_alphabetic(),
        One::Never => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_reads_special_characters_differently() {
        use Dialect::{Expression, Glob, Lua};
        for (dialect, pattern, text, fits) in [
            (Expression, "/a.me", "/acme", true),
            (Expression, "/a.me", "/a.me", true),
            (Expression, "/ac+me", "/ac+me", false),
            (Expression, "/a(me", "/a(me", false),
            (Expression, "/my-company", "/my-company", true),
            (Glob, "/a*me", "/acme", true),
            (Glob, "/a*me", "/a/me", false),
            (Glob, "/a.me", "/acme", false),
            (Lua, "/my-company", "/my-company", false),
            (Lua, "/a.me", "/acme", true),
            (Lua, "/100%25", "/10025", true),
            (Lua, "/acme", "/acme", true),
        ] {
            assert_eq!(matches_whole(dialect, pattern, text), fits, "{dialect:?} {pattern} {text}");
        }
    }
}
