//! What one pipe, cell or limit must not do to everything else.

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::cell::{Cell, ok, response};
use support::router::{Router, free_address};
use support::single::one_cell;

#[test]
fn a_log_that_nobody_reads_stops_neither_requests_nor_the_shutdown() {
    // Each request is refused, and logged.
    let router =
        Router::start_with(&one_cell("buffering", free_address()), &[("CELLS_LOG", "debug")]);
    let mut users: Vec<_> = (0..8).map(|_| router.user()).collect();
    let target = format!("/{}", "x".repeat(200));
    for _ in 0..250 {
        for user in &mut users {
            assert_eq!(user.get(&target).status(), 503);
        }
    }
    drop(users);
    let begun = Instant::now();
    router.terminate();
    assert!(router.ended().success());
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[test]
fn warnings_that_repeat_are_left_out() {
    let router = Router::start(&one_cell("buffering", free_address()));
    let mut user = router.user();
    for _ in 0..100 {
        assert_eq!(user.get("/x").status(), 503);
    }
    let log = router.log();
    let lines = log.lines().filter(|line| line.contains("no response of a cell")).count();
    // Ten a second, and 100 requests take less than four.
    assert!((10..=40).contains(&lines), "{lines}: {log}");
}

#[test]
fn what_a_cell_says_cannot_forge_lines_of_the_log() {
    let named = "x\\nERROR forged\\u001b[2J\\u009b1m";
    let body = format!(r#"{{"path":"/x","cell":"{named}","source":"routable"}}"#);
    let cell =
        Cell::responding(move |_| response("200 OK", &["Content-Type: application/json"], &body));
    let router = Router::start(&one_cell("learning", cell.address));
    assert_eq!(router.user().get("/x").status(), 502);
    let log = router.log();
    assert!(log.contains("ERROR forged"), "{log}");
    assert!(!log.lines().any(|line| line.starts_with("ERROR forged")), "{log}");
    assert!(log.chars().all(|character| character == '\n' || !character.is_control()), "{log:?}");
}

#[test]
fn too_few_descriptors_end_the_router_before_it_listens() {
    let cell = Cell::responding(|_| ok("served"));
    let topology = one_cell("buffering", cell.address);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.json");
    std::fs::write(&path, topology.to_string()).unwrap();
    for (limit, serves) in [(11, false), (18, false), (60, false)] {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -n {limit}; exec \"$0\"")])
            .arg(env!("CARGO_BIN_EXE_reference-router"))
            .env("CELLS_TOPOLOGY", &path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code() == Some(1), !serves, "{limit}: {message}");
        assert!(message.contains("RLIMIT_NOFILE") || message.contains("open files"), "{message}");
    }
}

#[test]
fn a_limit_of_descriptors_leaves_some_for_cells() {
    let cell = Cell::responding(|_| ok("served"));
    let topology = one_cell("buffering", cell.address);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.json");
    std::fs::write(&path, topology.to_string()).unwrap();
    let address: std::net::SocketAddr = topology["listen"].as_str().unwrap().parse().unwrap();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut router = Command::new("sh")
        .args(["-c", &format!("ulimit -n {}; exec \"$0\"", 48 + 8 * threads + 64)])
        .arg(env!("CARGO_BIN_EXE_reference-router"))
        .env("CELLS_TOPOLOGY", &path)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let limit = Instant::now() + Duration::from_secs(10);
    while std::net::TcpStream::connect(address).is_err() {
        assert!(Instant::now() < limit, "not ready");
        std::thread::sleep(Duration::from_millis(1));
    }
    // More connections than there are descriptors: those that are accepted are served.
    let mut users: Vec<_> = (0..200).map(|_| support::client::User::connect(address)).collect();
    for user in &mut users {
        user.send("GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    }
    for user in &mut users {
        assert_eq!(user.response().text(), "served");
    }
    router.kill().unwrap();
    let output = router.wait_with_output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("fewer connections of users"), "{log}");
    assert!(!log.contains("ERROR"), "{log}");
}
