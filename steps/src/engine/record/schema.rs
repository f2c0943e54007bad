//! The published JSON Schema, compared with the types.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::{RunRecord, VERSION};

const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/report.schema.json");

/// The schema as the types and their comments give it.
fn generated() -> Value {
    let schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<RunRecord>();
    let mut schema = schema.to_value();
    schema["$id"] = json!(
        "https://github.com/cells-conformance/cells-conformance/blob/main/docs/report.schema.json"
    );
    schema["title"] = json!(format!("Report of cells-conformance, version {VERSION}"));
    // A reader must refuse what it does not know; everything else in a report of another version
    // may differ.
    schema["properties"]["version"]["const"] = json!(VERSION);
    schema
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        return std::fs::write(PUBLISHED, format!("{:#}\n", generated())).unwrap();
    }
    let published: Value =
        serde_json::from_str(&std::fs::read_to_string(PUBLISHED).unwrap()).unwrap();
    assert!(
        published == generated(),
        "docs/report.schema.json does not match the types of the report. If the change is \
         intended: add a member, or raise VERSION if readers of version {} would misread it; then \
         write the schema again with\n  \
         UPDATE_SCHEMA=1 cargo test -p conformance-suite --lib schema",
        VERSION
    );
}

#[test]
fn every_part_of_the_schema_has_a_description() {
    fn walk(value: &Value, place: &str, silent: &mut Vec<String>) {
        for (name, member) in value["properties"].as_object().into_iter().flatten() {
            if member["description"].as_str().is_none_or(str::is_empty) {
                silent.push(format!("{place}.{name}"));
            }
        }
    }
    let schema = generated();
    let mut silent = Vec::new();
    walk(&schema, "Report", &mut silent);
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        walk(definition, name, &mut silent);
    }
    assert_eq!(silent, Vec::<String>::new());
}
