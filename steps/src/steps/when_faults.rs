//! When steps in which cells and routers go and come back.

use cell_fleet::CellId;

use super::definition::{Definition, when};
use super::needs::Needs;
use super::parameters::{Cell, RegionName};
use crate::stage::Stage;
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{cell} goes down", goes_down),
        when("{cell} comes back", comes_back),
        when("{cell} restarts", restarts),
        when("the {region} region goes down", region_goes_down),
        when("the {region} region comes back", region_comes_back),
        when("the faults end", faults_end),
        when("the {region} router is told to stop", router_told_to_stop).needs(Needs::PROCESS),
    ]
}

async fn goes_down(world: &mut World, cell: Cell) {
    act(world, Turn::Down, |_| vec![cell.0]).await;
}

async fn comes_back(world: &mut World, cell: Cell) {
    act(world, Turn::Back, |_| vec![cell.0]).await;
}

async fn restarts(world: &mut World, cell: Cell) {
    act(world, Turn::Restart, |_| vec![cell.0]).await;
}

async fn region_goes_down(world: &mut World, region: RegionName) {
    act(world, Turn::Down, |stage| cells_of(stage, &region)).await;
}

async fn region_comes_back(world: &mut World, region: RegionName) {
    act(world, Turn::Back, |stage| cells_of(stage, &region)).await;
}

/// What becomes of a cell, named as the topology does.
#[derive(Clone, Copy)]
enum Turn {
    Down,
    Back,
    Restart,
}

async fn act(world: &mut World, turn: Turn, cells: impl FnOnce(&Stage) -> Vec<CellId>) {
    let stage = world.stage();
    for cell in cells(stage) {
        let fleet = stage.fleet();
        let outcome = match turn {
            Turn::Down => fleet.take_down(&cell).await,
            Turn::Back => fleet.bring_back(&cell).await,
            Turn::Restart => fleet.restart(&cell).await,
        };
        if let Err(why) = outcome {
            return world.refuse(why.to_string());
        }
    }
}

fn cells_of(stage: &Stage, region: &RegionName) -> Vec<CellId> {
    stage
        .plan()
        .fleet
        .topology
        .cells
        .iter()
        .filter(|cell| *cell.region() == region.0)
        .cloned()
        .collect()
}

async fn faults_end(world: &mut World) {
    let stage = world.stage();
    stage.fleet().end_faults();
}

async fn router_told_to_stop(world: &mut World, region: RegionName) {
    let stage = world.stage();
    if let Err(why) = stage.tell_router_to_stop(&region.0) {
        world.refuse(why);
    }
}
