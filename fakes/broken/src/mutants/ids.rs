//! Ids: how they are drawn, what a move does to them, and how their rows are found.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use axum::http::StatusCode;
use axum::response::Response;
use cell_fleet::inside::api::projects::shown_merge_request;
use cell_fleet::inside::ownership::decide_by_row;
use cell_fleet::inside::{
    Asked, Call, Cell, CorrectMover, CorrectParts, Endpoint, Mover, Owner, PageResult, Parts,
    RouteDecision, RowPage, StoreError, Viewer, Visit, response,
};
use cell_fleet::store::{OrganizationRows, ProjectReference};
use cell_fleet::{CellId, Id, IdStrategy, IdTable, Installation};
use serde_json::{Value, json};

use crate::mutant::mutants;
use crate::stores::{Stored, counters, ids};
use crate::ways::{Decides, Writes};

mutants! {
    EachCellCountsByItself: Both, "ID-01",
        "each cell counts the ids of its namespaces and projects by itself"
            => Stored::Ids(ids::each_cell_counts_by_itself);
    UserIdsPerCell: Both, "ID-04", "each cell counts the ids of the shared users by itself"
            => Stored::Ids(ids::user_ids_per_cell);
    MovesDrawNewIds: Both, "ID-05", "rows that move get new ids although theirs are unique"
            => Renumbers(Renumbering::All);
    UuidsWithoutVersion: Both, "ID-10",
        "a UUID is 128 random bits, without the version that RFC 9562 asks for"
            => Stored::Ids(ids::uuids_without_version);
    NumbersLeadToNewRows: Both, "ID-11",
        "a number leads to a new row of the asked cell that has it next to its UUID"
            => NumbersLeadToNewRows;
    NotesWithoutUuids: Both, "ID-11",
        "notes have a number alone, while the rows of all other tables have UUIDs"
            => Stored::Ids(ids::notes_without_uuids);
    BitsOfAnotherCell: Both, "ID-20",
        "the top bits of an id name the cell after the one that drew it"
            => Stored::Ids(ids::bits_of_another_cell);
    NineBitsForTheCell: Both, "ID-21", "an id has room for nine bits of the cell's number"
            => Stored::Ids(ids::nine_bits_for_the_cell);
    IdsGivenAgainAfterAMove: Both, "ID-22",
        "a cell whose rows have moved away counts from the beginning"
            => Stored::Databases(counters::ids_given_again);
    MovedRowsByBits: Both, "ID-23",
        "a row is looked for where the bits of its id say, also after a move"
            => ByDrawing(IdStrategy::CellBits);
    IdsThroughFloats: Both, "ID-24",
        "an id passes through a floating-point number on its way into JSON"
            => Writes(through_floats);
    IdsBesideTheirRange: Both, "ID-30",
        "ids are from the range after the one that the cell was given"
            => Stored::Ids(ids::ids_beside_their_range);
    RangeUsedAgain: Both, "ID-31", "a cell that has used up its range uses it once more"
            => Stored::Ids(ids::range_used_again);
    OneRangeForAllTables: Both, "ID-32", "all tables of a cell draw from one range"
            => Stored::Ids(ids::one_range_for_all_tables);
    NoRecordOfRanges: Both, "ID-33", "nothing tells which cell was given the range of an id"
            => Stored::Ids(ids::no_record_of_ranges);
    MovedRowsByRange: Both, "ID-34",
        "a row is looked for at the cell that was given its range, also after a move"
            => ByDrawing(IdStrategy::Ranges);
    InventsIdsAlone: Both, "ID-38", "a cell that gets no range makes up ids"
            => Stored::Ids(ids::invents_ids_alone);
    LateRangesFailInserts: Both, "ID-36", "an insert that would have to wait for its range fails"
            => Stored::Ids(ids::late_ranges_fail_inserts);
    RangesBeginAbove32Bits: Both, "ID-35",
        "the ranges of each table begin above 2^32, whatever ids its rows have"
            => Stored::Ids(ids::ranges_begin_above_32_bits);
    CounterInEachCell: Both, "ID-37",
        "the counter of ranges is kept in each cell, so that two cells get the same range"
            => Stored::Ids(ids::counter_in_each_cell);
    ProjectsCountedPerCell: Both, "ID-40", "projects have ids that are unique on their cell alone"
            => Stored::Ids(ids::projects_counted_per_cell);
    LocalIdsCountedTogether: Both, "ID-41",
        "one counter for all cells gives the ids of merge requests"
            => Stored::Ids(ids::local_ids_counted_together);
    IidsFall: Both, "ID-42", "a later merge request has a smaller IID"
            => Writes(iids_fall);
    BareLocalIdsResolve: Both, "ID-43",
        "any cell shows its own row for an id that is unique on a cell alone" => Decides(here);
    ForeignKeysKept: Both, "ID-44",
        "notes keep the former id of their merge request when it gets a fresh one"
            => Renumbers(Renumbering::KeysKept);
    OldLinksShowOthers: Both, "ID-45",
        "a link by project and former id shows the row of another project that has the id now"
            => OldLinksShowOthers;
}

fn here(_: &Cell, asked: &Asked, _: Option<&Viewer>, decision: &mut RouteDecision) {
    if asked.endpoint == Endpoint::ApiMergeRequest && decision.owner == Owner::Missing {
        decision.owner = Owner::Any;
    }
}

fn through_floats(_: &Call, text: String) -> String {
    with_numbers(text, "id", |id| (id as f64) as u64)
}

fn iids_fall(_: &Call, text: String) -> String {
    with_numbers(text, "iid", |iid| 1001_u64.saturating_sub(iid))
}

/// A text of JSON, with other numbers in the members of this name.
fn with_numbers(text: String, name: &str, other: fn(u64) -> u64) -> String {
    match serde_json::from_str(&text) {
        Ok(mut value) => {
            replace_numbers(&mut value, name, other);
            Value::to_string(&value)
        }
        Err(_) => text,
    }
}

fn replace_numbers(value: &mut Value, name: &str, other: fn(u64) -> u64) {
    match value {
        Value::Array(values) => {
            values.iter_mut().for_each(|value| replace_numbers(value, name, other));
        }
        Value::Object(members) => {
            if let Some(number) = members.get(name).and_then(Value::as_u64) {
                members.insert(name.to_owned(), json!(other(number)));
            }
            members.values_mut().for_each(|value| replace_numbers(value, name, other));
        }
        _ => {}
    }
}

/// A row is looked for at the cell that drew its id.
#[derive(Debug)]
struct ByDrawing(IdStrategy);

#[async_trait]
impl Parts for ByDrawing {
    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Result<RouteDecision, StoreError> {
        let mut decision = CorrectParts.decision(cell, asked, by).await?;
        let is_asked = asked.endpoint == Endpoint::ApiMergeRequest
            && cell.installation.plan.id_plan.strategy == self.0;
        if let Some(id) = asked.id().filter(|_| is_asked)
            && let Some(drawn_by) = cell.database.drawn_by(IdTable::MergeRequests, &id).await?
        {
            decision.owner = Owner::Role(drawn_by);
        }
        Ok(decision)
    }
}

#[derive(Debug)]
struct NumbersLeadToNewRows;

#[async_trait]
impl Parts for NumbersLeadToNewRows {
    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Result<RouteDecision, StoreError> {
        let decision = CorrectParts.decision(cell, asked, by).await?;
        let number = match asked.project() {
            Some(ProjectReference::Id(Id::Number(number)))
                if asked.endpoint == Endpoint::ApiProject && decision.owner == Owner::Missing =>
            {
                number
            }
            _ => return Ok(decision),
        };
        let rows = cell.database.projects(&cell.role()).await?;
        let Some(row) = rows.into_iter().find(|row| row.number == Some(number)) else {
            return Ok(decision);
        };
        let route = cell.database.project_route(&ProjectReference::Path(row.path)).await?;
        Ok(decide_by_row(&asked.path, route))
    }
}

#[derive(Debug)]
struct OldLinksShowOthers;

#[async_trait]
impl Parts for OldLinksShowOthers {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let responded = page.run(call.clone()).await;
        if responded.status() != StatusCode::NOT_FOUND {
            return Ok(responded);
        }
        Ok(row_of_another_project(&call).await?.unwrap_or(responded))
    }
}

/// What is shown for a link by project and id, where the id is that of another project's row.
async fn row_of_another_project(call: &Call) -> Result<Option<Response>, StoreError> {
    let id = call.asked.param("rest").strip_prefix("id/").and_then(|id| id.parse().ok());
    let (Some(id), Some(project)) = (id, call.asked.project()) else { return Ok(None) };
    let (database, role) = (&call.cell.database, call.cell.role());
    let row = database.merge_request(&role, call.as_row_id(id)).await?;
    let project = database.project(&role, &project).await?;
    let (Some(row), Some(project)) = (row, project) else { return Ok(None) };
    Ok(Some(response::json(StatusCode::OK, &shown_merge_request(&project, &row))))
}

/// What goes wrong with the ids of rows that move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Renumbering {
    /// All rows get new ids.
    All,
    /// What refers to rows keeps their old ids.
    KeysKept,
}

#[derive(Clone, Copy, Debug)]
struct Renumbers(Renumbering);

impl Parts for Renumbers {
    fn mover(&self) -> Arc<dyn Mover> {
        Arc::new(*self)
    }
}

#[async_trait]
impl Mover for Renumbers {
    async fn renumber(
        &self,
        installation: &Installation,
        rows: &mut OrganizationRows,
        from: &CellId,
        to: &CellId,
        fresh: &mut BTreeMap<(IdTable, Id), Id>,
    ) -> Result<usize, StoreError> {
        let before = rows.clone();
        let renumbered = CorrectMover.renumber(installation, rows, from, to, fresh).await?;
        match self.0 {
            Renumbering::All => return renumber_all(installation, rows, to, fresh).await,
            Renumbering::KeysKept => {
                for (note, before) in rows.notes.iter_mut().zip(before.notes) {
                    note.merge_request = before.merge_request;
                }
            }
        }
        Ok(renumbered)
    }
}

async fn renumber_all(
    installation: &Installation,
    rows: &mut OrganizationRows,
    to: &CellId,
    fresh: &mut BTreeMap<(IdTable, Id), Id>,
) -> Result<usize, StoreError> {
    for row in &mut rows.merge_requests {
        row.id = installation.fresh_id(to, IdTable::MergeRequests, row.id, fresh).await?;
    }
    for note in &mut rows.notes {
        note.id = installation.fresh_id(to, IdTable::Notes, note.id, fresh).await?;
        if let Some(id) = fresh.get(&(IdTable::MergeRequests, note.merge_request)) {
            note.merge_request = *id;
        }
    }
    Ok(rows.merge_requests.len() + rows.notes.len())
}
