//! Sentences about an exploration that several forms of the report share.

use crate::counted::counted;
use crate::engine::record::{
    CaseRecord, ExhaustiveRecord, ExplorationRecord, FoundRecord, PairsRecord, RunRecord,
};

/// So many of a thing.
pub(in crate::report) fn count(number: u64, noun: &str) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

/// What was explored, in one sentence: `no violation in 1000 journeys (...)`. It claims no
/// conformance.
pub(in crate::report) fn headline(exploration: &ExplorationRecord) -> String {
    let journeys = journeys(exploration);
    let found = exploration.found.len();
    if found > 0 {
        format!("{} violated in {journeys}", counted(found, "requirement"))
    } else {
        format!(
            "no violation in {journeys}; that proves no conformance: `cells-conformance run` does"
        )
    }
}

/// How many journeys of which protocol were run.
fn journeys(exploration: &ExplorationRecord) -> String {
    let all = exploration.all();
    let by_protocol = exploration.journeys.iter();
    let by_protocol = by_protocol.map(|(protocol, count)| format!("{count} {protocol}"));
    let by_protocol = by_protocol.collect::<Vec<_>>().join(", ");
    let of_protocols = if all == 0 { String::new() } else { format!(" ({by_protocol})") };
    match &exploration.exhaustive {
        Some(ExhaustiveRecord { depth, journeys }) if all == *journeys => {
            format!("all {} up to length {depth}{of_protocols}", count(all, "journey"))
        }
        Some(ExhaustiveRecord { depth, journeys }) => {
            format!("{all} of all {journeys} journeys up to length {depth}{of_protocols}")
        }
        None => format!("{}{of_protocols}", count(all, "journey")),
    }
}

/// How many journeys ran in which time, and what came of them.
pub(in crate::report) fn took(report: &RunRecord, exploration: &ExplorationRecord) -> String {
    let seconds = report.run.took_ms as f64 / 1000.0;
    let warned = match exploration.warned {
        0 => String::new(),
        some => format!(", {some} with warnings"),
    };
    format!(
        "{} in {seconds:.1} s ({:.0} a second): {} violated{warned}; seed {}",
        count(exploration.all(), "journey"),
        exploration.journeys_per_second,
        counted(exploration.found.len(), "requirement"),
        report.run.seed
    )
}

/// How often a failure shows, and when it was found.
pub(in crate::report) fn of_found(found: &FoundRecord) -> String {
    let FoundRecord { repeated, failed, after, .. } = found;
    let often = match (failed, repeated) {
        (_, 0) => "the journey was not repeated".to_owned(),
        (0, _) => format!(
            "the journey failed once, and not again in {repeated} repetitions: the router decides \
             by chance or by time"
        ),
        _ => format!("the shortened journey fails {failed} of {repeated} times"),
    };
    format!("{often}; found after {}", count(*after, "journey"))
}

/// The heading of the table of pairs.
pub(in crate::report) fn pairs_line(pairs: &PairsRecord) -> String {
    let (met, all) = pairs.met();
    format!("pairs of a router's state and a kind of request, {met} of {all} met:")
}

/// The text of the feature that a scenario of an exploration is in.
pub(in crate::report) fn scenario_text<'a>(
    report: &'a RunRecord,
    scenario: &CaseRecord,
) -> Option<&'a str> {
    let files = report.exploration.as_ref().and(report.features.as_ref())?.files.iter();
    let mut files = files.filter(|file| file.file == scenario.file);
    files.next().map(|file| file.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn no_conformance_is_claimed() {
        let mut exploration = sample::exploration().exploration.unwrap();
        assert_eq!(
            headline(&exploration),
            "1 requirement violated in 1000 journeys (600 buffering, 400 learning)"
        );
        exploration.found.clear();
        assert_eq!(
            headline(&exploration),
            "no violation in 1000 journeys (600 buffering, 400 learning); that proves no \
             conformance: `cells-conformance run` does"
        );
        exploration.exhaustive = Some(ExhaustiveRecord { depth: 3, journeys: 1_000 });
        assert!(headline(&exploration).starts_with("no violation in all 1000 journeys up to"));
        exploration.exhaustive = Some(ExhaustiveRecord { depth: 3, journeys: 1_885 });
        assert!(headline(&exploration).contains("1000 of all 1885 journeys up to length 3"));
    }

    #[test]
    fn a_failure_that_does_not_repeat_is_not_lost() {
        let found = sample::exploration().exploration.unwrap().found.swap_remove(0);
        let never = FoundRecord { failed: 0, ..found };
        assert_eq!(
            of_found(&never),
            "the journey failed once, and not again in 10 repetitions: the router decides by \
             chance or by time; found after 13 journeys"
        );
    }
}
