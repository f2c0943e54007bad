//! Labels, wrapped to the room that they have.

/// The width of a character of a label in pixels, as a fraction: 73/10. The fonts of the page are
/// monospaced and at most this wide.
pub(super) const CHARACTER: (usize, usize) = (73, 10);
/// The height of a line.
pub(super) const LINE: usize = 14;

/// Wraps a text to lines of at most `width` characters, at blanks if possible. Text that does not
/// fit `most` lines ends with an ellipsis.
pub(super) fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let word: Vec<char> = word.chars().collect();
        let mut word = word.as_slice();
        if length > 0 && length + 1 + word.len() > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        while word.len() > width && lines.len() <= most {
            let (piece, rest) = word.split_at(cut(word, width));
            lines.push(piece.iter().collect());
            word = rest;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        length += word.len();
        line.extend(word);
        if lines.len() > most {
            break;
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let kept: String = last.chars().take(width - 1).collect();
            *last = format!("{kept}\u{2026}");
        }
    }
    lines
}

/// Where a word that is too long is cut: after a separator of a URL, unless it comes too early.
fn cut(word: &[char], width: usize) -> usize {
    let after = word[..width].iter().rposition(|c| "/?&,;=".contains(*c)).map(|place| place + 1);
    after.filter(|place| *place * 2 >= width).unwrap_or(width)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_at_blanks_then_separators_then_anywhere() {
        assert_eq!(
            wrapped("302 /a X-Gitlab-Cell={cell:Cell EU0}", 20, 4),
            ["302 /a", "X-Gitlab-Cell=", "{cell:Cell EU0}"]
        );
        assert_eq!(wrapped("/groups/subgroups/a", 16, 4), ["/groups/", "subgroups/a"]);
        assert_eq!(wrapped(&"x".repeat(20), 8, 2), ["xxxxxxxx", "xxxxxxx\u{2026}"]);
        assert_eq!(wrapped("", 8, 2), Vec::<String>::new());
    }

    #[test]
    fn the_time_for_a_label_grows_no_faster_than_its_text() {
        let began = std::time::Instant::now();
        // In time that grows with the square this would take minutes.
        let lines = wrapped(&"/a".repeat(2_000_000), 40, 4);
        assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
        assert_eq!(lines.len(), 4);
    }

    proptest! {
        #[test]
        fn no_line_is_too_long_and_nothing_is_lost(text in "[a-z/? ]{0,200}", width in 8usize..60) {
            let lines = wrapped(&text, width, 1000);
            prop_assert!(lines.iter().all(|line| line.chars().count() <= width));
            prop_assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        }
    }
}
