//! The topology file that a router is given (the router contract, version 1).

use std::net::SocketAddr;

use cell_fleet::{CellId, Protocol, Region, RunningCell};
use serde::Serialize;
use serde_json::{Value, json};

use crate::plan::RouterSettings;

#[derive(Serialize)]
struct File<'a> {
    version: u32,
    protocol: &'a str,
    region: &'a str,
    listen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    learn_path: Option<&'a str>,
    latest_cell: String,
    cache: Cache,
    limits: Limits,
    capabilities: Capabilities,
    cells: Vec<Cell<'a>>,
}

#[derive(Serialize)]
struct Cache {
    ttl_ms: u64,
    max_entries: u64,
}

#[derive(Serialize)]
struct Limits {
    max_hops: u32,
    max_buffered_body_bytes: u64,
    connect_timeout_ms: u64,
    response_timeout_ms: u64,
}

#[derive(Serialize)]
struct Capabilities {
    not_found_delay_ms: u64,
    cookie_cache: bool,
}

#[derive(Serialize)]
struct Cell<'a> {
    id: String,
    name: String,
    slug: String,
    region: &'a str,
    url: String,
}

/// Where the file puts the cells of a region that a router is not to pick. No cell is there.
const AFAR: &str = "afar";

/// Returns the topology file for one router. With `picked`, the router is told of no other cell in
/// the region of that one, so that it can pick no other.
pub fn topology_file(
    settings: &RouterSettings,
    protocol: Protocol,
    region: &Region,
    listen: SocketAddr,
    cells: &[RunningCell],
    latest: &CellId,
    picked: Option<&CellId>,
) -> String {
    let is_afar = |cell: &CellId| {
        picked.is_some_and(|picked| picked.region() == cell.region() && picked != cell)
    };
    let file = File {
        version: 1,
        protocol: protocol.as_str(),
        region: region.as_str(),
        listen: listen.to_string(),
        learn_path: (protocol == Protocol::Learning).then_some(settings.learn_path.as_str()),
        latest_cell: cells
            .iter()
            .find(|cell| cell.id == *latest)
            .map_or_else(|| latest.id(), |cell| cell.written_id.clone()),
        cache: Cache { ttl_ms: settings.ttl_ms, max_entries: settings.max_entries },
        limits: Limits {
            max_hops: settings.max_hops,
            max_buffered_body_bytes: settings.max_buffered_body_bytes,
            connect_timeout_ms: settings.connect_timeout_ms,
            response_timeout_ms: settings.response_timeout_ms,
        },
        capabilities: Capabilities {
            not_found_delay_ms: settings.not_found_delay_ms,
            cookie_cache: settings.cookie_cache,
        },
        cells: cells
            .iter()
            .map(|cell| Cell {
                id: cell.written_id.clone(),
                name: cell.id.name(),
                slug: cell.id.slug(),
                region: if is_afar(&cell.id) { AFAR } else { cell.id.region().as_str() },
                url: cell.url(),
            })
            .collect(),
    };
    // Strings and numbers only, so serializing cannot fail.
    let mut value = serde_json::to_value(&file).unwrap_or_default();
    if settings.has_unknown_members {
        add_unknown_members(&mut value);
    }
    format!("{value:#}")
}

fn add_unknown_members(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(add_unknown_members);
            members.insert("x-later".to_owned(), json!({ "of": ["a", "later", "version"] }));
        }
        Value::Array(items) => items.iter_mut().for_each(add_unknown_members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
