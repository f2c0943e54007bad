//! Reads lines of the notation for drawing.
//!
//! It is more lenient than the parser for judging: a line that it does not understand is shown.

/// A piece of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item<'a> {
    /// `from->>to: message`, or `from-->>to: message` for a response.
    Arrow { from: &'a str, to: &'a str, message: &'a str, response: bool },
    /// `opt why`, `alt why`.
    Open { word: &'a str, label: &'a str },
    /// `else why`.
    Else { label: &'a str },
    /// `end`.
    Close,
    /// `%% remark`, or a line that is not understood.
    Note(&'a str),
    /// The number of lines that are left out here.
    Gap(usize),
}

/// The items, each with its line, counted from 0.
pub(super) fn items(lines: &[String]) -> Vec<(usize, Item<'_>)> {
    lines
        .iter()
        .enumerate()
        .filter_map(|(number, line)| Some((number, item(line.trim())?)))
        .collect()
}

fn item(line: &str) -> Option<Item<'_>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Some(match word {
        "" | "sequenceDiagram" | "participant" => return None,
        "opt" | "alt" => Item::Open { word, label: rest.trim() },
        "else" => Item::Else { label: rest.trim() },
        "end" => Item::Close,
        "%%" => Item::Note(rest.trim()),
        _ => arrow(line).unwrap_or(Item::Note(line)),
    })
}

fn arrow(line: &str) -> Option<Item<'_>> {
    let (ends, message) = line.split_once(':')?;
    let (from, to, response) = match (ends.split_once("-->>"), ends.split_once("->>")) {
        (Some((from, to)), _) => (from, to, true),
        (None, Some((from, to))) => (from, to, false),
        (None, None) => return None,
    };
    Some(Item::Arrow { from: from.trim(), to: to.trim(), message: message.trim(), response })
}

/// Leaves out the middle if there are more than `most` items, except around the line `keep`. Frames
/// stay, so that they close.
pub(super) fn abbreviated<'a>(
    items: Vec<(usize, Item<'a>)>,
    most: usize,
    keep: Option<usize>,
) -> Vec<(usize, Item<'a>)> {
    if items.len() <= most {
        return items;
    }
    let (head, tail) = (most * 2 / 3, items.len() - most / 3);
    let mut short: Vec<(usize, Item<'a>)> = Vec::new();
    for (index, (line, item)) in items.into_iter().enumerate() {
        let near = keep.is_some_and(|keep| keep.abs_diff(line) <= 4);
        let is_frame = matches!(item, Item::Open { .. } | Item::Else { .. } | Item::Close);
        if index < head || index >= tail || near || is_frame {
            short.push((line, item));
        } else if let Some((_, Item::Gap(count))) = short.last_mut() {
            *count += 1;
        } else {
            short.push((line, Item::Gap(1)));
        }
    }
    short
}
