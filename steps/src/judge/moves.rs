//! Checks of moves in phases.

use cell_fleet::{CellId, MovePhase, MoveStep, Stamp};

use super::{Proof, ensure};
use crate::trace::Trace;

/// Where the writes of an organization go: rows, and refs of Git repositories.
const OF_ORGANIZATIONS: [&str; 2] = ["gitlab_main", "repositories"];

/// Before the freeze only the old cell took writes of the organization, from the thaw on only the
/// new one, and none did in between. What other organizations write is not told apart, so a
/// scenario writes for the moving one alone.
pub fn one_writer(trace: &Trace) -> Proof {
    ensure(!trace.moves.is_empty(), || "nothing moved in phases".to_owned())?;
    let of_organizations = |schema| OF_ORGANIZATIONS.contains(&schema);
    let accesses = trace.databases.iter();
    let writes = accesses.filter(|(_, access)| access.write && of_organizations(&access.schema));
    for (at, access) in writes {
        let role = trace.roles.get(&access.cell).unwrap_or(&access.cell);
        let owner = writer(&trace.moves, *at);
        ensure(owner.is_none_or(|owner| owner == Some(role)), || {
            let now = match owner.flatten() {
                Some(cell) => format!("only {cell} takes writes"),
                None => "no cell takes writes".to_owned(),
            };
            format!("{role} wrote to {} while {now}", access.schema)
        })?;
    }
    Ok(())
}

/// The cell that may write at a time: `Some(None)` while writes are frozen, `None` if no step of a
/// move tells.
fn writer(moves: &[(Stamp, MoveStep)], at: Stamp) -> Option<Option<&CellId>> {
    let before = moves.iter().rfind(|(stamp, _)| *stamp < at);
    let Some((_, step)) = before else { return moves.first().map(|(_, step)| Some(&step.from)) };
    Some(match (step.phase, step.died) {
        (MovePhase::Announce | MovePhase::Copy | MovePhase::TakenBack, _) => Some(&step.from),
        (MovePhase::Thaw | MovePhase::CleanUp, _) => Some(&step.to),
        (MovePhase::Freeze | MovePhase::CopyRest | MovePhase::Switch, _) => None,
    })
}
