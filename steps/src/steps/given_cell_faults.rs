//! Given steps about faults of whole cells: of their connections, and of whole regions.
//!
//! They name a cell as the topology does: a router meets such a fault before the cell has a role.

use std::time::Duration;

use cell_fleet::fault::{
    ClosesAfterOneResponse, ClosesBeforeReading, ClosesWhenUsedAgain, ConnectionFault, Fault,
    ReadsNothing, Refuses,
};

use super::definition::{Definition, given};
use super::parameters::{Cells, Number, RegionName};
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given("{cells} refuses connections", |plan: &mut ScenarioPlan, cells: Cells| {
            add_fault(plan, cells, Refuses);
        }),
        given("the {region} region is down", |plan: &mut ScenarioPlan, region: RegionName| {
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
        }),
        given(
            "the cells of the {region} region respond after {number} ms",
            |plan: &mut ScenarioPlan, region: RegionName, by: Number| {
                plan.fleet.latency.insert(region.0, Duration::from_millis(by.0));
            },
        ),
        given(
            "{cells} accepts connections and reads nothing",
            |plan: &mut ScenarioPlan, cells: Cells| {
                add_fault(plan, cells, ReadsNothing);
            },
        ),
        given(
            "{cells} closes each connection after one response",
            |plan: &mut ScenarioPlan, cells: Cells| {
                add_fault(plan, cells, ClosesAfterOneResponse);
            },
        ),
        given(
            "{cells} closes each kept connection as it is used again",
            |plan: &mut ScenarioPlan, cells: Cells| {
                add_fault(plan, cells, ClosesWhenUsedAgain);
            },
        ),
        given(
            "{cells} closes {number} connection(s) before it reads",
            |plan: &mut ScenarioPlan, cells: Cells, connections: Number| {
                add_fault(plan, cells, ClosesBeforeReading { connections: connections.count() });
            },
        ),
    ]
}

fn add_fault(plan: &mut ScenarioPlan, cells: Cells, fault: impl Into<ConnectionFault>) {
    plan.fleet.faults.push(Fault::of_connections(cells.0, fault));
}
