//! Text that several forms of the report share.

use cell_fleet::CellId;

use crate::engine::record::{CaseRecord, RouterRecord, RunRecord};
use crate::ledger::Level;
use crate::literal::extended_chunk;
use crate::stage::is_hidden;
use crate::trace::Trace;
use crate::verdict::OutcomeWord;

/// A line of an observed exchange, as people read it: a response that nobody asked for has no
/// request before it.
pub(super) fn observed_line(line: &str) -> String {
    match line.strip_suffix(": UNSOLICITED -") {
        Some(arrow) => format!("{arrow}: (no request: what follows answers none)"),
        None => line.to_owned(),
    }
}

/// The text with an escape for each character that a reader does not see.
pub(super) fn without_hidden(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_hidden(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    shown
}

/// Name and version of a router.
pub(super) fn identity(router: &RouterRecord) -> String {
    let name = if router.name.is_empty() { "a router without a name" } else { &router.name };
    match &router.version {
        Some(version) => format!("{name} {version}"),
        None => name.to_owned(),
    }
}

/// The participants of a scenario as its router knew them, where cells played others: each cell of
/// the topology, and the cell of the documents that it played. Empty where every cell played
/// itself.
pub(super) fn played_by(trace: &Trace) -> Vec<String> {
    let line = |(node, role): (&CellId, &CellId)| format!("{role} by {node}");
    trace.roles.iter().map(line).collect()
}

/// The words for a requirement that was not met, by its level.
pub(super) fn unmet(level: Level) -> &'static str {
    match level {
        Level::Should => "is not followed",
        Level::May => "differs",
        Level::Must => "is violated",
    }
}

/// At most `most` bytes from the wire in the notation of a scenario, one line of text for each line
/// that they have.
pub(super) fn on_the_wire(bytes: &[u8], most: usize) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    let chunk = extended_chunk();
    while let Some((first, _)) = rest.split_first() {
        if text.len() >= most {
            text.push_str(&format!("\u{2026} of {} bytes", bytes.len()));
            break;
        }
        let run = rest.iter().take_while(|byte| **byte == b'x').count();
        let chunks = rest.chunks(chunk.len()).take_while(|part| **part == chunk[..]).count();
        if chunks > 1 {
            text.push_str(&format!("{{{chunks} chunks}}"));
            rest = &rest[chunks * chunk.len()..];
            continue;
        }
        match first {
            // A scenario writes a long run like this.
            b'x' if run > 40 => {
                text.push_str(&format!("{{{run} bytes}}"));
                rest = &rest[run..];
                continue;
            }
            b'\n' if text.ends_with("\\r") => text.push_str("\\n\n"),
            b'\'' | b'"' => text.push(char::from(*first)),
            other => text.extend(other.escape_ascii().map(char::from)),
        }
        rest = &rest[1..];
    }
    text
}

pub(super) fn with_outcome(
    report: &RunRecord,
    word: OutcomeWord,
) -> impl Iterator<Item = &CaseRecord> {
    report.scenarios.iter().filter(move |scenario| scenario.outcome.word == word)
}

/// All of these in words, with this between them.
pub(super) fn joined(all: &[impl ToString], between: &str) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// Seconds with three decimals, from milliseconds.
pub(super) fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_chunks_with_extensions_are_shown_by_their_number() {
        let flood = [&extended_chunk().repeat(3)[..], b"0\r\n"].concat();
        assert_eq!(on_the_wire(&flood, 99), "{3 chunks}0\\r\\n\n");
    }

    #[test]
    fn bytes_are_shown_in_the_notation_of_scenarios() {
        assert_eq!(on_the_wire(b"A: \"b\"\r\n\x00\xff\n'", 99), "A: \"b\"\\r\\n\n\\x00\\xff\\n'");
        assert_eq!(
            on_the_wire(format!("a{}b", "x".repeat(70_000)).as_bytes(), 99),
            "a{70000 bytes}b"
        );
        assert_eq!(on_the_wire(b"abc", 2), "ab\u{2026} of 3 bytes");
    }
}
