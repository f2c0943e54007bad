//! Sentences about an exploration that several forms of the report share.

use crate::engine::counted;
use crate::engine::record::{
    CaseRecord, ExplorationRecord, FoundRecord, LeftOutBy, LeftOutRecord, PairsRecord, RunRecord,
};
use crate::ledger::RequirementId;

/// A number with its noun.
pub(super) fn count(number: u64, noun: &str) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

/// What was explored, in one sentence: `no violation in 1000 journeys (...)`. It claims no
/// conformance.
pub(super) fn headline(exploration: &ExplorationRecord) -> String {
    let journeys = journeys(exploration);
    let found = exploration.found.len();
    let left_out = left_out(exploration).map_or(String::new(), |words| format!("; {words}"));
    if found > 0 {
        format!("{} violated in {journeys}{left_out}", counted(found, "requirement"))
    } else {
        format!(
            "no violation in {journeys}; that proves no conformance: `cells-conformance run` \
             does{left_out}"
        )
    }
}

/// What was explored in addition to the scenarios, in one sentence.
pub(super) fn beside(exploration: &ExplorationRecord) -> String {
    let (journeys, found) = (journeys(exploration), exploration.found.len());
    let left_out = left_out(exploration).map_or(String::new(), |words| format!("; {words}"));
    let violated = match found {
        0 => "no violation".to_owned(),
        some => format!("{} violated", counted(some, "requirement")),
    };
    format!("explored in addition to the scenarios: {violated} in {journeys}{left_out}")
}

/// What was not judged since it is known, in words; `None` if everything was judged.
pub(super) fn left_out(exploration: &ExplorationRecord) -> Option<String> {
    let named = |one: &LeftOutRecord| {
        let LeftOutRecord { requirement, protocol, by, journeys } = one;
        let of_protocol = protocol.as_ref().map_or(String::new(), |name| format!(" in {name}"));
        let by = match by {
            LeftOutBy::KnownFailure => "a known failure",
            LeftOutBy::Except => "`--except`",
        };
        let times = count(*journeys, "journey");
        format!("{requirement}{of_protocol} ({by}, violated in {times})")
    };
    let all: Vec<_> = exploration.left_out.iter().map(named).collect();
    (!all.is_empty()).then(|| format!("left out: {}", all.join(", ")))
}

/// How many journeys of which protocol were run.
fn journeys(exploration: &ExplorationRecord) -> String {
    let all = exploration.all();
    let by_protocol = exploration.journeys.iter();
    let by_protocol = by_protocol.map(|(protocol, count)| format!("{count} {protocol}"));
    let by_protocol = by_protocol.collect::<Vec<_>>().join(", ");
    let of_protocols = if all == 0 { String::new() } else { format!(" ({by_protocol})") };
    format!("{}{of_protocols}", count(all, "journey"))
}

/// How many journeys ran in which time, and what came of them.
pub(super) fn took(report: &RunRecord, exploration: &ExplorationRecord) -> String {
    let seconds = report.run.took_ms as f64 / 1000.0;
    let warning = |(id, times): (&RequirementId, &u64)| {
        let which = exploration.warned.get(id).map_or(&[][..], Vec::as_slice);
        let more = if *times > which.len() as u64 { ", ..." } else { "" };
        match which {
            [] => format!("{id} in {times}"),
            some => format!("{id} in {times} ({}{more})", some.join(", ")),
        }
    };
    let warnings: Vec<_> = exploration.warnings.iter().map(warning).collect();
    let warned = match warnings.as_slice() {
        [] => String::new(),
        some => format!("; not followed, which is no failure: {}", some.join(", ")),
    };
    let skipped = match exploration.skipped {
        0 => String::new(),
        some => format!("; {some} skipped that the router cannot run"),
    };
    format!(
        "{} in {seconds:.1} s ({:.0} a second): {} violated{warned}{skipped}; seed {}",
        count(exploration.all(), "journey"),
        exploration.journeys_per_second,
        counted(exploration.found.len(), "requirement"),
        report.run.seed
    )
}

/// How often a failure shows, and when it was found.
pub(super) fn of_found(found: &FoundRecord) -> String {
    let FoundRecord { repeated, failed, after, times, shortened, attempts, .. } = found;
    let what =
        if *shortened { "the shortened journey" } else { "the journey, which was not shortened," };
    let times = match times {
        1 => String::new(),
        more => format!("; {more} journeys violated the requirement"),
    };
    let within = match found.budget_ms {
        0 => String::new(),
        ms => format!(" (for {} s at most, by what a journey costs and the time left)", ms / 1000),
    };
    let chance = if failed < repeated { ": the router decides by chance or by time" } else { "" };
    format!(
        "{what} fails {failed} of {repeated} times{chance}; found after {}, shortened in {}{within}\
         {times}",
        count(*after, "journey"),
        count(*attempts, "attempt")
    )
}

/// The heading of the table of pairs.
pub(super) fn pairs_line(pairs: &PairsRecord) -> String {
    let (met, all) = pairs.met();
    format!("{met} of {all} pairs of a router's state and a kind of request")
}

/// The table of pairs, its head first: how often each kind of request met each state. A dot stands
/// for what was not met.
pub(super) fn pairs_table(pairs: &PairsRecord) -> Vec<Vec<String>> {
    let states = pairs.states.iter().map(|state| state.as_str().to_owned());
    let head = std::iter::once("request".to_owned()).chain(states).collect();
    let shown = |met: &u64| if *met == 0 { "\u{b7}".to_owned() } else { met.to_string() };
    let rows = pairs.kinds.iter().map(|row| {
        std::iter::once(row.kind.as_str().to_owned()).chain(row.met.iter().map(shown)).collect()
    });
    std::iter::once(head).chain(rows).collect()
}

/// The text of the feature that a scenario of an exploration is in.
pub(super) fn scenario_text<'a>(report: &'a RunRecord, scenario: &CaseRecord) -> Option<&'a str> {
    let files = report.explored_features()?.files.iter();
    let mut files = files.filter(|file| file.file == scenario.file);
    files.next().map(|file| file.text.as_str())
}

#[cfg(test)]
mod tests {
    use cell_fleet::Protocol;

    use super::super::sample;
    use super::*;

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
        let left_out = |requirement: &str, protocol, by, journeys| LeftOutRecord {
            requirement: requirement.parse().unwrap(),
            protocol,
            by,
            journeys,
        };
        exploration.left_out = vec![
            left_out("Z-13", None, LeftOutBy::Except, 12),
            left_out("CA-10", Some(Protocol::Learning), LeftOutBy::KnownFailure, 1),
        ];
        let said = headline(&exploration);
        let left_out = "; left out: Z-13 (`--except`, violated in 12 journeys), CA-10 in learning \
                        (a known failure, violated in 1 journey)";
        assert!(said.ends_with(left_out), "{said}");
    }

    #[test]
    fn a_failure_that_shows_seldom_says_so() {
        let found = sample::exploration().exploration.unwrap().found.swap_remove(0);
        let seldom = FoundRecord { failed: 1, repeated: 11, shortened: false, ..found };
        assert_eq!(
            of_found(&seldom),
            "the journey, which was not shortened, fails 1 of 11 times: the router decides by \
             chance or by time; found after 13 journeys, shortened in 40 attempts (for 30 s at \
             most, by what a journey costs and the time left); 21 journeys violated the requirement"
        );
    }

    #[test]
    fn the_journeys_that_follow_no_should_are_named() {
        let report = sample::exploration();
        let mut exploration = report.exploration.clone().unwrap();
        exploration.warnings = [("LN-17".parse().unwrap(), 3), ("Z-98".parse().unwrap(), 1)].into();
        exploration.warned = [
            ("LN-17".parse().unwrap(), vec!["learning 64".to_owned(), "learning 68".to_owned()]),
            ("Z-98".parse().unwrap(), vec!["buffering 7".to_owned()]),
        ]
        .into();
        let said = took(&report, &exploration);
        let named =
            "no failure: LN-17 in 3 (learning 64, learning 68, ...), Z-98 in 1 (buffering 7)";
        assert!(said.contains(named), "{said}");
    }
}
