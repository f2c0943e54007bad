//! A move with all its data.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::header::RETRY_AFTER;
use cell_fleet::inside::{
    Asked, Call, Cell, Copied, CorrectMover, CorrectParts, Endpoint, Gate, Mover, PageResult,
    Parts, ProjectStores, RepositoryCall, RouteDecision, RowPage, StoreError, UnderWay, Visit,
};
use cell_fleet::{CellId, ControlError, Event, Installation, MovePhase, MoveStep};

use super::runners::{Poll, is_poll, poll};
use crate::mutant::mutants;
use crate::stores::{Stored, leases};

mutants! {
    CopiesOnce: Both, "MV-01", "what is written after the first copy is not copied any more"
            => Moves(Slip::CopiesOnce);
    MovesWithoutFreeze: Both, "MV-03",
        "the old cell takes writes until the routes name the new one"
            => Moves(Slip::MovesWithoutFreeze);
    FrozenWithoutRetryAfter: Both, "MV-03",
        "a write in the frozen moment gets a 503 that does not say when to try again"
            => Gates(GateSlip::FrozenWithoutRetryAfter);
    FrozenForReads: Both, "MV-02", "the old cell refuses reads as well while it is frozen"
            => Gates(GateSlip::FrozenForReads);
    BothCellsTakeWrites: Both, "MV-06",
        "the old cell thaws with the new one, and takes writes where its replica lags"
            => Moves(Slip::BothCellsTakeWrites);
    CleansUpEarly: Both, "MV-02", "the old cell drops its rows while replicas still name it"
            => Moves(Slip::CleansUpEarly);
    LeavesRedisBehind: Both, "MV-04", "a move leaves the state in Redis behind"
            => Moves(Slip::LeavesRedisBehind);
    LeavesBranchesBehind: Both, "MV-04", "a move leaves the branches of Git repositories behind"
            => Moves(Slip::LeavesBranchesBehind);
    LeavesObjectsBehind: Both, "MV-07",
        "a move takes along the refs of Git repositories without their objects"
            => Moves(Slip::LeavesObjectsBehind);
    RepositoriesCopiedOnce: Both, "MV-07",
        "what is pushed after the first copy is not copied any more"
            => Moves(Slip::RepositoriesCopiedOnce);
    PushesPassTheGate: Both, "MV-03", "the old cell takes pushes while it is frozen"
            => Gates(GateSlip::PushesPassTheGate);
    OldCellTakesPushes: Both, "MV-06",
        "after the thaw the old cell takes pushes where its replica lags, and the move loses them"
            => Gates(GateSlip::OldCellTakesPushes);
    FetchesCountAsWrites: Both, "MV-02",
        "a frozen cell refuses clones, because they are sent by POST"
            => Gates(GateSlip::FetchesCountAsWrites);
    LeavesJobsBehind: Both, "MV-08", "the queue of jobs stays on the old cell"
            => Moves(Slip::LeavesJobsBehind);
    LeasedJobsLost: Both, "MV-08",
        "a job that a runner has when the freeze begins is not taken along"
            => Stored::Leases(|| Arc::new(leases::LeftBehind));
    JobsGivenOnBothCells: Both, "MV-08", "the old cell goes on giving out the jobs that have moved"
            => Moves(Slip::JobsGivenOnBothCells);
    LeasesOutliveTheFreeze: Both, "MV-08",
        "the old cell takes the report about a job that it has given back"
            => Stored::Leases(|| Arc::new(leases::OutlivesTheFreeze));
    LeavesTheIndexBehind: Both, "MV-04", "a move leaves the search index behind"
            => Moves(Slip::LeavesTheIndexBehind);
    HalfDonePhasesCount: Both, "MV-05",
        "a phase in which the mover died counts as done when it is run again"
            => Moves(Slip::HalfDonePhasesCount);
    TakenBackStaysFrozen: Both, "MV-05", "a move that is taken back leaves the old cell frozen"
            => Moves(Slip::TakenBackStaysFrozen);
}

/// What goes wrong in a phase of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slip {
    CopiesOnce,
    MovesWithoutFreeze,
    BothCellsTakeWrites,
    CleansUpEarly,
    LeavesRedisBehind,
    LeavesBranchesBehind,
    LeavesObjectsBehind,
    RepositoriesCopiedOnce,
    LeavesJobsBehind,
    LeavesTheIndexBehind,
    HalfDonePhasesCount,
    TakenBackStaysFrozen,
    JobsGivenOnBothCells,
}

/// Cells whose mover slips.
#[derive(Debug)]
struct Moves(Slip);

#[async_trait]
impl Parts for Moves {
    fn mover(&self) -> Arc<dyn Mover> {
        Arc::new(SlippingMover(self.0))
    }

    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        match self.0 {
            Slip::JobsGivenOnBothCells if is_poll(&call) => poll(&call, Poll::Frozen).await,
            _ => Ok(page.run(call).await),
        }
    }
}

/// Does each phase as a correct mover does, and something else.
#[derive(Debug)]
struct SlippingMover(Slip);

#[async_trait]
impl Mover for SlippingMover {
    async fn phase(
        &self,
        installation: &Installation,
        slug: &str,
        under_way: &mut UnderWay,
        phase: MovePhase,
        dies: bool,
    ) -> Result<(), ControlError> {
        let before = under_way.copied.clone();
        let projects = before.projects();
        let (from, to) = (under_way.from.clone(), under_way.to.clone());
        let queued = installation.jobs_of(&from, &projects).await?;
        let done = CorrectMover.phase(installation, slug, under_way, phase, dies).await;
        if let (Slip::CleansUpEarly, MovePhase::CleanUp, Err(ControlError::ReplicaLags(_))) =
            (self.0, phase, &done)
        {
            return clean_up(installation, slug, &from, &to).await;
        }
        done?;
        match (self.0, phase) {
            (Slip::CopiesOnce, MovePhase::CopyRest) => under_way.copied = before,
            (Slip::RepositoriesCopiedOnce, MovePhase::Copy | MovePhase::CopyRest)
                if !dies && !before.side.is_empty() =>
            {
                keep_repositories(&mut under_way.copied, &before);
            }
            (Slip::MovesWithoutFreeze, MovePhase::Freeze)
            | (Slip::BothCellsTakeWrites, MovePhase::Thaw) => installation.gates.open(&from, slug),
            (Slip::TakenBackStaysFrozen, MovePhase::TakenBack) => {
                installation.gates.close(&from, slug);
            }
            (Slip::LeavesRedisBehind, MovePhase::Switch) => {
                installation.remove_state(&to, &under_way.copied.state).await?;
            }
            (Slip::LeavesBranchesBehind, MovePhase::Switch) => {
                lose(installation, &to, &before, |kept| kept.repository = Default::default());
            }
            (Slip::LeavesObjectsBehind, MovePhase::Switch) => {
                lose(installation, &to, &before, |kept| kept.repository.objects.clear());
            }
            (Slip::LeavesTheIndexBehind, MovePhase::Switch) => {
                lose(installation, &to, &before, |kept| kept.index.clear());
            }
            (Slip::LeavesJobsBehind, MovePhase::Switch) => {
                installation.replace_jobs(&to, &projects, &[]).await?;
            }
            (Slip::LeavesJobsBehind | Slip::JobsGivenOnBothCells, MovePhase::CleanUp) => {
                installation.replace_jobs(&from, &projects, &queued).await?;
            }
            // After the last phase nothing could be run again.
            (Slip::HalfDonePhasesCount, _) if phase != MovePhase::CleanUp => {
                under_way.done = Some(phase);
            }
            _ => {}
        }
        if phase < MovePhase::CleanUp {
            installation.moves.put(slug, under_way.clone());
        }
        Ok(())
    }
}

/// Takes the repositories of an earlier copy.
fn keep_repositories(copied: &mut Copied, before: &Copied) {
    for ((_, stores), (_, before)) in copied.side.iter_mut().zip(&before.side) {
        stores.repository = before.repository.clone();
    }
}

/// Changes what a cell got of each project.
fn lose(installation: &Installation, at: &CellId, copied: &Copied, change: fn(&mut ProjectStores)) {
    for (project, _) in &copied.side {
        installation.side.change(at, *project, change);
    }
}

/// Drops the rows of the old cell, and ends the move.
async fn clean_up(
    installation: &Installation,
    slug: &str,
    from: &CellId,
    to: &CellId,
) -> Result<(), ControlError> {
    installation.stores.own.remove_rows(from, slug).await?;
    installation.gates.open(from, slug);
    installation.moves.end(slug);
    installation.journal.append(Event::MoveStep(MoveStep {
        organization: slug.to_owned(),
        phase: MovePhase::CleanUp,
        from: from.clone(),
        to: to.clone(),
        rows: 0,
        died: false,
    }));
    Ok(())
}

/// What goes wrong where a cell decides whether it takes a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GateSlip {
    FrozenWithoutRetryAfter,
    FrozenForReads,
    PushesPassTheGate,
    OldCellTakesPushes,
    FetchesCountAsWrites,
}

#[derive(Debug)]
struct Gates(GateSlip);

#[async_trait]
impl Parts for Gates {
    async fn gate<'c>(
        &self,
        cell: &'c Cell,
        asked: &Asked,
        visit: &Visit,
        decision: &RouteDecision,
    ) -> Result<Gate<'c>, StoreError> {
        let open = Gate::Open { begun: None };
        let correct = CorrectParts.gate(cell, asked, visit, decision);
        let pushes = asked.endpoint == Endpoint::Repository(RepositoryCall::Receive);
        let fetches = asked.endpoint == Endpoint::Repository(RepositoryCall::Upload);
        let written = cell.written(asked, visit, decision).await?;
        match self.0 {
            GateSlip::PushesPassTheGate if pushes => Ok(open),
            GateSlip::OldCellTakesPushes if pushes => {
                let moving = written.and_then(|slug| cell.installation.moves.of(&slug));
                let is_thawed = moving.is_some_and(|moving| moving.done >= Some(MovePhase::Thaw));
                if is_thawed { Ok(open) } else { correct.await }
            }
            GateSlip::FrozenForReads => Ok(entered(cell, written, visit)),
            GateSlip::FetchesCountAsWrites if fetches => Ok(entered(cell, written, visit)),
            GateSlip::FrozenWithoutRetryAfter => Ok(match correct.await? {
                Gate::Closed(mut refused) => {
                    refused.headers_mut().remove(RETRY_AFTER);
                    Gate::Closed(refused)
                }
                open @ Gate::Open { .. } => open,
            }),
            _ => correct.await,
        }
    }
}

/// Begins what counts as a write of an organization.
fn entered<'c>(cell: &'c Cell, organization: Option<String>, visit: &Visit) -> Gate<'c> {
    match organization {
        Some(organization) => cell.enter(&organization, &visit.path),
        None => Gate::Open { begun: None },
    }
}
