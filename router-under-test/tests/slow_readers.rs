//! Users who read slowly keep their places until others need them.

mod support;

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::Value;
use support::cell::{Cell, Then, ok, response, wait_for};
use support::client::User;
use support::message::Message;
use support::router::Router;
use support::single::one_cell;

const LARGE: usize = 20_000_000;

/// A cell with something large.
fn cell() -> Cell {
    Cell::scripted(|mut exchange| {
        exchange.read_body();
        match exchange.request.target() {
            "/large" => {}
            "/" => {
                exchange.response(ok("served"));
                return Then::Keep;
            }
            // A pre-flight: the only cell is the latest.
            _ => {
                exchange.response(response("404 Not Found", &[], ""));
                return Then::Keep;
            }
        }
        exchange.response(format!("HTTP/1.1 200 OK\r\nContent-Length: {LARGE}\r\n\r\n"));
        // The router may have gone.
        let _ = exchange.stream.write_all(&vec![b'x'; LARGE]);
        Then::Keep
    })
}

/// A router with few places, which takes a reader for slow after a short time.
fn with_few_places(topology: &Value, name: &str) -> Router {
    Router::start_with(topology, &[(name, "4"), ("CELLS_BODY_GRACE_MS", "1500")])
}

/// Users who ask for something large and read nothing, until the router has no place for another.
fn readers_of_nothing(router: &Router) -> Vec<User> {
    let mut users = Vec::new();
    wait_for(|| {
        let mut user = router.user();
        user.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n");
        let head = Message::read_head(&mut user.reader).unwrap().unwrap();
        users.push(user);
        head.status() == 503
    });
    users
}

#[test]
fn slow_readers_make_room_for_others() {
    for protocol in ["buffering", "learning"] {
        for name in ["CELLS_MAX_REQUESTS", "CELLS_MAX_REQUESTS_PER_CELL"] {
            let cell = cell();
            let router = with_few_places(&one_cell(protocol, cell.address), name);
            let _users = readers_of_nothing(&router);
            // On each thread.
            for _ in 0..8 {
                wait_for(|| router.user().get("/").text() == "served");
            }
        }
    }
}

#[test]
fn who_reads_on_is_left_alone_and_so_is_everybody_where_there_is_room() {
    let cell = cell();
    let topology = one_cell("buffering", cell.address);
    let router = with_few_places(&topology, "CELLS_MAX_REQUESTS");
    let begin = || {
        let mut user = router.user();
        user.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n");
        let head = Message::read_head(&mut user.reader).unwrap().unwrap();
        assert_eq!(head.status(), 200);
        user
    };
    let finish = |mut user: User, read: usize| {
        let rest = (LARGE - read) as u64;
        std::io::copy(&mut user.reader.by_ref().take(rest), &mut std::io::sink()).ok() == Some(rest)
    };
    // Nobody needs the place.
    let pausing = begin();
    std::thread::sleep(Duration::from_secs(4));
    pausing.stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    assert!(finish(pausing, 0));

    let mut reading = begin();
    reading.stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let _others = readers_of_nothing(&router);
    let (mut read, mut served) = (0, 0);
    let mut piece = vec![0; 100_000];
    while served < 40 {
        read += reading.reader.read(&mut piece).expect("the response goes on");
        served += usize::from(router.user().get("/").text() == "served");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(read < LARGE && finish(reading, read), "{read}");
}
