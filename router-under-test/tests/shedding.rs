//! The router's limits under load, and what it does not delay.

mod support;

use std::io::Write as _;
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::json;
use support::cell::{Cell, Then, ok, wait_for};
use support::client::User;
use support::message::Message;
use support::router::Router;
use support::single::one_cell;

/// A cell that holds the response to `/held` until its release, and responds to every other request
/// at once.
fn cell() -> (Cell, mpsc::Sender<()>) {
    let (release, released) = mpsc::channel();
    let released = Mutex::new(released);
    let cell = Cell::scripted(move |mut exchange| {
        exchange.read_body();
        if exchange.request.target().starts_with("/held") {
            // After the end of the test the response has no reader.
            let _ = released.lock().expect("no script panicked").recv();
        }
        exchange.response(ok("served"));
        Then::Keep
    });
    (cell, release)
}

/// The threads of the router, which share its limits.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[test]
fn a_request_beyond_the_limit_is_refused_and_served_later() {
    let (cell, release) = cell();
    // One for each thread.
    let router =
        Router::start_with(&one_cell("buffering", cell.address), &[("CELLS_MAX_REQUESTS", "1")]);

    // A connection stays with its thread. One request for each thread is held, on as many
    // connections as that takes.
    let mut held = Vec::new();
    let mut refused = Vec::new();
    wait_for(|| {
        let mut user = router.user();
        let before = cell.received().len();
        user.send("GET /held HTTP/1.1\r\nHost: gitlab.example\r\n\r\n");
        user.stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a socket option");
        wait_for(|| cell.received().len() > before || is_responded(&user));
        if cell.received().len() > before {
            held.push(user)
        } else {
            refused.push(user)
        }
        held.len() == threads() && !refused.is_empty()
    });
    for user in &mut refused {
        let response = user.response();
        assert_eq!(response.status(), 503);
        assert_eq!(
            (response.header("retry-after"), response.header("cache-control")),
            (Some("1"), Some("no-store"))
        );
        assert!(response.text().contains("try again"), "{}", response.text());
    }
    for _ in 0..threads() {
        release.send(()).expect("the cell waits");
    }
    for user in &mut held {
        user.stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket option");
        assert_eq!(user.response().text(), "served");
        assert_eq!(user.get("/again").text(), "served");
    }
    // A refused user can continue on the same connection.
    for user in &mut refused {
        user.stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket option");
        assert_eq!(user.get("/again").text(), "served");
    }
}

#[test]
fn a_request_counts_until_its_response_is_read_or_abandoned() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        match exchange.request.target() {
            "/half" => {
                exchange.response("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\nfirst");
                // Slowly, until the router closes the connection.
                while exchange.stream.write_all(b"more").is_ok() {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Then::Close
            }
            _ => {
                exchange.response(ok("served"));
                Then::Keep
            }
        }
    });
    let topology = one_cell("buffering", cell.address);
    let router = Router::start_with(&topology, &[("CELLS_MAX_REQUESTS", "1")]);
    let mut halves = Vec::new();
    while halves.len() < threads() {
        let mut user = router.user();
        user.send("GET /half HTTP/1.1\r\nHost: gitlab.example\r\n\r\n");
        let head =
            Message::read_head(&mut user.reader).expect("a response").expect("not just closed");
        if head.status() == 200 {
            halves.push(user);
        }
    }
    assert_eq!(router.user().get("/").status(), 503);
    drop(halves);
    wait_for(|| router.user().get("/").status() == 200);
}

#[test]
fn connections_beyond_the_limit_wait_for_busy_ones() {
    let (cell, release) = cell();
    let topology = one_cell("buffering", cell.address);
    let router = Router::start_with(&topology, &[("CELLS_MAX_CONNECTIONS", "1")]);
    // Connections with a request under way fill the limit; the system accepts others, the router
    // does not.
    let mut users: Vec<User> = Vec::new();
    for _ in 0..4 * threads() {
        let mut user = router.user();
        user.send("GET /held HTTP/1.1\r\nHost: gitlab.example\r\n\r\n");
        users.push(user);
    }
    wait_for(|| !cell.received().is_empty());
    // They are not lost: each is served once another one has its response.
    for _ in 0..users.len() {
        release.send(()).expect("the cell waits");
    }
    for user in &mut users {
        assert_eq!(user.response().text(), "served");
    }
}

fn is_responded(user: &User) -> bool {
    user.stream.peek(&mut [0]).is_ok_and(|read| read > 0)
}

/// A read fails after a third of the bound: chance lets all pass once in 10^11 runs.
#[test]
fn nothing_but_a_404_of_a_cell_is_delayed() {
    for (protocol, target, status) in [
        ("buffering", "/found", 200),
        ("learning", "/api/v4/internal/cells/learn?method=GET&path_info=/private", 404),
    ] {
        let cell = Cell::responding(|_| ok("found"));
        let mut topology = one_cell(protocol, cell.address);
        topology["capabilities"]["not_found_delay_ms"] = json!(60_000);
        let router = Router::start(&topology);
        let mut user = router.user();
        for _ in 0..24 {
            assert_eq!(user.get(target).status(), status, "{target}");
        }
    }
}

#[test]
fn the_refusal_of_the_learn_path_does_not_depend_on_path_info() {
    let cell = Cell::responding(|_| ok("never"));
    let topology = one_cell("learning", cell.address);
    let router = Router::start(&topology);
    let responses: Vec<Message> = ["/private", "/missing"]
        .iter()
        .map(|path| {
            router.user().get(&format!("/api/v4/internal/cells/learn?method=GET&path_info={path}"))
        })
        .collect();
    let seen = |message: &Message| {
        (
            message.start.clone(),
            message.headers.iter().filter(|(name, _)| name != "date").cloned().collect::<Vec<_>>(),
            message.body.clone(),
        )
    };
    assert_eq!(seen(&responses[0]), seen(&responses[1]));
    assert_eq!(cell.received().len(), 0);
}
