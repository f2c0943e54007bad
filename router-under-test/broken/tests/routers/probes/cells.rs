//! Pre-flights, failing cells, and what is cached after a failure.

use std::io::Write;
use std::time::{Duration, Instant};

use super::{Scene, field, rest, status, until, values};

pub(crate) fn learn_path(scene: &Scene) -> String {
    let one =
        |path: &str| status(&scene.get(&format!("{path}?method=GET&path_info=/us0/x"))).to_owned();
    [
        "/api/v4/internal/cells/learn",
        "/api/v4/internal/cells/%6Cearn",
        "/api/v4/internal/cells/learn/",
    ]
    .map(one)
    .join(" ")
}

pub(crate) fn pre_flight_fields(scene: &Scene) -> String {
    scene.ask("GET /us0/x", "Cookie: a=1\r\nAuthorization: b\r\nX-Other: c\r\n", "");
    let asked = scene
        .cells
        .requests()
        .into_iter()
        .find(|line| line.contains("path_info="))
        .unwrap_or_default();
    ["cookie", "authorization", "x-other"]
        .into_iter()
        .filter(|name| !values(&asked, '|', name).is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first pre-flights for a path fail, at one cell each.
pub(crate) fn one_failed_pre_flight(scene: &Scene) -> String {
    let all =
        (0..8).all(|number| status(&scene.get(&format!("/us0/pf-500-first/{number}?"))) == "200");
    if all { "all well" } else { "some refused" }.to_owned()
}

pub(crate) fn failed_pre_flights(scene: &Scene) -> String {
    let response = scene.get("/us0/pf-500/x");
    format!("{} {}", status(&response), scene.seen())
}

pub(crate) fn half_pre_flight(scene: &Scene) -> String {
    status(&scene.get("/us0/pf-half/x")).to_owned()
}

pub(crate) fn mute_pre_flight(scene: &Scene) -> String {
    let mut stream =
        scene.connect(b"GET /us0/pf-mute HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n");
    stream.set_read_timeout(Some(Duration::from_millis(4_500))).unwrap();
    status(&rest(&mut stream)).to_owned()
}

/// The pre-flights of a second visit after the first failed.
pub(crate) fn second_visit(scene: &Scene) -> String {
    scene.get("/us0/pf-garbage/x");
    let before = scene.asked();
    scene.get("/us0/pf-garbage/x");
    (scene.asked() - before).to_string()
}

pub(crate) fn missing_twice(scene: &Scene) -> String {
    scene.get("/us0/404/x");
    scene.get("/us0/404/x");
    scene.cells.hops().iter().filter(|line| line.starts_with("cell_us0")).count().to_string()
}

pub(crate) fn cold_requests(scene: &Scene) -> String {
    let all = (0..40).all(|number| status(&scene.get(&format!("/any{number}"))) == "200");
    let abroad = scene.cells.requests().iter().any(|line| line.starts_with("cell_eu"));
    format!(
        "{} {}",
        if all { "served" } else { "refused" },
        if abroad { "abroad" } else { "at home" }
    )
}

pub(crate) fn owner_down(scene: &Scene) -> String {
    let dead = scene.get("/us2/x");
    let other = scene.get("/us0/x");
    scene.cells.bring_back();
    let back = scene.get("/us2/y");
    format!("{} {} {}", status(&dead), status(&other), status(&back))
}

pub(crate) fn closed_connection(scene: &Scene) -> String {
    ["/us0/closes/1", "/us0/closes/2", "/us0/closes/3"]
        .map(|path| status(&scene.get(path)).to_owned())
        .join(" ")
}

/// The status, and how often the owner and others got a request that fails there.
fn sent(scene: &Scene, path: &str) -> String {
    let response = scene.ask(&format!("POST {path}"), "Content-Length: 2\r\n", "ok");
    counted(scene, &response)
}

fn counted(scene: &Scene, response: &str) -> String {
    let hops = scene.cells.hops();
    let others = hops.iter().filter(|line| line.starts_with("cell_us1")).count();
    let owner = hops.iter().filter(|line| line.starts_with("cell_us0")).count();
    format!("{} {owner} {others}", status(response))
}

pub(crate) fn reset_of_a_get(scene: &Scene) -> String {
    let response = scene.get("/us0/reset");
    counted(scene, &response)
}

pub(crate) fn reset(scene: &Scene) -> String {
    sent(scene, "/us0/reset")
}

pub(crate) fn mute(scene: &Scene) -> String {
    sent(scene, "/us0/mute")
}

pub(crate) fn unavailable(scene: &Scene) -> String {
    sent(scene, "/us0/503")
}

pub(crate) fn cookie_attributes(scene: &Scene) -> String {
    let cookie = field(&scene.get("/us0/x"), "set-cookie");
    let named = if cookie.contains("us0;") || cookie.contains("cell_us0") { " named" } else { "" };
    let found = ["HttpOnly", "Secure", "SameSite=Lax"]
        .into_iter()
        .filter(|attribute| cookie.contains(attribute));
    format!("{}{named}", found.collect::<Vec<_>>().join(" "))
}

pub(crate) fn forged_cookie(scene: &Scene) -> String {
    let misled = |fields: &str, place: &str| {
        let response = scene.ask(&format!("GET /us0/{place}"), fields, "");
        let wrong = scene
            .cells
            .hops()
            .iter()
            .any(|line| line.starts_with("cell_us1") && line.contains(place));
        format!("{} {}", status(&response) == "200", wrong)
    };
    format!("{} / {}", misled("Cookie: a=1; _route=cell_us1\r\n", "forged"), misled("", "other"))
}

pub(crate) fn cookie_with_host(scene: &Scene) -> String {
    scene.ask("GET /us0/x", &format!("Cookie: _route={}\r\n", scene.cells.stranger), "");
    let found = scene.cells.hops().iter().any(|line| line.starts_with("stranger"));
    if found { "stranger" } else { "cells" }.to_owned()
}

pub(crate) fn websocket(scene: &Scene) -> String {
    let fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n";
    let mut stream =
        scene.connect(format!("GET /us0/cable HTTP/1.1\r\nHost: g\r\n{fields}\r\n").as_bytes());
    let mut seen = status(&until(&mut stream, "\r\n\r\n")).to_owned();
    if seen != "101" {
        return seen;
    }
    for word in ["ping", "pong"] {
        let _ = stream.write_all(word.as_bytes());
        seen = format!("{seen} {}", until(&mut stream, word));
    }
    seen.trim_end().to_owned()
}

/// Whether one of three requests after the first takes less than the bound: a mutant is slow each
/// time, a machine now and then.
fn next_takes(scene: &Scene, target: &str, bound: Duration) -> String {
    scene.get(target);
    let quick = (0..3).any(|_| {
        let start = Instant::now();
        scene.get(target);
        start.elapsed() < bound
    });
    if quick { "quick" } else { "slow" }.to_owned()
}

pub(crate) fn warm_visit(scene: &Scene) -> String {
    next_takes(scene, "/us0/x", Duration::from_millis(1_500))
}

pub(crate) fn not_found(scene: &Scene) -> String {
    next_takes(scene, "/us0/404", Duration::from_millis(1_500))
}

/// The pre-flights for a slow response and a request after it.
pub(crate) fn life_of_an_entry(scene: &Scene) -> String {
    scene.get("/us0/slow");
    scene.get("/us0/x");
    scene.asked().to_string()
}

pub(crate) fn page_twice(scene: &Scene) -> String {
    scene.get("/us0/x");
    let response = scene.get("/us0/x");
    let owner = scene.cells.hops().iter().filter(|line| line.starts_with("cell_us0")).count();
    format!("{owner}{}", field(&response, "x-cache"))
}
