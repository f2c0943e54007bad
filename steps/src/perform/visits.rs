//! Makes several visits of a person.

use cell_fleet::{CellId, Event, Protocol};

use super::ActionError;
use super::request::{last_response, learn_target, send};
use crate::action::{Person, Route, Visits};
use crate::literal::Request;
use crate::stage::Stage;

impl Visits {
    /// Makes the visits, until one has no response.
    pub(super) async fn perform(
        &self,
        person: &Person,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let entries = stage.fleet().journal().entries().len();
        for target in self.targets() {
            send(person, Request::get(target), &Route::Default, stage).await?;
            last_response(person, stage)?;
            if let Self::Until { cell, .. } = self
                && was_asked(stage, cell, entries)
            {
                break;
            }
        }
        Ok(())
    }
}

/// Whether a cell has got a request since the journal had this many entries.
fn was_asked(stage: &Stage, cell: &CellId, entries: usize) -> bool {
    // Looked up, not asked for: asking for a role would bind a cast.
    let roles = stage.fleet().casting().roles();
    let all = stage.fleet().journal().entries();
    all.iter().skip(entries).any(|entry| match &entry.event {
        Event::Request(request) => roles.get(&request.cell).unwrap_or(&request.cell) == cell,
        _ => false,
    })
}

/// Asks every cell of the fleet who serves a path.
pub(super) async fn ask_every_cell(path: &str, stage: &mut Stage) -> Result<(), ActionError> {
    let target = match stage.plan().fleet.protocol {
        Protocol::Learning => learn_target(&stage.plan().settings.learn_path, path),
        Protocol::Buffering => path.to_owned(),
    };
    for cell in stage.plan().fleet.topology.cells.clone() {
        let request = Request::get(target.clone());
        send(&Person::visitor(), request, &Route::Cell(cell), stage).await?;
    }
    Ok(())
}
