//! Text that several forms of the report share.

use crate::action::quoted;
use crate::engine::record::{CaseRecord, ExchangeRecord, RouterRecord, RunRecord};
use crate::exchange::{Comparison, Divergence, side_by_side};

/// The command of the reference router, the default.
const REFERENCE: [&str; 2] = ["cells-conformance", "router"];

/// The expected and the observed exchange side by side, in `width` characters.
pub(super) fn drawn(exchange: &ExchangeRecord, width: usize) -> String {
    let divergence = exchange.divergence.as_ref();
    let comparison = Comparison {
        expected: exchange.expected.clone(),
        observed: exchange.observed.clone(),
        shown: Vec::new(),
        divergence: divergence.map(|found| Divergence {
            requirement: None,
            expected: found.expected,
            observed: found.observed,
            why: found.why.clone(),
        }),
        choices: Vec::new(),
    };
    side_by_side(&comparison, width)
}

/// Name and version of a router.
pub(super) fn identity(router: &RouterRecord) -> String {
    let name = if router.name.is_empty() { "a router without a name" } else { &router.name };
    match &router.version {
        Some(version) => format!("{name} {version}"),
        None => name.to_owned(),
    }
}

/// The command that runs one scenario again, against the router that the report names.
pub(super) fn rerun(report: &RunRecord, scenario: &CaseRecord) -> String {
    let features = report.run.selection.iter().find_map(|word| word.strip_prefix("--features "));
    let features = features.map(|place| format!("--features {} ", quoted(place)));
    command(report, &format!("{}{}", features.unwrap_or_default(), quoted(&scenario.name)))
}

/// The command that runs the whole selection again.
pub(super) fn rerun_all(report: &RunRecord) -> String {
    // A selection holds options as they were given: the name, then the value.
    let words = report.run.selection.iter().map(|word| match word.split_once(' ') {
        Some((option, value)) if option.starts_with("--") => format!("{option} {}", quoted(value)),
        _ => quoted(word),
    });
    command(report, &words.collect::<Vec<_>>().join(" "))
}

fn command(report: &RunRecord, selection: &str) -> String {
    let router = &report.router;
    let mut words = vec!["cells-conformance run".to_owned()];
    if !selection.is_empty() {
        words.push(selection.to_owned());
    }
    words.push(format!("--seed {}", report.run.seed));
    if !router.running.is_empty() {
        let running = router.running.iter();
        words.extend(running.map(|place| format!("--router {}", quoted(place))));
        words.push("--topology topology.json".to_owned());
    } else if !router.protocols.is_empty() {
        // Only a router file claims protocols; a report does not know its path.
        words.push("--router-file router.toml".to_owned());
    } else if router.command != REFERENCE {
        words.push("--".to_owned());
        words.extend(router.command.iter().map(|word| quoted(word)));
    }
    words.join(" ")
}

/// At most `most` bytes from the wire in the notation of a scenario, a line for each of theirs.
pub(super) fn on_the_wire(bytes: &[u8], most: usize) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    while let Some((first, _)) = rest.split_first() {
        if text.len() >= most {
            text.push_str(&format!("\u{2026} of {} bytes", bytes.len()));
            break;
        }
        let run = rest.iter().take_while(|byte| **byte == b'x').count();
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

/// Seconds with three decimals, from milliseconds.
pub(super) fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn bytes_are_shown_in_the_notation_of_scenarios() {
        assert_eq!(on_the_wire(b"A: \"b\"\r\n\x00\xff\n'", 99), "A: \"b\"\\r\\n\n\\x00\\xff\\n'");
        assert_eq!(
            on_the_wire(format!("a{}b", "x".repeat(70_000)).as_bytes(), 99),
            "a{70000 bytes}b"
        );
        assert_eq!(on_the_wire(b"abc", 2), "ab\u{2026} of 3 bytes");
    }

    #[test]
    fn a_rerun_names_the_router_as_given() {
        let mut report = sample::report();
        let scenario = report.scenarios[0].clone();
        assert_eq!(
            rerun(&report, &scenario),
            "cells-conformance run 'journeys::sample::a_project[buffering]' --seed 7 \
             --router-file router.toml"
        );
        report.router.protocols.clear();
        assert!(rerun(&report, &scenario).ends_with("--seed 7 -- ./start --listen '{listen}'"));
        report.router.command = vec!["cells-conformance".to_owned(), "router".to_owned()];
        report.run.selection = vec!["it's".to_owned(), "--tag doc:buffering/root".to_owned()];
        assert_eq!(
            rerun_all(&report),
            r"cells-conformance run 'it'\''s' --tag doc:buffering/root --seed 7"
        );
        report.router.command.clear();
        report.router.running =
            ["eu=http://127.0.0.1:1", "us=http://127.0.0.1:2"].map(str::to_owned).into();
        assert!(rerun_all(&report).ends_with(
            "--router eu=http://127.0.0.1:1 --router us=http://127.0.0.1:2 --topology topology.json"
        ));
    }
}
