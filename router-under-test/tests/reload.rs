//! SIGHUP: the topology is read again, and no request is lost.

mod support;

use std::sync::{Mutex, mpsc};

use serde_json::{Value, json};
use support::cell::{Cell, Then, ok, redirect, response, wait_for};
use support::message::Message;
use support::router::Router;
use support::single::one_cell;

/// The same with the cell at another address, under another id.
fn replaced(topology: &Value, id: &str, cell: &Cell) -> Value {
    let mut topology = topology.clone();
    topology["cells"][0]["id"] = json!(id);
    topology["cells"][0]["name"] = json!(format!("Cell {id}"));
    topology["cells"][0]["url"] = json!(format!("http://{}", cell.address));
    topology["latest_cell"] = json!(id);
    topology
}

#[test]
fn a_request_under_way_ends_as_it_began_and_the_next_one_sees_the_new_cells() {
    let (go_on, told) = mpsc::channel();
    let told = Mutex::new(told);
    let old = Cell::scripted(move |mut exchange| {
        exchange.read_body();
        exchange.response("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfirst");
        told.lock().unwrap().recv().unwrap();
        exchange.response("second");
        Then::Keep
    });
    let new = Cell::responding(|_| ok("new"));
    let topology = one_cell("buffering", old.address);
    let router = Router::start(&topology);
    let mut kept = router.user();
    kept.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    let mut under_way = Message::read_head(&mut kept.reader).unwrap().unwrap();
    // Its head is whole, its body is not.
    let mut uploading = router.user();
    uploading.send("POST /up HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nab");

    router.reload(&replaced(&topology, "cell_new", &new));
    wait_for(|| {
        // Those who come before the reload wait at the old cell.
        let mut user = router.user();
        user.send("GET /y HTTP/1.1\r\nHost: h\r\n\r\n");
        std::thread::sleep(std::time::Duration::from_millis(20));
        new.lines().iter().any(|line| line.contains("/y"))
    });
    let asked = old.received().len();
    go_on.send(()).unwrap();
    under_way.read_body(&mut kept.reader).unwrap();
    assert_eq!((under_way.text(), under_way.whole), ("firstsecond", true));
    // The same connection, and a new request.
    assert_eq!(kept.get("/z").text(), "new");
    assert_eq!(old.received().len(), asked, "{:?}", old.lines());
    drop(go_on);
    uploading.send("cd");
    assert_eq!(uploading.response().status(), 200);
}

#[test]
fn what_names_a_cell_that_has_gone_is_forgotten() {
    let owner = |name: &'static str| {
        Cell::responding(move |_| {
            response("200 OK", &["X-Gitlab-Cell-Cache: {path_prefix:/acme/}"], name)
        })
    };
    let (first, second) = (owner("first"), owner("second"));
    // The one cold pick of the region, which knows only the first owner.
    let pick = Cell::responding(|request| match request.target() {
        "/acme" | "/acme/again" => redirect("Cell EU0"),
        "/acme/moved" => redirect("Cell US0"),
        _ => ok("pick"),
    });
    let mut topology =
        support::router::topology("buffering", second.address, first.address, pick.address);
    topology["cells"][1]["region"] = json!("us");
    let router = Router::start(&topology);
    let mut user = router.user();
    assert_eq!(user.get("/acme").text(), "first");
    assert_eq!(user.get("/acme/known").text(), "first");
    assert_eq!(pick.received().len(), 1);

    let mut later = topology.clone();
    later["cells"].as_array_mut().unwrap().remove(1);
    router.reload(&later);
    wait_for(|| user.get("/acme/moved").text() == "second");
    assert!(pick.received().len() > 1);
    let (asked, picked) = (first.received().len(), pick.received().len());
    // What was learnt since names the new owner.
    assert_eq!(user.get("/acme/more").text(), "second");
    assert_eq!((first.received().len(), pick.received().len()), (asked, picked));
}

#[test]
fn a_file_that_cannot_be_used_changes_nothing() {
    let (old, new) = (Cell::responding(|_| ok("old")), Cell::responding(|_| ok("new")));
    let topology = one_cell("learning", old.address);
    let metrics = support::router::free_address();
    let router = Router::start_with(&topology, &[("CELLS_METRICS", &metrics.to_string())]);
    let mut user = router.user();
    assert_eq!(user.get("/").text(), "old");
    let mut bad = topology.clone();
    bad["cells"][0]["url"] = json!("ftp://x");
    let mut moved = topology.clone();
    moved["listen"] = json!(support::router::free_address());
    for (number, file) in [&bad, &moved, &json!("not a topology")].into_iter().enumerate() {
        router.reload(file);
        let line = format!("reloads_total{{outcome=\"refused\"}} {}", number + 1);
        wait_for(|| support::client::User::connect(metrics).get("/metrics").text().contains(&line));
        assert_eq!(user.get("/").text(), "old");
    }
    router.reload(&replaced(&topology, "cell_new", &new));
    wait_for(|| user.get("/").text() == "new");
    let counted = support::client::User::connect(metrics).get("/metrics");
    for line in ["hops_total{cell=\"cell_us0\"} ", "hops_total{cell=\"cell_new\"} "] {
        assert!(counted.text().contains(line), "{}", counted.text());
    }
    let log = router.log();
    for problem in ["`cells[0].url`", "`listen`: is", "expected an object", "the old one stays"] {
        assert!(log.contains(problem), "{problem}: {log}");
    }
}

#[test]
fn a_topology_that_nobody_writes_does_not_make_the_router_deaf() {
    let cell = Cell::responding(|_| ok("served"));
    let metrics = support::router::free_address();
    let topology = one_cell("buffering", cell.address);
    let router = Router::start_with(&topology, &[("CELLS_METRICS", &metrics.to_string())]);
    router.reload_pipe();
    let refused = "reloads_total{outcome=\"refused\"} 1";
    wait_for(|| support::client::User::connect(metrics).get("/metrics").text().contains(refused));
    assert_eq!(router.user().get("/x").text(), "served");
    router.terminate();
    assert!(router.ended().success());
}
