//! How the reference routes where the documents leave a choice, in both protocols.

mod support;

use serde_json::json;
use support::cell::{Cell, Response, learnt, ok, redirect, response};
use support::router::{Fleet, Router, free_address, topology};

const LEARN: &str = "/api/v4/internal/cells/learn?";

/// A fleet of the learning protocol in which each cell responds to pre-flights with `learn`, and to
/// everything else with its name.
fn learning_fleet(learn: impl Fn() -> Response + Clone + Send + Sync + 'static) -> Fleet {
    let cell = |name: &'static str| {
        let learn = learn.clone();
        Cell::responding(move |request| match request.target().starts_with(LEARN) {
            true => learn(),
            false => ok(name),
        })
    };
    Fleet { us0: cell("US0"), eu0: cell("EU0"), eu1: cell("EU1") }
}

fn eu0_owns_a() -> Response {
    learnt(r#"{"path":"/a","cell":"cell_eu0","source":"routable"}"#)
}

fn nobody_owns() -> Response {
    response("404 Not Found", &[], "no")
}

#[test]
fn a_connection_option_cannot_hide_a_redirect() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: Cell::responding(|_| {
            response(
                "302 Found",
                &[
                    "Connection: keep-alive, X-Gitlab-Cell-Redirect",
                    "X-Gitlab-Cell-Redirect: {cell:Cell EU0}",
                ],
                "",
            )
        }),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let response =
        router.user().ask("GET", "/x", &["Connection: keep-alive, X-Gitlab-Cell-Redirect"], b"");
    assert_eq!(response.text(), "EU0");
}

#[test]
fn another_region_serves_while_no_cell_of_the_own_is_there() {
    let abroad = Cell::responding(|_| ok("US0"));
    let topology = topology("buffering", abroad.address, free_address(), free_address());
    assert_eq!(Router::start(&topology).user().get("/x").text(), "US0");
}

#[test]
fn an_entry_with_a_ttl_of_zero_is_not_used() {
    let fleet = learning_fleet(eu0_owns_a);
    let mut topology = fleet.with_one_pick("learning");
    topology["cache"]["ttl_ms"] = json!(0);
    let router = Router::start(&topology);
    for _ in 0..3 {
        assert_eq!(router.user().get("/a").text(), "EU0");
    }
    assert_eq!(fleet.eu1.received().len(), 3);
}

#[test]
fn the_root_needs_no_pre_flight_and_any_cell_of_the_region_serves_it() {
    let fleet = learning_fleet(nobody_owns);
    assert_eq!(Router::start(&fleet.with_one_pick("learning")).user().get("/?x").text(), "EU1");
    assert_eq!(fleet.eu1.lines(), ["GET /?x HTTP/1.1"]);
}

#[test]
fn the_region_serves_while_the_latest_deployment_is_down() {
    let fleet = learning_fleet(nobody_owns);
    let mut topology = fleet.with_one_pick("learning");
    topology["cells"][0]["url"] = json!(format!("http://{}", free_address()));
    let response = Router::start(&topology).user().ask("POST", "/unknown", &[], b"abc");
    assert_eq!(response.text(), "EU1");
    assert_eq!(fleet.eu1.received()[1].body, b"abc");
}

#[test]
fn an_internal_redirect_is_neither_followed_nor_forwarded() {
    let eu0 = Cell::responding(|_| redirect("Cell US0"));
    let fleet = Fleet { eu0, ..learning_fleet(eu0_owns_a) };
    let router = Router::start(&fleet.with_one_pick("learning"));
    let response = router.user().get("/a");
    assert_eq!((response.status(), response.header("location")), (502, None));
    assert_eq!(response.all("set-cookie"), [""; 0]);
    assert_eq!(fleet.us0.lines(), [""; 0]);
}
