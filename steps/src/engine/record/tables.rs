//! What stands many times in a report is written once, in tables to which the rest refers.
//!
//! The records in memory hold everything in its place. Only their JSON refers to tables.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use cell_fleet::{BodySeen, Field, Text};
use serde::{Deserialize, Serialize};

use super::bytes::Body;
use super::room::take;
use super::rows::{AccessRow, CellRow, FieldLine, ResponseRow, RouterData, StepRecord};
use super::trace::body_of;

/// Rows that a report has once. A reference is the index of a row, counted from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tables {
    /// Steps of scenarios.
    pub steps: Vec<StepRecord>,
    /// Field lines: name and value. A name alone stands for the field whose value is the mark of
    /// the request in whose head it is.
    pub fields: Vec<FieldLine>,
    /// Heads: the field lines of a message, in order, as indices in `fields`.
    pub heads: Vec<Vec<usize>>,
    /// Responses.
    pub responses: Vec<ResponseRow>,
    /// Accesses to databases, without their times.
    pub accesses: Vec<AccessRow>,
    /// The cells of topology files.
    pub fleets: Vec<Vec<CellRow>>,
    /// What is known about routers' processes.
    pub routers: Vec<RouterData>,
}

/// The rows of one table, with their places.
struct Rows<T>(Vec<T>, HashMap<T, usize>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self(Vec::new(), HashMap::new())
    }
}

impl<T: Clone + Eq + Hash> Rows<T> {
    /// The index of a row, which is added if the table does not have it.
    fn place(&mut self, row: T) -> usize {
        if let Some(place) = self.1.get(&row) {
            return *place;
        }
        self.0.push(row.clone());
        self.1.insert(row, self.0.len() - 1);
        self.0.len() - 1
    }
}

/// Tables that fill while a record is written.
pub(super) struct Filling<'a> {
    steps: Rows<StepRecord>,
    fields: Rows<FieldLine>,
    heads: Rows<Vec<usize>>,
    responses: Rows<ResponseRow>,
    accesses: Rows<AccessRow>,
    fleets: Rows<Vec<CellRow>>,
    routers: Rows<RouterData>,
    bodies: &'a BTreeMap<String, Body>,
}

impl<'a> Filling<'a> {
    /// Empty tables, for a record with these bodies.
    pub(super) fn new(bodies: &'a BTreeMap<String, Body>) -> Self {
        Self {
            steps: Rows::default(),
            fields: Rows::default(),
            heads: Rows::default(),
            responses: Rows::default(),
            accesses: Rows::default(),
            fleets: Rows::default(),
            routers: Rows::default(),
            bodies,
        }
    }

    pub(super) fn step(&mut self, step: &StepRecord) -> usize {
        self.steps.place(step.clone())
    }

    pub(super) fn head(&mut self, lines: impl Iterator<Item = FieldLine>) -> usize {
        let lines = lines.map(|line| self.fields.place(line)).collect();
        self.heads.place(lines)
    }

    pub(super) fn response(&mut self, row: ResponseRow) -> usize {
        self.responses.place(row)
    }

    pub(super) fn access(&mut self, row: AccessRow) -> usize {
        self.accesses.place(row)
    }

    pub(super) fn fleet(&mut self, cells: Vec<CellRow>) -> usize {
        self.fleets.place(cells)
    }

    pub(super) fn router(&mut self, router: RouterData) -> usize {
        self.routers.place(router)
    }

    /// The reference to a body: as many characters of its name as tell it apart; none to the empty
    /// body.
    pub(super) fn body_reference(&self, name: &str) -> Option<String> {
        const SHORT: usize = 8;
        if name == EMPTY {
            return None;
        }
        let short = name.get(..SHORT).unwrap_or(name);
        let is_unique = with_prefix(self.bodies, short).take(2).count() == 1;
        // What is not in the record at all keeps its name, so that a reader can say it.
        Some(if is_unique { short.to_owned() } else { name.to_owned() })
    }

    pub(super) fn tables(self) -> Tables {
        Tables {
            steps: self.steps.0,
            fields: self.fields.0,
            heads: self.heads.0,
            responses: self.responses.0,
            accesses: self.accesses.0,
            fleets: self.fleets.0,
            routers: self.routers.0,
        }
    }
}

/// The tables of a record that is read, and its bodies. What is referred to is shared, and takes room.
pub(super) struct Filled {
    tables: Tables,
    steps: Vec<Arc<StepRecord>>,
    /// Names and values; a mark has no value.
    fields: Vec<(Text, Option<Text>)>,
    bodies: BTreeMap<String, Result<BodySeen, String>>,
}

impl Filled {
    pub(super) fn of(mut tables: Tables, bodies: &BTreeMap<String, Body>) -> Self {
        let steps = std::mem::take(&mut tables.steps).into_iter().map(Arc::new).collect();
        let fields = std::mem::take(&mut tables.fields).into_iter().map(|line| match line {
            FieldLine::Whole(name, value) => (name.into_text(), Some(value.into_text())),
            FieldLine::Mark([name]) => (name.into_text(), None),
        });
        let fields = fields.collect();
        let bodies = bodies.iter().map(|(name, body)| (name.clone(), body_of(name, body)));
        Self { steps, fields, bodies: bodies.collect(), tables }
    }

    pub(super) fn step(&self, place: usize) -> Result<Arc<StepRecord>, String> {
        take(size_of::<Arc<StepRecord>>())?;
        row(&self.steps, place, "steps").cloned()
    }

    /// A head. `mark` is the value of fields whose value is the mark of the request.
    pub(super) fn head(&self, place: usize, mark: Option<&str>) -> Result<Vec<Field>, String> {
        let lines = row(&self.tables.heads, place, "heads")?;
        take(lines.len().saturating_mul(size_of::<Field>()))?;
        let mark = mark.map(Text::from);
        let line = |line: &usize| {
            let (name, value) = row(&self.fields, *line, "fields")?;
            let value = value.as_ref().or(mark.as_ref()).cloned().ok_or_else(|| {
                format!("head {place} has a mark, and stands where no request is")
            })?;
            Ok(Field { name: name.clone(), value })
        };
        lines.iter().map(line).collect()
    }

    pub(super) fn response(&self, place: usize) -> Result<&ResponseRow, String> {
        row(&self.tables.responses, place, "responses")
    }

    pub(super) fn access(&self, place: usize) -> Result<&AccessRow, String> {
        let row = row(&self.tables.accesses, place, "accesses")?;
        let names = [&row.cell, &row.schema, &row.table, &row.server].map(String::len);
        take(size_of::<AccessRow>() + names.iter().sum::<usize>())?;
        Ok(row)
    }

    pub(super) fn fleet(&self, place: usize) -> Result<&[CellRow], String> {
        let cells = row(&self.tables.fleets, place, "fleets")?;
        take(cells.iter().map(|row| size_of::<CellRow>() + row.cell.len()).sum())?;
        Ok(cells)
    }

    pub(super) fn router(&self, place: usize) -> Result<RouterData, String> {
        let router = row(&self.tables.routers, place, "routers")?;
        take(size_of::<RouterData>() + router.name.len())?;
        Ok(router.clone())
    }

    /// The body to which a reference leads.
    pub(super) fn body(&self, reference: Option<&str>) -> Result<BodySeen, String> {
        take(size_of::<BodySeen>())?;
        let reference = reference.unwrap_or(EMPTY);
        if let Some(found) = self.bodies.get(reference) {
            return found.clone();
        }
        let mut fitting = with_prefix(&self.bodies, reference);
        match (fitting.next(), fitting.next()) {
            (Some((_, found)), None) if !reference.is_empty() => found.clone(),
            (None, _) => Err(format!("the report has no body {reference}")),
            _ => Err(format!("several bodies of the report begin with `{reference}`")),
        }
    }
}

fn with_prefix<'a, T>(
    bodies: &'a BTreeMap<String, T>,
    prefix: &str,
) -> impl Iterator<Item = (&'a String, &'a T)> {
    bodies.range(prefix.to_owned()..).take_while(move |(name, _)| name.starts_with(prefix))
}

fn row<'a, T>(rows: &'a [T], place: usize, table: &str) -> Result<&'a T, String> {
    rows.get(place).ok_or_else(|| format!("the report has no row {place} in the table {table}"))
}

/// The name of the empty body: the SHA-256 of no bytes.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::record::Plain;

    #[test]
    fn a_row_stands_once() {
        let mut rows = Rows::default();
        assert_eq!(["a", "b", "a", "c", "b"].map(|row| rows.place(row)), [0, 1, 0, 2, 1]);
        assert_eq!(rows.0, ["a", "b", "c"]);
    }

    #[test]
    fn a_body_is_named_by_as_much_as_tells_it_apart() {
        let names = ["01234567aa", "01234567bb", "abcdefabcd", EMPTY, "unknown-7"];
        let body = |(name, length): (&str, u64)| {
            (name.to_owned(), Body { length, beginning: Plain::of(b"") })
        };
        let numbered = || names.into_iter().zip(1..);
        let bodies: BTreeMap<_, _> = numbered().map(body).collect();
        let filling = Filling::new(&bodies);
        let filled = Filled::of(Tables::default(), &bodies);
        assert_eq!(filling.body_reference("abcdefabcd").as_deref(), Some("abcdefab"));
        assert_eq!(filling.body_reference(EMPTY), None);
        for (name, length) in numbered() {
            let found = filled.body(filling.body_reference(name).as_deref()).unwrap();
            assert_eq!(found.length, length, "{name}");
        }
        assert_eq!(filling.body_reference("another-one").as_deref(), Some("another-one"));
        for dangling in ["01234567", "", "b", "another-one", "unknown-77"] {
            assert!(filled.body(Some(dangling)).is_err(), "{dangling}");
        }
        assert!(Filled::of(Tables::default(), &BTreeMap::new()).body(None).is_err());
    }

    #[test]
    fn a_reference_to_nothing_is_named() {
        let tables = Tables { heads: vec![vec![3]], ..Tables::default() };
        let filled = Filled::of(tables, &BTreeMap::new());
        let why = "the report has no row 3 in the table fields";
        assert_eq!(filled.head(0, None), Err(why.to_owned()));
        assert!(filled.head(1, None).is_err() && filled.step(0).is_err());
        assert!(filled.response(0).is_err() && filled.access(0).is_err());
        assert!(filled.fleet(0).is_err() && filled.router(0).is_err());
    }
}
