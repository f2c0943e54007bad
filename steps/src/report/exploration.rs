//! What an exploration ran, for people.

use super::journeys::{count, pairs_line, pairs_table, took};
use super::lines::{Lines, columns};
use super::outcomes::Look;
use crate::engine::record::{ExplorationRecord, PairsRecord, RunRecord};

/// What could not be judged in an exploration, what it met, and how long it took.
pub(super) fn outline(lines: &mut Lines<'_>, report: &RunRecord, exploration: &ExplorationRecord) {
    for some in &exploration.not_judged {
        let style = (Look::outcome(some.outcome).style)(&lines.screen.styles);
        let which = format!("{}, first {}", count(some.journeys, "journey"), some.first);
        let label = format!("{} ({which}): ", some.outcome);
        lines.blank();
        lines.styled(0, &label, style, &some.reason);
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
