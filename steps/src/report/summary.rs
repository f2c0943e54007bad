//! The summary of a run for people: verdicts by profile, then what did not pass, by cause.

use std::time::Duration;

use anstyle::Style;

use super::cause::{Cause, causes, general};
use super::failure::describe;
use super::journeys::{not_judged, pairs_line, pairs_table, took};
use super::lines::{Lines, columns};
use super::outcomes::{Counts, Look};
use super::screen::Screen;
use super::text::with_outcome;
use crate::engine::counted;
use crate::engine::record::{CaseRecord, ExplorationRecord, PairsRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// Causes that are described by an example; the others have two lines each.
const DESCRIBED: usize = 10;
/// Causes of one kind that are described or listed.
const LISTED: usize = 40;
/// Other scenarios of a cause that are named.
const NAMED: usize = 3;
/// How many milliseconds a start takes that is worth a line.
const SLOW_START: u64 = 100;
/// Features of a profile that are listed even where all of their scenarios passed.
const FEATURES: usize = 12;

/// The summary of a run: one example for each cause, or the names of all scenarios that did not
/// pass if `names_all`.
pub fn summary(report: &RunRecord, screen: &Screen, names_all: bool) -> String {
    let mut lines = Lines::new(screen);
    let failure = match report.exploration {
        Some(_) => "violated requirement",
        None => {
            profiles(&mut lines, report);
            "failure"
        }
    };
    let mut summary = Summary { lines, report, names_all, room: DESCRIBED, leaves_out: false };
    summary.kind(OutcomeWord::SuiteError, "suite error");
    summary.kind(OutcomeWord::Failed, failure);
    summary.kind(OutcomeWord::Warned, "warning");
    for (word, heading) in [
        (OutcomeWord::KnownFailure, "known failures:"),
        (OutcomeWord::NotAsked, "not asked:"),
        (OutcomeWord::CouldNotRun, "could not run:"),
        (OutcomeWord::NotRun, "not run:"),
        (OutcomeWord::NotApplicable, "not applicable:"),
    ] {
        summary.by_reason(word, heading);
    }
    let Summary { mut lines, leaves_out, .. } = summary;
    if leaves_out {
        lines.blank();
        let hint = concat!(
            "`--verbose` names every scenario that did not pass; ",
            "`--report html=report.html` shows each of them; ",
            "`--failed-from report.json` runs them again, where `--report json=report.json` ",
            "was given."
        );
        lines.prose(0, "", hint);
    }
    match &report.exploration {
        Some(exploration) => explored(&mut lines, report, exploration),
        None => total(&mut lines, report),
    }
    lines.conclusion(report.conclusion);
    lines.finish()
}

/// The verdict of each profile, and its features.
fn profiles(lines: &mut Lines<'_>, report: &RunRecord) {
    for profile in &report.profiles {
        let own = report.scenarios.iter().filter(|case| case.profile == profile.profile);
        let mut features = Counts::by_feature(own);
        let all = Counts(profile.outcomes.clone());
        let is_not_asked = |counts: &&Counts| counts.applicable() == 0 && counts.not_asked() > 0;
        let not_asked = features.values().filter(is_not_asked).count();
        features.retain(|_, counts| counts.applicable() > 0);
        if features.is_empty() && not_asked == 0 {
            continue;
        }
        let style = (Look::conclusion(profile.verdict).style)(&lines.screen.styles);
        let label = format!("{}: {}", profile.profile, profile.verdict);
        lines.blank();
        lines.styled(0, &label, style, &format!(" ({})", all.unbroken()));
        let (passed, others): (Vec<_>, Vec<_>) =
            features.iter().partition(|(_, counts)| counts.has_passed());
        let lists_passed = features.len() <= FEATURES;
        let mut not_reached = 0;
        for ((file, feature), counts) in &features {
            if counts.is_not_run() {
                not_reached += 1;
            } else if lists_passed || !counts.has_passed() {
                let style =
                    counts.worst().map_or(Style::new(), |it| (it.style)(&lines.screen.styles));
                let share = format!("{}/{}", counts.passed(), counts.applicable());
                let line = format!("{share:<9} {feature}");
                let full = format!("{line}  ({file})");
                let has_room =
                    lines.screen.width.is_none_or(|width| full.chars().count() + 2 <= width);
                lines.cut(2, style, if has_room { &full } else { &line });
            }
        }
        if !lists_passed && !passed.is_empty() {
            let count =
                counted(passed.len(), if others.is_empty() { "feature" } else { "other feature" });
            lines.prose(2, "", &format!("{count}: every scenario passed"));
        }
        if not_asked > 0 {
            let count = counted(not_asked, "feature");
            lines.prose(2, "", &format!("{count}: no scenario was asked (running router)"));
        }
        if not_reached > 0 {
            let count = counted(not_reached, "feature");
            lines.prose(2, "", &format!("{count}: no scenario was run"));
        }
    }
}

/// What is written of the scenarios that did not pass.
struct Summary<'a> {
    lines: Lines<'a>,
    report: &'a RunRecord,
    names_all: bool,
    /// How many more causes are described.
    room: usize,
    /// Whether the name of a scenario was left out.
    leaves_out: bool,
}

impl Summary<'_> {
    /// The scenarios with one outcome, by cause.
    fn kind(&mut self, outcome: OutcomeWord, noun: &str) {
        let causes = causes(with_outcome(self.report, outcome));
        let count: usize = causes.iter().map(Cause::count).sum();
        if count == 0 {
            return;
        }
        let (mut heading, mut explained) = (counted(count, noun), "");
        if causes.len() < count {
            heading.push_str(&format!(" with {}:", counted(causes.len(), "cause")));
            explained = " one requirement, one first difference";
        }
        self.lines.blank();
        self.lines.styled(0, &heading, self.lines.screen.styles.strong, explained);
        let described = causes.len().min(self.room);
        self.room -= described;
        for (place, cause) in causes.iter().enumerate() {
            if place < described {
                self.lines.blank();
                let text = describe(self.report, cause.example, self.lines.screen);
                self.lines.add(&text);
                self.others(cause);
            } else if place < LISTED || self.names_all {
                self.listed(cause, place == described);
            } else {
                self.leaves_out = true;
            }
        }
        if causes.len() > LISTED.max(described) && !self.names_all {
            let more = causes.len() - LISTED.max(described);
            self.lines.prose(2, "", &format!("and {}", counted(more, "more cause")));
        }
    }

    /// The other scenarios of a cause whose example is described.
    fn others(&mut self, cause: &Cause<'_>) {
        if cause.others.is_empty() {
            return;
        }
        let more = counted(cause.others.len(), "more scenario");
        self.lines.prose(2, "", &format!("the same in {more}:"));
        self.names(&cause.others, 4);
    }

    /// A cause without a description: what was found, and the name of a scenario.
    fn listed(&mut self, cause: &Cause<'_>, is_first: bool) {
        if is_first {
            self.lines.blank();
        }
        let Cause { requirement, found, .. } = cause;
        let line = format!("{} x {requirement} {found}", cause.count());
        self.lines.cut(2, self.lines.screen.styles.strong, &line);
        self.lines.cut(6, Style::new(), &cause.example.name);
        if self.names_all {
            self.names(&cause.others, 6);
        } else {
            self.leaves_out |= !cause.others.is_empty();
        }
    }

    /// The scenarios with one outcome by their reasons: one line for each reason, and the names of
    /// known failures, since a router is conformant but for these.
    fn by_reason(&mut self, word: OutcomeWord, heading: &str) {
        let mut reasons: Vec<Reason<'_>> = Vec::new();
        for case in with_outcome(self.report, word) {
            let text = case.outcome.why();
            // The reason of a known failure was written by a person; others have addresses in them.
            // The first line says what happened; a log may follow.
            let first_line = text.lines().next().unwrap_or_default();
            let kind =
                if word == OutcomeWord::CouldNotRun { general(first_line) } else { text.clone() };
            match reasons.iter_mut().find(|known| known.kind == kind) {
                Some(known) => known.cases.push(case),
                None => reasons.push(Reason { kind, text, cases: vec![case] }),
            }
        }
        if reasons.is_empty() {
            return;
        }
        let most = if self.names_all { usize::MAX } else { LISTED };
        self.lines.blank();
        self.lines.styled(0, heading, self.lines.screen.styles.strong, "");
        for Reason { text, cases, .. } in reasons {
            let label = match cases.as_slice() {
                [only] => format!("{}: ", only.name),
                several => format!("{}: ", counted(several.len(), "scenario")),
            };
            self.lines.prose(2, &label, &text);
            if word != OutcomeWord::KnownFailure || cases.len() == 1 {
                continue;
            }
            cases.iter().take(most).for_each(|case| self.lines.whole(4, &case.name));
            if cases.len() > most {
                self.leaves_out = true;
                self.lines.prose(4, "", &format!("and {} more", cases.len() - most));
            }
        }
    }

    fn names(&mut self, scenarios: &[&CaseRecord], indent: usize) {
        let most = if self.names_all { usize::MAX } else { NAMED };
        for scenario in scenarios.iter().take(most) {
            if self.names_all {
                self.lines.whole(indent, &scenario.name);
            } else {
                self.lines.cut(indent, Style::new(), &scenario.name);
            }
        }
        if scenarios.len() > most {
            self.leaves_out = true;
            self.lines.prose(indent, "", &format!("and {} more", scenarios.len() - most));
        }
    }
}

/// A reason with its scenarios; `text` is that of the first.
struct Reason<'a> {
    kind: String,
    text: String,
    cases: Vec<&'a CaseRecord>,
}

fn total(lines: &mut Lines<'_>, report: &RunRecord) {
    let all = Counts::among(&report.scenarios);
    let took = Duration::from_millis(report.run.took_ms).as_secs_f64();
    let count = counted(report.scenarios.len(), "scenario");
    lines.blank();
    lines.prose(0, "", &format!("{count} in {took:.1} s: {}", all.unbroken()));
    if let Some(starts) = report.run.starts.filter(|starts| starts.mean_ms() >= SLOW_START) {
        lines.prose(2, "", &starts.words());
    }
}

/// What could not be judged in an exploration, what it met, and how long it took.
fn explored(lines: &mut Lines<'_>, report: &RunRecord, exploration: &ExplorationRecord) {
    for some in &exploration.not_judged {
        let style = (Look::outcome(some.outcome).style)(&lines.screen.styles);
        let (label, reason) = not_judged(some);
        lines.blank();
        lines.styled(0, &label, style, reason);
    }
    pairs(lines, &exploration.pairs);
    lines.blank();
    lines.prose(0, "", &took(report, exploration));
}

/// How often each pair was met: as a table where it fits, otherwise as lists.
fn pairs(lines: &mut Lines<'_>, pairs: &PairsRecord) {
    if pairs.kinds.is_empty() {
        return;
    }
    lines.blank();
    lines.styled(0, "met: ", lines.screen.styles.strong, &pairs_line(pairs));
    let (met, unmet): (Vec<_>, Vec<_>) =
        pairs.kinds.iter().cloned().partition(|row| row.met.iter().any(|count| *count > 0));
    let unmet: Vec<_> = unmet.into_iter().map(|row| row.kind.as_str()).collect();
    let pairs = &PairsRecord { kinds: met, ..pairs.clone() };
    // Names stand left, numbers right.
    let rows = columns(&pairs_table(pairs), |column| column > 0);
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    if lines.screen.width.is_none_or(|most| width + 2 <= most) {
        rows.iter().for_each(|row| lines.whole(2, row));
    } else {
        for row in &pairs.kinds {
            let met = row.met.iter().zip(&pairs.states).filter(|(count, _)| **count > 0);
            let met: Vec<_> =
                met.map(|(count, state)| format!("{} {count}", state.as_str())).collect();
            lines.prose(2, &format!("{}: ", row.kind.as_str()), &met.join(", "));
        }
    }
    if !unmet.is_empty() {
        lines.prose(2, "in no state: ", &unmet.join(", "));
    }
}
