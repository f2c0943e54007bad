//! Then steps about what reached cells, and about routers and databases.

use super::meaning::Arrivals;
use super::parameters::{Amount, Cell, CellGroup, Copies, Method, Number, RegionName, Topic};
use crate::judge::{self, Proof};
use crate::trace::Trace;

then!("{cell} responded last", |trace, cell: Cell| judge::responded_last(trace, &cell.0));
then!("no request went to {group}", |trace, group: CellGroup| {
    judge::nothing_reached(trace, &group)
});
then!("every request reached exactly one cell", |trace| {
    judge::reached_exactly_one(trace, false)
});
then!("the last request reached exactly one cell", |trace| {
    judge::reached_exactly_one(trace, true)
});
then!("the last request reached cells at most {number} times", |trace, times: Number| {
    judge::reached_at_most(trace, times.size())
});
then!("the last request reached cells exactly {number} times", |trace, times: Number| {
    judge::reached_exactly(trace, times.size())
});
then!("there was/were {amount} pre-flight(s){topic}", |trace, amount: Amount, topic: Topic| {
    judge::preflights(trace, topic.0.as_deref(), amount.0)
});
then!(
    "the pre-flight asked about {string} with the method {method}",
    |trace, path: String, method: Method| judge::preflight_asked(trace, &path, &method.0)
);
then!("every pre-flight came without a body", |trace| judge::preflights_without_body(trace));
then!("every pre-flight came without credentials", |trace| {
    judge::preflights_without_credentials(trace)
});
then!("at most {number} of the paths were still cached", |trace, places: Number| {
    judge::still_known_at_most(trace, places.size())
});
then!("every copy of the request carried the same method, target and body", |trace| {
    judge::copies_unchanged(trace)
});
then!("{copies} carried the user's fields", |trace, copies: Copies| {
    of_copies(trace, copies, judge::copies_carry_fields)
});
then!("{copies} kept the lines of the user's fields", |trace, copies: Copies| {
    of_copies(trace, copies, judge::copies_keep_lines)
});
then!("every copy of the request kept the bytes of the user's values", |trace| {
    judge::copies_keep_values(trace)
});
then!("each request reached cells as its user sent it", |trace| {
    judge::reached_cells_as_sent(trace)
});
then!("no cell received the field {string}", |trace, field: String| {
    judge::no_copy_carries(trace, &field)
});
then!("the target {string} reached {cell}", |trace, target: String, cell: Cell| {
    judge::target_reached(trace, &target, Some(&cell.0))
});
then!(
    "the target {string} reached {cell}, or the router refused the raw request",
    |trace, target: String, cell: Cell| {
        judge::target_reached_or_refused(trace, &target, &cell.0)
    }
);
then!("no cell took a truncated body for complete", |trace| {
    Arrivals(judge::no_part_as_whole_body(trace))
});
then!("the cell received the complete body", |trace| judge::body_whole(trace));
then!("the first bytes reached the cell before the last were sent", |trace| {
    judge::streamed(trace)
});
then!(
    "each cell of the {region} region was asked first at least once",
    |trace, region: RegionName| judge::asked_each_first(trace, &region.0)
);
then!(
    "each cell of the {region} region that was asked first was so at least {number} times",
    |trace, region: RegionName, times: Number| {
        judge::asked_evenly(trace, &region.0, times.size())
    }
);
then!("no cell of the {region} region was asked first", |trace, region: RegionName| {
    judge::never_asked_first(trace, &region.0)
});
then!("the path {string} belongs to {cell}" as Ownership, |trace, path: String, cell: Cell| {
    judge::belongs_to(trace, &path, &cell.0)
});
then!("every cell gave the same response", |trace| judge::same_responses(trace));
then!("every cell points to {cell}", |trace, cell: Cell| judge::all_point_to(trace, &cell.0));
then!("no database was written", |trace| judge::nothing_written(trace));
then!("the write to {string} went to the primary", |trace, schema: String| {
    judge::written_at_primary(trace, &schema)
});
then!(
    "{cell} read {string} from {string} alone",
    |trace, cell: Cell, read: String, server: String| {
        judge::read_from(trace, &cell.0, &read, &server)
    }
);
then!("{cell} did not read {string}", |trace, cell: Cell, schema: String| {
    judge::did_not_read(trace, &cell.0, &schema)
});
then!(
    "the router(s) became ready and stopped when told to" needs PROCESS as ProcessLife,
    |trace| judge::routers_well_behaved(trace)
);

/// Judges the copies of the last request; without a copy the check may be met.
fn of_copies(trace: &Trace, copies: Copies, judge: fn(&Trace) -> Proof) -> Proof {
    let (index, _) = trace.last()?;
    match copies {
        Copies::IfAny if trace.hops_of(index).next().is_none() => Ok(()),
        Copies::IfAny | Copies::AtLeastOne => judge(trace),
    }
}
