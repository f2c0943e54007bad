//! Text for a POSIX shell.

/// A word that the shell passes on unchanged.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The variable with the address of a router or cell: `ROUTER_EU` for `router_eu`.
pub(crate) fn variable(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    name.chars().map(letter).collect()
}

/// A text that stays in its comment.
pub(crate) fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("/a/b"), "/a/b");
        assert_eq!(quoted("a::b[learning]"), "'a::b[learning]'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
        assert_eq!(variable("router_eu"), "ROUTER_EU");
    }
}
