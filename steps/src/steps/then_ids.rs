//! Then steps about the ids of rows.

use cell_fleet::IdTable;

use super::definition::{Definition, then, then_by_plan};
use super::parameters::{Cell, Number, Person};
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    [drawn(), ranges(), records()].into_iter().flatten().collect()
}

fn drawn() -> Vec<Definition> {
    vec![
        then(
            "{number} ids of {string} were drawn, none twice",
            |trace: &Trace, count: Number, table: String| {
                judge::drawn_once(trace, table_of(&table)?, count.size())
            },
        ),
        then("no id was drawn twice", judge::none_drawn_twice),
        then_by_plan("every id names the cell that drew it", |trace, plan| {
            judge::ids_name_their_cells(trace, plan).into()
        }),
        then(
            "the ids of {cell} begin with the number {number}",
            |trace: &Trace, cell: Cell, number: Number| {
                judge::ids_begin_with(trace, &cell.0, number.0)
            },
        ),
        then(
            "the ids of {string} fit into {number} bits",
            |trace: &Trace, table: String, bits: Number| {
                judge::ids_fit(trace, table_of(&table)?, bits.0)
            },
        ),
        then("every UUID is one of RFC 9562", judge::uuids_follow_the_rfc),
        then(
            "{number} cells drew the id {string} of {string}",
            |trace: &Trace, cells: Number, id: String, table: String| {
                judge::cells_drew(trace, table_of(&table)?, &id, cells.size())
            },
        ),
    ]
}

fn ranges() -> Vec<Definition> {
    vec![
        then(
            "{cell} used {number} range(s) of {string}",
            |trace: &Trace, cell: Cell, count: Number, table: String| {
                judge::ranges_used(trace, &cell.0, table_of(&table)?, count.size())
            },
        ),
        then("no two ranges of a table overlap", judge::ranges_disjoint),
        then_by_plan("every id lies in a range of its cell", |trace, plan| {
            judge::ids_in_ranges(trace, plan).into()
        }),
        then(
            "the last id was drawn {number} ids after the one before",
            |trace: &Trace, ids: Number| judge::last_gap(trace, ids.0),
        ),
        then("an insert waited at least {number} ms for its id", |trace: &Trace, ms: Number| {
            judge::waited_for_id(trace, ms.0)
        }),
        then("the move gave fresh ids to {number} rows", |trace: &Trace, rows: Number| {
            judge::renumbered(trace, rows.size())
        }),
        then(
            "{number} foreign keys led to a row before the move and after it",
            |trace: &Trace, count: Number| judge::references_kept(trace, count.size()),
        ),
    ]
}

fn records() -> Vec<Definition> {
    vec![
        then(
            "{person} gets the record with the {string} {string}",
            |trace: &Trace, person: Person, member: String, value: String| {
                judge::gets_record(trace, &person.0, &member, &value)
            },
        ),
        then("{person} gets the id that the cell drew", |trace: &Trace, person: Person| {
            judge::gets_drawn_id(trace, &person.0)
        }),
        then("the IIDs of {string} rise", |trace: &Trace, target: String| {
            judge::iids_rise(trace, &target)
        }),
    ]
}

fn table_of(name: &str) -> Result<IdTable, String> {
    name.parse()
}
