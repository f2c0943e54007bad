//! Given steps about faults of whole cells: of their connections.
//!
//! They name a cell as the topology does: a router meets such a fault before the cell has a role.

use std::time::Duration;

use cell_fleet::fault::{
    AnswersNoConnection, ClosesAfterOneResponse, ClosesBeforeReading, ClosesWhenUsedAgain,
    ConnectionFault, Fault, ReadsNothing, Refuses,
};
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Cells, Number, RegionName};
use crate::plan::ScenarioPlan;

#[given(expr = "{cells} refuses connections")]
fn refuses_connections(step: &mut Meaning, cells: Cells) {
    step.condition(move |plan| add_fault(plan, cells, Refuses));
}

#[given(expr = "{cells} does not answer attempts to connect")]
fn does_not_answer_attempts_to_connect(step: &mut Meaning, cells: Cells) {
    step.condition(move |plan| add_fault(plan, cells, AnswersNoConnection));
}

#[given(expr = "the cells of the {region} region respond after {number} ms")]
fn the_cells_of_the_region_respond_after_ms(step: &mut Meaning, region: RegionName, by: Number) {
    step.condition(move |plan| {
        plan.fleet.latency.insert(region.0, Duration::from_millis(by.0));
    });
}

#[given(expr = "{cells} accepts connections and reads nothing")]
fn accepts_connections_and_reads_nothing(step: &mut Meaning, cells: Cells) {
    step.condition(move |plan| add_fault(plan, cells, ReadsNothing));
}

#[given(expr = "{cells} closes each connection after one response")]
fn closes_connection_after_one_response(step: &mut Meaning, cells: Cells) {
    step.condition(move |plan| add_fault(plan, cells, ClosesAfterOneResponse));
}

#[given(expr = "{cells} closes each idle connection when it is reused")]
fn closes_idle_connection_when_it_reused(step: &mut Meaning, cells: Cells) {
    step.condition(move |plan| add_fault(plan, cells, ClosesWhenUsedAgain));
}

#[given(expr = "{cells} closes {number} connection(s) before it reads")]
fn closes_connection_before_it_reads(step: &mut Meaning, cells: Cells, connections: Number) {
    step.condition(move |plan| {
        add_fault(plan, cells, ClosesBeforeReading { connections: connections.count() })
    });
}

fn add_fault(
    plan: &mut ScenarioPlan,
    cells: Cells,
    fault: impl Into<ConnectionFault>,
) -> Result<(), String> {
    let fault = fault.into();
    let all = cells.of(plan)?.into_iter();
    plan.fleet.faults.extend(all.map(|cell| Fault::of_connections(cell, fault.clone())));
    Ok(())
}
