//! Sentences about an exploration that several forms of the report share.

use crate::engine::counted;
use crate::engine::record::{
    CaseRecord, ExplorationRecord, FoundRecord, LeftOutBy, LeftOutRecord, NotJudgedRecord,
    PairsRecord, RunRecord,
};
use crate::ledger::RequirementId;

/// What was explored, in one sentence. That an exploration found nothing proves no conformance, which
/// is said where it `is_alone`.
pub(super) fn headline(exploration: &ExplorationRecord, is_alone: bool) -> String {
    let found = match exploration.found.len() {
        0 => "no violation".to_owned(),
        some => format!("{} violated", counted(some, "requirement")),
    };
    let proves_nothing = match is_alone && exploration.found.is_empty() {
        true => "; that proves no conformance: `cells-conformance run` does",
        false => "",
    };
    let left_out = left_out(exploration);
    format!("{found} in {}{proves_nothing}{left_out}", journeys(exploration))
}

/// What was not judged since it is known; empty if everything was judged.
fn left_out(exploration: &ExplorationRecord) -> String {
    let named = |one: &LeftOutRecord| {
        let in_protocol = one.protocol.map_or(String::new(), |protocol| format!(" in {protocol}"));
        let by = match one.by {
            LeftOutBy::KnownFailure => "a known failure",
            LeftOutBy::Except => "`--except`",
        };
        let times = counted(one.journeys, "journey");
        format!("{}{in_protocol} ({by}, violated in {times})", one.requirement)
    };
    let all: Vec<_> = exploration.left_out.iter().map(named).collect();
    if all.is_empty() { String::new() } else { format!("; left out: {}", all.join(", ")) }
}

/// How many journeys of which protocol were run.
fn journeys(exploration: &ExplorationRecord) -> String {
    let all = exploration.all();
    let by_protocol = exploration.journeys.iter();
    let by_protocol = by_protocol.map(|(protocol, count)| format!("{count} {protocol}"));
    let by_protocol = by_protocol.collect::<Vec<_>>().join(", ");
    let of_protocols = if all == 0 { String::new() } else { format!(" ({by_protocol})") };
    format!("{}{of_protocols}", counted(all, "journey"))
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
        counted(exploration.all(), "journey"),
        exploration.journeys_per_second,
        counted(exploration.found.len(), "requirement"),
        report.run.seed
    )
}

/// Journeys that could not be judged: how they ended, how many, and why.
pub(super) fn not_judged(some: &NotJudgedRecord) -> (String, &str) {
    let NotJudgedRecord { outcome, reason, first, journeys } = some;
    (format!("{outcome} ({}, first {first}): ", counted(*journeys, "journey")), reason)
}

/// How often a failure shows, and when it was found.
pub(super) fn how_it_fails(found: &FoundRecord) -> String {
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
        counted(*after, "journey"),
        counted(*attempts, "attempt")
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
