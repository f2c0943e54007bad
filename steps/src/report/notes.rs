//! What every form of the report says about the run as a whole, in addition to its outcomes: what
//! was explored, which shard it is, that it ended early, that the router was asked nothing, and how
//! often flaky scenarios failed.

use super::journeys::headline;
use crate::engine::counted;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// Options that leave scenarios out, and are named in a headline.
const NAMED: usize = 3;

/// Lines about the run as a whole; the first lines of longer texts.
pub fn notes(record: &RunRecord) -> Vec<String> {
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let incomplete = incomplete(record).map(|text| first_line(&text));
    let explored = record.explored().map(|explored| match record.explored {
        Some(_) => format!("explored in addition to the scenarios: {}", headline(explored, false)),
        None => headline(explored, true),
    });
    let excluded = excluded(&record.run.selection, record.run.excluded.len());
    let all = explored.into_iter().chain(excluded).chain(shard_line(record)).chain(incomplete);
    all.chain(stalled(record)).chain(unasked(record)).chain(flaky(record)).collect()
}

/// How many scenarios the stalls of the machine kept from a verdict, and how many were run again
/// because of them; None if there were none.
pub(super) fn stalled(record: &RunRecord) -> Option<String> {
    let is_busy = |case: &&CaseRecord| {
        case.stalled.is_some() && case.outcome.word == OutcomeWord::CouldNotRun
    };
    let busy = record.scenarios.iter().filter(is_busy).count();
    let again = record.scenarios.iter().filter(|case| !case.earlier.is_empty()).count();
    let stalls = record.scenarios.iter().flat_map(|case| case.earlier.iter().chain(&case.stalled));
    let worst = stalls.map(|stalled| stalled.stall_ms).max()?;
    let again = format!("{} run again", counted(again, "scenario"));
    Some(match busy {
        0 => format!("the machine stalled for up to {worst} ms: {again}"),
        _ => format!(
            "the machine stalled for up to {worst} ms, too long to judge {}, {again}: run them \
             once more when it is quieter",
            counted(busy, "scenario")
        ),
    })
}

/// What a selection of these words leaves out, so that no conclusion holds for it. Many names are
/// counted: the record has them.
pub fn excluded(selection: &[String], count: usize) -> Option<String> {
    let words: Vec<_> =
        selection.iter().filter(|word| word.starts_with("--exclude")).map(String::as_str).collect();
    let by = match words.len() {
        0 => return None,
        1..=NAMED => words.join(" "),
        many => format!("by {many} options `--exclude`"),
    };
    let count = counted(count, "scenario");
    Some(format!("left out, so that nothing is said of it: {count} ({by})"))
}

/// The line that concludes a shard; `None` for a whole run.
pub fn shard_line(record: &RunRecord) -> Option<String> {
    let shard = record.run.part.as_ref()?.shard()?;
    let conclusion = record.conclusion;
    let is_empty = record.scenarios.is_empty();
    let empty = if is_empty { ": there are fewer scenarios than shards" } else { "" };
    Some(format!(
        "{shard}: {conclusion}{empty} (`cells-conformance report merge` draws the conclusion)"
    ))
}

/// That no scenario which was run has the router in it; None for a part of a run, and where a
/// scenario asked it something.
fn unasked(record: &RunRecord) -> Option<String> {
    let has_run = record.scenarios.iter().any(|case| case.outcome.word.was_run());
    let is_whole = record.exploration.is_none() && record.run.part.is_none();
    (is_whole && has_run && !record.asks_the_router()).then(|| {
        "the router was asked nothing: every scenario that was run is about the cells alone, and \
         says nothing of a router"
            .to_owned()
    })
}

/// Why the run ended early; None if it ran everything.
pub(crate) fn incomplete(record: &RunRecord) -> Option<String> {
    let incomplete = record.incomplete.as_ref()?;
    if record.exploration.is_some() {
        return Some(format!("the exploration ended early: {}", incomplete.reason.trim_end()));
    }
    let (not_run, all) = (incomplete.not_run, counted(record.scenarios.len(), "scenario"));
    Some(format!(
        "the run ended early, {not_run} of {all} not run: {}",
        incomplete.reason.trim_end()
    ))
}

/// How often flaky scenarios failed; None if the router file lists none.
pub(crate) fn flaky(record: &RunRecord) -> Option<String> {
    let listed = record.flaky.len();
    let failed: usize = record.flaky.iter().map(|entry| entry.failed).sum();
    let passed: usize = record.flaky.iter().map(|entry| entry.passed).sum();
    (listed > 0).then(|| format!("flaky: {listed} listed, {failed} failed, {passed} passed"))
}
