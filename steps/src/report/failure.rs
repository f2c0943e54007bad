//! A failure on one screen: expected and observed exchange, requirement, and how to rerun it.

use std::fmt::Write as _;

use super::by_hand::by_hand;
use super::text::on_the_wire;
use crate::catalog::Case;
use crate::exchange::side_by_side;
use crate::ledger::Ledger;
use crate::trace::Trace;
use crate::verdict::{Finding, Outcome, Verdict};

/// Width of the two columns together.
const WIDTH: usize = 150;
/// Raw bytes that are shown of what a user sent.
const BYTES: usize = 1500;
/// Actions that are shown as commands.
const COMMANDS: usize = 8;
/// Lines that are shown of a router's log.
const LOG_LINES: usize = 12;

/// Describes the verdict of a scenario that did not simply pass.
///
/// `router` holds the arguments that name the router on the command line; it is empty for the
/// reference router.
pub fn describe(case: &Case, verdict: &Verdict, ledger: &Ledger, router: &str) -> String {
    let mut text = format!("{}\n  {}  features/{}\n", case.name, case.title, case.location);
    match &verdict.outcome {
        Outcome::SuiteError(why) => {
            add(&mut text, &format!("the suite failed, not the router:\n{why}"))
        }
        Outcome::NotApplicable(why) => add(&mut text, &format!("not applicable: {why}")),
        Outcome::CouldNotRun(why) => add(&mut text, &format!("could not run: {why}")),
        Outcome::NotRun(why) => add(&mut text, &format!("not run: {why}")),
        Outcome::KnownFailure { reason, link } => {
            add(&mut text, &format!("known failure: {reason} ({link})"))
        }
        Outcome::Passed | Outcome::Warned | Outcome::Failed => {}
    }
    for finding in &verdict.findings {
        text.push_str(&found(case, finding, ledger));
    }
    let drawn = verdict.findings.iter().any(|finding| finding.comparison.is_some());
    let observed = verdict.exchanges.first().map_or(&[][..], |(_, exchange)| &exchange.observed);
    if !drawn && !observed.is_empty() && verdict.outcome != Outcome::Passed {
        let shown: Vec<_> =
            observed.iter().rev().take(20).rev().map(|line| format!("  {line}")).collect();
        add(&mut text, &format!("observed:\n{}", shown.join("\n")));
    }
    for bytes in verdict
        .trace
        .iter()
        .filter(|_| verdict.outcome != Outcome::Passed)
        .flat_map(|trace| sent_raw(trace))
    {
        let shown: Vec<_> = bytes.lines().map(|line| format!("  {line}")).collect();
        add(&mut text, &format!("sent as raw bytes:\n{}", shown.join("\n")));
    }
    if let Some(trace) = verdict.trace.as_ref().filter(|_| verdict.outcome != Outcome::Passed) {
        let lines: Vec<_> =
            by_hand(trace, COMMANDS).iter().map(|line| format!("  {line}")).collect();
        if !lines.is_empty() {
            add(&mut text, &format!("try it by hand, with your addresses:\n{}", lines.join("\n")));
        }
    }
    for (router, log) in verdict.logs.iter().filter(|(_, log)| !log.is_empty()) {
        let lines: Vec<_> = log.lines().rev().take(LOG_LINES).collect();
        let lines: Vec<_> = lines.into_iter().rev().map(|line| format!("  {line}")).collect();
        add(&mut text, &format!("the end of the log of {router}:\n{}", lines.join("\n")));
    }
    add(&mut text, format!("rerun: cells-conformance run '{}' {router}", case.name).trim_end());
    text
}

/// The raw bytes that users sent in the last When step with any.
fn sent_raw(trace: &Trace) -> Vec<String> {
    let texts = trace.acted().filter_map(|(_, request)| {
        Some((request.phase, request.raw.as_ref().filter(|raw| !raw.as_bytes().is_empty())?))
    });
    let texts: Vec<_> = texts.collect();
    let last = texts.last().map(|(act, _)| *act);
    texts
        .iter()
        .filter(|(act, _)| Some(*act) == last)
        .map(|(_, raw)| on_the_wire(raw.as_bytes(), BYTES))
        .collect()
}

fn found(case: &Case, finding: &Finding, ledger: &Ledger) -> String {
    let mut text = String::new();
    let id = &finding.requirement;
    match ledger.row(id) {
        Some(row) => add(
            &mut text,
            &format!("{id} ({}, {}) is violated: {}", row.level, row.profile, row.statement),
        ),
        None => add(&mut text, &format!("{id} is violated")),
    }
    if let Some(step) = finding.step {
        add(&mut text, &format!("step: {}", case.step_text(step)));
    }
    add(&mut text, &format!("found: {}", finding.message));
    if let Some(comparison) = &finding.comparison {
        add(&mut text, &side_by_side(comparison, WIDTH));
    }
    text
}

/// Adds lines, indented by two.
fn add(text: &mut String, lines: &str) {
    for line in lines.trim_end().lines() {
        let _ = writeln!(text, "  {line}");
    }
}
