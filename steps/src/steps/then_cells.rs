//! Then steps about what reached cells, and about routers and databases.

use cucumber::then;

use super::meaning::{Arrivals, Meaning, Role};
use super::parameters::{Amount, Cell, CellGroup, Copies, Method, Number, RegionName, Topic};
use crate::action::Needs;
use crate::judge::{self, Proof};
use crate::trace::Trace;

#[then(expr = "{cell} responded last")]
fn responded_last(step: &mut Meaning, cell: Cell) {
    step.check(move |trace| judge::responded_last(trace, &cell.0));
}

#[then(expr = "no request went to {group}")]
fn no_request_went_to(step: &mut Meaning, group: CellGroup) {
    step.check(move |trace| judge::nothing_reached(trace, &group));
}

#[then(expr = "every request reached exactly one cell")]
fn every_request_reached_exactly_one_cell(step: &mut Meaning) {
    step.check(move |trace| judge::reached_exactly_one(trace, false));
}

#[then(expr = "the last request reached exactly one cell")]
fn last_request_reached_exactly_one_cell(step: &mut Meaning) {
    step.check(move |trace| judge::reached_exactly_one(trace, true));
}

#[then(expr = "the last request reached cells at most {number} times")]
fn last_request_reached_cells_at_most_times(step: &mut Meaning, times: Number) {
    step.check(move |trace| judge::reached_at_most(trace, times.size()));
}

#[then(expr = "the last request reached cells exactly {number} times")]
fn last_request_reached_cells_exactly_times(step: &mut Meaning, times: Number) {
    step.check(move |trace| judge::reached_exactly(trace, times.size()));
}

#[then(expr = "there was/were {amount} pre-flight(s){topic}")]
fn there_were_pre_flights(step: &mut Meaning, amount: Amount, topic: Topic) {
    step.check(move |trace| judge::preflights(trace, topic.0.as_deref(), amount.0));
}

#[then(expr = "the pre-flight asked about {string} with the method {method}")]
fn pre_flight_asked_about_method(step: &mut Meaning, path: String, method: Method) {
    step.check(move |trace| judge::preflight_asked(trace, &path, &method.0));
}

#[then(expr = "every pre-flight came without a body")]
fn every_pre_flight_came_without_a_body(step: &mut Meaning) {
    step.check(judge::preflights_without_body);
}

#[then(expr = "every pre-flight came without credentials")]
fn every_pre_flight_came_without_credentials(step: &mut Meaning) {
    step.check(judge::preflights_without_credentials);
}

#[then(expr = "at most {number} of the paths were still cached")]
fn at_most_of_the_paths_were_still_cached(step: &mut Meaning, places: Number) {
    step.check(move |trace| judge::still_known_at_most(trace, places.size()));
}

#[then(expr = "every copy of the request carried the same method, target and body")]
fn every_copy_request_carried_same_method_target_and(step: &mut Meaning) {
    step.check(judge::copies_unchanged);
}

#[then(expr = "{copies} carried the user's fields")]
fn copies_carried_user_fields(step: &mut Meaning, copies: Copies) {
    step.check(move |trace| of_copies(trace, copies, judge::copies_carry_fields));
}

#[then(expr = "{copies} kept the lines of the user's fields")]
fn copies_kept_lines_user_fields(step: &mut Meaning, copies: Copies) {
    step.check(move |trace| of_copies(trace, copies, judge::copies_keep_lines));
}

#[then(expr = "every copy of the request kept the bytes of the user's values")]
fn every_copy_request_kept_bytes_user_values(step: &mut Meaning) {
    step.check(judge::copies_keep_values);
}

#[then(expr = "each request reached cells as its user sent it")]
fn request_reached_cells_as_user_sent_it(step: &mut Meaning) {
    step.check(judge::reached_cells_as_sent);
}

#[then(expr = "no cell received the field {string}")]
fn no_cell_received_the_field(step: &mut Meaning, field: String) {
    step.check(move |trace| judge::no_copy_carries(trace, &field));
}

#[then(expr = "the target {string} reached {cell}")]
fn the_target_reached(step: &mut Meaning, target: String, cell: Cell) {
    step.check(move |trace| judge::target_reached(trace, &target, Some(&cell.0)));
}

#[then(expr = "the target {string} reached {cell}, or the router refused the raw request")]
fn target_reached_or_router_refused_raw_request(step: &mut Meaning, target: String, cell: Cell) {
    step.check(move |trace| judge::target_reached_or_refused(trace, &target, &cell.0));
}

#[then(expr = "no cell took a truncated body for complete")]
fn no_cell_took_truncated_body_for_complete(step: &mut Meaning) {
    step.check(|trace| Arrivals(judge::no_part_as_whole_body(trace)));
}

#[then(expr = "the cell received the complete body")]
fn the_cell_received_the_complete_body(step: &mut Meaning) {
    step.check(judge::body_whole);
}

#[then(expr = "the first bytes reached the cell before the last were sent")]
fn first_bytes_reached_cell_before_last_sent(step: &mut Meaning) {
    step.check(judge::streamed);
}

#[then(expr = "each cell of the {region} region was asked first at least once")]
fn cell_region_asked_first_least_once(step: &mut Meaning, region: RegionName) {
    step.check(move |trace| judge::asked_each_first(trace, &region.0));
}

#[then(
    expr = "each cell of the {region} region that was asked first was so at least {number} times"
)]
fn cell_region_asked_first_so_least_times(step: &mut Meaning, region: RegionName, times: Number) {
    step.check(move |trace| judge::asked_evenly(trace, &region.0, times.size()));
}

#[then(expr = "no cell of the {region} region was asked first")]
fn no_cell_of_the_region_was_asked_first(step: &mut Meaning, region: RegionName) {
    step.check(move |trace| judge::never_asked_first(trace, &region.0));
}

#[then(expr = "the path {string} belongs to {cell}")]
fn the_path_belongs_to(step: &mut Meaning, path: String, cell: Cell) {
    step.needs(Needs::OWNERSHIP);
    step.check(move |trace| judge::belongs_to(trace, &path, &cell.0));
}

#[then(expr = "every cell gave the same response")]
fn every_cell_gave_the_same_response(step: &mut Meaning) {
    step.check(judge::same_responses);
}

#[then(expr = "every cell points to {cell}")]
fn every_cell_points_to(step: &mut Meaning, cell: Cell) {
    step.check(move |trace| judge::all_point_to(trace, &cell.0));
}

#[then(expr = "no database was written")]
fn no_database_was_written(step: &mut Meaning) {
    step.check(judge::nothing_written);
}

#[then(expr = "the write to {string} went to the primary")]
fn the_write_to_went_to_the_primary(step: &mut Meaning, schema: String) {
    step.check(move |trace| judge::written_at_primary(trace, &schema));
}

#[then(expr = "{cell} read {string} from {string} alone")]
fn read_from_alone(step: &mut Meaning, cell: Cell, read: String, server: String) {
    step.check(move |trace| judge::read_from(trace, &cell.0, &read, &server));
}

#[then(expr = "{cell} did not read {string}")]
fn did_not_read(step: &mut Meaning, cell: Cell, schema: String) {
    step.check(move |trace| judge::did_not_read(trace, &cell.0, &schema));
}

#[then(expr = "the router(s) became ready and stopped when told to")]
fn router_became_ready_and_stopped_when_told(step: &mut Meaning) {
    step.role(Role::ProcessLife);
    step.needs(Needs::PROCESS);
    step.check(judge::routers_well_behaved);
}

/// Judges the copies of the last request; without a copy the check may be met.
fn of_copies(trace: &Trace, copies: Copies, judge: fn(&Trace) -> Proof) -> Proof {
    let (index, _) = trace.last()?;
    match copies {
        Copies::IfAny if trace.hops_of(index).next().is_none() => Ok(()),
        Copies::IfAny | Copies::AtLeastOne => judge(trace),
    }
}
