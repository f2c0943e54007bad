//! One cell that hangs leaves room for the others, and users who have gone hold no room.

mod support;

use std::net::Shutdown;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::cell::{Cell, Then, learnt, ok, redirect, wait_for};
use support::client::User;
use support::router::{Fleet, Router};

/// A cell that responds to nothing under `/held` until the connection ends, and redirects such
/// paths to EU0 where it is another.
fn cell(holds: bool) -> Cell {
    Cell::scripted(move |mut exchange| {
        use std::io::Read as _;
        exchange.read_body();
        let target = exchange.request.target().to_owned();
        if holds && target != "/later" {
            // Until the router gives up.
            let _ = exchange.stream.read(&mut [0]);
            return Then::Close;
        }
        if target == "/later" {
            std::thread::sleep(Duration::from_millis(1200));
        }
        let held = target.contains("held");
        exchange.response(match held {
            true if target.contains("/cells/learn?") => learnt(
                &json!({"path": "/held", "cell": "cell_eu0", "source": "routable"}).to_string(),
            ),
            false if target.contains("/cells/learn?") => {
                learnt(&json!({"path": "/x", "cell": "cell_eu1", "source": "routable"}).to_string())
            }
            true => redirect("Cell EU0"),
            false => ok("served"),
        });
        Then::Keep
    })
}

fn fleet() -> Fleet {
    Fleet { us0: cell(false), eu0: cell(true), eu1: cell(false) }
}

fn ask(user: &mut User, target: &str) {
    user.send(format!("GET {target} HTTP/1.1\r\nHost: gitlab.example\r\n\r\n"));
}

fn with_a_long_wait(fleet: &Fleet, protocol: &str) -> Value {
    let mut topology = fleet.with_one_pick(protocol);
    topology["limits"]["response_timeout_ms"] = json!(60_000);
    topology
}

#[test]
fn users_of_other_cells_are_served_while_one_cell_hangs() {
    for protocol in ["buffering", "learning"] {
        let fleet = fleet();
        let topology = with_a_long_wait(&fleet, protocol);
        let router = Router::start_with(&topology, &[("CELLS_MAX_REQUESTS", "32")]);
        let mut stuck: Vec<_> = (0..200).map(|_| router.user()).collect();
        for user in &mut stuck {
            ask(user, "/held");
        }
        let waits = |user: &User| !user.stream.peek(&mut [0]).is_ok_and(|read| read > 0);
        for user in &stuck {
            user.stream.set_nonblocking(true).unwrap();
        }
        // Those beyond the share of the cell are refused, on whichever thread they are.
        wait_for(|| stuck.iter().filter(|user| waits(user)).count() <= 16);
        for _ in 0..20 {
            let begun = Instant::now();
            // Those that still pass by the other cell may take its share for a moment.
            wait_for(|| router.user().get("/x").text() == "served");
            assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        }
        let refused = stuck.iter_mut().find(|user| !waits(user)).unwrap();
        refused.stream.set_nonblocking(false).unwrap();
        let response = refused.response();
        assert_eq!((response.status(), response.header("retry-after")), (503, Some("1")));
    }
}

#[test]
fn pre_flights_at_a_cell_that_hangs_leave_room() {
    let (us0, eu0, eu1) = (cell(false), cell(true), cell(false));
    let mut topology = support::router::topology("learning", us0.address, eu0.address, eu1.address);
    topology["limits"]["response_timeout_ms"] = json!(60_000);
    let router = Router::start_with(&topology, &[("CELLS_MAX_REQUESTS", "64")]);
    // About half of them ask the cell that hangs.
    let mut cold: Vec<_> = (0..200).map(|_| router.user()).collect();
    for (number, user) in cold.iter_mut().enumerate() {
        ask(user, &format!("/x/{number}"));
    }
    for user in &cold {
        user.stream.set_nonblocking(true).unwrap();
    }
    let served = |cold: &[User]| {
        cold.iter().filter(|user| user.stream.peek(&mut [0]).is_ok_and(|read| read > 0)).count()
    };
    wait_for(|| served(&cold) >= 150);
    assert!(eu0.received().len() <= 16, "{}", eu0.received().len());
    wait_for(|| router.user().get("/x").text() == "served");
}

#[test]
fn users_who_left_hold_capacity_for_a_short_time() {
    for protocol in ["buffering", "learning"] {
        let fleet = fleet();
        let topology = with_a_long_wait(&fleet, protocol);
        let router = Router::start_with(
            &topology,
            &[("CELLS_MAX_REQUESTS", "16"), ("CELLS_HALF_CLOSED_MS", "400")],
        );
        let mut gone: Vec<_> = (0..100).map(|_| router.user()).collect();
        for user in &mut gone {
            ask(user, "/held");
        }
        wait_for(|| fleet.lines()[1].len() >= 4);
        let begun = Instant::now();
        drop(gone);
        // The connections to the cell end with the requests.
        fleet.eu0.wait_until_closed(4);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
}

#[test]
fn a_user_who_closes_one_half_waits_within_the_limit() {
    let fleet = fleet();
    let topology = with_a_long_wait(&fleet, "buffering");
    for (limit, served) in [("10000", true), ("200", false)] {
        let router = Router::start_with(&topology, &[("CELLS_HALF_CLOSED_MS", limit)]);
        let mut user = router.user();
        ask(&mut user, "/later");
        user.stream.shutdown(Shutdown::Write).unwrap();
        let mut first = [0; 12];
        let read = std::io::Read::read(&mut user.reader, &mut first).unwrap_or(0);
        assert_eq!(&first[..read] == b"HTTP/1.1 200", served, "{limit}: {first:?}");
    }
}

#[test]
fn slow_bodies_and_heads_keep_nobody_out() {
    let fleet = fleet();
    let router = Router::start_with(
        &fleet.with_one_pick("buffering"),
        &[
            ("CELLS_MAX_REQUESTS", "2"),
            ("CELLS_HEAD_TIMEOUT_MS", "300"),
            ("CELLS_BODY_GRACE_MS", "900"),
        ],
    );
    let mut slow: Vec<_> = (0..20).map(|_| router.user()).collect();
    for user in &mut slow {
        user.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nfirst");
    }
    let mut unfinished = router.user();
    unfinished.send("GET /x HTTP/1.1\r\nHost: h\r\nCook");
    for _ in 0..10 {
        assert_eq!(router.user().get("/x").text(), "served");
    }
    // They are given up, although a byte comes now and then.
    let begun = Instant::now();
    let user = &mut slow[0];
    user.stream.set_nonblocking(true).unwrap();
    wait_for(|| {
        let _ = std::io::Write::write(&mut user.stream, b"x");
        std::thread::sleep(Duration::from_millis(100));
        user.stream.peek(&mut [0]).is_ok_and(|read| read > 0)
    });
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert_eq!(slow[1].response().status(), 400);
    assert_eq!(std::io::Read::read(&mut unfinished.reader, &mut [0]).unwrap_or(0), 0);
}

#[test]
fn bodies_have_a_budget() {
    let fleet = fleet();
    let router = Router::start_with(
        &fleet.with_one_pick("buffering"),
        &[("CELLS_MAX_BUFFERED_BYTES", "20000")],
    );
    let mut held: Vec<_> = (0..40).map(|_| router.user()).collect();
    for user in &mut held {
        user.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4000\r\n\r\n");
        user.send([b'x'; 3999]);
    }
    wait_for(|| {
        let response = router.user().ask("POST", "/x", &[], &[b'x'; 4000]);
        response.status() == 503 && response.header("retry-after") == Some("1")
    });
    drop(held);
    wait_for(|| router.user().ask("POST", "/x", &[], &[b'x'; 4000]).status() == 200);
}

#[test]
fn newcomers_take_the_place_of_idle_connections() {
    let fleet = fleet();
    let topology = fleet.with_one_pick("buffering");
    for limit in ["CELLS_MAX_CONNECTIONS", "CELLS_MAX_CONNECTIONS_PER_ADDRESS"] {
        let router = Router::start_with(&topology, &[(limit, "8")]);
        let mut idle: Vec<_> = (0..30).map(|_| router.user()).collect();
        for user in &mut idle {
            user.send("GET /x HTTP/1.1\r\nHost: h\r\nCook");
        }
        for _ in 0..10 {
            let begun = Instant::now();
            assert_eq!(router.user().get("/x").text(), "served");
            // Those who came before are given half a second each time.
            assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        }
    }
}
