//! The metrics of the router.

mod support;

use std::net::SocketAddr;

use serde_json::json;
use support::cell::{Cell, Then, learnt, ok, redirect, response, wait_for};
use support::client::User;
use support::message::Message;
use support::router::{Fleet, Router, free_address};
use support::single::one_cell;

/// The value of a counter or gauge.
fn value(metrics: SocketAddr, series: &str) -> Option<f64> {
    let text = scrape(metrics);
    let line =
        text.lines().find(|line| line.rsplit_once(' ').is_some_and(|(name, _)| name == series))?;
    line.rsplit(' ').next()?.parse().ok()
}

fn scrape(metrics: SocketAddr) -> String {
    let response = User::connect(metrics).get("/metrics");
    assert_eq!(response.status(), 200);
    assert_eq!(response.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    response.text().to_owned()
}

fn watched(topology: &serde_json::Value) -> (Router, SocketAddr) {
    let metrics = free_address();
    let environment =
        [("CELLS_METRICS", &*metrics.to_string()), ("CELLS_COOKIE_KEY", "only routers know this")];
    (Router::start_with(topology, &environment), metrics)
}

#[test]
fn metrics_count_buffering() {
    let other = || {
        Cell::responding(|request| {
            if request.target() == "/lost" { redirect("Cell XX") } else { redirect("Cell EU0") }
        })
    };
    let owner = Cell::responding(|_| {
        response("200 OK", &["X-Gitlab-Cell-Cache: {path_prefix:/acme/}"], "EU0")
    });
    let fleet = Fleet { us0: other(), eu0: owner, eu1: other() };
    let (router, metrics) = watched(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    for _ in 0..3 {
        assert_eq!(user.get("/acme/secret-name").status(), 200);
    }
    assert_eq!(user.get("/lost").status(), 502);
    for (series, expected) in [
        ("cells_router_requests_total{outcome=\"responded\"}", 3.0),
        ("cells_router_requests_total{outcome=\"unknown_cell\"}", 1.0),
        ("cells_router_cache_lookups_total{result=\"hit\"}", 2.0),
        ("cells_router_cache_lookups_total{result=\"miss\"}", 2.0),
        ("cells_router_cache_entries", 1.0),
        ("cells_router_cache_evictions_total", 0.0),
        ("cells_router_hops_total{cell=\"cell_eu0\"}", 3.0),
        ("cells_router_hops_total{cell=\"cell_eu1\"}", 2.0),
        ("cells_router_bounces_total{cell=\"cell_eu1\"}", 2.0),
        ("cells_router_bounces_total{cell=\"cell_eu0\"}", 0.0),
        ("cells_router_upstream_connections_total{kind=\"new\"}", 2.0),
        ("cells_router_upstream_connections_total{kind=\"reused\"}", 3.0),
    ] {
        assert_eq!(value(metrics, series), Some(expected), "{series}");
    }
    // A request ends when its response has been written, which is not visible from outside.
    wait_for(|| value(metrics, "cells_router_requests_in_flight") == Some(0.0));
    assert_eq!(value(metrics, "cells_router_request_duration_seconds_count"), Some(4.0));
    drop(user);
    wait_for(|| value(metrics, "cells_router_connections") == Some(0.0));
    assert!(!scrape(metrics).contains("secret-name"), "no path of a user is told");
}

#[test]
fn metrics_count_learning_and_cookies() {
    let cell = |name: &'static str| {
        Cell::responding(move |request| match request.target() {
            target if target.contains("/cells/learn?") && target.ends_with("/acme") => learnt(
                &json!({ "path": "/acme", "cell": "cell_eu0", "source": "routable" }).to_string(),
            ),
            target if target.contains("/cells/learn?") && target.ends_with("/broken") => {
                response("500 Oh", &[], "")
            }
            target if target.contains("/cells/learn?") => response("404 Not Found", &[], ""),
            _ => ok(name),
        })
    };
    let fleet = Fleet { us0: cell("US0"), eu0: cell("EU0"), eu1: cell("EU1") };
    let mut topology = fleet.with_one_pick("learning");
    topology["capabilities"]["cookie_cache"] = json!(true);
    let (router, metrics) = watched(&topology);
    assert_eq!(router.user().get("/acme").text(), "EU0");
    assert_eq!(router.user().get("/unknown").text(), "US0");
    assert_eq!(router.user().get("/broken").status(), 502);
    assert_eq!(
        router.user().ask("GET", "/acme", &["Cookie: __Host-route=forged"], b"").text(),
        "EU0"
    );
    for (series, expected) in [
        ("cells_router_preflights_total{outcome=\"owner\"}", 1.0),
        ("cells_router_preflights_total{outcome=\"unknown\"}", 1.0),
        ("cells_router_preflights_total{outcome=\"failed\"}", 1.0),
        ("cells_router_preflight_duration_seconds_count", 3.0),
        ("cells_router_requests_total{outcome=\"not_learnt\"}", 1.0),
        ("cells_router_cookies_rejected_total", 1.0),
        ("cells_router_cookies_given_total", 2.0),
        ("cells_router_cookie_hints_used_total", 0.0),
    ] {
        assert_eq!(value(metrics, series), Some(expected), "{series}");
    }
}

#[test]
fn metrics_show_requests_in_flight() {
    let (release, released) = std::sync::mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    let held = Cell::responding(move |_| {
        let _ = released.lock().expect("no script panicked").recv();
        ok("late")
    });
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: held,
    };
    let (router, metrics) = watched(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    user.send("GET / HTTP/1.1\r\nHost: gitlab.example\r\n\r\n");
    wait_for(|| value(metrics, "cells_router_requests_in_flight") == Some(1.0));
    assert_eq!(value(metrics, "cells_router_requests_total{outcome=\"responded\"}"), Some(0.0));
    drop(release);
    assert_eq!(user.response().text(), "late");
    wait_for(|| value(metrics, "cells_router_requests_in_flight") == Some(0.0));
    assert_eq!(value(metrics, "cells_router_requests_total{outcome=\"responded\"}"), Some(1.0));
}

#[test]
fn a_tunnel_is_one_connection() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.response(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        );
        // Until the other side ends.
        let _ = std::io::Read::read(exchange.reader, &mut [0]);
        Then::Close
    });
    let (router, metrics) = watched(&one_cell("buffering", cell.address));
    let mut user = router.user();
    user.send(
        "GET /-/cable HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    assert_eq!(Message::read_head(&mut user.reader).unwrap().unwrap().status(), 101);
    wait_for(|| value(metrics, "cells_router_connections") == Some(1.0));
    drop(user);
    wait_for(|| value(metrics, "cells_router_connections") == Some(0.0));
}

#[test]
fn the_metrics_address_is_optional_and_serves_metrics_only() {
    let cell = || Cell::responding(|_| ok("served"));
    let fleet = Fleet { us0: cell(), eu0: cell(), eu1: cell() };
    let (router, metrics) = watched(&fleet.topology("buffering"));
    assert_eq!(User::connect(metrics).get("/").status(), 404);
    assert_eq!(User::connect(metrics).ask("POST", "/metrics", &[], b"x").status(), 405);
    // For users it is an ordinary path.
    assert_eq!(router.user().get("/metrics").text(), "served");
}

#[test]
fn a_metrics_address_in_use_ends_the_router() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("it is bound");
    let cell = free_address;
    let topology = support::router::topology("buffering", cell(), cell(), cell());
    let output = support::router::run_to_end(
        &topology.to_string(),
        &[("CELLS_METRICS", &address.to_string())],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains(&format!("cannot listen on {address}"))
    );
}

#[test]
fn a_refusal_in_the_head_is_counted_once() {
    let (router, metrics) = watched(&support::single::one_cell("buffering", free_address()));
    let mut user = router.user();
    user.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    assert_eq!(user.response().status(), 400);
    // The response can be read before the request has ended.
    wait_for(|| value(metrics, "cells_router_requests_in_flight") == Some(0.0));
    for (series, expected) in [
        ("cells_router_requests_total{outcome=\"bad_host\"}", 1.0),
        ("cells_router_request_duration_seconds_count", 1.0),
    ] {
        assert_eq!(value(metrics, series), Some(expected), "{series}");
    }
}

#[test]
fn idle_connections_do_not_keep_metrics_from_being_read() {
    let (_router, metrics) = watched(&support::single::one_cell("buffering", free_address()));
    let _idle: Vec<_> = (0..40).map(|_| User::connect(metrics)).collect();
    assert!(scrape(metrics).contains("cells_router_connections"));
}
