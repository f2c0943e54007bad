//! A cell that hangs, users who are slow, and what is left for others.

use std::io::Write as _;
use std::time::Duration;

use wiremock::MockServer;

use crate::support::*;

/// A cell that gives no response to `/held`, and its target to others.
fn holder() -> MockServer {
    cell(|request| match request.url.path() {
        "/held" => ok("too late").set_delay(Duration::from_secs(600)),
        path => ok(path),
    })
}

/// Users who ask for `/held` until one is refused, and what that one got.
fn fill(router: &Router, holder: &MockServer) -> (Vec<Peer>, Message) {
    let mut held = Vec::new();
    loop {
        let mut user = router.user();
        user.send(get("/held"));
        let arrived =
            || requests(holder).iter().filter(|request| request.url.path() == "/held").count();
        wait_for(|| arrived() > held.len() || user.has_something());
        if user.has_something() {
            return (held, user.message().unwrap());
        }
        held.push(user);
    }
}

#[test]
fn users_of_other_cells_are_served_while_one_cell_hangs() {
    for protocol in ["buffering", "learning"] {
        let hangs = holder();
        let other = cell(|request| match request.url.path() {
            path if path.starts_with("/held") => redirect("Cell US0"),
            _ if !is_preflight(request) => ok("served"),
            _ if request.url.as_str().contains("held") => learned("/held", "cell_us0"),
            _ => learned("/x", "cell_eu0"),
        });
        let cells = [("eu0", *other.address()), ("us0", *hangs.address())];
        let router = Router::start(&topology(protocol, &cells), &[("CELLS_MAX_REQUESTS", "8")]);
        let (held, refused) = fill(&router, &hangs);
        // No cell has more than half of all.
        assert_eq!((held.len(), refused.status()), (4, 503), "{protocol}");
        assert_eq!(refused.field("retry-after"), Some("1"));
        let served = (0..12).filter(|_| router.user().get("/x").text() == "served").count();
        assert_eq!(served, 12, "{protocol}");
        // Who has gone holds no place.
        drop(held);
        wait_for(|| router.user().get("/held/no/more").text() == "/held/no/more");
    }
}

#[test]
fn requests_beyond_a_limit_are_refused_and_served_later() {
    for (variable, why) in [
        ("CELLS_MAX_REQUESTS", "too many requests are under way"),
        ("CELLS_MAX_REQUESTS_PER_CELL", "too many requests wait for the upstream server"),
    ] {
        let cell = holder();
        let topology = topology("buffering", &[("eu0", *cell.address())]);
        let router = Router::start(&topology, &[(variable, "3")]);
        let (mut held, refused) = fill(&router, &cell);
        assert_eq!((held.len(), refused.status()), (3, 503), "{variable}");
        assert!(refused.text().starts_with(why), "{}", refused.text());
        held.pop();
        wait_for(|| router.user().get("/x").text() == "/x");
    }
}

#[test]
fn a_response_takes_a_place_until_it_is_read_or_nobody_reads_it() {
    let address = raw_cell(|mut cell| {
        while let Some(request) = cell.message() {
            if request.target() == "/small" {
                cell.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                continue;
            }
            cell.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
            while cell.stream.write_all(&[b'x'; 65536]).is_ok() {}
        }
    });
    let topology = topology("buffering", &[("eu0", address)]);
    // The one leaves; the other stays and reads nothing.
    for (leaves, silence) in [(true, "60000"), (false, "300")] {
        let variables = [("CELLS_MAX_REQUESTS", "1"), ("CELLS_SILENCE_MS", silence)];
        let router = Router::start(&topology, &variables);
        let mut user = router.user();
        user.send(get("/large"));
        assert_eq!(user.head().unwrap().status(), 200);
        assert!(!leaves || router.user().get("/small").status() == 503);
        let _stays = (!leaves).then_some(user);
        wait_for(|| router.user().get("/small").status() == 200);
    }
}

#[test]
fn connections_beyond_the_limit_wait() {
    let cell = holder();
    let topology = topology("buffering", &[("eu0", *cell.address())]);
    let router = Router::start(&topology, &[("CELLS_MAX_CONNECTIONS", "1")]);
    let (mut first, mut second) = (router.user(), router.user());
    first.send(get("/first"));
    second.send(get("/second"));
    wait_for(|| first.has_something() || second.has_something());
    if second.has_something() {
        std::mem::swap(&mut first, &mut second);
    }
    first.message();
    first.get("/again");
    assert!(!second.has_something());
    drop(first);
    assert_eq!(second.message().unwrap().status(), 200);
}

#[test]
fn slow_heads_and_bodies_keep_nobody_out_and_are_given_up() {
    let cell = holder();
    let topology = topology("buffering", &[("eu0", *cell.address())]);
    let limits = [("CELLS_HEAD_TIMEOUT_MS", "1000"), ("CELLS_SILENCE_MS", "1000")];
    let router = Router::start(&topology, &[&limits[..], &[("CELLS_MAX_REQUESTS", "1")]].concat());
    let slow = |bytes: &str| {
        let mut user = router.user();
        user.send(bytes);
        user
    };
    let body = "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nfirst";
    let mut users = [body, body, "GET /slow HTTP/1.1\r\nHo", "GET /slow HTTP/1.1\r\n"].map(slow);
    assert_eq!(router.user().get("/x").text(), "/x");
    let seen = users.each_mut().map(|user| (user.message().map(|m| m.status()), user.has_ended()));
    assert_eq!(seen, [(Some(400), true), (Some(400), true), (None, true), (None, true)]);
    assert_eq!(requests(&cell).len(), 1);
}

#[test]
fn kept_bodies_have_a_budget() {
    let cell = holder();
    let topology = topology("buffering", &[("eu0", *cell.address())]);
    let router = Router::start(&topology, &[("CELLS_MAX_BUFFERED_BYTES", "20000")]);
    let body = "x".repeat(8000);
    assert_eq!(router.user().post("/x", &body).status(), 200);
    let mut slow = Vec::new();
    let unfinished = format!("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 8001\r\n\r\n{body}");
    // Of those who come at once some are refused themselves.
    wait_for(|| {
        slow.push(router.user());
        slow.last_mut().unwrap().send(&unfinished);
        router.user().post("/x", &body).status() == 503
    });
    wait_for(|| router.user().post("/x", "small").status() == 200);
    drop(slow);
    wait_for(|| router.user().post("/x", &body).status() == 200);
}
