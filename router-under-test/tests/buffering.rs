//! The buffering protocol against scripted cells.

mod support;

use std::io::{BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use support::cell::{Cell, Response, Then, ok, redirect, response};
use support::router::{Fleet, Router};

/// Cells of which EU0 owns every path; EU1 is picked first.
fn eu0_owns(
    owner: impl Fn(&support::message::Message) -> Response + Send + Sync + 'static,
) -> Fleet {
    Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(owner),
        eu1: Cell::responding(|_| redirect("Cell EU0")),
    }
}

fn body(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index * 31 % 251) as u8).collect()
}

#[test]
fn a_bounce_sends_the_same_request_on_and_is_remembered() {
    let served = response(
        "200 OK",
        &["X-Gitlab-Cell-Cache: {path_prefix:/my-company/}", "Set-Cookie: a=1", "Set-Cookie: b=2"],
        "EU0",
    );
    // They see targets byte for byte.
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::writing(move |_| served.to_string()),
        eu1: Cell::writing(|_| redirect("Cell EU0").to_string()),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let target = "/my-company/a%2Fb/../c//d?x=%20&y=+&";
    let response =
        router.user().ask("PUT", target, &["X-Conformance-Id: 7", "Cookie: s=1"], &body(1000));
    assert_eq!((response.status(), response.text()), (200, "EU0"));
    assert_eq!(response.all("set-cookie"), ["a=1", "b=2"]);
    assert_eq!(response.header("x-gitlab-cell-cache"), None);

    // The next request, on another connection, is one hop.
    assert_eq!(router.user().get("/my-company/other?").text(), "EU0");
    let [us0, eu0, eu1] = fleet.lines();
    let put = format!("PUT {target} HTTP/1.1");
    assert_eq!(us0, [""; 0]);
    assert_eq!(eu1, [put.as_str()]);
    assert_eq!(eu0, [put.as_str(), "GET /my-company/other? HTTP/1.1"]);
    for request in [&fleet.eu0.received()[0], &fleet.eu1.received()[0]] {
        assert_eq!(request.body, body(1000));
        assert_eq!(request.header("x-conformance-id"), Some("7"));
        assert_eq!(request.header("cookie"), Some("s=1"));
        assert_eq!(request.header("host"), Some("gitlab.example"));
    }
}

#[test]
fn bodies_in_memory_and_in_a_file_survive_a_bounce() {
    let fleet = eu0_owns(|request| ok(&request.body.len().to_string()));
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    for length in [0, 1, 262_144, 262_145, 1_000_000] {
        let response = user.ask("POST", "/x", &[], &body(length));
        assert_eq!((response.status(), response.text()), (200, length.to_string().as_str()));
        assert!(fleet.eu0.received().last().unwrap().body == body(length), "{length}");
    }
    // Chunked.
    user.send(
        "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\n\
         de\r\n0\r\n\r\n",
    );
    assert_eq!(user.response().text(), "5");
    assert_eq!(fleet.eu0.received().last().unwrap().body, b"abcde");
}

#[test]
fn a_body_beyond_the_limit_is_refused_where_no_cell_is_known() {
    let fleet = eu0_owns(|_| ok("EU0"));
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let response = router.user().ask("POST", "/x", &[], &body(1_000_001));
    assert_eq!(response.status(), 413);

    let mut user = router.user();
    user.send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    for _ in 0..11 {
        user.send(format!("{:x}\r\n", 100_000));
        user.send(body(100_000));
        user.send("\r\n");
    }
    user.send("0\r\n\r\n");
    assert_eq!(user.response().status(), 413);

    // A user who waits for 100 is refused without it.
    let mut user = router.user();
    user.send(
        "POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1000001\r\n\r\n",
    );
    assert_eq!(user.response().status(), 413);
    assert_eq!(fleet.lines(), [[""; 0]; 3]);
}

#[test]
fn a_body_beyond_the_limit_is_streamed_to_a_known_cell() {
    let fleet = eu0_owns(|request| {
        response(
            "200 OK",
            &["X-Gitlab-Cell-Cache: {path_prefix:/x}"],
            &request.body.len().to_string(),
        )
    });
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    assert_eq!(user.get("/x/warm").status(), 200);
    assert_eq!(user.ask("POST", "/x/y", &[], &body(1_000_001)).text(), "1000001");

    user.send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    for _ in 0..30 {
        user.send(format!("{:x}\r\n", 100_000));
        user.send(body(100_000));
        user.send("\r\n");
    }
    user.send("0\r\n\r\n");
    assert_eq!(user.response().text(), "3000000");
    let received = fleet.eu0.received().pop().unwrap().body;
    assert!(received == body(100_000).repeat(30));
}

#[test]
fn the_router_sends_100_before_it_reads_the_body_and_forwards_no_expectation() {
    let fleet = eu0_owns(|request| ok(std::str::from_utf8(&request.body).unwrap()));
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    user.send("POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    let interim = support::message::Message::read_head(&mut user.reader).unwrap().unwrap();
    assert_eq!(interim.status(), 100);
    user.send("abc");
    assert_eq!(user.response().text(), "abc");
    assert_eq!(fleet.eu0.received()[0].header("expect"), None);
}

#[test]
fn cells_that_point_at_each_other_end_at_the_hop_limit() {
    for (max_hops, expected) in [(1, 1), (4, 4)] {
        let fleet = Fleet {
            us0: Cell::responding(|_| ok("US0")),
            eu0: Cell::responding(|_| redirect("Cell EU1")),
            eu1: Cell::responding(|_| redirect("Cell EU0")),
        };
        let mut topology = fleet.topology("buffering");
        topology["limits"]["max_hops"] = json!(max_hops);
        let response = Router::start(&topology).user().get("/x");
        assert_eq!(response.status(), 508);
        assert_eq!(response.all("set-cookie"), [""; 0]);
        let [_, eu0, eu1] = fleet.lines();
        assert_eq!(eu0.len() + eu1.len(), expected);
    }
}

#[test]
fn an_invalid_redirect_is_refused_without_naming_a_cell() {
    let lines = [
        "X-Gitlab-Cell-Redirect: {cell:Cell XX9}",
        "X-Gitlab-Cell-Redirect: {cell:cell_eu0}",
        "X-Gitlab-Cell-Redirect: {cell:127.0.0.1}",
        "X-Gitlab-Cell-Redirect: Cell EU0",
        "X-Gitlab-Cell-Redirect: {name:Cell EU0}",
        "X-Gitlab-Cell-Redirect: {cell:Cell EU0}\r\nX-Gitlab-Cell-Redirect: {cell:Cell EU0}",
        "X-Gitlab-Cell-Redirect:",
    ];
    for line in lines {
        let fleet = Fleet {
            us0: Cell::responding(|_| ok("US0")),
            eu0: Cell::responding(|_| ok("EU0")),
            eu1: Cell::responding(move |_| {
                response(
                    "302 Found",
                    &[line, "X-Gitlab-Cell-Cache: {path_prefix:/x}", "Set-Cookie: a=1"],
                    "",
                )
            }),
        };
        let router = Router::start(&fleet.with_one_pick("buffering"));
        for _ in 0..2 {
            let response = router.user().get("/x");
            assert_eq!(response.status(), 502, "{line}");
            assert!(!response.text().to_lowercase().contains("cell"), "{}", response.text());
            assert_eq!(response.all("set-cookie"), [""; 0]);
        }
        let [us0, eu0, eu1] = fleet.lines();
        assert_eq!((us0.len(), eu0.len(), eu1.len()), (0, 0, 2), "{line}");
    }
}

#[test]
fn a_redirect_header_on_other_statuses_is_ignored() {
    for status in [
        "200 OK",
        "301 Moved Permanently",
        "303 See Other",
        "307 Temporary Redirect",
        "404 Not Found",
    ] {
        let fleet = Fleet {
            us0: Cell::responding(|_| ok("US0")),
            eu0: Cell::responding(|_| ok("EU0")),
            eu1: Cell::responding(move |_| {
                response(
                    status,
                    &[
                        "X-Gitlab-Cell-Redirect: {cell:Cell EU0}",
                        "Connection: keep-alive, X-Gitlab-Cell-Redirect",
                    ],
                    "EU1",
                )
            }),
        };
        let router = Router::start(&fleet.with_one_pick("buffering"));
        let response = router.user().get("/x");
        assert!(status.starts_with(&response.status().to_string()));
        assert_eq!((response.text(), response.header("x-gitlab-cell-redirect")), ("EU1", None));
    }
}

#[test]
fn a_connection_option_cannot_hide_a_redirect() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: Cell::responding(|_| {
            response(
                "302 Found",
                &[
                    "Connection: keep-alive, X-Gitlab-Cell-Redirect",
                    "X-Gitlab-Cell-Redirect: {cell:Cell EU0}",
                ],
                "",
            )
        }),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let response =
        router.user().ask("GET", "/x", &["Connection: keep-alive, X-Gitlab-Cell-Redirect"], b"");
    assert_eq!(response.text(), "EU0");
}

#[test]
fn an_ordinary_redirect_reaches_the_user() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: Cell::responding(|_| {
            response("302 Found", &["Location: /users/sign_in?redirect=/x", "Set-Cookie: a=1"], "")
        }),
    };
    let response = Router::start(&fleet.with_one_pick("buffering")).user().get("/x");
    assert_eq!(
        (response.status(), response.header("location")),
        (302, Some("/users/sign_in?redirect=/x"))
    );
    assert_eq!(response.all("set-cookie"), ["a=1"]);
}

#[test]
fn invalid_cache_headers_are_not_cached() {
    let lines = [
        "X-Gitlab-Cell-Cache: {path_prefix:/}",
        "X-Gitlab-Cell-Cache: {path_prefix:}",
        "X-Gitlab-Cell-Cache: {path_prefix:/other/}",
        "X-Gitlab-Cell-Cache: {path_prefix:/x-2}",
        "X-Gitlab-Cell-Cache: {path_prefix:x}",
        "X-Gitlab-Cell-Cache: /x",
        "X-Gitlab-Cell-Cache: {path_prefix:/x}\r\nX-Gitlab-Cell-Cache: {path_prefix:/x}",
    ];
    for line in lines {
        let fleet = eu0_owns(move |_| response("200 OK", &[line], "EU0"));
        let router = Router::start(&fleet.with_one_pick("buffering"));
        for _ in 0..2 {
            let response = router.user().get("/x");
            assert_eq!(
                (response.status(), response.text(), response.header("x-gitlab-cell-cache")),
                (200, "EU0", None),
                "{line}"
            );
        }
        let [_, eu0, eu1] = fleet.lines();
        assert_eq!((eu0.len(), eu1.len()), (2, 2), "{line}");
    }
}

#[test]
fn internal_fields_of_a_user_reach_no_cell() {
    let fleet = eu0_owns(|_| ok("EU0"));
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let fields = [
        "X-Gitlab-Cell-Redirect: {cell:Cell US0}",
        "X-Gitlab-Cell-Cache: {path_prefix:/x}",
        "X-Forwarded-For: 6.6.6.6",
    ];
    router.user().ask("GET", "/x", &fields, b"");
    for request in fleet.eu0.received().iter().chain(&fleet.eu1.received()) {
        assert_eq!(
            (request.header("x-gitlab-cell-redirect"), request.header("x-gitlab-cell-cache")),
            (None, None)
        );
        assert_eq!(request.all("x-forwarded-for"), ["127.0.0.1"]);
    }
}

#[test]
fn connections_are_reused_and_replaced() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: Cell::scripted(|mut exchange| {
            exchange.response(ok(&exchange.earlier.to_string()));
            if exchange.request.target() != "/close" {
                return Then::Keep;
            }
            // Returns once the router has closed its side.
            exchange.stream.shutdown(Shutdown::Write).expect("it is open");
            let _ = exchange.reader.read(&mut [0; 1]);
            Then::Close
        }),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    let served: Vec<_> =
        ["/a", "/b", "/close"].map(|target| user.get(target).text().to_owned()).into();
    assert_eq!(served, ["0", "1", "2"]);
    fleet.eu1.wait_until_closed(1);
    assert_eq!(user.get("/again").text(), "0");
}

#[test]
fn a_request_that_a_cell_has_read_is_not_sent_again() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: Cell::scripted(|mut exchange| {
            if exchange.earlier == 0 {
                exchange.response(ok("first"));
                Then::Keep
            } else {
                Then::Close
            }
        }),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    assert_eq!(user.get("/a").text(), "first");
    assert_eq!(user.get("/b").status(), 502);
    assert_eq!(fleet.eu1.lines(), ["GET /a HTTP/1.1", "GET /b HTTP/1.1"]);
    assert_eq!(fleet.eu0.lines(), [""; 0]);
}

#[test]
fn unreachable_cells_are_skipped_or_refused() {
    let gone = support::router::free_address();
    let cell = Cell::responding(|request| match request.target() {
        "/owned" => response("200 OK", &["X-Gitlab-Cell-Cache: {path_prefix:/owned}"], "alive"),
        _ => ok("alive"),
    });
    // With one of two cells down, the other one always serves.
    let topology = support::router::topology("buffering", cell.address, gone, cell.address);
    let mut one_gone = topology.clone();
    one_gone["cells"][0]["url"] = json!(format!("http://{}", support::router::free_address()));
    let router = Router::start(&one_gone);
    for _ in 0..20 {
        assert_eq!(router.user().get("/x").text(), "alive");
    }
    // With both down, another region serves. With all down, the request is refused.
    let mut both_gone = topology.clone();
    both_gone["cells"][2]["url"] = json!(format!("http://{}", support::router::free_address()));
    assert_eq!(Router::start(&both_gone).user().get("/x").text(), "alive");
    both_gone["cells"][0]["url"] = json!(format!("http://{}", support::router::free_address()));
    both_gone["listen"] = json!(support::router::free_address());
    assert_eq!(Router::start(&both_gone).user().get("/x").status(), 503);
}

#[test]
fn a_response_timeout_is_a_refusal() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: Cell::silent(),
    };
    let mut topology = fleet.with_one_pick("buffering");
    topology["limits"]["response_timeout_ms"] = json!(100);
    let router = Router::start(&topology);
    let mut user = router.user();
    assert_eq!(user.get("/x").status(), 504);
    assert_eq!(user.ask("POST", "/x", &[], &body(600_000)).status(), 504);
}

/// A cell that responds once, ends its connection, and is gone.
fn cell_for_one_request(response: Response) -> (std::net::SocketAddr, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        drop(listener);
        support::message::Message::read_head(&mut BufReader::new(&stream)).unwrap();
        stream.write_all(response.to_string().as_bytes()).unwrap();
    });
    (address, served)
}

const TOLD: &str = "X-Gitlab-Cell-Cache: {path_prefix:/x/}";

#[test]
fn an_entry_whose_cell_is_gone_does_not_keep_a_place_from_its_new_owner() {
    let (gone, served) =
        cell_for_one_request(response("200 OK", &[TOLD, "Connection: close"], "the old owner"));
    let new_owner = Cell::responding(|_| response("200 OK", &[TOLD], "the new owner"));
    let asked = Arc::new(AtomicBool::new(false));
    let moved = Arc::clone(&asked);
    let cell = Cell::responding(move |_| match moved.load(Ordering::SeqCst) {
        false => redirect("Cell EU0"),
        true => redirect("Cell US0"),
    });
    let mut topology =
        support::router::topology("buffering", new_owner.address, gone, cell.address);
    topology["cells"][1]["region"] = json!("us");
    let router = Router::start(&topology);
    let mut user = router.user();
    assert_eq!(user.get("/x/a").text(), "the old owner");
    served.join().unwrap();
    // The place has not moved: a cell that points to the same cell is not followed again.
    assert_eq!(user.get("/x/b").status(), 502);
    // A body that cannot be sent again is refused, and the entry stays.
    assert_eq!(user.ask("POST", "/x/b", &[], &body(1_000_001)).status(), 502);
    asked.store(true, Ordering::SeqCst);
    let mut user = router.user();
    assert_eq!(user.ask("POST", "/x/c", &[], &body(5)).text(), "the new owner");
    assert_eq!(user.get("/x/d").text(), "the new owner");
    assert_eq!(cell.lines(), ["GET /x/a HTTP/1.1", "GET /x/b HTTP/1.1", "POST /x/c HTTP/1.1"],);
    assert_eq!(new_owner.lines(), ["POST /x/c HTTP/1.1", "GET /x/d HTTP/1.1"]);
}

#[test]
fn an_upload_to_a_moved_place_puts_the_entry_right() {
    let owns = Arc::new(AtomicBool::new(true));
    let still = Arc::clone(&owns);
    let fleet = Fleet {
        us0: Cell::responding(|request| {
            response("200 OK", &[TOLD], &format!("US0 {}", request.body.len()))
        }),
        eu0: Cell::responding(move |_| match still.load(Ordering::SeqCst) {
            true => response("200 OK", &[TOLD], "EU0"),
            false => redirect("Cell US0"),
        }),
        eu1: Cell::responding(|_| redirect("Cell EU0")),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    assert_eq!(router.user().get("/x/a").text(), "EU0");
    owns.store(false, Ordering::SeqCst);
    let refused = router.user().ask("PUT", "/x/b", &[], &body(1_000_001));
    assert_eq!((refused.status(), refused.header("retry-after")), (413, Some("1")));
    assert_eq!(router.user().ask("PUT", "/x/b", &[], &body(1_000_001)).text(), "US0 1000001");
    let [us0, eu0, eu1] = fleet.lines();
    assert_eq!(us0, ["PUT /x/b HTTP/1.1"]);
    assert_eq!(eu0, ["GET /x/a HTTP/1.1", "PUT /x/b HTTP/1.1"]);
    assert_eq!(eu1, ["GET /x/a HTTP/1.1"]);
}

#[test]
fn a_narrower_entry_that_led_to_a_bounce_is_forgotten() {
    let fleet = Fleet {
        us0: Cell::responding(|_| response("200 OK", &[TOLD], "US0")),
        eu0: Cell::responding(|_| ok("EU0")),
        eu1: Cell::responding(|request| match request.target() {
            "/x/y/first" => {
                response("200 OK", &["X-Gitlab-Cell-Cache: {path_prefix:/x/y/}"], "EU1")
            }
            _ => redirect("Cell US0"),
        }),
    };
    let router = Router::start(&fleet.with_one_pick("buffering"));
    let mut user = router.user();
    assert_eq!(user.get("/x/y/first").text(), "EU1");
    assert_eq!(user.get("/x/y/second").text(), "US0");
    assert_eq!(user.get("/x/y/third").text(), "US0");
    assert_eq!(fleet.eu1.lines(), ["GET /x/y/first HTTP/1.1", "GET /x/y/second HTTP/1.1"]);
}
