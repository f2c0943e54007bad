//! One scenario that did not pass, for people: what was expected and observed, the requirement, and
//! how to see it again.

use super::journeys::{how_it_fails, scenario_text};
use super::lines::Lines;
use super::outcomes::Look;
use super::pair;
use super::rerun::{replay_words, rerun_words};
use super::screen::Screen;
use super::text::{observed_line, on_the_wire, played_by, unmet};
use crate::action::{Action, CurlCommand, comment, quoted, shell_words};
use crate::catalog::shown_file;
use crate::engine::counted;
use crate::engine::record::{CaseRecord, ExchangeRecord, FoundRecord, RunRecord, StepRecord};
use crate::ledger::{Ledger, Level, Requirement};
use crate::stage::lines_around_last_error;
use crate::trace::{Phase, Trace};
use crate::verdict::{Finding, OutcomeWord};

/// Findings that are described; the others are named.
const FINDINGS: usize = 3;
/// Lines that are shown of what a finding says.
const MESSAGE_LINES: usize = 20;
/// Raw bytes that are shown of what a user sent.
const BYTES: usize = 1500;
/// Actions that are shown as commands.
const COMMANDS: usize = 8;
/// Lines that are shown of a router's log.
const LOG_LINES: usize = 13;
/// Characters that are shown of a line of a log.
const LOG_LINE: usize = 400;
/// Lines that are shown of an exchange that nothing was expected of.
const OBSERVED: usize = 20;

/// Describes a scenario that did not simply pass.
pub(crate) fn describe(report: &RunRecord, scenario: &CaseRecord, screen: &Screen) -> String {
    let mut lines = Lines::new(screen);
    let outcome = &scenario.outcome;
    let style = (Look::outcome(outcome.word).style)(&screen.styles);
    lines.name(outcome.word.as_str(), style, &scenario.name);
    let place = format!("{}:{}", shown_file(&scenario.name, &scenario.file), scenario.line);
    lines.prose(2, "", &format!("{}  {place}", scenario.title));
    let why = outcome.why();
    match outcome.word {
        OutcomeWord::SuiteError => {
            lines.prose(2, "", "the suite failed, not the router:");
            lines.prose(2, "", &why);
        }
        word if !why.is_empty() => lines.prose(2, &format!("{word}: "), &why),
        _ => {}
    }
    findings(&mut lines, report, scenario);
    if outcome.word != OutcomeWord::Passed {
        if let Some(trace) = &scenario.trace {
            happened(&mut lines, scenario, trace);
        }
        logs(&mut lines, scenario);
    }
    match report.found_as(&scenario.name) {
        Some(found) => explored(&mut lines, report, scenario, found),
        None => lines.command(2, "rerun: ", &rerun_words(report, scenario)),
    }
    lines.finish()
}

/// What exploration adds: the scenario, how often it fails, and how to see it again.
fn explored(lines: &mut Lines<'_>, report: &RunRecord, scenario: &CaseRecord, found: &FoundRecord) {
    if let Some(text) = scenario_text(report, scenario) {
        lines.prose(2, "", "scenario:");
        lines.whole(4, text);
    }
    lines.prose(2, "", &how_it_fails(found));
    lines.command(2, "replay: ", &replay_words(report, scenario));
    if found.saved.is_some() {
        lines.command(2, "rerun: ", &rerun_words(report, scenario));
    }
}

/// The findings, those of level MUST first.
fn findings(lines: &mut Lines<'_>, report: &RunRecord, scenario: &CaseRecord) {
    let (first, rest): (Vec<_>, Vec<_>) =
        scenario.findings.iter().partition(|found| found.level == Level::Must);
    let all: Vec<_> = first.into_iter().chain(rest).collect();
    let mut drawn: Vec<&ExchangeRecord> = Vec::new();
    let mut last = None;
    for stalled in scenario.earlier.iter().chain(&scenario.stalled) {
        lines.prose(2, "left out: ", &stalled.to_string());
    }
    // What an engine does by itself explains nothing where the machine stalled.
    let is_quiet = scenario.earlier.is_empty() && scenario.stalled.is_none();
    for found in all.iter().take(FINDINGS) {
        if last != Some(&found.requirement) {
            requirement(lines, report, found, is_quiet);
        }
        last = Some(&found.requirement);
        finding(lines, found);
        let exchange = exchange_of(scenario, found);
        if let Some(exchange) = exchange.filter(|one| !drawn.iter().any(|old| old == one)) {
            drawn.push(exchange);
            add_pair(lines, exchange);
        }
    }
    if all.len() > FINDINGS {
        let ids: Vec<_> = all[FINDINGS..].iter().map(|found| found.requirement.as_str()).collect();
        lines.prose(2, "and found: ", &ids.join(" "));
    }
    let observed = scenario.exchanges.first().map_or(&[][..], |exchange| &exchange.observed);
    if drawn.is_empty() && !observed.is_empty() && scenario.outcome.word != OutcomeWord::Passed {
        lines.prose(2, "", "observed:");
        let left_out = observed.len().saturating_sub(OBSERVED);
        if left_out > 0 {
            lines.prose(4, "", &format!("\u{2026} {left_out} more before"));
        }
        observed[left_out..].iter().for_each(|line| lines.prose(4, "", &observed_line(line)));
    }
}

fn requirement(lines: &mut Lines<'_>, report: &RunRecord, found: &Finding, hints: bool) {
    let (id, level) = (&found.requirement, found.level);
    let style = match level {
        Level::Must => lines.screen.styles.failed,
        _ => lines.screen.styles.warned,
    };
    match report.requirements.get(id) {
        Some(row) => {
            let label = format!("{id} ({level}, {}) {}: ", row.profile, unmet(level));
            lines.styled(2, &label, style, &row.statement);
        }
        None => lines.styled(2, &format!("{id} ({level}) {}", unmet(level)), style, ""),
    }
    let row = Ledger::embedded().row(id);
    let mut engines: Vec<_> =
        row.map(Requirement::engines).into_iter().flatten().map(|hint| hint.engine).collect();
    engines.dedup();
    if hints && !engines.is_empty() {
        let hint = format!(
            "by themselves, {} do; `cells-conformance list explain {id}` says what to switch",
            engines.join(", ")
        );
        lines.prose(2, "engines: ", &hint);
    }
}

fn finding(lines: &mut Lines<'_>, found: &Finding) {
    if !found.step.is_empty() {
        lines.prose(2, "step: ", &found.step);
    }
    let message: Vec<_> = found.message.lines().collect();
    let mut shown = message[..message.len().min(MESSAGE_LINES)].join("\n");
    if message.len() > MESSAGE_LINES {
        shown.push_str(&format!(
            "\n\u{2026} and {}",
            counted(message.len() - MESSAGE_LINES, "more line")
        ));
    }
    lines.prose(2, "found: ", &shown);
}

/// The exchange that a finding is about, if its step draws one.
pub(super) fn exchange_of<'a>(
    scenario: &'a CaseRecord,
    found: &Finding,
) -> Option<&'a ExchangeRecord> {
    found.step_index?;
    let mut exchanges = scenario.exchanges.iter();
    exchanges.find(|one| one.step_index == found.step_index && !one.expected.is_empty())
}

fn add_pair(lines: &mut Lines<'_>, exchange: &ExchangeRecord) {
    let narrower = lines.screen.width.map(|width| width.saturating_sub(2));
    let screen = Screen { width: narrower, ..*lines.screen };
    for line in pair::drawn(exchange, &screen).lines() {
        lines.add(&format!("  {line}\n"));
    }
}

/// What users sent, who played whom, and how to do the same by hand.
fn happened(lines: &mut Lines<'_>, scenario: &CaseRecord, trace: &Trace) {
    let played = played_by(trace);
    if !played.is_empty() {
        lines.prose(2, "played, as the router's topology names cells: ", &played.join(", "));
    }
    for step in cells_told(scenario) {
        lines.prose(2, "what a cell sends: ", &step.text);
        let doc = step.doc.as_deref().unwrap_or_default();
        doc.trim_matches('\n').lines().for_each(|line| lines.prose(4, "", line));
    }
    for bytes in sent_raw(trace) {
        lines.prose(2, "", "sent as raw bytes:");
        bytes.lines().for_each(|line| lines.prose(4, "", line));
    }
    let commands = shell_lines(trace);
    if !commands.is_empty() && scenario.has_router {
        lines.prose(2, "", "try it by hand, with your addresses:");
        if cells_told(scenario).next().is_some() {
            lines.whole(
                4,
                "# the cells with what they send; start your router with their addresses",
            );
            by_hand_line(lines, &cells_by_hand(scenario));
        }
        commands.iter().for_each(|line| by_hand_line(lines, line));
    }
}

/// The last actions of a trace as lines for a shell: commands, and comments where there is no command.
/// Nothing where none of them has a command.
fn shell_lines(trace: &Trace) -> Vec<String> {
    let Some(default) = &trace.default_router else { return Vec::new() };
    let actions = &trace.actions[trace.actions.len().saturating_sub(COMMANDS)..];
    let commands: Vec<_> = actions.iter().map(|action| action.as_curl(default)).collect();
    if commands.iter().all(Option::is_none) {
        return Vec::new();
    }
    let acts = |person: &str| {
        trace.users.iter().any(|request| request.phase != Phase::Setup && request.person == person)
    };
    let sessions = trace.sessions.iter().filter(|(person, _)| acts(person));
    let sign_in = |(person, account): &(String, String)| {
        CurlCommand::sign_in(person, account, &format!("router_{default}")).to_string()
    };
    let line = |(action, command): (&Action, Option<String>)| {
        command.unwrap_or_else(|| format!("# {}", comment(&action.as_gherkin().text)))
    };
    sessions.map(sign_in).chain(actions.iter().zip(commands).map(line)).collect()
}

/// The steps that say what a cell sends in place of its own response, or what goes wrong with
/// it: scripts and faults.
fn cells_told(scenario: &CaseRecord) -> impl Iterator<Item = &StepRecord> {
    let given = scenario.steps.iter().take_while(|step| step.keyword != "When");
    given.filter(|step| {
        let subject = step.text.split(' ').next().unwrap_or_default();
        let rest = step.text.strip_prefix("every cell ");
        subject.starts_with("cell_") || rest.is_some()
    })
}

/// The line that serves the cells of a scenario, with its scripts and faults.
pub(super) fn cells_by_hand(scenario: &CaseRecord) -> String {
    format!("cells-conformance fleet --scenario {}", quoted(&scenario.name))
}

/// A line for a shell, folded where that does not change it.
fn by_hand_line(lines: &mut Lines<'_>, line: &str) {
    if line.starts_with('#') || line.contains('\n') {
        lines.whole(4, line);
    } else {
        lines.command(4, "", &shell_words(line));
    }
}

/// The raw bytes that users sent in the last When step with any.
fn sent_raw(trace: &Trace) -> Vec<String> {
    let texts = trace.users.iter().filter_map(|user| {
        let bytes = user.raw.as_ref()?.as_bytes();
        (user.phase != Phase::Setup && !bytes.is_empty()).then_some((user.phase, bytes))
    });
    let texts: Vec<_> = texts.collect();
    let last = texts.last().map(|(phase, _)| *phase);
    let of_last = texts.iter().filter(|(phase, _)| Some(*phase) == last);
    of_last.map(|(_, bytes)| on_the_wire(bytes, BYTES)).collect()
}

fn logs(lines: &mut Lines<'_>, scenario: &CaseRecord) {
    for log in scenario.logs.iter().filter(|log| !log.end.trim().is_empty()) {
        let (shown, has_error) = lines_around_last_error(&log.end, LOG_LINES);
        let title = if has_error {
            format!("the log of {}, around its last error:", log.router)
        } else {
            format!("the end of the log of {}:", log.router)
        };
        lines.prose(2, "", &title);
        for line in shown {
            lines.prose(2, "| ", &beginning(line));
        }
    }
}

/// The beginning of a line of a log.
fn beginning(line: &str) -> String {
    match line.char_indices().nth(LOG_LINE) {
        Some((cut, _)) => format!("{}\u{2026} of {} bytes", &line[..cut], line.len()),
        None => line.to_owned(),
    }
}
