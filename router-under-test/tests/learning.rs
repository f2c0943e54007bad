//! The learning protocol against scripted cells.

mod support;

use std::io::Read as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use serde_json::json;
use support::cell::{Cell, Response, Then, learnt, ok, redirect, response};
use support::message::Message;
use support::router::{Fleet, Router, free_address};

const LEARN: &str = "/api/v4/internal/cells/learn?";

/// A cell that responds pre-flights with `learn` and everything else with its name.
fn cell(name: &'static str, learn: impl Fn(&str) -> Response + Send + Sync + 'static) -> Cell {
    Cell::responding(move |request| match path_info(request) {
        Some(path) => learn(&path),
        None => ok(name),
    })
}

/// The decoded `path_info`, if the request is a pre-flight.
fn path_info(request: &Message) -> Option<String> {
    let query = request.target().strip_prefix(LEARN)?;
    let value = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("path_info="))
        .expect("a pre-flight has a path_info");
    let decoded = percent_encoding::percent_decode_str(value).decode_utf8().expect("UTF-8");
    Some(decoded.into_owned())
}

/// A fleet that gives the same learn response everywhere.
fn fleet(learn: impl Fn(&str) -> Response + Clone + Send + Sync + 'static) -> Fleet {
    Fleet {
        us0: cell("US0", learn.clone()),
        eu0: cell("EU0", learn.clone()),
        eu1: cell("EU1", learn),
    }
}

fn eu0_owns(path: &str) -> Response {
    learnt(&json!({ "path": path, "cell": "cell_eu0", "source": "routable" }).to_string())
}

#[test]
fn the_request_is_sent_once_and_all_methods_share_the_entry() {
    let fleet = fleet(|_| eu0_owns("/my-company"));
    let router = Router::start(&fleet.with_one_pick("learning"));
    let response = router.user().ask(
        "POST",
        "/my-company/x%2Fy?q=/&",
        &["Cookie: s=1", "Authorization: b"],
        b"abc",
    );
    assert_eq!((response.status(), response.text()), (200, "EU0"));
    assert_eq!(router.user().get("/my-company").text(), "EU0");
    let [us0, eu0, eu1] = fleet.lines();
    assert_eq!(us0, [""; 0]);
    assert_eq!(eu0, ["POST /my-company/x%2Fy?q=/& HTTP/1.1", "GET /my-company HTTP/1.1"]);
    assert_eq!(
        eu1,
        ["GET /api/v4/internal/cells/learn?method=POST&path_info=/my-company/x%252Fy HTTP/1.1"]
    );

    let preflight = &fleet.eu1.received()[0];
    for name in
        ["cookie", "authorization", "content-length", "transfer-encoding", "x-conformance-id"]
    {
        assert_eq!(preflight.header(name), None, "{name}");
    }
    assert_eq!(fleet.eu0.received()[0].body, b"abc");
}

#[test]
fn an_exact_entry_covers_its_path_alone() {
    let fleet = fleet(|path| {
        let owner = json!({
            "path": path,
            "cell": "cell_eu0",
            "source": "fixed",
            "exact": true,
            "more": [1],
        });
        learnt(&owner.to_string())
    });
    let router = Router::start(&fleet.with_one_pick("learning"));
    for path in ["/-/profile", "/-/profile?x=1", "/-/profile/", "/-/profile/", "/-/profile/y"] {
        assert_eq!(router.user().get(path).text(), "EU0");
    }
    let learnt: Vec<_> = fleet.eu1.received().iter().filter_map(path_info).collect();
    assert_eq!(learnt, ["/-/profile", "/-/profile/", "/-/profile/y"]);
}

#[test]
fn use_does_not_prolong_an_entry() {
    let fleet = fleet(|_| eu0_owns("/a"));
    let mut topology = fleet.with_one_pick("learning");
    topology["cache"]["ttl_ms"] = json!(300);
    let router = Router::start(&topology);
    // The entry is used until it has been learnt three times: use does not prolong it.
    support::cell::wait_for(|| {
        assert_eq!(router.user().get("/a/b").text(), "EU0");
        fleet.eu1.received().len() >= 3
    });
    assert!(fleet.eu0.received().len() > 3);
}

#[test]
fn an_entry_with_a_ttl_of_zero_is_not_used() {
    let fleet = fleet(|_| eu0_owns("/a"));
    let mut topology = fleet.with_one_pick("learning");
    topology["cache"]["ttl_ms"] = json!(0);
    let router = Router::start(&topology);
    for _ in 0..3 {
        assert_eq!(router.user().get("/a").text(), "EU0");
    }
    assert_eq!(fleet.eu1.received().len(), 3);
}

#[test]
fn without_an_owner_the_latest_deployment_serves_and_nothing_is_cached() {
    let fleet = fleet(|_| response("404 Not Found", &[], "no"));
    let router = Router::start(&fleet.with_one_pick("learning"));
    for _ in 0..2 {
        assert_eq!(router.user().get("/unknown").text(), "US0");
    }
    // `/` needs no pre-flight, and any cell of the region serves it.
    assert_eq!(router.user().get("/?x").text(), "EU1");
    let [us0, eu0, eu1] = fleet.lines();
    assert_eq!((us0.len(), eu0.len(), eu1.len()), (2, 0, 3));
}

#[test]
fn the_region_serves_while_the_latest_deployment_is_down() {
    let fleet = fleet(|_| response("404 Not Found", &[], "no"));
    let mut topology = fleet.with_one_pick("learning");
    topology["cells"][0]["url"] = json!(format!("http://{}", free_address()));
    let response = Router::start(&topology).user().ask("POST", "/unknown", &[], b"abc");
    assert_eq!(response.text(), "EU1");
    assert_eq!(fleet.eu1.received()[1].body, b"abc");
}

#[test]
fn another_cell_gets_the_pre_flight_when_one_fails() {
    let fleet = Fleet {
        us0: cell("US0", |_| learnt("nonsense")),
        eu0: cell("EU0", |_| eu0_owns("/x")),
        eu1: cell("EU1", |_| response("503 Service Unavailable", &[], "")),
    };
    let mut topology = fleet.topology("learning");
    topology["cache"]["ttl_ms"] = json!(0);
    let router = Router::start(&topology);
    for _ in 0..20 {
        assert_eq!(router.user().get("/x").text(), "EU0");
    }
    assert!(!fleet.eu1.received().is_empty());
    assert_eq!(fleet.us0.lines(), [""; 0]);
}

#[test]
fn another_cell_gets_the_pre_flight_when_one_times_out() {
    let fleet = Fleet {
        us0: cell("US0", |_| eu0_owns("/x")),
        eu0: cell("EU0", |_| eu0_owns("/x")),
        eu1: Cell::silent(),
    };
    let mut topology = fleet.topology("learning");
    // Long enough for the cells that do respond, also on a loaded machine.
    topology["limits"]["response_timeout_ms"] = json!(2000);
    topology["cache"]["ttl_ms"] = json!(0);
    let router = Router::start(&topology);
    for _ in 0..8 {
        assert_eq!(router.user().get("/x").text(), "EU0");
    }
    let mut alone = fleet.with_one_pick("learning");
    alone["limits"]["response_timeout_ms"] = json!(400);
    assert_eq!(Router::start(&alone).user().get("/x").status(), 504);
}

#[test]
fn a_learn_response_that_does_not_cover_the_request_is_not_cached() {
    for path in ["/", "", "/other", "/x-2", "x"] {
        let fleet = fleet(move |_| eu0_owns(path));
        let router = Router::start(&fleet.with_one_pick("learning"));
        for _ in 0..2 {
            router.user().get("/x");
        }
        assert_eq!(fleet.eu1.received().len(), 2, "{path:?}");
    }
}

#[test]
fn an_internal_redirect_is_neither_followed_nor_forwarded() {
    let fleet = Fleet {
        us0: cell("US0", |_| eu0_owns("/x")),
        eu0: Cell::responding(|_| redirect("Cell US0")),
        eu1: cell("EU1", |_| eu0_owns("/x")),
    };
    let router = Router::start(&fleet.with_one_pick("learning"));
    let response = router.user().get("/x");
    assert_eq!((response.status(), response.header("location")), (502, None));
    assert_eq!(response.all("set-cookie"), [""; 0]);
    assert_eq!(fleet.us0.lines(), [""; 0]);
}

#[test]
fn the_learn_path_is_closed_to_users() {
    let fleet = fleet(|path| learnt(&json!({ "path": path, "cell": "cell_eu0" }).to_string()));
    let router = Router::start(&fleet.topology("learning"));
    for target in
        [format!("{LEARN}method=GET&path_info=/x"), "/api/v4/internal/cells/%6cearn?x".to_owned()]
    {
        assert_eq!(router.user().get(&target).status(), 404);
    }
    assert_eq!(fleet.lines(), [[""; 0]; 3]);
}

#[test]
fn the_cell_sees_the_first_bytes_before_the_user_has_sent_the_last() {
    let (told, seen) = mpsc::channel();
    let told = Mutex::new(told);
    let fleet = Fleet {
        us0: cell("US0", |_| eu0_owns("/x")),
        eu0: Cell::scripted(move |mut exchange| {
            let mut first = [0; 8];
            exchange.reader.read_exact(&mut first).unwrap();
            told.lock().unwrap().send(first).unwrap();
            exchange.read_body();
            exchange.response(ok("done"));
            Then::Keep
        }),
        eu1: cell("EU1", |_| eu0_owns("/x")),
    };
    let router = Router::start(&fleet.with_one_pick("learning"));
    let mut user = router.user();
    user.send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    assert_eq!(&seen.recv().unwrap(), b"3\r\nabc\r\n");
    user.send("2\r\nde\r\n0\r\n\r\n");
    assert_eq!(user.response().text(), "done");
}

#[test]
fn simultaneous_misses_share_a_pre_flight() {
    const USERS: usize = 8;
    static WAITING: AtomicUsize = AtomicUsize::new(0);
    let fleet = Fleet {
        us0: cell("US0", |_| eu0_owns("/x")),
        eu0: cell("EU0", |_| eu0_owns("/x")),
        eu1: cell("EU1", |_| {
            support::cell::wait_for(|| WAITING.load(Ordering::SeqCst) == USERS);
            eu0_owns("/x")
        }),
    };
    let router = Router::start(&fleet.with_one_pick("learning"));
    let users: Vec<_> = (0..USERS).map(|_| router.user()).collect();
    std::thread::scope(|scope| {
        for mut user in users {
            scope.spawn(move || {
                user.send("GET /x/y HTTP/1.1\r\nHost: h\r\n\r\n");
                WAITING.fetch_add(1, Ordering::SeqCst);
                assert_eq!(user.response().text(), "EU0");
            });
        }
    });
    assert!(fleet.eu1.received().len() <= USERS);
    assert_eq!(fleet.eu0.received().len(), USERS);
}

#[test]
fn an_entry_is_shared_by_all_connections_at_once() {
    let fleet = fleet(eu0_owns);
    let router = Router::start(&fleet.with_one_pick("learning"));
    // Enough connections that each thread has some.
    let mut users: Vec<_> = (0..32).map(|_| router.user()).collect();
    for round in 0..20 {
        let path = format!("/p{round}");
        for user in &mut users {
            assert_eq!(user.get(&path).text(), "EU0");
        }
        assert_eq!(fleet.eu1.received().len(), round + 1);
    }
}

#[test]
fn evicted_entries_are_learnt_again() {
    let fleet = fleet(eu0_owns);
    let mut topology = fleet.with_one_pick("learning");
    topology["cache"]["max_entries"] = json!(10);
    let router = Router::start(&topology);
    let mut user = router.user();
    for _ in 0..2 {
        for number in 0..100 {
            assert_eq!(user.get(&format!("/p{number}")).text(), "EU0");
        }
    }
    assert!(fleet.eu1.received().len() > 150);
}
