//! Given steps about faults of whole cells: of their connections, and of whole regions.
//!
//! They name a cell as the topology does, since a router meets such a fault before anybody can say
//! which part the cell plays.

use std::time::Duration;

use cell_fleet::fault::{
    ClosesAfterOneResponse, ClosesBeforeReading, ClosesWhenUsedAgain, ConnectionFault, Fault,
    ReadsNothing, Refuses,
};
use cucumber::given;

use super::parameters::{Cells, Number, RegionName};
use crate::world::World;

#[given(expr = "{cells} refuses connections")]
fn refuses(world: &mut World, cells: Cells) {
    spoil(world, cells, Refuses);
}

#[given(expr = "the {region} region is down")]
fn region_down(world: &mut World, region: RegionName) {
    world.given(|plan| {
        let cells: Vec<_> = plan
            .fleet
            .topology
            .cells
            .iter()
            .filter(|cell| *cell.region() == region.0)
            .cloned()
            .collect();
        if cells.is_empty() {
            return Err(format!("there is no cell in region {}", region.0));
        }
        plan.fleet
            .faults
            .extend(cells.into_iter().map(|cell| Fault::of_connections(Some(cell), Refuses)));
        Ok(())
    });
}

#[given(expr = "the cells of the {region} region respond after {number} ms")]
fn region_late(world: &mut World, region: RegionName, by: Number) {
    world.plan().fleet.latency.insert(region.0, Duration::from_millis(by.0));
}

#[given(expr = "{cells} accepts connections and reads nothing")]
fn reads_nothing(world: &mut World, cells: Cells) {
    spoil(world, cells, ReadsNothing);
}

#[given(expr = "{cells} closes each connection after one response")]
fn closes_after_one_response(world: &mut World, cells: Cells) {
    spoil(world, cells, ClosesAfterOneResponse);
}

#[given(expr = "{cells} closes each idle connection when it is reused")]
fn closes_when_used_again(world: &mut World, cells: Cells) {
    spoil(world, cells, ClosesWhenUsedAgain);
}

#[given(expr = "{cells} closes {number} connection(s) before it reads")]
fn closes_before_reading(world: &mut World, cells: Cells, connections: Number) {
    spoil(world, cells, ClosesBeforeReading { connections: connections.count() });
}

fn spoil(world: &mut World, cells: Cells, fault: impl Into<ConnectionFault>) {
    world.plan().fleet.faults.push(Fault::of_connections(cells.0, fault));
}
