//! What an exploration ran and found, for people.

use super::failure::describe;
use super::journeys::{count, pairs_line, pairs_table, took};
use super::lines::{Lines, columns};
use super::outcomes::Look;
use super::screen::Screen;
use crate::engine::counted;
use crate::engine::record::{ExplorationRecord, PairsRecord, RunRecord};

/// Failures that are described.
const DESCRIBED: usize = 10;

/// The summary of an exploration: its failures, what was met, and the conclusion.
pub(super) fn summary(
    report: &RunRecord,
    exploration: &ExplorationRecord,
    screen: &Screen,
) -> String {
    let mut lines = Lines::new(screen);
    failures(&mut lines, report);
    for some in &exploration.not_judged {
        let style = (Look::of(some.outcome).style)(&lines.screen.styles);
        let which = format!("{}, first {}", count(some.journeys, "journey"), some.first);
        let label = format!("{} ({which}): ", some.outcome);
        lines.blank();
        lines.styled(0, &label, style, &some.reason);
    }
    pairs(&mut lines, &exploration.pairs);
    lines.blank();
    lines.prose(0, "", &took(report, exploration));
    lines.conclusion(report.conclusion);
    lines.finish()
}

fn failures(lines: &mut Lines<'_>, report: &RunRecord) {
    let all = &report.scenarios;
    if all.is_empty() {
        return;
    }
    lines.blank();
    let heading = format!("{}:", counted(all.len(), "violated requirement"));
    lines.styled(0, &heading, lines.screen.styles.strong, "");
    for scenario in all.iter().take(DESCRIBED) {
        lines.blank();
        let text = describe(report, scenario, lines.screen);
        lines.add(&text);
    }
    if all.len() > DESCRIBED {
        lines.blank();
        let more = counted(all.len() - DESCRIBED, "more violated requirement");
        let hint = format!("and {more}: `--report html=report.html` shows each of them");
        lines.prose(0, "", &hint);
    }
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
