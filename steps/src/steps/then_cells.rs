//! Then steps about what reached cells, and about routers and databases.

use super::definition::{Definition, Role, then};
use super::parameters::{Cell, Method, Number, RegionName};
use crate::judge;
use crate::needs::Needs;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then("{cell} responded last", |trace: &Trace, cell: Cell| {
            judge::responded_last(trace, &cell.0)
        }),
        then("no request went to {cell}", |trace: &Trace, cell: Cell| {
            judge::nothing_reached(trace, &cell.0)
        }),
        then(
            "no request reached a cell of the {region} region",
            |trace: &Trace, region: RegionName| judge::nothing_reached_region(trace, &region.0),
        ),
        then("every request reached exactly one cell", |trace: &Trace| {
            judge::reached_exactly_one(trace, false)
        }),
        then("the last request reached exactly one cell", |trace: &Trace| {
            judge::reached_exactly_one(trace, true)
        }),
        then(
            "the last request reached cells at most {number} times",
            |trace: &Trace, times: Number| judge::reached_at_most(trace, times.size()),
        ),
        then(
            "the last request reached cells exactly {number} times",
            |trace: &Trace, times: Number| judge::reached_exactly(trace, times.size()),
        ),
        then("there was no pre-flight", |trace: &Trace| judge::preflights(trace, None, 0)),
        then("there was no pre-flight about {string}", |trace: &Trace, path: String| {
            judge::preflights(trace, Some(&path), 0)
        }),
        then("there was one pre-flight", |trace: &Trace| judge::preflights(trace, None, 1)),
        then("there was a pre-flight", judge::some_preflight),
        then("there were {number} pre-flights", |trace: &Trace, count: Number| {
            judge::preflights(trace, None, count.size())
        }),
        then(
            "the pre-flight asked about {string} with the method {method}",
            |trace: &Trace, path: String, method: Method| {
                judge::preflight_asked(trace, &path, &method.0)
            },
        ),
        then("every pre-flight came without a body", judge::preflights_without_body),
        then("every pre-flight came without credentials", judge::preflights_without_credentials),
        then("at most {number} of the paths were still cached", |trace: &Trace, places: Number| {
            judge::still_known_at_most(trace, places.size())
        }),
        then(
            "every copy of the request carried the same method, target and body",
            judge::copies_unchanged,
        ),
        then("every copy of the request carried the user's fields", judge::copies_carry_fields),
        then(
            "every copy of the request kept the lines of the user's fields",
            judge::copies_keep_lines,
        ),
        then(
            "every copy of the request kept the bytes of the user's values",
            judge::copies_keep_values,
        ),
        then(
            "every request that reached a cell carried the user's fields",
            judge::arrivals_carry_fields,
        ),
        then(
            "every request that reached a cell kept the lines of the user's fields",
            judge::arrivals_keep_lines,
        ),
        then("each request reached cells as its user sent it", judge::kept_apart),
        then("no cell received the field {string}", |trace: &Trace, field: String| {
            judge::no_copy_carries(trace, &field)
        }),
        then("the target {string} reached {cell}", |trace: &Trace, target: String, cell: Cell| {
            judge::target_reached(trace, &target, Some(&cell.0))
        }),
        then(
            "the target {string} reached {cell}, or the router refused the raw request",
            |trace: &Trace, target: String, cell: Cell| {
                judge::target_reached_or_refused(trace, &target, &cell.0)
            },
        ),
        then("no cell took a truncated body for complete", judge::no_part_as_whole_body),
        then("the cell received the complete body", judge::body_whole),
        then("the first bytes reached the cell before the last were sent", judge::streamed),
        then(
            "each cell of the {region} region was asked first at least once",
            |trace: &Trace, region: RegionName| judge::asked_each_first(trace, &region.0),
        ),
        then(
            "each cell of the {region} region that was asked first was so at least {number} times",
            |trace: &Trace, region: RegionName, times: Number| {
                judge::asked_evenly(trace, &region.0, times.size())
            },
        ),
        then(
            "no cell of the {region} region was asked first",
            |trace: &Trace, region: RegionName| judge::never_asked_first(trace, &region.0),
        ),
        then(
            "no request went to another region before a cell had been asked",
            judge::asked_before_abroad,
        ),
        then("the path {string} belongs to {cell}", |trace: &Trace, path: String, cell: Cell| {
            judge::belongs_to(trace, &path, &cell.0)
        })
        .needs(Needs::OWNERSHIP),
        then("every cell gave the same response", judge::same_responses),
        then("every cell points to {cell}", |trace: &Trace, cell: Cell| {
            judge::all_point_to(trace, &cell.0)
        }),
        then("no database was written", judge::nothing_written),
        then("the write to {string} went to the primary", |trace: &Trace, schema: String| {
            judge::written_at_primary(trace, &schema)
        }),
        then(
            "{cell} read {string} from the {region} replica",
            |trace: &Trace, cell: Cell, schema: String, region: RegionName| {
                judge::read_from_replica(trace, &cell.0, &schema, &region.0)
            },
        ),
        then(
            "{cell} read {string} from its own server",
            |trace: &Trace, cell: Cell, schema: String| {
                judge::read_from_own(trace, &cell.0, &schema)
            },
        ),
        then("{cell} did not read {string}", |trace: &Trace, cell: Cell, schema: String| {
            judge::did_not_read(trace, &cell.0, &schema)
        }),
        then("the router(s) became ready and stopped when told to", judge::routers_well_behaved)
            .role(Role::ProcessLife)
            .needs(Needs::PROCESS),
    ]
}
