//! Rust sources, as far as these tests read them: the code, and the strings in it.

/// The source with every comment replaced by a blank. Line breaks stay, so that line numbers are
/// right.
pub(crate) fn without_comments(source: &str) -> String {
    let (mut code, mut rest) = (String::new(), source);
    while let Some(first) = rest.chars().next() {
        let (length, is_comment) = token(rest).unwrap_or((first.len_utf8(), false));
        let (token, after) = rest.split_at(length);
        if is_comment {
            code.push(' ');
            code.extend(token.chars().filter(|&character| character == '\n'));
        } else {
            code.push_str(token);
        }
        rest = after;
    }
    code
}

/// The contents of the strings in a source, as spelled.
pub(crate) fn strings(source: &str) -> Vec<String> {
    let (code, mut found) = (without_comments(source), Vec::new());
    let mut rest = code.as_str();
    while let Some(first) = rest.chars().next() {
        let length = token(rest).map_or(first.len_utf8(), |(length, _)| length);
        let text = &rest[..length];
        if length > 1 && text.ends_with(['"', '#']) {
            let inner = text.trim_start_matches(['r', '#']).trim_end_matches('#');
            found.push(inner.trim_matches('"').to_owned());
        }
        rest = &rest[length..];
    }
    found
}

/// The source without its unit tests, which are the end of a file in this project.
pub(crate) fn without_tests(code: &str) -> &str {
    let at = code.match_indices("#[cfg(test)]").find(|(at, attribute)| {
        let after = code[at + attribute.len()..].trim_start();
        after.starts_with("mod ")
            && after
                .split(['{', ';'])
                .next()
                .is_some_and(|head| after[head.len()..].starts_with('{'))
    });
    at.map_or(code, |(at, _)| &code[..at])
}

/// The length of the comment, string or character that starts here, and whether it is a comment.
/// Nested comments are not supported.
fn token(text: &str) -> Option<(usize, bool)> {
    let end = |found: Option<usize>| found.unwrap_or(text.len());
    if text.starts_with("//") {
        return Some((end(text.find('\n')), true));
    }
    if text.starts_with("/*") {
        return Some((end(text.find("*/").map(|at| at + 2)), true));
    }
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if let Some(inner) = raw[hashes..].strip_prefix('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            return Some((end(inner.find(&close).map(|at| 2 + hashes + at + close.len())), false));
        }
    }
    let quote = text.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    let mut inside = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = inside.next() {
        match character {
            '\\' => drop(inside.next()),
            _ if character == quote => return Some((at + 1, false)),
            // A lifetime: neither escaped nor closed after one character.
            _ if quote == '\''
                && text.as_bytes().get(1) != Some(&b'\\')
                && inside.peek().is_none_or(|(_, next)| *next != '\'') =>
            {
                return None;
            }
            _ => {}
        }
    }
    Some((text.len(), false))
}

#[test]
fn comments_are_removed_and_strings_are_kept() {
    let source = concat!(
        "let a = \"// no\"; // \"yes\nlet b: &'a str = r#\"/* no \" */\"#; /* yes\n",
        " */ let c = '\"'; let d = '\\''; /// yes\nx(\"\\\"e\")",
    );
    let code = without_comments(source);
    assert_eq!(
        code,
        concat!(
            "let a = \"// no\";  \nlet b: &'a str = r#\"/* no \" */\"#;  \n",
            " let c = '\"'; let d = '\\'';  \nx(\"\\\"e\")",
        )
    );
    assert_eq!(strings(source), ["// no", "/* no \" */", "\\\"e"]);
    assert_eq!(strings(r#"f(b"cell", "")"#), ["cell", ""]);
}

#[test]
fn unit_tests_at_the_end_are_removed() {
    assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests {\nb\n}\n"), "a\n");
    for all in ["a\n#[cfg(test)]\nmod tests;\nb", "#[cfg(test)]\nuse x;\nb"] {
        assert_eq!(without_tests(all), all);
    }
}
