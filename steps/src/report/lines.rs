//! Lines of text for a screen: escaped, indented and folded to its width.

use anstyle::Style;
use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::outcomes::Look;
use super::screen::Screen;
use crate::engine::Conclusion;
use crate::stage::readable_text;

/// A blank at which no line is folded; a plain blank is written.
pub(super) const NO_BREAK: &str = "\u{a0}";

/// Text that is made for a screen, line by line. No control character of a content gets into it.
pub(super) struct Lines<'a> {
    pub(super) screen: &'a Screen,
    text: String,
}

impl<'a> Lines<'a> {
    pub(super) fn new(screen: &'a Screen) -> Self {
        Self { screen, text: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Adds a text that was made for the same screen.
    pub(super) fn add(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// Sentences behind a label: folded between words, and indented under the label.
    pub(super) fn prose(&mut self, indent: usize, label: &str, text: &str) {
        self.styled(indent, label, Style::new(), text);
    }

    /// Sentences behind a label in a style, folded and indented like [`prose`](Self::prose).
    pub(super) fn styled(&mut self, indent: usize, label: &str, style: Style, text: &str) {
        let label = readable_text(label).replace('\n', " ");
        let first = format!("{:indent$}{label}", "");
        let rest = " ".repeat(indent + 2);
        let text = readable_text(text);
        for (number, line) in text.trim_end().lines().enumerate() {
            let begin = if number == 0 { &first } else { &rest };
            let folded = folded(line, self.screen.prose(), begin, &rest);
            for (piece, row) in folded.iter().enumerate() {
                let row = match (number, piece, row.strip_prefix(first.as_str())) {
                    (0, 0, Some(behind)) if style != Style::new() => {
                        format!("{:indent$}{style}{label}{style:#}{behind}", "")
                    }
                    _ => row.clone(),
                };
                self.text.push_str(&row.trim_end().replace(NO_BREAK, " "));
                self.text.push('\n');
            }
        }
        if text.trim_end().is_empty() {
            self.text.push_str(&format!("{:indent$}{style}{}{style:#}\n", "", label.trim_end()));
        }
    }

    /// A line that is copied, and must not be folded: a terminal does that by itself.
    pub(super) fn whole(&mut self, indent: usize, text: &str) {
        for line in readable_text(text).trim_end().lines() {
            self.text.push_str(&format!("{:indent$}{line}\n", ""));
        }
    }

    pub fn cut(&mut self, indent: usize, style: Style, text: &str) {
        let text = readable_text(text);
        let line = text.lines().next().unwrap_or_default();
        let width = self.screen.width.map_or(usize::MAX, |width| width.saturating_sub(indent));
        let line = cut(line, width);
        self.text.push_str(&format!("{:indent$}{style}{line}{style:#}\n", ""));
    }

    /// An outcome before the name of a scenario, whole: names are copied.
    pub(super) fn name(&mut self, outcome: &str, style: Style, name: &str) {
        let (outcome, name) = (outcome.to_uppercase(), readable_text(name));
        self.styled(0, &outcome, style, &format!(" {name}"));
    }

    pub(super) fn conclusion(&mut self, conclusion: Conclusion) {
        let words = conclusion.to_string();
        let style = (Look::conclusion(conclusion).style)(&self.screen.styles);
        self.styled(0, &format!("conclusion: {words}"), style, "");
    }

    /// A command of a shell, behind a label: folded between words with `\` at the ends of lines, so
    /// that it can still be copied.
    pub(super) fn command(&mut self, indent: usize, label: &str, words: &[String]) {
        let width = self.screen.width.unwrap_or(usize::MAX);
        let mut line = format!("{:indent$}{label}", "");
        let mut is_begun = false;
        for word in words {
            // Room for a blank and the backslash.
            let is_full = line.chars().count() + 1 + word.chars().count() + 2 > width;
            if is_begun && is_full {
                self.text.push_str(&line);
                self.text.push_str(" \\\n");
                line = " ".repeat(indent + 4);
            } else if is_begun {
                line.push(' ');
            }
            line.push_str(&readable_text(word));
            is_begun = true;
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// A sentence, folded to the screen, without a line break at its end.
pub fn sentence(text: &str, screen: &Screen) -> String {
    let mut lines = Lines::new(screen);
    lines.prose(0, "", text);
    lines.finish().trim_end().to_owned()
}

/// Words of at least this many characters are folded between their parts: names of scenarios, and
/// targets.
const LONG: usize = 40;

/// The parts of a name, between which it may be broken.
pub(super) fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split_inclusive("::").flat_map(|part| part.split_inclusive('_'))
}

/// The words of a line; long ones in the parts of which a name or a target is made, so that none
/// breaks within.
fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    Box::new(WordSeparator::AsciiSpace.find_words(line).flat_map(|word| {
        if word.word.chars().count() < LONG {
            return vec![word];
        }
        let of_target = |part| str::split_inclusive(part, ['/', '?', '&', ',', ';', '=']);
        let mut pieces: Vec<_> = parts(word.word).flat_map(of_target).map(Word::from).collect();
        if let Some(last) = pieces.last_mut() {
            last.whitespace = word.whitespace;
        }
        pieces
    }))
}

/// A text in lines of at most `width` characters; `first` and `rest` begin the lines.
pub(super) fn folded(text: &str, width: usize, first: &str, rest: &str) -> Vec<String> {
    if width == usize::MAX {
        return vec![format!("{first}{text}")];
    }
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(rest)
        .break_words(true)
        .word_separator(WordSeparator::Custom(words))
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// Blanks between two columns.
pub(super) const GAP: usize = 2;

/// The width of a column of cells, in characters.
pub(super) fn widest(rows: &[Vec<String>], column: usize) -> usize {
    rows.iter()
        .filter_map(|row| row.get(column))
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(0)
}

/// Rows of cells as lines with aligned columns; columns of numbers are aligned right.
pub(super) fn columns(rows: &[Vec<String>], is_number: impl Fn(usize) -> bool) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<_> = (0..count).map(|column| widest(rows, column)).collect();
    // The formatter takes no width above 65,535.
    let aligned = |(column, (cell, width)): (usize, (&String, &usize))| {
        let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
        if is_number(column) { gap + cell } else { cell.to_owned() + &gap }
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<_> = row.iter().zip(&widths).enumerate().map(aligned).collect();
        cells.join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A text of at most `width` characters. Where it is longer, its beginning and its end stay: the
/// name of a scenario has its area first, its title last.
pub fn cut(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(1);
    let (head, tail) = (kept / 3, kept - kept / 3);
    let begin: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(count - tail).collect();
    format!("{begin}\u{2026}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrow() -> Screen {
        Screen { width: Some(40), ..Screen::default() }
    }

    fn written(screen: Screen, write: impl Fn(&mut Lines<'_>)) -> String {
        let mut lines = Lines::new(&screen);
        write(&mut lines);
        lines.finish()
    }

    #[test]
    fn a_long_name_breaks_between_its_parts() {
        let name = "hardening::malformed_responses::a_malformed_status_line_is_refused";
        let text = written(narrow(), |lines| lines.prose(0, "", name));
        let rows: Vec<_> = text.lines().map(str::trim).collect();
        assert!(rows.len() > 1 && rows.concat() == name, "{text}");
        let last = rows.len() - 1;
        assert!(rows[..last].iter().all(|row| row.ends_with(['_', ':'])), "{text}");
    }

    #[test]
    fn no_control_character_gets_through() {
        let raw = "\u{1b}[2Ja\u{9b}31m\rb";
        let text = written(narrow(), |lines| {
            lines.prose(0, "", raw);
            lines.whole(0, raw);
            lines.cut(0, Style::new(), raw);
            lines.command(0, "", &[raw.to_owned()]);
        });
        assert_eq!(text, "\\x1b[2Ja\\u{9b}31m\\x0db\n".repeat(4));
    }

    #[test]
    fn a_name_keeps_its_beginning_and_its_end() {
        assert_eq!(cut("journeys::sample::a_title[learning]", 20), "journe\u{2026}tle[learning]");
        assert_eq!(cut("short", 5), "short");
    }
}
