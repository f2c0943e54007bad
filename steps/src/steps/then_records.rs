//! Then steps about what cells hold: ids, sessions, organizations that move, jobs, commits, counters.

use cell_fleet::IdTable;

use super::parameters::{Cell, Number, Person, Sees};
use crate::judge::{self, Counts};

then!("{number} ids of {string} were drawn, none twice", |trace, count: Number, table: String| {
    judge::drawn_once(trace, table_of(&table)?, count.size())
});
then!("every id names the cell that drew it", |trace, plan| {
    judge::ids_name_their_cells(trace, plan)
});
then!("the ids of {string} fit into {number} bits", |trace, table: String, bits: Number| {
    judge::ids_fit(trace, table_of(&table)?, bits.0)
});
then!("every UUID is one of RFC 9562", |trace| judge::uuids_follow_the_rfc(trace));
then!(
    "{number} cells drew the id {string} of {string}",
    |trace, cells: Number, id: String, table: String| {
        judge::cells_drew(trace, table_of(&table)?, &id, cells.size())
    }
);
then!(
    "{cell} used {number} range(s) of {string}",
    |trace, cell: Cell, count: Number, table: String| {
        judge::ranges_used(trace, &cell.0, table_of(&table)?, count.size())
    }
);
then!("no two ranges of a table overlap", |trace| judge::ranges_disjoint(trace));
then!("every id lies in a range of its cell", |trace, plan| judge::ids_in_ranges(trace, plan));
then!("the last id was drawn {number} ids after the one before", |trace, ids: Number| {
    judge::last_gap(trace, ids.0)
});
then!("the move gave fresh ids to {number} rows", |trace, rows: Number| {
    judge::renumbered(trace, rows.size())
});
then!("{number} foreign keys led to a row before the move and after it", |trace, count: Number| {
    judge::references_kept(trace, count.size())
});
then!(
    "{person} gets the record with the {string} {string}",
    |trace, person: Person, member: String, value: String| {
        judge::gets_record(trace, &person.0, &member, &value)
    }
);

fn table_of(name: &str) -> Result<IdTable, String> {
    name.parse()
}

then!("no cell read the table {string}", |trace, table: String| {
    judge::table_not_read(trace, &table)
});
then!("the table {string} was written {number} time(s)", |trace, table: String, times: Number| {
    judge::table_written(trace, &table, times.size())
});
then!("no two cells took writes of one organization", |trace| judge::one_writer(trace));
then!("{person} gets a job of {string}", |trace, person: Person, project: String| {
    judge::gets_job(trace, &person.0, &project)
});
then!("{person} gets no job", |trace, person: Person| judge::gets_no_job(trace, &person.0));
then!("{number} jobs were given, none twice", |trace, jobs: Number| {
    judge::jobs_given_once(trace, jobs.size())
});
then!("{person} has cloned the commit {string}", |trace, person: Person, title: String| {
    judge::cloned_commit(trace, &person.0, &title)
});
then!("{person} has cloned all that was pushed", |trace, person: Person| {
    judge::cloned_all(trace, &person.0)
});
then!(
    "{person} {sees} the counts of {number} to-do item(s), {number} issue(s) \
             and {number} merge request(s)",
    |trace, person: Person, sees: Sees, todos: Number, issues: Number, merge_requests: Number| {
        let expected =
            Counts { todos: todos.0, issues: issues.0, merge_requests: merge_requests.0 };
        judge::counts(trace, &person.0, expected, sees.0)
    }
);
then!(
    "the write of {cell} to {string} took at least {number} ms longer than that of {cell}",
    |trace, far: Cell, schema: String, by: Number, near: Cell| {
        judge::write_took_longer(trace, &far.0, &near.0, &schema, by.0)
    }
);
