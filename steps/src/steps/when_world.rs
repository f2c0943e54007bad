//! When steps in which the world around the users changes: cells, routers, organizations
//! that move, rows that get ids, time.

use super::parameters::{
    Cell, CellGroup, Disturbance, Number, Person, RegionName, Route, RouterAction, Tried,
};
use crate::action::{Action, RequestKind, WorldAction};

when!("{group} goes down", |group: CellGroup| Action::World(WorldAction::TakeDown(group)));
when!("{group} comes back", |group: CellGroup| Action::World(WorldAction::BringBack(group)));
when!("{cell} restarts", |cell: Cell| Action::World(WorldAction::RestartCell(cell)));
when!("the faults end", || Action::World(WorldAction::EndFaults));
when!("the held response to {string} is released", |path: String| {
    Action::World(WorldAction::ReleaseHeld { path })
});
when!("the held responses are released", || Action::World(WorldAction::Release));
when!("the {region} router {router_action}", |region: RegionName, action: RouterAction| {
    Action::World(WorldAction::Router { region, action })
});
when!("the organization {string} moves to {cell}", |organization: String, cell: Cell| {
    Action::World(WorldAction::MoveOrganization { organization, cell })
});
when!("the namespace {string} is created on {cell}", |path: String, cell: Cell| {
    Action::World(WorldAction::CreateNamespace { path, cell })
});
when!("the project {string} is created", |path: String| {
    Action::World(WorldAction::CreateProject { path })
});
when!("the namespace {string} is renamed to {string}", |path: String, to: String| {
    Action::World(WorldAction::RenameNamespace { path, to })
});
when!("the replicas of the {region} region lag from now on", |region: RegionName| {
    Action::World(WorldAction::HoldReplicas { region })
});
when!("the replicas are released", || Action::World(WorldAction::ReleaseReplicas));
when!("{number} s pass on the clock of the cells", |seconds: Number| {
    Action::World(WorldAction::AdvanceClock { seconds })
});
when!("{number} ms pass", |ms: Number| Action::World(WorldAction::PassTime { ms }));
when!("the entries' time to live passes", || Action::World(WorldAction::PassTimeToLive));
when!("the time to live of learned entries passes", || Action::World(
    WorldAction::PassTimeOfLearned
));
when!(
    "the move of {string} to {cell} {tried} through {string}",
    |organization: String, cell: Cell, tried: Tried, through: String| {
        Action::World(WorldAction::RunMove { organization, cell, through, tried })
    }
);
when!(
    "the mover of {string} to {cell} dies in {string}",
    |organization: String, cell: Cell, phase: String| {
        Action::World(WorldAction::KillMover { organization, cell, phase })
    }
);
when!("the move of {string} is taken back", |organization: String| {
    Action::World(WorldAction::TakeMoveBack { organization })
});
when!("{cell} inserts {number} row(s) into {string}", |cell: Cell, rows: Number, table: String| {
    Action::World(WorldAction::Insert { cell, rows, table })
});
when!("every cell inserts {number} row(s) into {string} at once", |rows: Number, table: String| {
    Action::World(WorldAction::InsertEverywhere { rows, table })
});
when!("the allocator of ids {disturbance}", |disturbance: Disturbance| {
    Action::World(WorldAction::DisturbIds(disturbance))
});
when!(
    "{person} visits {string} of the last record{route}",
    |person: Person, target: String, route: Route| {
        Action::Request { person, request: RequestKind::OfRecord { target }, route }
    }
);
