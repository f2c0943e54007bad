//! Then steps about what reached cells, and about routers and databases.

use super::meaning::Arrivals;
use super::parameters::{
    Amount, Cell, CellGroup, Copies, Exactly, Kept, LastAlone, Method, Number, OrRefused,
    RegionName, Topic,
};
use crate::judge;

then!("{cell} responded last", |trace, cell: Cell| judge::responded_last(trace, &cell.0));
then!("no request went to {group}", |trace, group: CellGroup| {
    judge::nothing_reached(trace, &group)
});
then!("{last_alone} request reached exactly one cell", |trace, last: LastAlone| {
    judge::reached_exactly_one(trace, last.0)
});
then!(
    "the last request reached cells {exactly} {number} times",
    |trace, exactly: Exactly, times: Number| judge::reached(trace, exactly.0, times.size())
);
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
// Of copies, where the router may have refused the request, there may be none.
then!("{copies} {kept}", |trace, copies: Copies, kept: Kept| {
    let (index, _) = trace.last()?;
    match copies {
        Copies::IfAny if trace.hops_of(index).next().is_none() => Ok(()),
        Copies::IfAny | Copies::AtLeastOne => kept.0(trace),
    }
});
then!("each request reached cells as its user sent it", |trace| {
    judge::reached_cells_as_sent(trace)
});
then!("no cell received the field {string}", |trace, field: String| {
    judge::no_copy_carries(trace, &field)
});
then!(
    "the target {string} reached {cell}{or_refused}",
    |trace, target: String, cell: Cell, or_refused: OrRefused| {
        judge::target_reached(trace, &target, &cell.0, or_refused.0)
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
