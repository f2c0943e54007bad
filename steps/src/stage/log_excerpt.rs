//! What is kept of a router's log: text without control characters, cut around its last error.

use std::sync::LazyLock;

use regex::Regex;

/// Words in a line of a log that tell of an error, in the logs of many languages and programs.
static ERROR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = concat!(
        r"(?i)error\b|exception\b|panic|\bfatal\b|\btraceback\b|\bemerg\b|\bcrit(ical)?\b|",
        r"\babort(ed)?\b|\bunhandled\b|segmentation fault"
    );
    Regex::new(words).ok()
});

/// The percentage of the kept characters around an error that may stand before it.
const BEFORE: usize = 50;

fn tells_of_error(line: &str) -> bool {
    ERROR.as_ref().is_some_and(|words| words.is_match(line))
}

/// Bytes of a log as text that a terminal, XML and HTML can show: colors are left out, other
/// control characters and bytes that are not UTF-8 become escapes like `\x1b`.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        push_readable(&mut text, chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

/// A text that a terminal, XML and HTML can show: colors are left out, other control characters
/// become escapes like `\x1b`.
pub fn readable_text(text: &str) -> String {
    let mut readable = String::with_capacity(text.len());
    push_readable(&mut readable, text);
    readable
}

fn push_readable(text: &mut String, raw: &str) {
    let mut rest = raw;
    while let Some(character) = rest.chars().next() {
        if let Some(after) = after_color(rest) {
            rest = after;
            continue;
        }
        rest = &rest[character.len_utf8()..];
        match character {
            '\n' => text.push('\n'),
            '\t' => text.push_str("    "),
            // The end of a line that was written for another system.
            '\r' if rest.starts_with('\n') => {}
            // C0 and DEL.
            '\0'..='\x1f' | '\x7f' => text.push_str(&format!("\\x{:02x}", u32::from(character))),
            other if is_hidden(other) => {
                text.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
            }
            other => text.push(other),
        }
    }
}

/// Whether a reader does not see a character, or it reorders or ends what they see: C1, marks of
/// direction, separators of lines, and what Unicode calls default ignorable.
pub(crate) fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The rest behind an escape sequence that sets a color or a weight; `None` if it is none.
fn after_color(text: &str) -> Option<&str> {
    let sequence = text.strip_prefix("\x1b[")?;
    sequence
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == ';' || c == ':')
        .strip_prefix('m')
}

/// At most about `most` characters of a log: its end, or the lines around its last error if that
/// stands further up.
pub(crate) fn around_last_error(log: &str, most: usize) -> String {
    let log = log.trim_end();
    if log.len() <= most {
        return log.to_owned();
    }
    let mut at = 0;
    let mut last = None;
    for line in log.split_inclusive('\n') {
        if tells_of_error(line) {
            last = Some(at);
        }
        at += line.len();
    }
    let end = log.len() - most;
    let start = match last {
        Some(error) => end.min(error.saturating_sub(most * BEFORE / 100)),
        None => end,
    };
    let (start, stop) = (boundary(log, start), boundary(log, (start + most).min(log.len())));
    // A line that is cut in two would be read as another.
    let start = match log[start..stop].find('\n') {
        Some(cut) if start > 0 && start + cut < last.unwrap_or(stop) => start + cut + 1,
        _ => start,
    };
    let stop = match log[start..stop].rfind('\n') {
        Some(cut) if stop < log.len() && start + cut > last.unwrap_or(start) => start + cut,
        _ => stop,
    };
    let mut text = left_out("before", &log[..start]);
    text.push_str(log[start..stop].trim_end());
    if stop < log.len() {
        text.push('\n');
        text.push_str(left_out("after", &log[stop..]).trim_end());
    }
    text
}

fn left_out(side: &str, part: &str) -> String {
    if part.is_empty() {
        return String::new();
    }
    format!("\u{2026} ({} bytes {side} this are left out)\n", part.len())
}

/// The next boundary of a character, at or after `at`.
fn boundary(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// At most `most` lines of a log: those around its last error if it has one, otherwise its last
/// lines. The flag says whether they were chosen for an error.
pub(crate) fn lines_around_last_error(log: &str, most: usize) -> (Vec<&str>, bool) {
    let lines: Vec<_> = log.trim_end().lines().collect();
    let error = lines.iter().rposition(|line| tells_of_error(line));
    let end = lines.len().saturating_sub(most);
    let start = error.map_or(end, |error| end.min(error.saturating_sub(most / 2)));
    let shown = lines[start..].iter().take(most).copied().collect();
    (shown, error.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_damaged_bytes_become_escapes_and_colors_go() {
        let raw = b"\x1b[31mred\x1b[0m\x1b[2J\r\na\rb\0\xff \xc3\xbc\tc\xe2\x80\xae\x07";
        assert_eq!(readable(raw), "red\\x1b[2J\na\\x0db\\x00\\xff \u{fc}    c\\u{202e}\\x07");
    }

    #[test]
    fn a_log_is_cut_around_its_last_error() {
        let quiet = "GET /a 200\n".repeat(100);
        let log = format!("{quiet}ERROR: no route\n  at route.js:3\n{quiet}");
        let text = around_last_error(&log, 200);
        assert!(text.contains("ERROR: no route\n  at route.js:3\nGET /a"), "{text}");
        assert!(text.starts_with("\u{2026} (1001 bytes before this are left out)\nGET /a 200\n"));
        assert!(text.ends_with("GET /a 200\n\u{2026} (1034 bytes after this are left out)"));
        assert!(text.contains("GET /a 200\nERROR"), "{text}");

        let text = around_last_error(&quiet, 30);
        assert!(text.ends_with("GET /a 200\nGET /a 200"), "{text}");
        assert_eq!(around_last_error("short\n", 200), "short");
        // No boundary of a character is missed, and one long line is shown in part.
        assert!(around_last_error(&"\u{fc}".repeat(99), 21).ends_with("\u{fc}"));
    }

    #[test]
    fn the_lines_around_an_error_are_shown() {
        let log = "a\nb\nc\nValueError: x\nd\ne\nf\ng\n";
        assert_eq!(lines_around_last_error(log, 4), (vec!["b", "c", "ValueError: x", "d"], true));
        assert_eq!(lines_around_last_error("a\nb\nc", 2), (vec!["b", "c"], false));
        assert_eq!(lines_around_last_error("a\nerror", 5), (vec!["a", "error"], true));
        assert!(!tells_of_error("GET /errors 200") && tells_of_error("thread 'main' panicked at"));
    }
}
