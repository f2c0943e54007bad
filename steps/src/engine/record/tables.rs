//! What stands many times in a report is written once, in tables to which the rest refers.
//!
//! The records in memory hold everything in its place. Only their JSON refers to tables, so the
//! tables are in scope while a record is written or read ([`super::scope`]).

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::{Plain, RouterData, StepRecord};

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

/// A cell of a topology file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellRow {
    /// The cell as the topology names it.
    pub cell: String,
    /// Its host: an index in the hosts of the scenario.
    pub host: usize,
    /// Its port.
    pub port: u16,
    /// Whether no router listened at the same host.
    pub own_host: bool,
}

/// A field line.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FieldLine {
    /// Name and value.
    Whole(Plain, Plain),
    /// The name of a field whose value is the mark of the request.
    Mark([Plain; 1]),
}

/// A response.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResponseRow {
    /// The status code.
    pub status: u16,
    /// The field lines: an index in `heads`.
    pub head: usize,
    /// Its body: the beginning of a name in `bodies` that no other name has; absent if it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// An access to a database.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AccessRow {
    /// The cell that asked.
    pub cell: String,
    /// The schema.
    pub schema: String,
    /// The table.
    pub table: String,
    /// Whether it was a write.
    pub write: bool,
    /// The server.
    pub server: String,
    /// How long a write was under way to a primary in another region, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub under_way_ms: u64,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
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
#[derive(Default)]
pub(super) struct Filling {
    steps: Rows<StepRecord>,
    fields: Rows<FieldLine>,
    heads: Rows<Vec<usize>>,
    responses: Rows<ResponseRow>,
    accesses: Rows<AccessRow>,
    fleets: Rows<Vec<CellRow>>,
    routers: Rows<RouterData>,
    bodies: BTreeSet<String>,
}

impl Filling {
    /// Empty tables, for a record that has bodies with these names.
    pub(super) fn new(bodies: BTreeSet<String>) -> Self {
        Self { bodies, ..Self::default() }
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

    pub(super) fn router(&mut self, router: &RouterData) -> usize {
        self.routers.place(router.clone())
    }

    /// The reference to a body: as many characters of its name as tell it apart; none to the empty
    /// body.
    pub(super) fn body(&self, name: &str) -> Option<String> {
        const SHORT: usize = 8;
        if name == EMPTY {
            return None;
        }
        let short = name.get(..SHORT).unwrap_or(name);
        let is_unique = with_prefix(&self.bodies, short).take(2).count() == 1;
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

/// Tables that were read ahead of the record.
#[derive(Default)]
pub(super) struct Filled {
    tables: Tables,
    bodies: BTreeSet<String>,
}

impl Filled {
    /// These tables, of a record that has bodies with these names.
    pub(super) fn new(tables: Tables, bodies: BTreeSet<String>) -> Self {
        Self { tables, bodies }
    }

    pub(super) fn step(&self, place: usize) -> Result<StepRecord, String> {
        row(&self.tables.steps, place, "steps").cloned()
    }

    pub(super) fn head(&self, place: usize) -> Result<Vec<&FieldLine>, String> {
        let lines = row(&self.tables.heads, place, "heads")?;
        lines.iter().map(|line| row(&self.tables.fields, *line, "fields")).collect()
    }

    pub(super) fn response(&self, place: usize) -> Result<&ResponseRow, String> {
        row(&self.tables.responses, place, "responses")
    }

    pub(super) fn access(&self, place: usize) -> Result<&AccessRow, String> {
        row(&self.tables.accesses, place, "accesses")
    }

    pub(super) fn fleet(&self, place: usize) -> Result<&[CellRow], String> {
        row(&self.tables.fleets, place, "fleets").map(Vec::as_slice)
    }

    pub(super) fn router(&self, place: usize) -> Result<RouterData, String> {
        row(&self.tables.routers, place, "routers").cloned()
    }

    /// The name of the body to which a reference leads.
    pub(super) fn body(&self, reference: Option<&str>) -> Result<String, String> {
        let reference = reference.unwrap_or(EMPTY);
        if self.bodies.contains(reference) {
            return Ok(reference.to_owned());
        }
        let mut fitting = with_prefix(&self.bodies, reference);
        match (fitting.next(), fitting.next()) {
            (Some(name), None) if !reference.is_empty() => Ok(name.clone()),
            (None, _) => Err(format!("the report has no body {reference}")),
            _ => Err(format!("several bodies of the report begin with `{reference}`")),
        }
    }
}

fn with_prefix<'a>(
    names: &'a BTreeSet<String>,
    prefix: &'a str,
) -> impl Iterator<Item = &'a String> {
    names.range(prefix.to_owned()..).take_while(move |name| name.starts_with(prefix))
}

fn row<'a, T>(rows: &'a [T], place: usize, table: &str) -> Result<&'a T, String> {
    rows.get(place).ok_or_else(|| format!("the report has no row {place} in the table {table}"))
}

/// The name of the empty body: the SHA-256 of no bytes.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_row_stands_once() {
        let mut rows = Rows::default();
        assert_eq!(["a", "b", "a", "c", "b"].map(|row| rows.place(row)), [0, 1, 0, 2, 1]);
        assert_eq!(rows.0, ["a", "b", "c"]);
    }

    #[test]
    fn a_body_is_named_by_as_much_as_tells_it_apart() {
        let names = names(&["0123456789", "0123456799", "abcdefghij", EMPTY, "unknown-7"]);
        let filling = Filling { bodies: names.clone(), ..Filling::default() };
        let filled = Filled { bodies: names.clone(), ..Filled::default() };
        assert_eq!(filling.body("abcdefghij").as_deref(), Some("abcdefgh"));
        assert_eq!(filling.body(EMPTY), None);
        for name in &names {
            assert_eq!(filled.body(filling.body(name).as_deref()).as_ref(), Ok(name));
        }
        assert_eq!(filling.body("another-one").as_deref(), Some("another-one"));
        for dangling in ["01234567", "", "b", "another-one", "unknown-77"] {
            assert!(filled.body(Some(dangling)).is_err(), "{dangling}");
        }
        assert!(Filled::default().body(None).is_err());
    }

    #[test]
    fn a_reference_to_nothing_is_named() {
        let tables = Tables { heads: vec![vec![3]], ..Tables::default() };
        let filled = Filled { tables, ..Filled::default() };
        let why = "the report has no row 3 in the table fields";
        assert_eq!(filled.head(0), Err(why.to_owned()));
        assert!(filled.head(1).is_err() && filled.step(0).is_err());
        assert!(filled.response(0).is_err() && filled.access(0).is_err());
        assert!(filled.fleet(0).is_err() && filled.router(0).is_err());
    }
}
