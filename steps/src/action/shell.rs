//! Text for a POSIX shell.

/// A word that the shell passes on unchanged.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The words of a line for a shell, as they stand there: quotes stay, and so does what they hold.
pub(crate) fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    let mut is_escaped = false;
    for character in line.chars() {
        let is_blank = character == ' ' && quote.is_none() && !is_escaped;
        match quote {
            _ if is_escaped => is_escaped = false,
            None | Some('"') if character == '\\' => is_escaped = true,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            Some(open) if open == character => quote = None,
            _ => {}
        }
        match words.last_mut() {
            Some(word) if !is_blank => word.push(character),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
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

    #[test]
    fn a_line_is_split_where_a_shell_splits_it() {
        let line = r#"curl -H 'A: it'\''s b' "$R x\" y"/a\ b | head"#;
        let words = shell_words(line);
        assert_eq!(words, ["curl", "-H", r"'A: it'\''s b'", r#""$R x\" y"/a\ b"#, "|", "head"]);
        assert_eq!(words.join(" "), line);
    }
}
