//! Connections, bodies, and invalid responses.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::thread;
use std::time::Duration;

use super::{SHORT, Scene, body, field, rest, status, until};
use crate::raw_cells::MUCH;

pub(crate) fn pipelined(scene: &Scene) -> String {
    let one = |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: g\r\n{more}\r\n");
    let response = scene.talk(&(one("/us0/one", "") + &one("/us0/two", "Connection: close\r\n")));
    let bodies = response
        .split("HTTP/1.1 200")
        .filter_map(|part| part.split("GET /us0/").nth(1)?.get(..3).map(str::to_owned));
    bodies.collect::<Vec<_>>().join(" ")
}

pub(crate) fn old_user(scene: &Scene) -> String {
    let response = scene.talk("GET /us0/chunks HTTP/1.0\r\nHost: g\r\n\r\n");
    format!("{} {}", status(&response), body(&response).replace("\r\n", "|"))
}

pub(crate) fn old_user_who_expects(scene: &Scene) -> String {
    let response = scene.talk(
        "POST /us0/x HTTP/1.0\r\nHost: g\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
    );
    status(&response).to_owned()
}

pub(crate) fn half_closed(scene: &Scene) -> String {
    let mut stream = scene.connect(b"GET /us0/slow HTTP/1.1\r\nHost: g\r\n\r\n");
    stream.shutdown(Shutdown::Write).unwrap();
    status(&rest(&mut stream)).to_owned()
}

pub(crate) fn sizes(scene: &Scene) -> String {
    let one = |size: usize| {
        let before = scene.cells.hops().len();
        let response =
            scene.ask("POST /us0/x", &format!("Content-Length: {size}\r\n"), &"x".repeat(size));
        let got = scene.last().split(' ').rev().nth(1).unwrap_or_default().to_owned();
        format!(
            "{}:{}",
            status(&response),
            if scene.cells.hops().len() > before { got } else { "-".to_owned() }
        )
    };
    [100_000, 1 << 20, (1 << 20) + 1].map(one).join(" ")
}

pub(crate) fn chunked_body(scene: &Scene) -> String {
    let response = scene.ask(
        "POST /us0/x",
        "Transfer-Encoding: chunked\r\n",
        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
    );
    format!("{} {}", status(&response), scene.last().rsplit(' ').next().unwrap_or_default())
}

pub(crate) fn expecting(scene: &Scene) -> String {
    let response =
        scene.ask("POST /us0/x", "Expect: 100-continue\r\nContent-Length: 5\r\n", "hello");
    let asked = if response.contains("100 Continue") { "asked" } else { "not asked" };
    format!("{asked} {}", scene.last().rsplit(' ').next().unwrap_or_default())
}

pub(crate) fn head(scene: &Scene) -> String {
    let response = scene.ask("HEAD /us0/x", "", "");
    let empty = if body(&response).is_empty() { "empty" } else { "body" };
    format!("{} {} {empty}", status(&response), scene.last().split(' ').nth(1).unwrap_or_default())
}

pub(crate) fn unchanged(scene: &Scene) -> String {
    let response = scene.get("/us0/304");
    format!("{} {}", status(&response), field(&response, "content-length"))
}

pub(crate) fn no_content(scene: &Scene) -> String {
    let response = scene.get("/us0/204");
    format!("{} {}", status(&response), body(&response).len())
}

pub(crate) fn part(scene: &Scene) -> String {
    status(&scene.get("/us0/206")).to_owned()
}

pub(crate) fn slow(scene: &Scene) -> String {
    status(&scene.get("/us0/slow")).to_owned()
}

/// Waits until `count` stops growing or exceeds `bound`.
fn settled(bound: usize, count: impl Fn() -> usize) -> String {
    let mut before = usize::MAX;
    loop {
        let now = count();
        if now >= bound {
            return "all".to_owned();
        }
        if now == before {
            return "some".to_owned();
        }
        before = now;
        thread::sleep(SHORT);
    }
}

pub(crate) fn response_not_taken(scene: &Scene) -> String {
    let mut stream =
        scene.connect(b"GET /us0/much HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n");
    let _ = stream.read(&mut [0]);
    settled(MUCH, || scene.cells.sent())
}

pub(crate) fn upload_not_taken(scene: &Scene) -> String {
    let head = format!("POST /us0/unread HTTP/1.1\r\nHost: g\r\nContent-Length: {MUCH}\r\n\r\n");
    let mut stream = scene.connect(head.as_bytes());
    // Twice this is less than the cell stays.
    stream.set_write_timeout(Some(Duration::from_millis(1_500))).unwrap();
    let block = vec![b'x'; 1 << 16];
    let all = (0..MUCH >> 16).all(|_| stream.write_all(&block).is_ok());
    if all { "all" } else { "some" }.to_owned()
}

pub(crate) fn first_part(scene: &Scene) -> String {
    let mut stream =
        scene.connect(b"GET /us0/event HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n");
    let before = until(&mut stream, "one").contains("one");
    scene.cells.fleet.shared.released.send_replace(true);
    let after = rest(&mut stream);
    format!(
        "{} {}",
        if before { "early" } else { "late" },
        if after.contains("two") { "whole" } else { "cut" }
    )
}

pub(crate) fn cut_chunks(scene: &Scene) -> String {
    let response = scene.get("/us0/cut-chunks");
    if response.ends_with("0\r\n\r\n") { "whole" } else { "cut" }.to_owned()
}

pub(crate) fn cut_length(scene: &Scene) -> String {
    let response = scene.get("/us0/cut-length");
    let whole = field(&response, "content-length").parse() == Ok(body(&response).len());
    let sent = scene.cells.hops().iter().filter(|line| line.starts_with("cell_us0")).count();
    format!("{} {sent}", if whole { "whole" } else { "cut" })
}

pub(crate) fn cut_head(scene: &Scene) -> String {
    status(&scene.get("/us0/cut-head")).to_owned()
}

pub(crate) fn garbage(scene: &Scene) -> String {
    scene.get("/us0/garbage").chars().take(12).collect()
}

pub(crate) fn bad_field(scene: &Scene) -> String {
    status(&scene.get("/us0/bad-field")).to_owned()
}

pub(crate) fn response_with_two_lengths(scene: &Scene) -> String {
    let response = scene.get("/us0/two-lengths");
    if status(&response) == "502" { "502".to_owned() } else { body(&response).to_owned() }
}
