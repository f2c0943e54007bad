//! Makes several visits of a person, or begins one.

use cell_fleet::{CellId, Event, Protocol};

use super::ActionError;
use super::request::{last_response, learn_target, send};
use crate::action::{Person, RequestKind, Route, Visits};
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

/// Makes the same visit several times at once, and waits until each of them has ended.
pub(super) async fn together(
    person: &Person,
    target: &str,
    times: u64,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    for _ in 0..times {
        begin_one(person, target, stage)?;
    }
    stage.release().await;
    Ok(())
}

/// Begins a visit. If the router queues it behind an earlier one, it does not arrive, and nothing
/// shows at a cell. The round trip of the next action, by another person, gives it time to be sent.
pub(super) async fn begin(
    person: &Person,
    target: &str,
    arrives: bool,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    if arrives {
        return begin_many(person, target, 1, stage).await;
    }
    begin_one(person, target, stage)
}

/// Begins a request, and waits until it has come to the cell that holds or spoils it.
pub(super) async fn begin_message(
    person: &Person,
    request: &RequestKind,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let request = request
        .fixed()
        .ok_or_else(|| ActionError::invalid("the request follows from a response"))?;
    let entries = stage.fleet().journal().entries().len();
    let target = request.target.clone();
    stage.begin(&person.0, request).map_err(ActionError::Invalid)?;
    stage.arrived(entries, &target, 1).await;
    Ok(())
}

/// Begins the same visit many times, and waits until all of them have come to the cell that holds
/// or spoils it. A router that lets fewer through makes that wait end by its limit.
pub(super) async fn begin_many(
    person: &Person,
    target: &str,
    times: u64,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let entries = stage.fleet().journal().entries().len();
    for _ in 0..times {
        begin_one(person, target, stage)?;
    }
    stage.arrived(entries, target, usize::try_from(times).unwrap_or(usize::MAX)).await;
    Ok(())
}

fn begin_one(person: &Person, target: &str, stage: &mut Stage) -> Result<(), ActionError> {
    stage.begin(&person.0, Request::get(target)).map_err(ActionError::Invalid)
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
