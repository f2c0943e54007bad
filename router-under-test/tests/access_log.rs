//! The access log and the ids of requests.

mod support;

use serde_json::Value;
use support::cell::{Cell, Then, learnt, ok};
use support::client::User;
use support::router::{Router, run_to_end};
use support::single::one_cell;

const LOG: (&str, &str) = ("CELLS_ACCESS_LOG", "stderr");
const IDS: (&str, &str) = ("CELLS_REQUEST_ID", "on");
const TRUSTED: (&str, &str) = ("CELLS_TRUSTED_PROXIES", "127.0.0.0/8");

fn lines(router: Router) -> Vec<Value> {
    let log = router.log();
    let lines = log.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn learning_cell() -> Cell {
    Cell::responding(|request| match request.target() {
        target if target.starts_with("/api/v4/internal/cells/learn?") => {
            learnt(r#"{"path":"/acme","cell":"cell_us0","source":"routable"}"#)
        }
        _ => ok("served"),
    })
}

#[test]
fn each_request_has_one_line() {
    let cell = learning_cell();
    let router = Router::start_with(&one_cell("learning", cell.address), &[LOG, IDS]);
    let mut user = router.user();
    user.get("/acme/a?private_token=secret");
    user.ask("POST", "/acme/b%22", &[], b"body");
    user.get("/api/v4/internal/cells/learn");
    user.send("HEAD /acme/c HTTP/1.1\r\nHost: h\r\n\r\n");
    support::message::Message::read_head(&mut user.reader).unwrap().unwrap();
    user.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    assert_eq!(user.response().status(), 400);
    let mut malformed = router.user();
    malformed.send("nonsense\r\n\r\n");
    assert_eq!(malformed.response().status(), 400);
    let lines = lines(router);
    let shown = |line: &Value| {
        ["method", "path", "status", "bytes", "cell", "cache", "outcome"]
            .map(|name| line[name].to_string().replace('"', ""))
            .join(" ")
    };
    let shown: Vec<_> = lines.iter().map(shown).collect();
    assert_eq!(
        shown,
        [
            "GET /acme/a 200 6 cell_us0 miss responded",
            "POST /acme/b%22 200 6 cell_us0 hit responded",
            "GET /api/v4/internal/cells/learn 404 10 null null internal",
            "HEAD /acme/c 200 0 cell_us0 hit responded",
            "null null 400 35 null null bad_host",
            "null null 400 25 null null malformed",
        ]
    );
    let ids: Vec<_> = lines[..4].iter().map(|line| line["request_id"].as_str().unwrap()).collect();
    for line in &lines[..4] {
        assert_eq!(line["client"], "127.0.0.1");
        assert!(line["time"].as_f64().unwrap() > 1.7e9);
        assert!(line["duration_ms"].as_f64().unwrap() < 60_000.0);
    }
    let sent: Vec<_> = cell
        .received()
        .iter()
        .filter(|request| request.target().starts_with("/acme"))
        .map(|request| request.header("x-request-id").unwrap().to_owned())
        .collect();
    assert_eq!(sent, [ids[0], ids[1], ids[3]]);
    assert!(ids.iter().all(|id| id.len() == 32) && ids[0] != ids[1]);
}

#[test]
fn a_response_that_breaks_off_is_noted() {
    let cell = Cell::scripted(|mut exchange| {
        exchange.read_body();
        exchange.response("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfirst");
        std::thread::sleep(std::time::Duration::from_millis(50));
        Then::Close
    });
    let router = Router::start_with(&one_cell("buffering", cell.address), &[LOG]);
    assert!(!router.user().get("/x").whole);
    let line = &lines(router)[0];
    assert_eq!((&line["outcome"], &line["bytes"]), (&"broken".into(), &5.into()));
    assert_eq!((&line["cache"], &line["request_id"]), (&"miss".into(), &Value::Null));
}

#[test]
fn nothing_is_logged_or_added_unless_it_is_switched_on() {
    let cell = learning_cell();
    let router = Router::start(&one_cell("learning", cell.address));
    router.user().ask("GET", "/acme", &["X-Request-Id: of-a-user"], b"");
    assert_eq!(cell.received()[1].all("x-request-id"), ["of-a-user"]);
    router.user().get("/acme");
    assert_eq!(cell.received()[2].all("x-request-id"), [""; 0]);
    assert_eq!(lines(router).len(), 0);
}

#[test]
fn only_a_trusted_proxy_gives_ids() {
    let cell = learning_cell();
    let id_after = |router: &Router, sent: &[&str]| {
        router.user().ask("GET", "/acme", sent, b"");
        let received = cell.received();
        let [id] = received.last().unwrap().all("x-request-id")[..] else { panic!("one id") };
        id.to_owned()
    };
    let topology = one_cell("learning", cell.address);
    let router = Router::start_with(&topology, &[IDS]);
    for sent in
        [&["X-Request-Id: of-a-user"][..], &["Connection: X-Request-Id", "X_Request-Id: of-a-user"]]
    {
        assert_eq!(id_after(&router, sent).len(), 32);
        assert_eq!(cell.received().last().unwrap().header("x_request-id"), None);
    }
    drop(router);
    let router = Router::start_with(&topology, &[IDS, TRUSTED]);
    assert_eq!(id_after(&router, &["X-Request-Id: of-a_proxy.1"]), "of-a_proxy.1");
    for bad in [&["X-Request-Id: a b"][..], &["X-Request-Id: a", "X-Request-Id: b"], &[]] {
        assert_eq!(id_after(&router, bad).len(), 32, "{bad:?}");
    }
    let long = format!("X-Request-Id: {}", "x".repeat(256));
    assert_eq!(id_after(&router, &[&long]).len(), 32);
    // A user who is refused can say which request it was.
    let refused = router.user().get("/api/v4/internal/cells/learn");
    assert_eq!(refused.header("x-request-id").unwrap().len(), 32);
}

#[test]
fn the_log_waits_for_nobody() {
    // So much is asked that a mock server would take its time.
    let cell = Cell::writing(|_| ok("served").to_string());
    let router = Router::start_with(&one_cell("buffering", cell.address), &[LOG]);
    let mut user: User = router.user();
    // More than a pipe and the queue hold.
    let path = format!("/acme/{}", "x".repeat(8000));
    for _ in 0..1500 {
        assert_eq!(user.get(&path).status(), 200);
    }
    let log = router.log();
    let lost = log.lines().find(|line| line.starts_with("{\"lost\":"));
    let lost: Value = serde_json::from_str(lost.expect("some lines are lost")).unwrap();
    assert!(lost["lost"].as_u64().unwrap() > 100);
}

#[test]
fn unknown_settings_are_named() {
    let topology = one_cell("buffering", support::router::free_address()).to_string();
    for name in ["CELLS_ACCESS_LOG", "CELLS_REQUEST_ID"] {
        let output = run_to_end(&topology, &[(name, "x")]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2), "{message}");
        assert!(message.contains(name) && message.contains("`x` is neither"), "{message}");
    }
}
