//! Checks of the ids of rows.

use std::collections::{BTreeMap, BTreeSet};

use cell_fleet::{CellId, Id, IdAllocation, IdRange, IdTable, cell_number_of};
use serde_json::Value;

use super::responses::last_response;
use super::{Proof, ensure};
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// This many ids of a table were drawn, and none of them twice. Ids that are unique on a cell alone
/// count with their cell.
pub fn drawn_once(trace: &Trace, table: IdTable, count: usize) -> Proof {
    let drawn: Vec<_> = allocations(trace).filter(|drawn| drawn.table == table).collect();
    let found = drawn.len();
    ensure(found == count, || format!("{found} ids of {table} were drawn, not {count}"))?;
    let mut first: BTreeMap<(Id, Option<&CellId>), &CellId> = BTreeMap::new();
    for IdAllocation { cell, id, .. } in drawn {
        let local = matches!(id, Id::Local(_)).then_some(cell);
        if let Some(other) = first.insert((*id, local), cell) {
            return Err(format!("{other} and {cell} both drew the id {id} of {table}"));
        }
    }
    Ok(())
}

/// The top bits of each id are the number of the cell that drew it.
pub fn ids_name_their_cells(trace: &Trace, plan: &ScenarioPlan) -> Proof {
    let numbers = plan.fleet.id_plan.numbers(&plan.fleet.topology);
    for IdAllocation { cell, id, table, .. } in drawn(trace)? {
        let Id::Number(number) = id else { return Err(format!("{id} carries no cell number")) };
        let (named, expected) = (cell_number_of(*number), numbers.get(cell).copied());
        ensure(Some(named) == expected, || {
            format!("{cell} drew the id {id} of {table}, which names cell {named}")
        })?;
    }
    Ok(())
}

/// All ids of a table are numbers of at most `bits` bits.
pub fn ids_fit(trace: &Trace, table: IdTable, bits: u64) -> Proof {
    let mut drawn = allocations(trace).filter(|drawn| drawn.table == table).peekable();
    ensure(drawn.peek().is_some(), || format!("no id of {table} was drawn"))?;
    for IdAllocation { cell, id, .. } in drawn {
        let Id::Number(number) = id else { return Err(format!("{cell} drew {id}, not a number")) };
        let needed = u64::from(u64::BITS - number.leading_zeros());
        ensure(needed <= bits, || format!("{cell} drew {id}, which takes {needed} bits"))?;
    }
    Ok(())
}

/// Each drawn id is a UUID with a version and the variant of RFC 9562.
pub fn uuids_follow_the_rfc(trace: &Trace) -> Proof {
    for IdAllocation { id, .. } in drawn(trace)? {
        let text = id.to_string();
        ensure(matches!(id, Id::Uuid(_)), || format!("{text} is not a UUID"))?;
        // Hyphens are at fixed places, so the digits of version and variant are too (4.1, 4.2).
        let (version, variant) = (text.as_bytes().get(14), text.as_bytes().get(19));
        let is_valid = matches!(version, Some(b'1'..=b'8'))
            && matches!(variant, Some(b'8' | b'9' | b'a' | b'b'));
        ensure(is_valid, || format!("{text} has no version and variant of RFC 9562"))?;
    }
    Ok(())
}

pub fn cells_drew(trace: &Trace, table: IdTable, id: &str, count: usize) -> Proof {
    let drew =
        allocations(trace).filter(|drawn| drawn.table == table && drawn.id.to_string() == id);
    let cells: BTreeSet<_> = drew.map(|drawn| &drawn.cell).collect();
    ensure(cells.len() == count, || {
        format!("{} cells drew the id {id} of {table}, not {count}: {cells:?}", cells.len())
    })
}

/// A cell drew the ids of a table from this many ranges, and no other cell drew from these ranges.
pub fn ranges_used(trace: &Trace, cell: &CellId, table: IdTable, count: usize) -> Proof {
    let of_cell = allocations(trace).filter(|drawn| drawn.cell == *cell && drawn.table == table);
    let ranges: BTreeSet<IdRange> = of_cell.filter_map(|drawn| drawn.range).collect();
    ensure(ranges.len() == count, || {
        let ranges: Vec<_> = ranges.iter().map(IdRange::to_string).collect();
        format!("{cell} used {} ranges of {table}, not {count}: {ranges:?}", ranges.len())
    })?;
    ranges_disjoint(trace)
}

/// No two ranges of a table have an id in common, and no range belongs to two cells.
pub fn ranges_disjoint(trace: &Trace) -> Proof {
    let mut given: BTreeMap<IdTable, BTreeMap<IdRange, &CellId>> = BTreeMap::new();
    for IdAllocation { cell, table, range, .. } in allocations(trace) {
        let range = range.ok_or_else(|| format!("{cell} drew an id of {table} without a range"))?;
        let of_table = given.entry(*table).or_default();
        for (other, holder) in of_table.iter() {
            let same = *other == range && *holder == cell;
            ensure(same || !other.overlaps(&range), || {
                format!("{holder} had the ids {other} of {table}, and {cell} the ids {range}")
            })?;
        }
        of_table.insert(range, cell);
    }
    ensure(!given.is_empty(), || "no id was drawn".to_owned())
}

/// Each id lies in the range from which it was drawn, which has the planned size.
pub fn ids_in_ranges(trace: &Trace, plan: &ScenarioPlan) -> Proof {
    ranges_disjoint(trace)?;
    let size = plan.fleet.id_plan.range_size;
    for IdAllocation { cell, id, range, .. } in allocations(trace) {
        let (Id::Number(number), Some(range)) = (id, range) else {
            return Err(format!("{cell} drew {id} without a range"));
        };
        let fits = range.contains(*number) && range.last - range.first + 1 == size;
        ensure(fits, || format!("{cell} drew {id}, with a range from {range}"))?;
    }
    Ok(())
}

/// The last drawn id is greater by `expected` than the one before it.
pub fn last_gap(trace: &Trace, expected: u64) -> Proof {
    let numbers: Vec<_> = allocations(trace)
        .filter_map(|drawn| match drawn.id {
            Id::Number(number) => Some(number),
            Id::Local(_) | Id::Uuid(_) => None,
        })
        .collect();
    let [.., before, last] = numbers[..] else {
        return Err("fewer than two ids were drawn".to_owned());
    };
    ensure(last.checked_sub(before) == Some(expected), || {
        format!("the id {last} followed {before}, not {}", before + expected)
    })
}

pub fn renumbered(trace: &Trace, rows: usize) -> Proof {
    ensure(!trace.moved_rows.is_empty(), || "nothing moved".to_owned())?;
    let found: usize = trace.moved_rows.iter().map(|(_, moved)| moved.renumbered).sum();
    ensure(found == rows, || format!("{found} rows got fresh ids, not {rows}"))
}

/// This many foreign keys of the moved rows led to a row before the move, and as many after it.
pub fn references_kept(trace: &Trace, count: usize) -> Proof {
    let (_, moved) = trace.moved_rows.last().ok_or("nothing moved")?;
    let (before, after) = (moved.references_before, moved.references_after);
    ensure(before == count && after == count, || {
        format!(
            "{before} foreign keys led to a row before the move and {after} after it, not {count}"
        )
    })
}

/// The last response to a person is a record with this value.
pub fn gets_record(trace: &Trace, person: &str, member: &str, value: &str) -> Proof {
    let (_, request, got) = last_response(trace, person)?;
    let (target, text) = (&request.target, got.body.text());
    let record: Value = serde_json::from_str(&text)
        .map_err(|error| format!("{target} {}: `{text}` is not JSON: {error}", got.status))?;
    let found = &record[member];
    let found = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
    ensure(found == value, || format!("{target} gave a record with the {member} {found}"))
}

/// The ids that were drawn: at least one.
fn drawn(trace: &Trace) -> Result<impl Iterator<Item = &IdAllocation>, String> {
    let mut drawn = allocations(trace).peekable();
    ensure(drawn.peek().is_some(), || "no id was drawn".to_owned())?;
    Ok(drawn)
}

fn allocations(trace: &Trace) -> impl Iterator<Item = &IdAllocation> {
    trace.allocations.iter().map(|(_, allocation)| allocation)
}
