//! Topologies for the tests of the other modules, and what is wrong with bad configurations.

use std::collections::HashMap;

use serde_json::json;

use super::*;

/// The contract's example for the EU router.
pub(crate) fn document(protocol: &str) -> Value {
    json!({
        "version": 1,
        "protocol": protocol,
        "region": "eu",
        "listen": "127.0.0.1:21001",
        "learn_path": "/api/v4/internal/cells/learn",
        "latest_cell": "cell_us0",
        "cache": { "ttl_ms": 60000, "max_entries": 1000 },
        "limits": {
            "max_hops": 4,
            "max_buffered_body_bytes": 1000,
            "connect_timeout_ms": 1000,
            "response_timeout_ms": 5000,
        },
        "capabilities": { "not_found_delay_ms": 0, "cookie_cache": false },
        "cells": [
            { "id": "cell_us0", "name": "Cell US0", "slug": "cellus0",
              "region": "us", "url": "http://127.0.0.1:22000" },
            { "id": "cell_us1", "name": "Cell US1", "slug": "cellus1",
              "region": "us", "url": "http://127.0.0.1:22001" },
            { "id": "cell_eu0", "name": "Cell EU0", "slug": "celleu0",
              "region": "eu", "url": "http://127.0.0.1:22002" },
            { "id": "cell_eu1", "name": "Cell EU1", "slug": "celleu1",
              "region": "eu", "url": "http://127.0.0.1:22003" },
        ],
    })
}

/// A document that is known to be good, parsed.
pub(crate) fn topology_of(document: &Value) -> Topology {
    topology(document.clone()).expect("the document is good")
}

/// The error after `change`, as text.
fn error_after(change: impl FnOnce(&mut Value)) -> String {
    let mut document = document("learning");
    change(&mut document);
    topology(document).err().unwrap_or_else(|| "no error".to_owned())
}

/// Loads this text as the topology file; the error is without the file's name.
fn loaded(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let path = file.path().to_str().unwrap();
    let mut variables: HashMap<&str, &str> = variables.iter().copied().collect();
    variables.entry("CELLS_TOPOLOGY").or_insert(path);
    let config = load(&|name: &str| variables.get(name).map(OsString::from));
    config.map_err(|error| error.to_string().replace(&format!("topology file {path}"), "file"))
}

/// What is set by this variable alone, or what is wrong with it.
pub(crate) fn with_variable(name: &str, value: &str) -> Result<Settings, String> {
    let config = loaded(&document("buffering").to_string(), &[(name, value)])?;
    Ok(config.settings)
}

#[test]
fn the_example_is_read() {
    let topology = topology_of(&document("learning"));
    let learn_path = "/api/v4/internal/cells/learn".to_owned();
    assert_eq!(topology.protocol, Protocol::Learning { learn_path });
    let (own, others) = topology.by_region();
    assert_eq!((topology.all().len(), own.len(), others.len()), (4, 2, 2));
    let eu0 = topology.cell_named(b"Cell EU0").unwrap();
    assert_eq!(topology.cell_with_id("cell_eu0"), Some(eu0));
    assert_eq!(topology.cell(eu0).url.authority(), "127.0.0.1:22002");
    assert_eq!(topology.cell_named(b"cell_eu0"), None);
    assert_eq!(topology.cell(topology.latest().unwrap()).name, "Cell US0");
    assert_eq!(topology.limits.response_timeout, Duration::from_secs(5));
}

#[test]
fn optional_members_may_be_missing_and_unknown_ones_are_skipped() {
    let error = error_after(|document| {
        let object = document.as_object_mut().unwrap();
        object.remove("latest_cell");
        object.remove("capabilities");
        object.insert("color".to_owned(), json!("blue"));
        document["cells"][0]["weight"] = json!({ "of": [3] });
        document["limits"]["max_length"] = json!(null);
        document["cache"]["kind"] = json!(1);
    });
    assert_eq!(error, "no error");
    let mut document = document("buffering");
    document.as_object_mut().unwrap().remove("learn_path");
    assert_eq!(topology_of(&document).protocol, Protocol::Buffering);
}

#[test]
fn each_invalid_member_is_named() {
    let taken = "empty or duplicate: ";
    for (pointer, value, problem) in [
        ("/version", json!(2), "version: is 2, this router knows 1"),
        ("/protocol", json!("guessing"), "unknown variant `guessing`, expected `buffering` or"),
        ("/region", json!("asia"), "cells: no cell is in the router's region `asia`"),
        ("/listen", json!("here"), "listen: invalid socket address syntax"),
        ("/learn_path", json!("x"), "learn_path: `x` is not an absolute path without query"),
        ("/learn_path", json!("/x#y"), "learn_path: `/x#y` is not an absolute path without query"),
        ("/latest_cell", json!("cell_0"), "latest_cell: `cell_0` is not the id of a cell"),
        ("/limits/max_hops", json!("x"), "limits.max_hops: invalid type: string"),
        ("/limits/max_hops", json!(0), "limits: `max_hops` and both timeouts must be at least 1"),
        ("/limits/connect_timeout_ms", json!(-1), "limits.connect_timeout_ms: invalid value"),
        ("/cells", json!({}), "cells: invalid type: map, expected a sequence"),
        ("/cells/1", json!({}), "cells[1]: missing field `id`"),
        ("/cache", json!({}), "cache: missing field `ttl_ms`"),
        ("/cells/1/id", json!(""), &format!("cells[1].id: {taken}``")),
        ("/cells/1/id", json!("cell_us0"), &format!("cells[1].id: {taken}`cell_us0`")),
        ("/cells/3/name", json!("Cell EU0"), &format!("cells[3].name: {taken}`Cell EU0`")),
    ] {
        let error = error_after(|document| *document.pointer_mut(pointer).unwrap() = value);
        assert!(error.starts_with(problem), "{error}");
    }
    let no_host = "is no URL of a host";
    for (url, problem) in [
        ("http://", no_host),
        ("http://cell:99999", no_host),
        ("http://me@cell:1", no_host),
        ("http://cell:1?x", no_host),
        ("http://cell:1/x", no_host),
        ("cell:1", "is no `http` URL; cells speak plain HTTP to the router"),
        ("https://cell:1", "is no `http` URL; cells speak plain HTTP to the router"),
        ("http://127.0.0.1:22000/", "empty or duplicate: `127.0.0.1:22000`"),
    ] {
        let error = error_after(|document| document["cells"][3]["url"] = json!(url));
        assert!(error.starts_with(&format!("cells[3].url: {problem}")), "{url}: {error}");
    }
}

#[test]
fn a_cell_at_the_address_of_the_router_is_refused() {
    for (listen, url, refused) in [
        ("127.0.0.1:21001", "http://127.0.0.1:21001", true),
        ("0.0.0.0:21001", "http://127.0.0.2:21001", true),
        ("[::1]:21001", "http://[::1]:21001", true),
        ("127.0.0.1:21001", "http://127.0.0.2:21001", false),
        ("127.0.0.1:21001", "http://127.0.0.1:21002", false),
    ] {
        let error = error_after(|document| {
            document["listen"] = json!(listen);
            document["cells"][2]["url"] = json!(url);
        });
        let is_refused = error.starts_with("cells[2].url: ") && error.contains("router itself");
        assert_eq!(is_refused, refused, "{error}");
    }
}

/// A cell's name is a value of a member list (BF-10).
#[test]
fn a_name_is_one_that_a_response_field_can_say() {
    let error = |name: &str| error_after(|document| document["cells"][1]["name"] = json!(name));
    for name in ["a,b", "a}", "a\nb", "\u{7f}", " a", "a ", "\t", "a\u{0}"] {
        assert!(error(name).starts_with("cells[1].name: "), "{name:?}: {}", error(name));
    }
    for name in ["a:b", "{a", "Cell  EU9", "\u{e4}", "a/b"] {
        assert_eq!(error(name), "no error", "{name:?}");
    }
}

#[test]
fn the_file_is_there_and_agrees_with_the_variables() {
    let good = document("buffering").to_string();
    let error = |text: &str, name: &str, value: &str| loaded(text, &[(name, value)]).err();
    for (name, value, problem) in [
        ("CELLS_LISTEN", "127.0.0.1:21002", "listen: is `127.0.0.1:21001`"),
        ("CELLS_REGION", "us", "region: is `eu`"),
        ("CELLS_PROTOCOL", "learning", "protocol: is `buffering`"),
    ] {
        let problem = format!("file: {problem}, but {name} is `{value}`");
        assert_eq!(error(&good, name, value), Some(problem));
    }
    let same = good.replace("127.0.0.1:21001", "[::1]:21001");
    assert_eq!(error(&same, "CELLS_LISTEN", "[0::1]:21001"), None);
    assert!(error("{", "", "").unwrap().starts_with("file is not JSON: EOF while parsing"));
    let missing = "topology file / cannot be read: it is no regular file";
    assert_eq!(error(&good, "CELLS_TOPOLOGY", "/").unwrap(), missing);
    let unset = load(&|_: &str| None).err().unwrap().to_string();
    assert_eq!(unset, "variable CELLS_TOPOLOGY is not set; it names the topology file (JSON)");
    let switched_on = good.replace("\"cookie_cache\":false", "\"cookie_cache\":true");
    let no_key = error(&switched_on, "", "").unwrap();
    assert!(no_key.starts_with("variable CELLS_COOKIE_KEY: is not set, and"), "{no_key}");
}

#[test]
fn each_variable_is_read() {
    let read = |name, value| with_variable(name, value).ok().unwrap();
    assert_eq!(read("CELLS_MAX_REQUESTS", "7").max_requests, 7);
    assert_eq!(read("CELLS_MAX_REQUESTS", "7").max_cell_requests, 4);
    assert_eq!(read("CELLS_MAX_CONNECTIONS", "8").max_connections, 8);
    assert_eq!(read("CELLS_MAX_REQUESTS_PER_CELL", "9").max_cell_requests, 9);
    assert_eq!(read("CELLS_MAX_BUFFERED_BYTES", "5").max_buffered_bytes, 5);
    assert_eq!(read("CELLS_HEAD_TIMEOUT_MS", "10").head_timeout, Duration::from_millis(10));
    assert_eq!(read("CELLS_SILENCE_MS", "10").silence, Duration::from_millis(10));
    let metrics = read("CELLS_METRICS", "127.0.0.1:9090").metrics;
    assert_eq!(metrics, Some("127.0.0.1:9090".parse().unwrap()));
    assert_eq!(read("CELLS_LOG", "debug").log, LevelFilter::DEBUG);
    let key = "0123456789abcdef";
    assert_eq!(read("CELLS_COOKIE_KEY", key).cookie_key.unwrap(), key);
    let one_cell = Settings::read(&|_: &str| None, 1).ok().unwrap();
    assert_eq!(one_cell.max_cell_requests, 10_000);
}

#[test]
fn invalid_variables_are_named() {
    let guessed = "has fewer than 5 different bytes, and could be guessed";
    for (name, value, problem) in [
        ("CELLS_MAX_REQUESTS", "0", "`0` is not a whole number of at least 1"),
        ("CELLS_SILENCE_MS", "long", "`long` is not a whole number of at least 1"),
        ("CELLS_METRICS", "9090", "`9090` is not an address and a port"),
        ("CELLS_COOKIE_KEY", "\tshort          \n", "has fewer than 16 bytes"),
        ("CELLS_COOKIE_KEY", "abcabcabcabcabcabcabc", guessed),
    ] {
        let error = with_variable(name, value).err().unwrap();
        assert_eq!(error, format!("variable {name}: {problem}"));
    }
}
