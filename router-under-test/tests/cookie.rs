//! The second-level cache in the user's cookie, against scripted cells (CA-15, Z-18, Z-19).

mod support;

use serde_json::{Value, json};
use support::cell::{Cell, learnt, ok, redirect, response};
use support::message::Message;
use support::router::{Fleet, Router, free_address};

const LEARN: &str = "/api/v4/internal/cells/learn?";
const NAME: &str = "__Host-route";
const KEY: (&str, &str) = ("CELLS_COOKIE_KEY", "only routers know this");

/// EU0 owns `/acme`; EU1 is the only cold pick.
fn buffering_fleet() -> Fleet {
    let other = |name: &'static str| {
        Cell::responding(move |request| {
            if request.target().starts_with("/acme") { redirect("Cell EU0") } else { ok(name) }
        })
    };
    let owner = Cell::responding(|request| match request.target() {
        "/acme/private" => {
            response("404 Not Found", &["X-Gitlab-Cell-Cache: {path_prefix:/acme/}"], "no")
        }
        "/acme/shared" => response(
            "200 OK",
            &["X-Gitlab-Cell-Cache: {path_prefix:/acme/}", "Cache-Control: public"],
            "EU0",
        ),
        "/acme/signed-in" => response(
            "200 OK",
            &["X-Gitlab-Cell-Cache: {path_prefix:/acme/}", "Set-Cookie: a=1", "Set-Cookie: b=2"],
            "EU0",
        ),
        target if target.starts_with("/acme") => {
            response("200 OK", &["X-Gitlab-Cell-Cache: {path_prefix:/acme/}"], "EU0")
        }
        _ => redirect("Cell EU1"),
    });
    Fleet { us0: other("US0"), eu0: owner, eu1: other("EU1") }
}

/// Every cell names EU0 as the owner of `/acme`.
fn learning_fleet() -> Fleet {
    let cell = |name: &'static str| {
        Cell::responding(move |request| match request.target() {
            target if target.starts_with(LEARN) => learnt(
                &json!({ "path": "/acme", "cell": "cell_eu0", "source": "routable" }).to_string(),
            ),
            target if target.starts_with("/acme/private") => response("404 Not Found", &[], name),
            _ => ok(name),
        })
    };
    Fleet { us0: cell("US0"), eu0: cell("EU0"), eu1: cell("EU1") }
}

fn switched_on(fleet: &Fleet, protocol: &str) -> Value {
    let mut topology = fleet.with_one_pick(protocol);
    topology["capabilities"]["cookie_cache"] = json!(true);
    topology
}

/// The router's cookie in a response, as a user sends it back.
fn cookie(response: &Message) -> Option<String> {
    let line = response.all("set-cookie").into_iter().find(|line| line.starts_with(NAME))?;
    Some(line.split(';').next().expect("a first part").to_owned())
}

fn with_cookie(router: &Router, target: &str, cookie: &str) -> Message {
    router.user().ask("GET", target, &[&format!("Cookie: {cookie}")], b"")
}

/// A router with the key of the fleet.
fn start(topology: &Value) -> Router {
    Router::start_with(topology, &[KEY])
}

/// The same cells with a cold router.
fn cold(topology: &Value) -> Value {
    let mut topology = topology.clone();
    topology["listen"] = json!(free_address());
    topology
}

#[test]
fn a_route_cookie_saves_a_cold_router_the_bounce() {
    let fleet = buffering_fleet();
    let topology = switched_on(&fleet, "buffering");
    let given = cookie(&start(&topology).user().get("/acme/things")).expect("a cookie");
    let router = start(&cold(&topology));
    let response =
        with_cookie(&router, "/acme/others", &format!("session=1; {given}; theme=\"dark\""));
    assert_eq!((response.status(), response.text()), (200, "EU0"));
    let [_, eu0, eu1] = fleet.lines();
    assert_eq!(eu0, ["GET /acme/things HTTP/1.1", "GET /acme/others HTTP/1.1"]);
    assert_eq!(eu1, ["GET /acme/things HTTP/1.1"]);
    // The route cookie stays at the router, and cells get the others unchanged.
    assert_eq!(fleet.eu0.received()[1].all("cookie"), ["session=1; theme=\"dark\""]);
    // The cookie is up to date, so the router does not set it again.
    assert_eq!(response.all("set-cookie"), [""; 0]);
    // The cell has confirmed the route, so that it is cached for all users.
    router.user().get("/acme/more");
    assert_eq!(fleet.eu1.received().len(), 1);
}

#[test]
fn a_route_cookie_saves_a_cold_router_the_pre_flight_and_fills_no_cache() {
    let fleet = learning_fleet();
    let topology = switched_on(&fleet, "learning");
    let given = cookie(&Router::start_with(&topology, &[KEY]).user().get("/acme/things"))
        .expect("a cookie");
    let router = Router::start_with(&cold(&topology), &[KEY]);
    for _ in 0..3 {
        let response = with_cookie(&router, "/acme/others", &given);
        assert_eq!((response.text(), cookie(&response)), ("EU0", None));
    }
    assert_eq!(fleet.eu1.received().len(), 1, "one pre-flight");
    assert_eq!(fleet.eu0.received()[1].header("cookie"), None);
    // The router has no entry of its own, so another user's request needs a pre-flight.
    assert_eq!(router.user().get("/acme/others").text(), "EU0");
    assert_eq!(fleet.eu1.received().len(), 2);
}

#[test]
fn a_hint_to_a_cell_that_is_down_is_ignored() {
    // In buffering the path has moved since the user's last visit, and its old cell is down.
    let fleet = buffering_fleet();
    let topology = switched_on(&fleet, "buffering");
    let given =
        cookie(&Router::start_with(&topology, &[KEY]).user().get("/acme")).expect("a cookie");
    let mut later = cold(&topology);
    later["cells"][1]["url"] = json!(format!("http://{}", free_address()));
    let reply = with_cookie(&Router::start_with(&later, &[KEY]), "/other", &given);
    assert_eq!((reply.status(), reply.text()), (200, "EU1"));
    let moved = Cell::responding(|_| {
        response("200 OK", &["X-Gitlab-Cell-Cache: {path_prefix:/acme/}"], "EU1")
    });
    later["cells"][2]["url"] = json!(format!("http://{}", moved.address));
    later["listen"] = json!(free_address());
    let router = Router::start_with(&later, &[KEY]);
    let reply = with_cookie(&router, "/acme", &given);
    assert_eq!((reply.status(), reply.text()), (200, "EU1"));
    assert!(cookie(&reply).is_some_and(|mended| mended != given));

    // In learning a pre-flight follows instead, and here no other cell owns the path.
    let fleet = learning_fleet();
    let topology = switched_on(&fleet, "learning");
    let given =
        cookie(&Router::start_with(&topology, &[KEY]).user().get("/acme")).expect("a cookie");
    let moved = Cell::responding(|request| {
        if request.target().starts_with(LEARN) {
            return learnt(
                &json!({ "path": "/acme", "cell": "cell_eu1", "source": "routable" }).to_string(),
            );
        }
        ok("EU1")
    });
    let mut later = cold(&topology);
    later["cells"][1]["url"] = json!(format!("http://{}", free_address()));
    later["cells"][2]["url"] = json!(format!("http://{}", moved.address));
    let reply = with_cookie(&Router::start_with(&later, &[KEY]), "/acme", &given);
    assert_eq!((reply.status(), reply.text()), (200, "EU1"));
}

#[test]
fn a_404_sets_no_route_cookie() {
    for (fleet, protocol) in [(buffering_fleet(), "buffering"), (learning_fleet(), "learning")] {
        let router = start(&switched_on(&fleet, protocol));
        for _ in 0..2 {
            let response = router.user().get("/acme/private");
            assert_eq!(
                (response.status(), response.all("set-cookie").len()),
                (404, 0),
                "{protocol}"
            );
        }
    }
}

#[test]
fn a_publicly_cacheable_response_sets_no_route_cookie() {
    let fleet = buffering_fleet();
    let router = start(&switched_on(&fleet, "buffering"));
    assert_eq!(cookie(&router.user().get("/acme/shared")), None);
    assert!(cookie(&router.user().get("/acme/own")).is_some());
}

#[test]
fn a_switched_off_route_cookie_is_an_ordinary_cookie() {
    let fleet = buffering_fleet();
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let response = with_cookie(&router, "/acme", &format!("{NAME}=x; a=1"));
    assert_eq!(response.all("set-cookie"), [""; 0]);
    assert_eq!(fleet.eu0.received()[0].all("cookie"), [format!("{NAME}=x; a=1")]);
}

#[test]
fn a_learnt_hint_expires() {
    let fleet = learning_fleet();
    let mut topology = switched_on(&fleet, "learning");
    topology["cache"]["ttl_ms"] = json!(300);
    let router = start(&topology);
    // On a slow machine an entry may expire before its response arrives.
    let mut given = None;
    support::cell::wait_for(|| {
        given = cookie(&router.user().get("/acme"));
        given.is_some()
    });
    let (given, asked) = (given.expect("waited for"), fleet.eu1.received().len());
    // The entry is used all the time, and a new pre-flight follows all the same.
    support::cell::wait_for(|| {
        assert_eq!(with_cookie(&router, "/acme", &given).text(), "EU0");
        fleet.eu1.received().len() > asked
    });
}

#[test]
fn the_route_cookie_needs_a_key() {
    let topology = switched_on(&buffering_fleet(), "buffering");
    let output = support::router::run_to_end(&topology.to_string(), &[]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("CELLS_COOKIE_KEY: is not set"), "{message}");
}
