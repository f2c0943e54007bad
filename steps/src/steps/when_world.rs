//! When steps in which the world around the users changes: cells, routers, organizations
//! that move, rows that get ids, time.

use super::parameters::{Cell, CellGroup, Number, Person, RegionName, Route, RouterAction};
use crate::action::{Action, RequestKind, WorldAction};

when!(TAKE_DOWN, "{group} goes down", |group: CellGroup| WorldAction::TakeDown(group));
when!(BRING_BACK, "{group} comes back", |group: CellGroup| WorldAction::BringBack(group));
when!(CELL_RESTART, "{cell} restarts", |cell: Cell| WorldAction::RestartCell(cell.0));
when!(FAULTS_END, "the faults end", || WorldAction::EndFaults);
when!(RELEASE_HELD, "the held response to {string} is released", |path: String| {
    WorldAction::ReleaseHeld { path }
});
when!(RELEASE, "the held responses are released", || WorldAction::Release);
when!(ROUTER, "the {region} router {router_action}", |region: RegionName, action: RouterAction| {
    WorldAction::Router { region: region.0, action }
});
when!(MOVES, "the organization {string} moves to {cell}", |organization: String, cell: Cell| {
    WorldAction::MoveOrganization { organization, cell: cell.0 }
});
when!(
    CREATE_NAMESPACE,
    "the namespace {string} is created on {cell}",
    |path: String, cell: Cell| WorldAction::CreateNamespace { path, cell: cell.0 }
);
when!(CREATE_PROJECT, "the project {string} is created", |path: String| {
    WorldAction::CreateProject { path }
});
when!(RENAME, "the namespace {string} is renamed to {string}", |path: String, to: String| {
    WorldAction::RenameNamespace { path, to }
});
when!(
    HOLD_REPLICAS,
    "the replicas of the {region} region lag from now on",
    |region: RegionName| WorldAction::HoldReplicas { region: region.0 }
);
when!(RELEASE_REPLICAS, "the replicas are released", || WorldAction::ReleaseReplicas);
when!(ADVANCE_CLOCK, "{number} s pass on the clock of the cells", |seconds: Number| {
    WorldAction::AdvanceClock { seconds: seconds.0 }
});
when!(PASS_TIME, "{number} ms pass", |ms: Number| WorldAction::PassTime { ms: ms.0 });
when!(PASS_TIME_TO_LIVE, "the entries' time to live passes", || WorldAction::PassTimeToLive);
when!(PASS_TIME_OF_LEARNED, "the time to live of learned entries passes", || {
    WorldAction::PassTimeOfLearned
});
when!(
    MOVE_RUNS,
    "the move of {string} to {cell} runs through {string}",
    |organization: String, cell: Cell, through: String| {
        WorldAction::RunMove { organization, cell: cell.0, through, tried: false }
    }
);
when!(
    MOVE_TRIED,
    "the move of {string} to {cell} is tried through {string}",
    |organization: String, cell: Cell, through: String| {
        WorldAction::RunMove { organization, cell: cell.0, through, tried: true }
    }
);
when!(
    MOVER_DIES,
    "the mover of {string} to {cell} dies in {string}",
    |organization: String, cell: Cell, phase: String| {
        WorldAction::KillMover { organization, cell: cell.0, phase }
    }
);
when!(MOVE_TAKEN_BACK, "the move of {string} is taken back", |organization: String| {
    WorldAction::TakeMoveBack { organization }
});
when!(
    INSERT,
    "{cell} inserts {number} row(s) into {string}",
    |cell: Cell, rows: Number, table: String| {
        WorldAction::Insert { cell: cell.0, rows: rows.0, table }
    }
);
when!(
    INSERT_EVERYWHERE,
    "every cell inserts {number} row(s) into {string} at once",
    |rows: Number, table: String| WorldAction::InsertEverywhere { rows: rows.0, table }
);
when!(IDS_STOP, "the allocator of ids stops", || WorldAction::StopIds);
when!(IDS_START, "the allocator of ids starts again", || WorldAction::StartIds);
when!(IDS_SLOW, "the allocator of ids takes {number} ms for an answer", |ms: Number| {
    WorldAction::SlowIds { ms: ms.0 }
});
when!(IDS_CRASH, "the allocator of ids crashes once after its counter has moved", || {
    WorldAction::CrashIds
});
when!(
    OF_RECORD,
    "{person} visits {string} of the last record{route}",
    |person: Person, target: String, route: Route| {
        Action::request(person, RequestKind::OfRecord { target }, route)
    }
);
