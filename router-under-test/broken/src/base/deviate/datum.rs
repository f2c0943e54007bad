//! A part of a value, and what operations make of it.

use crate::deviation::{Element, Operation, Seam};

/// A part of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Datum {
    Text(Vec<u8>),
    /// The lines of one field.
    Lines(Vec<Vec<u8>>),
    Number(u64),
    Flag(bool),
    /// The position that is chosen, and the number of positions.
    Choice(Option<usize>, usize),
    List(Vec<usize>),
}

impl Datum {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.as_bytes().to_vec())
    }

    /// The text, if it is one and UTF-8.
    pub(super) fn into_text(self) -> Option<String> {
        match self {
            Self::Text(bytes) => String::from_utf8(bytes).ok(),
            _ => None,
        }
    }
}

/// What an operation makes of a part; `before` is that of the request before.
pub(super) fn operated(
    seam: Seam,
    element: Element,
    operation: Operation,
    now: Option<Datum>,
    before: Option<Datum>,
) -> Option<Datum> {
    match operation {
        Operation::Swap(_) => return before.or(now),
        Operation::Inherit(_) => return now.or(before),
        Operation::Number(number) => return Some(Datum::Number(number.into())),
        _ => {}
    }
    match now? {
        Datum::Text(text) => of_text(seam, element, operation, text).map(Datum::Text),
        Datum::Lines(lines) => of_lines(operation, lines).map(Datum::Lines),
        Datum::Number(number) => Some(Datum::Number(of_number(element, operation, number))),
        Datum::Flag(flag) => Some(Datum::Flag(match operation {
            Operation::LeaveOut => false,
            Operation::Constant => true,
            Operation::Alter => !flag,
            _ => flag,
        })),
        Datum::Choice(at, of) => Some(Datum::Choice(
            match operation {
                Operation::LeaveOut => None,
                Operation::Alter => at.map(|at| (at + 1) % of.max(1)),
                Operation::Constant => at.map(|_| 0),
                _ => at,
            },
            of,
        )),
        Datum::List(list) => Some(Datum::List(of_list(operation, list))),
    }
}

fn of_text(
    seam: Seam,
    element: Element,
    operation: Operation,
    mut text: Vec<u8>,
) -> Option<Vec<u8>> {
    match operation {
        Operation::LeaveOut => return None,
        Operation::Double => text.extend_from_within(..),
        Operation::Alter if element == Element::Escape => text = respelt(&text),
        Operation::Alter => alter(&mut text),
        Operation::Cut => text.truncate(text.len() / 2),
        Operation::Constant => text = constant(seam, element).as_bytes().to_vec(),
        _ => {}
    }
    Some(text)
}

/// An escape in the other case, or decoded where it has no letters.
fn respelt(escape: &[u8]) -> Vec<u8> {
    let other: Vec<u8> = escape
        .iter()
        .map(|byte| {
            if byte.is_ascii_lowercase() {
                byte.to_ascii_uppercase()
            } else {
                byte.to_ascii_lowercase()
            }
        })
        .collect();
    if other != escape {
        return other;
    }
    percent_encoding::percent_decode(escape).collect()
}

/// The last letter or digit becomes the next one.
fn alter(text: &mut Vec<u8>) {
    match text.iter_mut().rev().find(|byte| byte.is_ascii_alphanumeric()) {
        Some(byte) => {
            *byte = match *byte {
                b'z' => b'a',
                b'Z' => b'A',
                b'9' => b'0',
                other => other + 1,
            }
        }
        None => text.push(b'x'),
    }
}

/// What stands in the place of every text of an element.
fn constant(seam: Seam, element: Element) -> &'static str {
    match (seam, element) {
        (_, Element::Method | Element::MethodParameter) => "GET",
        (_, Element::Target | Element::PathInfo | Element::LearnPath) => "/",
        (_, Element::Escape) => "%2F",
        (_, Element::Prefix) => "/my-company",
        (Seam::LearnResponse, Element::CellName) => "cell_us0",
        (_, Element::CellName) => "Cell US0",
        _ => "x",
    }
}

fn of_lines(operation: Operation, mut lines: Vec<Vec<u8>>) -> Option<Vec<Vec<u8>>> {
    match operation {
        Operation::LeaveOut => return None,
        Operation::Double => lines.extend_from_within(..),
        Operation::Alter => lines.last_mut().map(alter).unwrap_or_default(),
        Operation::Cut if lines.len() > 1 => lines.truncate(1),
        Operation::Cut => lines.iter_mut().for_each(|line| line.truncate(line.len() / 2)),
        Operation::Constant => lines = vec![b"x".to_vec()],
        Operation::Reorder => lines.reverse(),
        _ => {}
    }
    Some(lines)
}

fn of_number(element: Element, operation: Operation, number: u64) -> u64 {
    /// Means no limit in practice, and is small enough to calculate with.
    const ENDLESS: u64 = 1 << 40;
    match operation {
        Operation::LeaveOut => ENDLESS,
        Operation::Double => number.saturating_mul(2),
        Operation::Alter => number.saturating_add(1),
        Operation::Cut => number / 2,
        Operation::Constant if element == Element::Status => 200,
        Operation::Constant if element == Element::NotFoundDelay => 2_000,
        Operation::Constant => 0,
        _ => number,
    }
}

fn of_list(operation: Operation, mut list: Vec<usize>) -> Vec<usize> {
    match operation {
        Operation::LeaveOut if !list.is_empty() => _ = list.remove(0),
        Operation::Double => list.extend(list.first().copied().into_iter().collect::<Vec<_>>()),
        Operation::Cut => list.truncate(1),
        Operation::Constant => list.sort_unstable(),
        Operation::Reorder => list.reverse(),
        _ => {}
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deviation::Before;

    fn text(element: Element, operation: Operation, text: &str) -> Option<String> {
        operated(Seam::CellRequest, element, operation, Some(Datum::text(text)), None)?.into_text()
    }

    #[test]
    fn texts_are_changed_in_every_way() {
        let of = |operation| text(Element::Target, operation, "/a/bz");
        assert_eq!(of(Operation::LeaveOut), None);
        assert_eq!(of(Operation::Double).unwrap(), "/a/bz/a/bz");
        assert_eq!(of(Operation::Alter).unwrap(), "/a/ba");
        assert_eq!(of(Operation::Cut).unwrap(), "/a");
        assert_eq!(of(Operation::Constant).unwrap(), "/");
        assert_eq!(text(Element::Escape, Operation::Alter, "%2f").unwrap(), "%2F");
        assert_eq!(text(Element::Escape, Operation::Alter, "%20").unwrap(), " ");
    }

    #[test]
    fn only_what_is_missing_is_inherited() {
        let inherit = Operation::Inherit(Before::Connection);
        let datum = |text: Option<&str>| text.map(Datum::text);
        let of = |operation, now, before| {
            operated(Seam::CellRequest, Element::Query, operation, datum(now), datum(before))
        };
        assert_eq!(of(inherit, Some("a"), Some("b")), datum(Some("a")));
        assert_eq!(of(inherit, None, Some("b")), datum(Some("b")));
        assert_eq!(of(Operation::Swap(Before::Any), Some("a"), Some("b")), datum(Some("b")));
        assert_eq!(of(Operation::Swap(Before::Any), Some("a"), None), datum(Some("a")));
    }

    #[test]
    fn choices_lists_and_numbers_are_changed() {
        let of = |element, operation, datum| {
            operated(Seam::ColdPick, element, operation, Some(datum), None).unwrap()
        };
        let list = |operation| of(Element::Order, operation, Datum::List(vec![3, 2]));
        assert_eq!(list(Operation::LeaveOut), Datum::List(vec![2]));
        assert_eq!(list(Operation::Double), Datum::List(vec![3, 2, 3]));
        assert_eq!(list(Operation::Constant), Datum::List(vec![2, 3]));
        let choice = Datum::Choice(Some(3), 4);
        assert_eq!(of(Element::Cell, Operation::Alter, choice), Datum::Choice(Some(0), 4));
        let status = of(Element::Status, Operation::Constant, Datum::Number(404));
        assert_eq!(status, Datum::Number(200));
    }
}
