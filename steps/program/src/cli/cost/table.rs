//! The figures of a cost as text, at most 60 columns wide.

use std::fmt::Write as _;

use conformance_suite::engine::counted;
use conformance_suite::engine::record::{Compared, CostMeasurement, CostRecord};

/// Widest line.
const WIDTH: usize = 60;

/// The figures in words.
pub(super) fn render(record: &CostRecord) -> String {
    let CostRecord { router, machine, rounds, took_ms, .. } = record;
    let load = |averages: &[f64]| {
        averages.first().map_or_else(|| "unknown".to_owned(), |load| format!("{load:.1}"))
    };
    let processor = Some(&machine.processor).filter(|name| !name.is_empty());
    let head = format!(
        "What {router} adds to the direct way, in {rounds} rounds of {:.0} s together. The machine: \
         {}{}, {} processors, load {} before and {} after.",
        std::time::Duration::from_millis(*took_ms).as_secs_f64(),
        machine.platform,
        processor.map_or_else(String::new, |name| format!(", {name}")),
        machine.processors,
        load(&machine.load_before),
        load(&machine.load_after),
    );
    let mut text = format!("{}\n", textwrap::fill(&head, WIDTH));
    let busy = record.meaningless();
    if !busy.is_empty() {
        let why = format!(
            "NO RESULTS: the machine was too busy. A ratio's range is wider than the ratio itself: \
             {}. Measure again on an idle machine, or longer (`--seconds`).",
            busy.join("; ")
        );
        let _ = writeln!(text, "\n{}", textwrap::fill(&why, WIDTH));
    }
    for one in &record.measurements {
        measurement(&mut text, one);
    }
    let foot = "A ratio is router by direct, the median of the rounds (lowest to highest). Times \
                compare within this run alone: on another machine, or on this one at another time, \
                they differ. No figure is a verdict.";
    let _ = writeln!(text, "\n{}", textwrap::fill(foot, WIDTH));
    text
}

fn measurement(text: &mut String, one: &CostMeasurement) {
    let CostMeasurement { protocol, cache, connections, requests, failures, .. } = one;
    let connections = counted(*connections, "connection");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{protocol}, {cache}, {connections}: {requests} requests");
    if *failures > 0 {
        let _ = writeln!(text, "  {failures} more did not get their page");
    }
    let _ = writeln!(text, "  {:<10} {:>9} {:>9}  ratio", "", "direct", "router");
    row(text, "p50", &one.p50_us, time);
    row(text, "p99", &one.p99_us, time);
    row(text, "requests/s", &one.per_second, |rate| format!("{rate:.0}"));
}

fn row(text: &mut String, name: &str, compared: &Compared, shown: impl Fn(f64) -> String) {
    let Compared { direct, router, ratio } = compared;
    let _ = writeln!(
        text,
        "  {name:<10} {:>9} {:>9}  {} ({} to {})",
        shown(*direct),
        shown(*router),
        factor(ratio.median),
        factor(ratio.lowest),
        factor(ratio.highest)
    );
}

fn time(micros: f64) -> String {
    if micros < 1e6 { format!("{:.2} ms", micros / 1e3) } else { format!("{:.2} s", micros / 1e6) }
}

/// Hundredths say nothing of a factor above a hundred, and take the width of the line.
fn factor(ratio: f64) -> String {
    if ratio < 100.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::engine::record::{MachineRecord, Spread};

    #[test]
    fn the_table_fits_a_narrow_terminal() {
        let ratio = Spread { lowest: 10.01, median: 11.5, highest: 123.25 };
        let compared = Compared { direct: 1_234.5, router: 123_456.7, ratio };
        let ratio = Spread { lowest: 0.07, median: 1293.74, highest: 98_765.4 };
        let slow = Compared { direct: 999_994.9, router: 123_456_789.0, ratio };
        let measurement = CostMeasurement {
            protocol: "buffering".to_owned(),
            cache: "cold".to_owned(),
            connections: 32,
            requests: 12_345,
            failures: 3,
            p50_us: compared,
            p99_us: slow,
            per_second: compared,
        };
        let record = CostRecord {
            version: 1,
            suite: "0.1.0".to_owned(),
            router: "a router with a name of some length".to_owned(),
            began: "2026-01-01T00:00:00Z".to_owned(),
            took_ms: 21_400,
            machine: MachineRecord {
                platform: "linux-x86_64".to_owned(),
                processor: "A Processor with a long name @ 2.40GHz".to_owned(),
                processors: 2,
                load_before: vec![0.5],
                load_after: Vec::new(),
            },
            rounds: 5,
            measurements: vec![measurement],
        };
        let text = render(&record);
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
        for part in [
            "11.50 (10.01 to 123)",
            "1294 (0.07 to 98765)",
            "123.46 ms",
            "123.46 s",
            "3 more did not",
            "No figure is",
            "NO RESULTS: the machine was too busy",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
