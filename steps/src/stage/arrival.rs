//! How far a request that a step began must get before the scenario goes on.

use cell_fleet::fault::{At, Fault};
use cell_fleet::{CellId, Entry, Event, Protocol, RequestSeen, ScriptedAction};

use super::Stage;
use crate::plan::ScenarioPlan;
use crate::trace::path_of;

/// What must reach a cell for a request to be under way.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Awaited {
    /// Its pre-flight: cells hold or spoil the response to that.
    PreFlight,
    /// The request itself, at one of these cells (roles; `None` is every cell), which hold or spoil
    /// its response. Other cells only pass it on.
    At(Vec<Option<CellId>>),
    /// Any request.
    Anything,
}

impl Awaited {
    fn of(plan: &ScenarioPlan, path: &str) -> Self {
        let (scripts, faults) = (&plan.fleet.scripts, &plan.fleet.faults);
        let is_learning = plan.fleet.protocol == Protocol::Learning;
        let held = scripts.iter().any(|script| {
            script.path == path && matches!(script.action, ScriptedAction::HoldLearn)
        });
        let spoilt = faults.iter().any(|fault| {
            matches!(fault, Fault::Responses { at: At::PreFlight(about), .. } if about == path)
        });
        if is_learning && (held || spoilt) {
            return Self::PreFlight;
        }
        let holders = scripts
            .iter()
            .filter(|script| script.path == path && matches!(script.action, ScriptedAction::Hold))
            .map(|script| script.cell.clone());
        let spoilers = faults.iter().filter_map(|fault| match fault {
            Fault::Responses { cell, at: At::Path(at), .. } if at == path => Some(cell.clone()),
            Fault::Responses { .. } | Fault::Connections { .. } => None,
        });
        let cells: Vec<_> = holders.chain(spoilers).collect();
        if cells.is_empty() { Self::Anything } else { Self::At(cells) }
    }

    /// Whether a request at a cell is the awaited one; `role` is the role of the cell.
    fn is(&self, request: &RequestSeen, role: &CellId, path: &str, learn_path: &str) -> bool {
        let came_for = path_of(request.target.as_bytes());
        match self {
            Self::PreFlight => came_for == learn_path.as_bytes(),
            Self::At(cells) => {
                came_for == path.as_bytes()
                    && cells.iter().any(|cell| cell.as_ref().is_none_or(|cell| cell == role))
            }
            Self::Anything => true,
        }
    }
}

impl Stage {
    /// Waits until this many requests for a target have come to the cell that holds or spoils the
    /// response, or that of the pre-flight; to any cell, where none does. They began when the
    /// journal had `entries` entries. The wait is bounded.
    pub(crate) async fn arrived(&self, entries: usize, target: &str, requests: usize) {
        let path = String::from_utf8_lossy(path_of(target.as_bytes())).into_owned();
        let awaited = Awaited::of(&self.plan, &path);
        let casting = self.fleet.casting();
        let comes = |all: &[Entry]| {
            let new = all.get(entries..).unwrap_or_default();
            // Looked up, not asked for: asking for a role would bind a cast.
            let roles = casting.roles();
            let is_it = |entry: &Entry| match &entry.event {
                Event::Request(request) => {
                    let role = roles.get(&request.cell).unwrap_or(&request.cell);
                    awaited.is(request, role, &path, &self.plan.settings.learn_path)
                }
                _ => false,
            };
            (new.iter().filter(|entry| is_it(entry)).count() >= requests).then_some(())
        };
        // Where nothing comes, the response to the user shows it in the end.
        let limit = self.launch.waits.journal;
        if tokio::time::timeout(limit, self.fleet.journal().wait_for(comes)).await.is_err() {
            self.recorder.waited(limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use cell_fleet::Script;
    use cell_fleet::fault::ResponseFault::NeverResponds;

    use super::*;

    fn plan(protocol: Protocol, actions: &[(Option<CellId>, ScriptedAction)]) -> ScenarioPlan {
        let mut plan = ScenarioPlan::documents(protocol);
        let scripts = actions.iter().map(|(cell, action)| Script {
            cell: cell.clone(),
            path: "/a".to_owned(),
            action: action.clone(),
        });
        plan.fleet.scripts.extend(scripts);
        plan
    }

    #[test]
    fn the_first_held_message_is_awaited() {
        let both = [(None, ScriptedAction::HoldLearn), (Some(CellId::eu(0)), ScriptedAction::Hold)];
        assert_eq!(Awaited::of(&plan(Protocol::Learning, &both), "/a"), Awaited::PreFlight);
        assert_eq!(
            Awaited::of(&plan(Protocol::Buffering, &both), "/a"),
            Awaited::At(vec![Some(CellId::eu(0))])
        );
        assert_eq!(Awaited::of(&plan(Protocol::Learning, &both), "/b"), Awaited::Anything);
    }

    #[test]
    fn a_spoilt_response_is_awaited_like_a_held_one() {
        let mut plan = plan(Protocol::Learning, &[]);
        plan.fleet.faults.push(Fault::of_responses(
            None,
            At::Path("/a".to_owned()),
            None,
            NeverResponds,
        ));
        assert_eq!(Awaited::of(&plan, "/a"), Awaited::At(vec![None]));
        plan.fleet.faults.push(Fault::of_responses(
            None,
            At::PreFlight("/a".to_owned()),
            None,
            NeverResponds,
        ));
        assert_eq!(Awaited::of(&plan, "/a"), Awaited::PreFlight);
    }
}
