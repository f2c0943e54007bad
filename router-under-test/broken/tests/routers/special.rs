//! The mutants that differ only over time, after a restart, with another topology, in their picks,
//! or between two requests.

use std::collections::HashSet;
use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::support::{Fleet, LIMIT, Limits, Router};

fn start(name: &str, fleet: &Fleet, limits: &Limits) -> Router {
    let directory = tempfile::tempdir().unwrap();
    let mut router = Router::start_in(directory.path(), name, fleet, limits);
    assert!(router.ready(LIMIT), "{name}");
    router
}

/// How many cells of the region got a request in forty visits of these paths; a random pick leaves
/// one out once in 2^39 runs.
fn cells_asked(name: &str, fleet: &Fleet, path: impl Fn(usize) -> String) -> usize {
    let router = start(name, fleet, &Limits::default());
    fleet.shared.journal.lock().unwrap().clear();
    for visit in 0..40 {
        router.ask(&format!("GET {}", path(visit)), "");
    }
    let journal = fleet.shared.journal.lock().unwrap();
    let cells =
        journal.iter().filter_map(|line| line.split(' ').find(|word| word.starts_with("cell_eu")));
    cells.collect::<HashSet<_>>().len()
}

#[test]
fn mutants_that_do_not_pick_at_random_differ_from_the_base() {
    let buffering = Fleet::start("buffering");
    let learning = Fleet::start("learning");
    for fleet in [&buffering, &learning] {
        for name in ["plain", "picks-in-turn"] {
            assert_eq!(cells_asked(name, fleet, |visit| format!("/any{visit}")), 2, "{name}");
            assert_eq!(cells_asked(name, fleet, |_| "/".to_owned()), 2, "{name}");
        }
    }
    for (name, fleet) in [
        ("always-asks-the-first-cell", &buffering),
        ("asks-by-hash-of-the-user", &buffering),
        ("asks-by-hash-of-the-path", &buffering),
        ("sticks-to-one-cell", &buffering),
        ("always-pre-flights-the-first-cell", &learning),
        ("pre-flights-by-hash-of-the-user", &learning),
        ("pre-flights-by-hash-of-the-path", &learning),
        ("pre-flights-one-cell", &learning),
        ("remembers-the-root", &buffering),
        ("remembers-the-root", &learning),
        ("landing-pages-stick", &buffering),
    ] {
        assert_eq!(cells_asked(name, fleet, |_| "/".to_owned()), 1, "{name}");
    }
    assert_eq!(cells_asked("remembers-the-dashboard", &buffering, |_| "/dashboard".to_owned()), 1);
    assert_eq!(cells_asked("remembers-graphql", &buffering, |_| "/api/graphql".to_owned()), 1);
    assert_eq!(cells_asked("remembers-graphql", &learning, |_| "/api/graphql".to_owned()), 1);
}

#[test]
fn mutants_that_keep_entries_too_long_differ_from_the_base() {
    let limits = Limits { ttl_ms: 1_000, ..Limits::default() };
    // The pre-flights of three visits, the last 200 ms after the entry expires, each 400 ms before
    // a renewed one does.
    let pre_flights = |name: &str| {
        let fleet = Fleet::start("learning");
        let router = start(name, &fleet, &limits);
        for pause in [0, 600, 600] {
            thread::sleep(Duration::from_millis(pause));
            router.ask("GET /my-company/x", "");
        }
        fleet.read().iter().filter(|line| line.contains("path_info")).count()
    };
    thread::scope(|scope| {
        for name in ["never-forgets", "serves-stale-once", "ttl-in-seconds", "use-prolongs-entries"]
        {
            scope.spawn(move || assert_eq!(pre_flights(name), 1, "{name}"));
        }
        scope.spawn(|| assert!(pre_flights("plain") >= 2));
    });
}

#[test]
fn some_mutants_fail_with_valid_topologies() {
    for protocol in ["buffering", "learning"] {
        let fleet = Fleet::start(protocol);
        let status = |name: &str, limits: &Limits| {
            let router = start(name, &fleet, limits);
            router.ask("GET /my-company/x", "");
            router.ask("GET /gitlab-org/x", "");
            router.ask("GET /near/x", "")[..12].to_owned()
        };
        let small = Limits { max_entries: 1, ..Limits::default() };
        assert_eq!(status("refuses-when-full", &small), "HTTP/1.1 503");
        assert_eq!(status("plain", &small), "HTTP/1.1 200");
        let single = Limits { cells: 1, ..Limits::default() };
        let router = start("plain", &fleet, &single);
        assert!(router.ask("GET /", "").starts_with("HTTP/1.1 200"));
        let router = start("needs-two-cells", &fleet, &single);
        assert!(router.ask("GET /", "").starts_with("HTTP/1.1 503"));
        let more = Limits { more: r#""news":1,"#, ..Limits::default() };
        start("plain", &fleet, &more);
        let directory = tempfile::tempdir().unwrap();
        let mut router =
            Router::start_in(directory.path(), "refuses-unknown-topology-members", &fleet, &more);
        assert_eq!(router.ended().code(), Some(2));
    }
}

#[test]
fn a_second_process_reveals_mutants_that_keep_state() {
    for protocol in ["buffering", "learning"] {
        let fleet = Fleet::start(protocol);
        // One after the other, with the same topology file.
        let after_a_restart = |name: &str| {
            let directory = tempfile::tempdir().unwrap();
            for _ in 0..2 {
                let mut router =
                    Router::start_in(directory.path(), name, &fleet, &Limits::default());
                if !router.ready(LIMIT) {
                    return Vec::new();
                }
                fleet.read();
                router.ask("GET /my-company/x", "");
                assert!(router.stops_on_sigterm(LIMIT));
            }
            fleet.read()
        };
        assert_eq!(after_a_restart("plain").len(), 2);
        assert_eq!(after_a_restart("leaves-its-lock-file").len(), 0);
        if protocol == "learning" {
            assert_eq!(after_a_restart("keeps-routes-on-disk").len(), 1);
        }
        // Both at once.
        let _first = start("wants-to-be-the-only-one", &fleet, &Limits::default());
        let (mut second, _directory) = Router::start("wants-to-be-the-only-one", &fleet);
        assert!(!second.ended().success());
        let _third = start("plain", &fleet, &Limits::default());
    }
}

#[test]
fn a_session_of_the_router_ends_with_its_process() {
    let fleet = Fleet::start("learning");
    let name = "has-sessions-of-its-own";
    let first = start(name, &fleet, &Limits::default());
    let response = first.ask("GET /", "");
    let cookie = response
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: _router_session="))
        .unwrap();
    let field = format!("Cookie: _router_session={}\r\n", cookie.split(';').next().unwrap());
    assert!(first.ask_with("GET /", &field, "").starts_with("HTTP/1.1 200"));
    let second = start(name, &fleet, &Limits::default());
    assert!(second.ask_with("GET /", &field, "").starts_with("HTTP/1.1 403"));
}

#[test]
fn mutants_that_read_bodies_ahead_differ_from_the_base() {
    let arrives = |name: &str, limit: Duration| {
        let fleet = Fleet::start("learning");
        let router = start(name, &fleet, &Limits::default());
        let mut stream = TcpStream::connect(router.listen).unwrap();
        stream
            .write_all(b"POST /my-company/x HTTP/1.1\r\nHost: g\r\nContent-Length: 10\r\n\r\nhello")
            .unwrap();
        fleet.wait_for("cell_us0 POST", limit)
    };
    assert!(arrives("plain", LIMIT));
    assert!(!arrives("buffers-the-body", Duration::from_millis(200)));
}

/// Sends a second request while the response about `/slow/held` is held back, and awaits its
/// response before the release if `before`. Returns the first response, the second, and what the
/// cells read.
fn crossed(
    protocol: &'static str,
    name: &str,
    second: &str,
    before: bool,
) -> (String, String, Vec<String>) {
    let fleet = Fleet::start(protocol);
    let router = start(name, &fleet, &Limits::default());
    let ask = || router.ask(&format!("GET {second}"), "");
    let (first, second) = thread::scope(|scope| {
        let first = scope.spawn(|| router.ask("GET /slow/held", ""));
        assert!(fleet.wait_for("/slow/held", LIMIT));
        let second = scope.spawn(ask);
        let second = if before {
            Ok(second.join().unwrap())
        } else {
            // A waiting request leaves no trace: this gives it time to arrive.
            fleet.wait_for("=/slow/other", Duration::from_millis(300));
            Err(second)
        };
        fleet.shared.released.send_replace(true);
        (first.join().unwrap(), second.unwrap_or_else(|second| second.join().unwrap()))
    });
    (first, second, fleet.read())
}

#[test]
fn concurrent_requests_reveal_mutants() {
    for protocol in ["buffering", "learning"] {
        let (first, second, _) = crossed(protocol, "plain", "/my-company/x", true);
        assert!(
            first.contains("GET /slow/held") && second.contains("GET /my-company/x"),
            "{first} {second}"
        );
        let (first, ..) = crossed(protocol, "one-slot-for-all-requests", "/my-company/x", true);
        assert!(!first.contains("GET /slow/held"), "{first}");
    }
    let (_, second, _) = crossed("learning", "refuses-while-learning", "/slow/held", true);
    assert!(second.starts_with("HTTP/1.1 503"), "{second}");
    let (_, second, _) = crossed("learning", "turns-waiters-away", "/slow/held", false);
    assert!(second.starts_with("HTTP/1.1 503"), "{second}");
    for name in ["plain", "single-flight"] {
        let (_, second, _) = crossed("learning", name, "/slow/held", false);
        assert!(second.starts_with("HTTP/1.1 200"), "{name}: {second}");
    }
    let asked_for = |name: &str| {
        let (.., read) = crossed("learning", name, "/slow/other", false);
        read.iter().filter(|line| line.contains("path_info=/slow/other")).count()
    };
    assert_eq!((asked_for("plain"), asked_for("joins-pre-flights-by-top-level")), (1, 0));
}
