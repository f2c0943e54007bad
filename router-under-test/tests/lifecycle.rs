//! Start, invalid configuration, and shutdown.

mod support;

use std::io::Read as _;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::cell::{Cell, Then, ok, wait_for};
use support::client::User;
use support::message::Message;
use support::router::{Router, free_address, run_to_end, topology};
use support::single::{in_front_of, one_cell};

fn good() -> Value {
    let cell = |_| free_address();
    topology("learning", cell(0), cell(1), cell(2))
}

fn complaint(content: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = run_to_end(content, variables);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_invalid_topology_exits_with_2_and_names_the_member() {
    let table: [(&str, Value, &str); 8] = [
        ("/protocol", json!("guessing"), "`protocol`"),
        ("/region", json!("asia"), "`cells`"),
        ("/limits/max_hops", json!("four"), "`limits.max_hops`"),
        ("/cells/1/id", json!("cell_us0"), "`cells[1].id`"),
        ("/cells/2/name", json!("Cell EU0"), "`cells[2].name`"),
        ("/cells/2/url", json!("ftp://x"), "`cells[2].url`"),
        ("/latest_cell", json!("cell_xx"), "`latest_cell`"),
        ("/listen", json!("nowhere"), "`listen`"),
    ];
    for (pointer, value, member) in table {
        let mut topology = good();
        *topology.pointer_mut(pointer).unwrap() = value;
        let (code, message) = complaint(&topology.to_string(), &[]);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains(member), "{message}");
    }
}

#[test]
fn an_unusable_file_or_variable_exits_with_2() {
    let (code, message) = complaint("{ not json", &[]);
    assert!(code == Some(2) && message.contains("is not JSON"), "{message}");
    let (code, message) = complaint(&good().to_string(), &[("CELLS_TOPOLOGY", "/nowhere/t.json")]);
    assert!(code == Some(2) && message.contains("/nowhere/t.json cannot be read"), "{message}");
    let (code, message) = complaint(&good().to_string(), &[("CELLS_TOPOLOGY", "/")]);
    assert!(code == Some(2) && message.contains("cannot be read"), "{message}");
    let (code, message) = complaint(&good().to_string(), &[("CELLS_TOPOLOGY", "/dev/null")]);
    assert!(code == Some(2) && message.contains("it is no regular file"), "{message}");
    for (variable, member) in [
        ("CELLS_LISTEN", "`listen`"),
        ("CELLS_REGION", "`region`"),
        ("CELLS_PROTOCOL", "`protocol`"),
    ] {
        let (code, message) = complaint(&good().to_string(), &[(variable, "other")]);
        assert!(
            code == Some(2) && message.contains(member) && message.contains(variable),
            "{message}"
        );
    }
}

#[test]
fn an_address_in_use_is_not_shared() {
    let topology = good();
    let router = Router::start(&topology);
    let (code, message) = complaint(&topology.to_string(), &[]);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains(&format!("cannot listen on {}", router.address)), "{message}");
}

#[test]
fn idle_connections_do_not_delay_the_shutdown() {
    let cell = Cell::responding(|_| ok("served"));
    let router = in_front_of(&cell);
    let mut users: Vec<_> = (0..8).map(|_| router.user()).collect();
    for user in &mut users[..4] {
        assert_eq!(user.get("/x").text(), "served");
    }
    let address = router.address;
    let start = Instant::now();
    router.terminate();
    assert!(router.ended().success());
    // The shutdown waits up to 5 s for requests in flight; there were none.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    for mut user in users {
        assert_eq!(user.reader.read(&mut [0; 1]).unwrap_or(0), 0);
    }
    assert!(std::net::TcpListener::bind(address).is_ok());
}

#[test]
fn requests_in_flight_are_finished_at_shutdown() {
    let (go_on, told) = mpsc::channel();
    let told = Mutex::new(told);
    let cell = Cell::scripted(move |mut exchange| {
        exchange.read_body();
        exchange.response("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfirst");
        told.lock().unwrap().recv().unwrap();
        exchange.response("second");
        Then::Keep
    });
    let router = in_front_of(&cell);
    let mut idle = router.user();
    let mut user = router.user();
    user.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    let mut response = Message::read_head(&mut user.reader).unwrap().unwrap();
    router.terminate();
    // The idle connection ends once the router has received the signal.
    assert_eq!(idle.reader.read(&mut [0; 1]).unwrap_or(0), 0);
    let address = router.address;
    wait_for(|| std::net::TcpStream::connect(address).is_err());
    go_on.send(()).unwrap();
    response.read_body(&mut user.reader).unwrap();
    assert_eq!((response.text(), response.whole), ("firstsecond", true));
    assert!(router.ended().success());
}

#[test]
fn a_second_signal_ends_the_router_at_once() {
    let cell = Cell::silent();
    let router = in_front_of(&cell);
    let mut idle = router.user();
    let mut user = router.user();
    user.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    wait_for(|| !cell.received().is_empty());
    let start = Instant::now();
    router.terminate();
    // The idle connection ends once the router has received the signal.
    assert_eq!(idle.reader.read(&mut [0; 1]).unwrap_or(0), 0);
    router.terminate();
    assert!(router.ended().success());
    // For the request it would wait for 5 s.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}

#[test]
fn a_request_sent_before_the_signal_gets_its_response() {
    let cell = Cell::responding(|_| ok("served"));
    let topology = one_cell("buffering", cell.address);
    for _ in 0..5 {
        let router = Router::start(&topology);
        let mut users: Vec<User> = (0..16).map(|_| router.user()).collect();
        for user in &mut users {
            user.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        router.terminate();
        for user in &mut users {
            assert_eq!(user.response().text(), "served");
        }
        assert!(router.ended().success());
    }
}

#[test]
fn a_restarted_router_gives_the_same_responses() {
    let cell = Cell::responding(|_| ok("served"));
    let topology = one_cell("buffering", cell.address);
    for _ in 0..3 {
        let router = Router::start(&topology);
        assert_eq!(router.user().get("/x").text(), "served");
        router.terminate();
        assert!(router.ended().success());
    }
}

#[test]
fn refusals_are_logged_with_details_that_users_do_not_see() {
    let cell = Cell::responding(|_| support::cell::redirect("Cell XX9"));
    let router = in_front_of(&cell);
    assert_eq!(router.user().get("/x").status(), 502);
    let log = router.log();
    assert!(log.contains("Cell XX9"), "{log}");
}
