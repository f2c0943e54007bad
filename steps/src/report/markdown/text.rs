//! Text that Markdown does not take for markup.

use std::fmt::Write as _;

use crate::report::text::without_hidden;

/// Prose on one line, also for a cell of a table. Text between two backticks is code; all other
/// markup is escaped.
pub(in crate::report) fn prose(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<_> = text.split('`').collect();
    // Pairs of backticks leave an odd number of parts; every second one is code.
    let is_paired = parts.len() % 2 == 1
        && parts.iter().skip(1).step_by(2).all(|code| !code.is_empty() && !code.contains('|'));
    if !is_paired {
        return plain(&text);
    }
    parts
        .iter()
        .enumerate()
        .map(|(index, part)| if index % 2 == 1 { format!("`{part}`") } else { plain(part) })
        .collect()
}

fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\`*_[]<>|&~#!".contains(character) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

/// A code span, between more backticks than it holds.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A code span in a cell of a table, where a bar would end the cell.
pub(super) fn code_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A block of code, between more backticks than it holds.
pub(super) fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let text: String =
        text.chars().map(|c| if c != '\n' && c.is_control() { '\u{fffd}' } else { c }).collect();
    let text = without_hidden(&text);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// A link if the target is a web address, otherwise the target as text.
pub(super) fn link(shown: &str, target: &str) -> String {
    let is_address = target.starts_with("https://") || target.starts_with("http://");
    if is_address
        && target.chars().all(|c| !c.is_whitespace() && !c.is_control() && !"<>\\|".contains(c))
    {
        format!("[{}](<{target}>)", prose(shown))
    } else {
        prose(
            if shown == target { target.to_owned() } else { format!("{shown} ({target})") }
                .as_str(),
        )
    }
}

/// A table of cells in Markdown; empty if there are no rows.
pub(in crate::report) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    if !rows.is_empty() {
        let _ = writeln!(text, "| {} |\n|{}", head.join(" | "), " --- |".repeat(head.len()));
        for row in rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text.push('\n');
    }
    text
}

/// The text on one line: control characters and line breaks become spaces.
fn one_line(text: &str) -> String {
    let text: String = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    without_hidden(text.trim())
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(prose("a|b\n<c> `d`"), "a\\|b \\<c\\> `d`");
        assert_eq!(prose("*a* `b_c` d`"), "\\*a\\* \\`b\\_c\\` d\\`");
        assert_eq!(prose("`a|b`"), "\\`a\\|b\\`");
        assert_eq!(prose("`<b>`"), "`<b>`");
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a\u{202e}b"), "`a\\u{202e}b`");
        assert_eq!(prose("a\u{200b}b"), "a\\\\u{200b}b");
        assert_eq!(block("text", "\u{2066}\n"), "```text\n\\u{2066}\n```\n");
        assert_eq!(code("``a`"), "``` ``a` ```");
        assert_eq!(code_cell("a|b"), "`a\\|b`");
        assert_eq!(block("text", "```\nx\n"), "````text\n```\nx\n````\n");
        assert_eq!(link("docs", "https://example.com"), "[docs](<https://example.com>)");
        assert_eq!(link("docs", "javascript:alert(1)"), "docs (javascript:alert(1))");
    }
}
