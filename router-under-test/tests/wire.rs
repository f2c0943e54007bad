//! The literal exchanges of `fixtures/wire`, replayed to the router: the cells send the bytes of
//! the files, which are written from the contract.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::cell::{Cell, ok};
use support::message::Message;
use support::router::{Fleet, Router};

/// After so many fair picks among two cells, one of them is left out once in 10^17 runs.
const PICKS: usize = 60;

/// One file; its README describes the format.
struct Exchange {
    name: String,
    request: Vec<u8>,
    response: String,
}

impl Exchange {
    fn parse(name: &str, text: &str) -> Self {
        let parts: Vec<_> = text.strip_suffix('\n').unwrap_or(text).split("\n---\n").collect();
        let [_, request, response] = parts[..] else {
            panic!("{name}: {} parts, not three", parts.len())
        };
        let on_the_wire = |message: &str| {
            let (head, body) = message.split_once("\n\n").unwrap_or((message, ""));
            format!("{}\r\n\r\n{body}", head.replace('\n', "\r\n"))
        };
        Self {
            name: name.to_owned(),
            request: on_the_wire(request).into_bytes(),
            response: on_the_wire(response),
        }
    }

    fn request(&self) -> Message {
        message(&self.request)
    }

    fn response(&self) -> Message {
        message(self.response.as_bytes())
    }

    /// What the cell's response means to a router.
    fn redirect(&self) -> Option<String> {
        self.response().header("x-gitlab-cell-redirect").map(str::to_owned)
    }

    fn prefix(&self) -> Option<String> {
        self.response().header("x-gitlab-cell-cache").map(str::to_owned)
    }
}

fn message(mut bytes: &[u8]) -> Message {
    let mut message =
        Message::read_head(&mut bytes).expect("memory can be read").expect("a fixture has a head");
    message.read_body(&mut bytes).expect("memory can be read");
    assert!(message.whole && bytes.is_empty(), "{}: the length is another", message.start);
    message
}

/// The exchanges of a protocol in the order of their names; none outside the workspace.
fn exchanges(protocol: &str) -> Vec<Exchange> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    if !fixtures.is_dir() {
        eprintln!("the fixtures are not there: nothing to play");
        return Vec::new();
    }
    let folder =
        fs::read_dir(fixtures.join("wire").join(protocol)).expect("each protocol has a folder");
    let mut paths: Vec<PathBuf> =
        folder.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let text = |path: &PathBuf| fs::read_to_string(path).expect("it is text");
    paths
        .iter()
        .map(|path| {
            Exchange::parse(&path.file_stem().unwrap_or_default().to_string_lossy(), &text(path))
        })
        .collect()
}

/// A fleet in which EU1 is picked, and the cell of this spelling is the only other one that may get
/// a request.
fn fleet(
    pick: Cell,
    other: &str,
    response: impl Fn(&Message) -> String + Send + Sync + 'static,
) -> Fleet {
    let (other_cell, idle) =
        (Cell::writing(response), Cell::responding(|_| ok("nobody asked this cell")));
    match other {
        "Cell US0" | "cell_us0" => Fleet { us0: other_cell, eu0: idle, eu1: pick },
        "Cell EU0" | "cell_eu0" => Fleet { us0: idle, eu0: other_cell, eu1: pick },
        _ => panic!("{other} is none of the cells here"),
    }
}

/// What US0, EU0 and EU1 received, where only EU1 and the other of [`fleet`] may receive anything.
fn received(fleet: &Fleet, other: &str) -> (Vec<Message>, Vec<Message>) {
    let [us0, eu0, eu1] = [&fleet.us0, &fleet.eu0, &fleet.eu1].map(Cell::received);
    let (other, idle) = if other.to_lowercase().contains("us0") { (us0, eu0) } else { (eu0, us0) };
    assert!(idle.is_empty(), "a third cell was asked: {idle:?}");
    (eu1, other)
}

/// Compares the end-to-end part of a request: everything in the literal arrives unchanged.
fn assert_arrived(literal: &Message, got: &Message, name: &str) {
    assert_eq!(got.start, literal.start, "{name}");
    assert_eq!(got.body, literal.body, "{name}");
    for (field, value) in literal
        .headers
        .iter()
        .filter(|(field, _)| !["host", "content-length"].contains(&field.as_str()))
    {
        assert_eq!(got.all(field), [value], "{name}: {field}");
    }
}

/// The response is the literal one without its internal fields.
fn assert_passed_on(literal: &Message, got: &Message, name: &str) {
    assert_eq!((got.status(), &got.body), (literal.status(), &literal.body), "{name}");
    assert_eq!(got.all("location"), literal.all("location"), "{name}");
    for internal in ["x-gitlab-cell-redirect", "x-gitlab-cell-cache"] {
        assert_eq!(got.all(internal), [""; 0], "{name}");
    }
}

#[test]
fn a_literal_redirect_is_followed_to_the_named_cell() {
    let exchanges = exchanges("buffering");
    let bounces: Vec<_> =
        exchanges.iter().filter_map(|exchange| Some((exchange, exchange.redirect()?))).collect();
    assert!(bounces.len() > 5 || exchanges.is_empty());
    for (bounce, value) in bounces {
        let name = bounce.name.as_str();
        let owner = value
            .strip_prefix("{cell:")
            .and_then(|rest| rest.strip_suffix('}'))
            .expect("the drawn form");
        let same = exchanges
            .iter()
            .find(|exchange| exchange.request == bounce.request && exchange.redirect().is_none());
        let owned = same.unwrap_or_else(|| panic!("{name}: no file has the owner's response"));
        let (first, second) = (bounce.response.clone(), owned.response.clone());
        let fleet = fleet(Cell::writing(move |_| first.clone()), owner, move |_| second.clone());
        let router = Router::start(&fleet.with_one_pick("buffering"));
        for _ in 0..2 {
            let mut user = router.user();
            user.send(&bounce.request);
            assert_passed_on(&owned.response(), &user.response(), name);
        }
        let (picked, owner) = received(&fleet, owner);
        // A path under the owner's prefix needs no second bounce; every other path does.
        let bounces = if owned.prefix().is_some() { 1 } else { 2 };
        assert_eq!((picked.len(), owner.len()), (bounces, 2), "{name}");
        for request in picked.iter().chain(&owner) {
            assert_arrived(&bounce.request(), request, name);
            assert!(request.header("x-conformance-id").is_some(), "{name}");
        }
    }
}

#[test]
fn a_literal_prefix_covers_every_path_below_it() {
    for owned in exchanges("buffering").iter().filter(|exchange| exchange.prefix().is_some()) {
        let name = owned.name.as_str();
        let value = owned.prefix().unwrap_or_default();
        let prefix = value
            .strip_prefix("{path_prefix:")
            .and_then(|rest| rest.strip_suffix("/}"))
            .expect("the drawn form");
        let response = owned.response.clone();
        let picked = Cell::writing(|_| support::cell::redirect("Cell EU0").to_string());
        let fleet = fleet(picked, "Cell EU0", move |_| response.clone());
        let router = Router::start(&fleet.with_one_pick("buffering"));
        let mut user = router.user();
        user.send(&owned.request);
        assert_eq!(user.response().status(), 200, "{name}");
        let (below, beside) = (format!("{prefix}/elsewhere?x=/"), format!("{prefix}-2/elsewhere"));
        for target in [&below, &beside] {
            assert_eq!(user.get(target).status(), 200, "{name}");
        }
        let first = owned.request().start;
        let (below, beside) = (format!("GET {below} HTTP/1.1"), format!("GET {beside} HTTP/1.1"));
        let starts = |requests: Vec<Message>| {
            requests.into_iter().map(|request| request.start).collect::<Vec<_>>()
        };
        let (picked, owner) = received(&fleet, "Cell EU0");
        assert_eq!(starts(picked), [first.clone(), beside.clone()], "{name}");
        assert_eq!(starts(owner), [first, below, beside], "{name}");
    }
}

#[test]
fn a_literal_response_without_internal_fields_is_forwarded_and_not_cached() {
    let exchanges = exchanges("buffering");
    let plain = exchanges
        .iter()
        .filter(|exchange| exchange.redirect().is_none() && exchange.prefix().is_none());
    for exchange in plain {
        let [eu0, eu1] = [exchange.response.clone(), exchange.response.clone()]
            .map(|response| Cell::writing(move |_| response.clone()));
        let fleet = Fleet { us0: Cell::responding(|_| ok("nobody asked this cell")), eu0, eu1 };
        let router = Router::start(&fleet.topology("buffering"));
        let mut user = router.user();
        for _ in 0..PICKS {
            user.send(&exchange.request);
            assert_passed_on(&exchange.response(), &user.response(), &exchange.name);
        }
        let [us0, eu0, eu1] = [&fleet.us0, &fleet.eu0, &fleet.eu1].map(Cell::received);
        assert_eq!((us0.len(), eu0.len() + eu1.len()), (0, PICKS), "{}", exchange.name);
        assert!(!eu0.is_empty() && !eu1.is_empty(), "{}: one cell was remembered", exchange.name);
        eu0.iter()
            .chain(&eu1)
            .for_each(|request| assert_arrived(&exchange.request(), request, &exchange.name));
    }
}

/// The path of a pre-flight and its parameters, decoded once.
fn pre_flight(request: &Message) -> (&str, BTreeSet<(String, String)>) {
    let (path, query) = request.target().split_once('?').unwrap_or((request.target(), ""));
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(&text.replace('+', " "))
            .decode_utf8_lossy()
            .into_owned()
    };
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    (path, pairs.map(|(name, value)| (decoded(name), decoded(value))).collect())
}

/// What a pre-flight asks about: method and path.
fn asked(request: &Message) -> [String; 2] {
    let (_, parameters) = pre_flight(request);
    ["method", "path_info"].map(|name| {
        let mut found = parameters.iter().filter(|(have, _)| have == name);
        found.next().unwrap_or_else(|| panic!("a literal pre-flight has no {name}")).1.clone()
    })
}

#[test]
fn the_router_sends_and_follows_the_literal_learn_exchanges() {
    let exchanges = exchanges("learning");
    let learns: Vec<_> =
        exchanges.iter().filter(|exchange| exchange.name.starts_with("learn-")).collect();
    let page = exchanges.iter().find(|exchange| exchange.name == "project");
    assert!(learns.len() > 10 || exchanges.is_empty());
    // For `/` the pre-flight is optional, so that its literal binds the cells alone.
    for learn in learns.into_iter().filter(|learn| asked(&learn.request())[1] != "/") {
        let name = learn.name.as_str();
        let page = page.expect("a cell's response to a user").response.clone();
        let literal = learn.request();
        let learn_path = pre_flight(&literal).0.to_owned();
        let [method, path] = asked(&literal);
        let told: Option<Value> = (learn.response().status() == 200)
            .then(|| serde_json::from_str(learn.response().text()).expect("JSON"));
        // Without an owner in the learn response, the picked cell of the region gets the request.
        let owner = told
            .as_ref()
            .map_or("cell_us0", |told| told["cell"].as_str().expect("the id of a cell"));

        let (response, at, from_owner) = (learn.response.clone(), learn_path.clone(), page.clone());
        let pick = Cell::writing(move |request| {
            if request.target().starts_with(&at) { response.clone() } else { page.clone() }
        });
        let fleet = fleet(pick, owner, move |_| from_owner.clone());
        let mut topology = fleet.with_one_pick("learning");
        topology["learn_path"] = json!(learn_path);
        let router = Router::start(&topology);

        let below = format!("{path}/below");
        let requests = [format!("{path}?q=/x&redirect=/"), path.clone(), below.clone()];
        for target in &requests {
            let response = router.user().ask(
                &method,
                target,
                &["X-Conformance-Id: wire-learn", "Cookie: s=1"],
                b"",
            );
            assert_eq!(response.status(), 200, "{name}");
        }

        let (picked, sent) = received(&fleet, owner);
        let (asks, mut sent_to_pick): (Vec<_>, Vec<_>) =
            picked.into_iter().partition(|request| request.target().starts_with(&learn_path));
        sent_to_pick.extend(sent);
        let starts: Vec<_> =
            requests.iter().map(|target| format!("{method} {target} HTTP/1.1")).collect();
        assert_eq!(
            sent_to_pick.iter().map(|request| request.start.clone()).collect::<Vec<_>>(),
            starts,
            "{name}: each is sent once"
        );
        assert!(
            sent_to_pick
                .iter()
                .all(|request| request.header("x-conformance-id") == Some("wire-learn")),
            "{name}"
        );

        // The first miss, and each path that the response does not cover.
        let exact = told.as_ref().is_some_and(|told| told["exact"] == json!(true));
        let paths: Vec<&String> = match &told {
            None => vec![&path, &path, &below],
            Some(_) if exact => vec![&path, &below],
            Some(_) => vec![&path],
        };
        assert_eq!(
            asks.iter().map(|request| asked(request)[1].clone()).collect::<Vec<_>>(),
            paths.into_iter().cloned().collect::<Vec<_>>()
        );
        assert_eq!(pre_flight(&asks[0]), pre_flight(&literal), "{name}");
        for ask in &asks {
            assert!(
                ask.start.starts_with("GET ") && ask.start.ends_with(" HTTP/1.1"),
                "{name}: {}",
                ask.start
            );
            for absent in ["x-conformance-id", "cookie", "content-length", "transfer-encoding"] {
                assert_eq!(ask.header(absent), None, "{name}");
            }
        }
    }
}

#[test]
fn literal_responses_of_learning_cells_reach_the_user() {
    let exchanges = exchanges("learning");
    let Some(learn) = exchanges.iter().find(|exchange| exchange.name == "learn-prefix") else {
        assert!(exchanges.is_empty(), "a file is gone");
        return;
    };
    for exchange in exchanges.iter().filter(|exchange| !exchange.name.starts_with("learn-")) {
        let (told, response) = (learn.response.clone(), exchange.response.clone());
        let fleet =
            fleet(Cell::writing(move |_| told.clone()), "cell_eu0", move |_| response.clone());
        let router = Router::start(&fleet.with_one_pick("learning"));
        let mut user = router.user();
        user.send(&exchange.request);
        assert_passed_on(&exchange.response(), &user.response(), &exchange.name);
        let (picked, owner) = received(&fleet, "cell_eu0");
        assert_eq!((picked.len(), owner.len()), (1, 1), "{}", exchange.name);
        assert_eq!(pre_flight(&picked[0]), pre_flight(&learn.request()), "{}", exchange.name);
        assert_arrived(&exchange.request(), &owner[0], &exchange.name);
    }
}
