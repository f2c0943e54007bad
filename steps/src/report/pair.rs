//! An expected and the observed exchange as text: side by side where there is room, otherwise one
//! below the other.

use anstyle::Style;

use super::lines::folded;
use super::screen::{Screen, Styles};
use super::text::observed_line;
use crate::engine::record::ExchangeRecord;
use crate::stage::readable_text;

/// From this width on, both stand side by side; below, only where no line has to be folded.
const WIDE: usize = 120;
/// The marks of lines, and the bar between the columns.
const BETWEEN: usize = 7;
/// The heading of an expected exchange, and the narrowest column.
const EXPECTED: &str = "expected";

/// A line of one side: whether it begins where both part, whether it is about the difference, and
/// its text.
struct Row {
    sign: char,
    differs: bool,
    text: String,
}

/// Both exchanges; `>` marks where they part, also without colors.
pub(super) fn drawn(exchange: &ExchangeRecord, screen: &Screen) -> String {
    let width = screen.pair();
    let column = width.saturating_sub(BETWEEN) / 2;
    let fits = |lines: &[String]| lines.iter().all(|line| line.chars().count() <= column);
    let (left, right) = (&exchange.expected, &exchange.observed);
    if width >= WIDE || (fits(left) && fits(right)) {
        side_by_side(exchange, column, &screen.styles)
    } else {
        one_below_the_other(exchange, width, &screen.styles)
    }
}

/// In two columns of at most `column` characters.
fn side_by_side(exchange: &ExchangeRecord, column: usize, styles: &Styles) -> String {
    let (left, right) = (expected(exchange, column), observed(exchange, column));
    let longest = left.iter().map(|row| row.text.chars().count()).max().unwrap_or(0);
    let column = longest.max(EXPECTED.len());
    let mut text = format!("  {EXPECTED:<column$} |   observed\n");
    let blank = Row { sign: ' ', differs: false, text: String::new() };
    for number in 0..left.len().max(right.len()) {
        let left = left.get(number).unwrap_or(&blank);
        let right = right.get(number).unwrap_or(&blank);
        let gap = " ".repeat(column.saturating_sub(left.text.chars().count()));
        let (before, after) = (shown(left, styles.passed), shown(right, styles.failed));
        text.push_str(format!("{before}{gap} | {after}").trim_end());
        text.push('\n');
    }
    text
}

fn one_below_the_other(exchange: &ExchangeRecord, width: usize, styles: &Styles) -> String {
    let column = width.saturating_sub(2);
    let mut text = String::new();
    for (title, rows, style) in [
        ("expected:", expected(exchange, column), styles.passed),
        ("observed:", observed(exchange, column), styles.failed),
    ] {
        text.push_str(title);
        text.push('\n');
        for row in rows {
            text.push_str(shown(&row, style).trim_end());
            text.push('\n');
        }
    }
    text
}

fn shown(row: &Row, style: Style) -> String {
    let Row { sign, differs, text } = row;
    if *differs { format!("{style}{sign} {text}{style:#}") } else { format!("{sign} {text}") }
}

fn expected(exchange: &ExchangeRecord, column: usize) -> Vec<Row> {
    let at = exchange.divergence.as_ref().map(|found| found.expected);
    rows(&exchange.expected, at, column)
}

fn observed(exchange: &ExchangeRecord, column: usize) -> Vec<Row> {
    let at = exchange.divergence.as_ref().map(|found| found.observed);
    let lines: Vec<_> = exchange.observed.iter().map(|line| observed_line(line)).collect();
    rows(&lines, at, column)
}

/// Lines folded to a width. A difference past the end has its own line.
fn rows(lines: &[String], differs: Option<Option<usize>>, column: usize) -> Vec<Row> {
    let end = (differs == Some(None)).then(|| "(nothing)".to_owned());
    let place = differs.map(|at| at.unwrap_or(lines.len()));
    let mut rows = Vec::new();
    for (number, line) in lines.iter().chain(&end).enumerate() {
        let differs = place == Some(number);
        // An exchange is indented within its blocks; what is folded stands below its beginning.
        let indent = line.chars().take_while(|c| *c == ' ').count();
        let (first, rest) = (" ".repeat(indent), " ".repeat(indent + 4));
        let line = readable_text(line.trim_start()).replace('\n', "\\n");
        for (piece, text) in folded(&line, column.max(20), &first, &rest).into_iter().enumerate() {
            rows.push(Row { sign: if differs && piece == 0 { '>' } else { ' ' }, differs, text });
        }
    }
    rows
}
