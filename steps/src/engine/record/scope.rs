//! The tables of a report are in scope while it is written or read ([`writing`], [`reading`]): only
//! its JSON refers to them.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde::{Serialize, Serializer};

use super::tables::{Filled, Filling, Tables};

thread_local! {
    static FILLING: RefCell<Option<Filling>> = const { RefCell::new(None) };
    static FILLED: RefCell<Option<Filled>> = const { RefCell::new(None) };
}

/// Takes the tables out of scope again, also where writing or reading ends with an error.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        FILLING.set(None);
        FILLED.set(None);
    }
}

/// Writes with empty tables in scope, for a record that has bodies with these names.
pub(super) fn writing<T>(bodies: BTreeSet<String>, write: impl FnOnce() -> T) -> T {
    FILLING.set(Some(Filling::new(bodies)));
    let _leave = Leave;
    write()
}

/// Reads with these tables in scope, from a record that has bodies with these names.
pub(super) fn reading<T>(tables: Tables, bodies: BTreeSet<String>, read: impl FnOnce() -> T) -> T {
    FILLED.set(Some(Filled::new(tables, bodies)));
    let _leave = Leave;
    read()
}

/// Works with the tables that fill.
pub(super) fn fill<T, E: serde::ser::Error>(work: impl FnOnce(&mut Filling) -> T) -> Result<T, E> {
    FILLING.with_borrow_mut(|tables| match tables {
        Some(tables) => Ok(work(tables)),
        None => Err(E::custom("a scenario is written as a part of its record")),
    })
}

/// Looks up what a record refers to.
pub(super) fn look_up<T, E: serde::de::Error>(
    work: impl FnOnce(&Filled) -> Result<T, String>,
) -> Result<T, E> {
    FILLED.with_borrow(|tables| match tables {
        Some(tables) => work(tables).map_err(E::custom),
        None => Err(E::custom("a scenario is read as a part of its record")),
    })
}

/// Stands behind the scenarios of a record, and writes the tables that they filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilledTables;

impl Serialize for FilledTables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tables = FILLING.take().unwrap_or_default().tables();
        tables.serialize(serializer)
    }
}

#[cfg(test)]
impl schemars::JsonSchema for FilledTables {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Tables::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Tables::json_schema(generator)
    }
}
