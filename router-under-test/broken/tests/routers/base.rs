//! The base and its variants are correct: in front of scripted cells, as a process, in both
//! protocols.

use std::time::{Duration, Instant};

use broken_routers::{Protocol, variants};

use crate::support::{Fleet, LIMIT, Router};

fn router(name: &str, protocol: &'static str) -> (Fleet, Router) {
    let fleet = Fleet::start(protocol);
    let (mut router, _directory) = Router::start(name, &fleet);
    assert!(router.ready(LIMIT), "{name}");
    (fleet, router)
}

/// The requests that the cells read, without their fields.
fn hops(fleet: &Fleet) -> Vec<String> {
    let lines = fleet.read().into_iter().map(|line| {
        let (start, rest) = line.split_once(" [").unwrap();
        let (_, body) = rest.rsplit_once(']').unwrap();
        format!("{start}{body}").trim_end().to_owned()
    });
    lines.collect()
}

/// The variants that exist under this protocol; the first is the base itself.
fn names(protocol: Protocol) -> impl Iterator<Item = &'static str> {
    variants()
        .iter()
        .filter(move |variant| variant.protocols.contain(protocol))
        .map(|variant| variant.name)
}

#[test]
fn buffering_resends_the_request_to_the_named_cell_and_caches_the_prefix() {
    for name in names(Protocol::Buffering) {
        let (fleet, router) = router(name, "buffering");
        let response = router.ask("POST /my-company/x?a=%2F&b", "hello").to_lowercase();
        assert!(response.starts_with("http/1.1 200"), "{name}: {response}");
        assert!(!response.contains("x-gitlab-cell"), "{name}: {response}");
        let same =
            ["cell_eu", "cell_us0"].map(|cell| format!("{cell} POST /my-company/x?a=%2F&b hello"));
        assert_eq!(hops(&fleet), same, "{name}");
        router.ask("GET /my-company/y", "");
        assert_eq!(hops(&fleet), ["cell_us0 GET /my-company/y"], "{name}");
        router.ask("GET /my-company-2/x", "");
        assert_eq!(
            hops(&fleet),
            ["cell_eu GET /my-company-2/x", "cell_us1 GET /my-company-2/x"],
            "{name}"
        );
        router.ask("GET /twice/x", "");
        assert_eq!(
            hops(&fleet),
            ["cell_eu", "cell_us0", "cell_us1"].map(|cell| format!("{cell} GET /twice/x")),
            "{name}"
        );
    }
}

#[test]
fn learning_sends_a_pre_flight_then_the_request_once_and_caches_the_owner() {
    for name in names(Protocol::Learning) {
        let (fleet, router) = router(name, "learning");
        let response = router.ask("POST /gitlab-org/a?b", "hello");
        let read = hops(&fleet);
        assert!(response.starts_with("HTTP/1.1 200"), "{name}: {response}, {read:?}");
        assert_eq!(read.len(), 2, "{name}: {read:?}");
        // Two variants do not keep to the router's region (LN-17).
        let asked = if ["asks-the-latest-deployment", "asks-any-region"].contains(&name) {
            "cell_"
        } else {
            "cell_eu"
        };
        assert!(
            read[0].starts_with(asked) && read[0].contains(" GET /api/v4/internal/cells/learn?"),
            "{name}: {read:?}"
        );
        assert!(read[0].contains("method=POST"), "{name}: {read:?}");
        assert!(
            ["=/gitlab-org/a", "=%2Fgitlab-org%2Fa"].iter().any(|path| read[0].contains(path)),
            "{name}: {read:?}"
        );
        assert_eq!(read[1], "cell_us1 POST /gitlab-org/a?b hello", "{name}");
        router.ask("GET /gitlab-org", "");
        let read = hops(&fleet);
        // One variant learns for each method apart (LN-21).
        let learns = usize::from(name == "learns-per-method");
        assert_eq!(read[learns..], ["cell_us1 GET /gitlab-org"], "{name}: {read:?}");
        router.ask("GET /-/profile", "");
        hops(&fleet);
        router.ask("GET /-/profile?x", "");
        assert_eq!(hops(&fleet), ["cell_us0 GET /-/profile?x"], "{name}");
    }
}

#[test]
fn a_cell_responds_to_a_path_without_an_owner() {
    let cases = [
        ("buffering", "plain", "cell_eu GET /"),
        ("learning", "plain", "cell_eu GET /"),
        ("learning", "root-without-pre-flight", "cell_eu GET /"),
        ("learning", "unknown-to-the-latest", "cell_us0 GET /"),
    ];
    for (protocol, name, last) in cases {
        let (fleet, router) = router(name, protocol);
        let response = router.ask("GET /", "");
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        assert_eq!(response.matches("set-cookie: ").count(), 2, "{response}");
        assert_eq!(hops(&fleet).last().unwrap(), last);
    }
}

#[test]
fn refusals_are_gateway_errors_and_name_no_cell() {
    for protocol in ["buffering", "learning"] {
        let (_fleet, router) = router("plain", protocol);
        let paths = match protocol {
            "buffering" => vec!["/down/x", "/malformed/x", "/two-lines/x", "/nowhere/x", "/loop/x"],
            _ => vec!["/down/x", "/wrong-type/x", "/nowhere/x"],
        };
        for path in paths {
            let response = router.ask(&format!("GET {path}"), "");
            assert!(response.starts_with("HTTP/1.1 50"), "{path}: {response}");
            assert!(!response.to_lowercase().contains("cell"), "{path}: {response}");
        }
    }
}

#[test]
fn targets_are_forwarded_byte_for_byte() {
    for protocol in ["buffering", "learning"] {
        let (fleet, router) = router("plain", protocol);
        for target in ["/a%2fb//c/./%C3%A9+~!?", "//x", "/a/?q=a%20b&c=%2F", "/?", "/x;y=z,'()*@:$"]
        {
            assert!(
                router.ask(&format!("GET {target}"), "").starts_with("HTTP/1.1 200"),
                "{target}"
            );
            assert!(hops(&fleet).last().unwrap().ends_with(&format!(" GET {target}")), "{target}");
        }
    }
}

#[test]
fn chunked_bodies_and_head_requests_are_forwarded() {
    for protocol in ["buffering", "learning"] {
        let (fleet, router) = router("plain", protocol);
        let fields = "Host: g\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\
             abc\r\n2\r\nde\r\n0\r\n\r\n";
        assert!(
            router
                .raw(&format!("PUT /my-company/f HTTP/1.1\r\n{fields}"))
                .starts_with("HTTP/1.1 200")
        );
        assert_eq!(hops(&fleet).last().unwrap(), "cell_us0 PUT /my-company/f abcde");
        let head = router.ask("HEAD /my-company/f", "");
        assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    }
}

#[test]
fn a_body_beyond_the_limit_is_refused() {
    let (fleet, router) = router("plain", "buffering");
    assert!(router.ask("POST /my-company/f", &"x".repeat(1_048_576)).starts_with("HTTP/1.1 200"));
    fleet.read();
    let refused = router.ask("POST /my-company/f", &"x".repeat(1_048_577));
    assert!(refused.is_empty() || refused.starts_with("HTTP/1.1 413"), "{refused}");
    assert_eq!(fleet.read(), Vec::<String>::new());
}

#[test]
fn starting_and_stopping_are_quick() {
    let fleet = Fleet::start("learning");
    let quick = (0..5).any(|_| {
        let start = Instant::now();
        let (mut router, _directory) = Router::start("plain", &fleet);
        assert!(router.ready(LIMIT));
        assert!(router.stops_on_sigterm(LIMIT));
        assert!(std::net::TcpListener::bind(router.listen).is_ok());
        // A few milliseconds on an idle machine; the bound only distinguishes that from a wait.
        start.elapsed() < Duration::from_secs(2)
    });
    assert!(quick, "each of five starts and stops took two seconds or more");
}
