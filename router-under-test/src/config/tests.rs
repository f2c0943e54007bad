//! Topologies for the tests of the other modules, and what is wrong with bad ones.

use std::sync::Arc;

use serde_json::{Value, json};

use super::parse::{self, Variables};
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

/// The contract's example, parsed.
pub(crate) fn topology(protocol: &str) -> Arc<Topology> {
    Arc::new(topology_of(&document(protocol)))
}

/// A document that is known to be good, parsed.
pub(crate) fn topology_of(document: &Value) -> Topology {
    parse::topology(document, &Variables::default()).expect("the document is good")
}

/// The error after `change`, as text.
fn error_after(change: impl FnOnce(&mut Value)) -> String {
    let mut document = document("learning");
    change(&mut document);
    match parse::topology(&document, &Variables::default()) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_example_is_read() {
    let topology = topology("learning");
    assert_eq!(
        topology.protocol,
        Protocol::Learning { learn_path: "/api/v4/internal/cells/learn".to_owned() }
    );
    assert_eq!(topology.cells().len(), 4);
    assert_eq!(topology.own_cells().len(), 2);
    let eu0 = topology.cell_named(b"Cell EU0").unwrap();
    assert_eq!(topology.cell_with_id("cell_eu0"), Some(eu0));
    assert_eq!(topology.cell(eu0).url.authority(), "127.0.0.1:22002");
    assert_eq!(topology.cell_named(b"cell_eu0"), None);
    assert_eq!(topology.cell(topology.latest_cell.unwrap()).name, "Cell US0");
}

#[test]
fn optional_members_may_be_missing_and_unknown_ones_are_ignored() {
    let error = error_after(|document| {
        let object = document.as_object_mut().unwrap();
        object.remove("latest_cell");
        object.remove("capabilities");
        object.insert("colour".to_owned(), json!("blue"));
        document["cells"][0]["weight"] = json!(3);
    });
    assert_eq!(error, "no error");
}

#[test]
fn each_missing_member_is_named() {
    for name in
        ["version", "protocol", "region", "listen", "learn_path", "cache", "limits", "cells"]
    {
        let error = error_after(|document| {
            document.as_object_mut().unwrap().remove(name);
        });
        assert_eq!(error, format!("member `{name}`: is missing"));
    }
    for (outer, name) in
        [("cache", "ttl_ms"), ("limits", "max_hops"), ("limits", "connect_timeout_ms")]
    {
        let error = error_after(|document| {
            document[outer].as_object_mut().unwrap().remove(name);
        });
        assert_eq!(error, format!("member `{outer}.{name}`: is missing"));
    }
}

#[test]
fn each_invalid_member_is_named() {
    let table: [(&str, Value, &str); 15] = [
        ("/version", json!(2), "member `version`: is 2, this router knows 1"),
        ("/protocol", json!("guessing"), "member `protocol`: unknown protocol `guessing`"),
        ("/region", json!("asia"), "member `cells`: no cell is in the router's region `asia`"),
        ("/region", json!(""), "member `region`: is empty"),
        ("/listen", json!("here"), "member `listen`: `here` is not an address and a port"),
        (
            "/learn_path",
            json!("learn"),
            "member `learn_path`: `learn` is not an absolute path without query",
        ),
        (
            "/cells/1/name",
            json!("Cell US1}"),
            "member `cells[1].name`: `Cell US1}` cannot stand in a response field, which takes no \
             comma, closing brace or control character, and no blank at either end",
        ),
        ("/latest_cell", json!("cell_0"), "member `latest_cell`: `cell_0` is not the id of a cell"),
        ("/cache/max_entries", json!(0), "member `cache.max_entries`: is 0, must be at least 1"),
        (
            "/limits/max_hops",
            json!("4"),
            "member `limits.max_hops`: expected a whole number that is not negative, \
             found a string",
        ),
        (
            "/limits/max_hops",
            json!(-1),
            "member `limits.max_hops`: expected a whole number that is not negative, \
             found the number -1",
        ),
        (
            "/capabilities/cookie_cache",
            json!(1),
            "member `capabilities.cookie_cache`: expected true or false, found the number 1",
        ),
        ("/cells", json!({}), "member `cells`: expected an array, found an object"),
        ("/cells/1/id", json!("cell_us0"), "member `cells[1].id`: duplicate id `cell_us0`"),
        (
            "/cells/2/url",
            json!("https://x"),
            "member `cells[2].url`: is not an `http` URL; cells speak plain HTTP to the router",
        ),
    ];
    for (pointer, value, expected) in table {
        let error = error_after(|document| *document.pointer_mut(pointer).unwrap() = value);
        assert_eq!(error, expected);
    }
}

#[test]
fn two_cells_cannot_share_a_name_or_an_address() {
    let error = error_after(|document| document["cells"][3]["name"] = json!("Cell EU0"));
    assert_eq!(error, "member `cells[3].name`: duplicate name `Cell EU0`");
    let error =
        error_after(|document| document["cells"][3]["url"] = json!("http://127.0.0.1:22000/"));
    assert_eq!(error, "member `cells[3].url`: duplicate url `127.0.0.1:22000`");
}

#[test]
fn the_variables_must_agree_with_the_file() {
    let error = |variables: Variables| {
        parse::topology(&document("buffering"), &variables).err().map(|e| e.to_string())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        error(Variables {
            listen: some("127.0.0.1:21001"),
            region: some("eu"),
            protocol: some("buffering")
        }),
        None
    );
    assert_eq!(
        error(Variables { listen: some("127.0.0.1:21002"), ..Variables::default() }),
        some("member `listen`: is `127.0.0.1:21001`, but CELLS_LISTEN is `127.0.0.1:21002`")
    );
    assert_eq!(
        error(Variables { region: some("us"), ..Variables::default() }),
        some("member `region`: is `eu`, but CELLS_REGION is `us`")
    );
    assert_eq!(
        error(Variables { protocol: some("learning"), ..Variables::default() }),
        some("member `protocol`: is `buffering`, but CELLS_PROTOCOL is `learning`")
    );
}

#[test]
fn invalid_documents_are_refused() {
    let error = parse::topology(&json!([]), &Variables::default()).unwrap_err();
    assert_eq!(error.to_string(), "expected an object, found an array");
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
        let expected = match refused {
            true => {
                "member `cells`: the url of `cell_eu0` is the address of the router itself: \
                 its requests would come back"
            }
            false => "no error",
        };
        assert_eq!(error, expected, "{listen} {url}");
    }
}

/// A cell's name is a value of a member list (BF-10).
#[test]
fn a_name_is_one_that_a_response_field_can_say() {
    let error = |name: &str| error_after(|document| document["cells"][1]["name"] = json!(name));
    for name in ["a,b", "a}", "a\nb", "\u{7f}", " a", "a ", "\t", "a\u{0}"] {
        assert!(error(name).starts_with("member `cells[1].name`"), "{name:?}: {}", error(name));
    }
    for name in ["a:b", "{a", "Cell  EU9", "\u{e4}", "a/b"] {
        assert_eq!(error(name), "no error", "{name:?}");
    }
}
