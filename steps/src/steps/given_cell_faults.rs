//! Given steps about faults of whole cells: of their connections.
//!
//! They name a cell as the topology does: a router meets such a fault before the cell has a role.

use std::time::Duration;

use cell_fleet::fault::Fault;
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Cells, Number, OnConnections, RegionName};

#[given(expr = "{cells} {connections}")]
fn fault_of_connections(step: &mut Meaning, cells: Cells, connections: OnConnections) {
    step.condition(move |plan| {
        let of_cells = cells.of(plan)?.into_iter();
        let faults = of_cells.map(|cell| Fault::of_connections(cell, connections.0.clone()));
        plan.fleet.faults.extend(faults);
        Ok(())
    });
}

#[given(expr = "the cells of the {region} region respond after {number} ms")]
fn the_cells_of_the_region_respond_after_ms(step: &mut Meaning, region: RegionName, by: Number) {
    step.condition(move |plan| {
        plan.fleet.latency.insert(region.0, Duration::from_millis(by.0));
    });
}
